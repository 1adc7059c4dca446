// Lists a description's numbers by their paths in scenes.
#include "api/parameters.h"

#include "base/memory.h"
#include "base/text.h"
#include "force/force.h"
#include "force/joint.h"
#include "force/material.h"
#include "force/shell_material.h"
#include "math/vec3.h"
#include "model/contact_pairs.h"
#include "step/record.h"
#include "scene/suggest.h"

#include <string.h>
#include <zlib.h>

// While the list grows.
typedef struct Lister {
  StParameters *list;
  StDescription *description;
  bool failed;
} Lister;

static char *make_name(const char *group, const char *name, const char *key) {
  ST_FINALLY(st_text_free) StText text = {0};
  st_text_add(&text, name ? "%s.%s.%s" : "%s%s%s", group, name ? name : "", key);
  return text.failed ? NULL : st_copy_string(text.data);
}

static void add(Lister *lister, char *name, StParameter parameter) {
  StParameters *list = lister->list;
  bool room = name && st_grow((void **)&list->item, &list->capacity, (size_t)list->count + 1,
                              sizeof *list->item);
  if (!room) {
    free(name);
    lister->failed = true;
    return;
  }
  parameter.name = name;
  list->item[list->count++] = parameter;
}

// A number described by a descriptor.
static void add_described(Lister *lister, const char *group, const char *name, const StParam *param,
                          double *value, StCurve *curve, StEffect effect) {
  if (param->kind != ST_REAL)
    return;
  add(lister, make_name(group, name, param->name),
      (StParameter){.unit = st_dimension_unit(param->dimension),
                    .doc = param->doc,
                    .count = 1,
                    .value = value,
                    .curve = curve,
                    .param = param,
                    .effect = effect});
}

static const StParam NOT_NEGATIVE = {.kind = ST_REAL, .max = INFINITY};

static void add_gravity(Lister *lister) {
  StDescription *description = lister->description;
  bool acts = vec3_length(description->gravity) > 0 || description->acceleration_count > 0;
  for (int b = 0; b < description->body_count; b++)
    acts = acts || vec3_length(description->body[b].gravity) > 0;
  StParameter gravity = {.unit = "m/s^2",
                         .doc = "Gravity.",
                         .count = 3,
                         .value = description->gravity,
                         .effect = acts ? ST_EFFECT_FORCE : ST_EFFECT_REBUILD};
  add(lister, make_name("gravity", NULL, ""), gravity);
  for (int b = 0; b < description->body_count; b++)
    if (description->body[b].own_gravity) {
      gravity.value = description->body[b].gravity;
      gravity.doc = "Gravity on this body alone.";
      add(lister, make_name("bodies", description->body[b].name, "gravity"), gravity);
    }
}

static const StParam *law_params(const StMaterialDesc *material, int *count) {
  if (material->shell) {
    const StShellLaw *law = st_shell_law_find(material->law.name);
    *count = law ? law->param_count : 0;
    return law ? law->param : NULL;
  }
  const StMaterialLaw *law = st_material_law_find(material->law.name);
  *count = law ? law->param_count : 0;
  return law ? law->param : NULL;
}

static void add_materials(Lister *lister) {
  for (int i = 0; i < lister->description->material_count; i++) {
    StMaterialDesc *material = &lister->description->material[i];
    int count;
    const StParam *param = law_params(material, &count);
    for (int p = 0; p < count; p++)
      add_described(lister, "materials", material->name, &param[p], &material->law.value[p], NULL,
                    ST_EFFECT_REBUILD);
    StParameter damping = {.unit = "1/s",
                           .doc = "Damping in proportion to mass.",
                           .count = 1,
                           .value = &material->mass_damping,
                           .param = &NOT_NEGATIVE,
                           .effect = ST_EFFECT_REBUILD};
    add(lister, make_name("materials", material->name, "mass_damping"), damping);
    damping.unit = "s";
    damping.doc = "Damping in proportion to stiffness.";
    damping.value = &material->stiffness_damping;
    add(lister, make_name("materials", material->name, "stiffness_damping"), damping);
  }
}

static void add_loads(Lister *lister) {
  static const char *const KEY[] = {"force", "traction", "pressure"};
  for (int i = 0; i < lister->description->load_count; i++) {
    StLoadDesc *load = &lister->description->load[i];
    add(lister, make_name("loads", load->name, KEY[load->kind]),
        (StParameter){.unit = load->kind == ST_LOAD_FORCE ? "N" : "Pa",
                      .doc = "What the load pushes with.",
                      .count = load->kind == ST_LOAD_PRESSURE ? 1 : 3,
                      .curve = load->value,
                      .effect = ST_EFFECT_FORCE});
  }
}

static void add_joints(Lister *lister) {
  for (int i = 0; i < lister->description->joint_count; i++) {
    StJointDesc *joint = &lister->description->joint[i];
    const StJointType *type = st_joint_type_find(joint->type.name);
    for (int p = 0; type && p < type->param_count; p++)
      add_described(lister, "joints", joint->name, &type->param[p], &joint->type.value[p],
                    &joint->curve[p], ST_EFFECT_JOINTS);
  }
}

// Forces of the scene's list have no names: the first one of a kind is used.
static void add_forces(Lister *lister) {
  const StDescription *description = lister->description;
  for (int i = 0; i < description->force_count; i++) {
    StForceDesc *force = &lister->description->force[i];
    const StForceType *type = force->type ? NULL : st_force_type_find(force->choice.name);
    const char *of = type && force->body >= 0 ? description->body[force->body].name : NULL;
    StText group = {0};
    st_text_add(&group, of ? "forces.%s" : "forces", type ? type->name : "");
    for (int p = 0; type && !group.failed && p < type->param_count; p++)
      add_described(lister, group.data, of ? of : type->name, &type->param[p],
                    &force->choice.value[p], &force->curve[p], ST_EFFECT_FORCE);
    lister->failed = lister->failed || group.failed;
    st_text_free(&group);
  }
}

static void add_drives(Lister *lister) {
  for (int i = 0; i < lister->description->volume_count; i++) {
    StVolumeDesc *volume = &lister->description->volume[i];
    add(lister, make_name("volumes", volume->name, "pressure"),
        (StParameter){.unit = "Pa",
                      .doc = "Absolute pressure inside at the rest volume.",
                      .count = 1,
                      .curve = &volume->pressure,
                      .fallback = volume->outside_pressure,
                      .param = &NOT_NEGATIVE,
                      .effect = ST_EFFECT_FORCE});
  }
  for (int i = 0; i < lister->description->bearing_count; i++) {
    StBearingDesc *bearing = &lister->description->bearing[i];
    add(lister, make_name("bearings", bearing->name, "torque"),
        (StParameter){.unit = "N m",
                      .doc = "What drives the rim about its axis.",
                      .count = 1,
                      .curve = &bearing->torque,
                      .effect = ST_EFFECT_FORCE});
  }
}

static void add_friction(Lister *lister, const char *pair, StFrictionDesc *friction,
                         const char *viscous_unit) {
  const struct {
    const char *key, *unit, *doc;
    double *value;
  } number[] = {
      {"dynamic", "", "Coefficient of friction while sliding.", &friction->dynamic_coefficient},
      {"static", "", "Largest coefficient before sliding sets in.", &friction->static_coefficient},
      {"viscous", viscous_unit, "Further friction in proportion to speed.",
       &friction->viscous_coefficient},
  };
  for (int i = 0; i < ST_LENGTH(number); i++)
    add(lister, make_name("friction", pair, number[i].key),
        (StParameter){.unit = number[i].unit,
                      .doc = number[i].doc,
                      .count = 1,
                      .value = number[i].value,
                      .param = &NOT_NEGATIVE,
                      .friction = friction,
                      .effect = ST_EFFECT_FRICTION});
}

static void add_contacts(Lister *lister) {
  const StDescription *description = lister->description;
  const char *unit = st_contact_traits(description->contact_settings.method)->viscous_unit;
  lister->failed = lister->failed || !st_pairs_list(lister->description, ST_REPORT_PAIRS);
  for (int i = 0; i < description->contact_count; i++) {
    StContactDesc *contact = &lister->description->contact[i];
    StText pair = {0};
    st_text_add(&pair, "%s|%s", description->body[contact->collider].name,
                contact->body >= 0 ? description->body[contact->body].name
                                   : description->obstacle[contact->obstacle].name);
    if (!pair.failed)
      add_friction(lister, pair.data, &contact->friction, unit);
    lister->failed = lister->failed || pair.failed;
    st_text_free(&pair);
  }
}

static void add_releases(Lister *lister) {
  for (int i = 0; i < lister->description->boundary_count; i++) {
    StBoundaryDesc *boundary = &lister->description->boundary[i];
    add(lister, make_name("boundaries", boundary->name, "release"),
        (StParameter){.unit = "s",
                      .doc = "When it is let go; inf: never.",
                      .count = 1,
                      .value = &boundary->release,
                      .effect = ST_EFFECT_FORCE});
  }
}

StStatus st_parameters_create(StDescription *description, StParameters *parameters,
                              StError *error) {
  Lister lister = {parameters, description, false};
  add_gravity(&lister);
  add_materials(&lister);
  add_contacts(&lister);
  add_loads(&lister);
  add_joints(&lister);
  add_drives(&lister);
  add_forces(&lister);
  add_releases(&lister);
  if (!lister.failed)
    return ST_OK;
  st_parameters_free(parameters);
  return st_fail_memory(error);
}

void st_parameters_free(StParameters *parameters) {
  for (int i = 0; i < parameters->count; i++)
    free(parameters->item[i].name);
  free(parameters->item);
  *parameters = (StParameters){0};
}

StStatus st_parameters_find(const StParameters *parameters, const char *name,
                            const StParameter **parameter, StError *error) {
  StSuggestion known = {.wanted = name};
  for (int i = 0; i < parameters->count; i++) {
    *parameter = &parameters->item[i];
    if (strcmp((*parameter)->name, name) == 0) {
      st_suggestion_free(&known);
      return ST_OK;
    }
    st_suggestion_add(&known, (*parameter)->name);
  }
  st_fail(error, ST_BAD_INPUT, "there is no parameter \"%.200s\"; known: %.1500s", name,
          st_suggestion_text(&known));
  st_suggestion_free(&known);
  return ST_BAD_INPUT;
}

void st_parameter_get(const StParameter *parameter, double time, double *value) {
  for (int i = 0; i < parameter->count; i++) {
    double otherwise = parameter->value ? parameter->value[i] : parameter->fallback;
    value[i] = parameter->curve ? st_curve_at(&parameter->curve[i], time, otherwise) : otherwise;
  }
}

static bool may_be_infinite(const StParameter *parameter) {
  return !parameter->param && parameter->count == 1 && parameter->value; // a release
}

static StStatus check_value(const StParameter *parameter, double value, StError *error) {
  const StParam *param = parameter->param;
  if (isnan(value) || (isinf(value) && !may_be_infinite(parameter)))
    return st_fail(error, ST_BAD_INPUT, "%s: %g is no number it can have", parameter->name, value);
  if (!param || st_param_allows(param, value))
    return ST_OK;
  return st_fail(error, ST_BAD_INPUT, "%s: %g is outside its range, %s %g … %s %g", parameter->name,
                 value, param->min_open ? "above" : "from", param->min,
                 param->max_open || isinf(param->max) ? "below" : "up to", param->max);
}

// Static friction follows dynamic until it is set itself, as in scenes. It is never less: the one
// that was not set is adjusted.
static void keep_order(const StParameter *parameter) {
  StFrictionDesc *friction = parameter->friction;
  if (!friction)
    return;
  if (parameter->value == &friction->static_coefficient)
    friction->own_static = true;
  bool wrong = friction->static_coefficient < friction->dynamic_coefficient;
  if (parameter->value == &friction->static_coefficient && wrong)
    friction->dynamic_coefficient = friction->static_coefficient;
  else if (wrong || !friction->own_static)
    friction->static_coefficient = friction->dynamic_coefficient;
}

StStatus st_parameter_set(const StParameter *parameter, const double *value, StError *error) {
  for (int i = 0; i < parameter->count; i++)
    ST_TRY(check_value(parameter, value[i], error));
  for (int i = 0; i < parameter->count; i++) {
    if (parameter->value)
      parameter->value[i] = value[i];
    if (parameter->curve)
      parameter->curve[i] = st_curve_constant(value[i]);
  }
  keep_order(parameter);
  return ST_OK;
}

unsigned long st_parameters_checksum(const StParameters *parameters) {
  uLong sum = crc32_z(0, NULL, 0);
  for (int i = 0; i < parameters->count; i++) {
    const StParameter *parameter = &parameters->item[i];
    for (int c = 0; c < parameter->count; c++) {
      const StCurve *curve = parameter->curve ? &parameter->curve[c] : NULL;
      bool constant = curve && curve->kind == ST_CURVE_SINE && curve->sine.amplitude == 0;
      double value = constant                            ? curve->sine.mean
                     : curve && st_curve_is_given(curve) ? 0
                     : parameter->value                  ? parameter->value[c]
                                                         : parameter->fallback;
      int given = curve && st_curve_is_given(curve) && !constant;
      sum = crc32_z(sum, (const Bytef *)&value, sizeof value);
      sum = crc32_z(sum, (const Bytef *)&given, sizeof given);
    }
  }
  return sum;
}
