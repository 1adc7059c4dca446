// Describes a scene in lines of text, and warns of what is allowed but rarely intended.
#include "app/scene_summary.h"

#include "app/progress.h"
#include "base/memory.h"
#include "contact/core/obstacle.h"
#include "force/material.h"
#include "force/shell_material.h"
#include "force/volume_model.h"
#include "math/vec3.h"
#include "mesh/check.h"
#include "mesh/second_order.h"
#include "model/body.h"
#include "model/contact_pairs.h"
#include "model/piece.h"
#include "model/rigid.h"
#include "step/schedule.h"

// Of bodies, obstacles, boundaries and pairs each: scenes may have thousands.
enum { SHOWN = 40 };

static int shown(int count) {
  return count < SHOWN ? count : SHOWN;
}

static void add_rest(int64_t count, const char *what, StText *text) {
  if (count > SHOWN)
    st_text_add(text, "  and %lld %s more\n", (long long)(count - SHOWN), what);
}

// "120 tets, 44 triangles"
static void add_elements(int tets, int second_order, int triangles, StText *text) {
  if (tets > 0)
    st_text_add(text, ", %d tets", tets);
  if (second_order > 0)
    st_text_add(text, second_order == tets ? " of order 2" : " (%d of order 2)", second_order);
  if (triangles > 0)
    st_text_add(text, ", %d triangles", triangles);
}

static void add_body_materials(const StDescription *description, const StBodyDesc *body,
                               StText *text) {
  bool tets = body->mesh->tet_count > 0, triangles = st_body_shell_count(body) > 0;
  const StMaterialDesc *material = description->material;
  st_text_add(text, "    %-12s %s", "material",
              material[tets || body->rigid ? body->material : body->shell].name);
  if (tets && triangles)
    st_text_add(text, ", triangles %s", material[body->shell].name);
  for (int i = 0; i < body->label_material_count; i++)
    st_text_add(text, ", %s where \"%s\"", material[body->label_material[i].material].name,
                body->mesh->label_name[body->label_material[i].label]);
  st_text_add(text, "\n");
}

static void add_mesh(const StMeshReport *report, StText *text) {
  const double *low = report->low, *high = report->high;
  st_text_add(text, "    %-12s x %.4g to %.4g, y %.4g to %.4g, z %.4g to %.4g m\n", "extent",
              low[0], high[0], low[1], high[1], low[2], high[2]);
  st_text_add(text, "    %-12s edges %.4g to %.4g m, worst quality", "mesh", report->shortest_edge,
              report->longest_edge);
  if (report->worst_tet >= 0)
    st_text_add(text, " %.3g", report->worst_quality);
  if (report->worst_triangle >= 0)
    st_text_add(text, "%s %.3g", report->worst_tet >= 0 ? " of tets, of triangles" : "",
                report->worst_triangle_quality);
  st_text_add(text, " (1: regular)\n");
}

static void add_velocity(StText *text, const char *what, const double v[3], const char *unit) {
  if (vec3_length(v) > 0)
    st_text_add(text, "    %-12s (%g, %g, %g) %s\n", what, v[0], v[1], v[2], unit);
}

static StStatus add_body(const StDescription *description, const StBodyDesc *body, StText *text,
                         StError *error) {
  StMeshReport report;
  ST_TRY(st_mesh_report(body->mesh, &report, error));
  st_text_add(text, "  %s\n    %-12s %s%d vertices", body->name, "size",
              body->rigid ? "rigid, " : "", st_body_vertex_count(body));
  int tets = st_mesh_element_count(body->mesh);
  add_elements(body->mesh->cage ? 0 : tets, body->mesh->second_order ? tets : 0,
               body->mesh->triangle_count, text);
  if (body->mesh->cage)
    st_text_add(text, ", in a cage of %d vertices and %d tets",
                body->mesh->vertex_count - st_body_vertex_count(body), body->mesh->tet_count);
  st_text_add(text, "\n    %-12s %.6g kg", "mass", st_body_mass(description, body));
  if (body->mesh->tet_count > 0)
    st_text_add(text, ", volume %.6g m^3", report.volume);
  if (body->mesh->triangle_count > 0)
    st_text_add(text, ", area %.6g m^2", report.area);
  st_text_add(text, "\n");
  add_mesh(&report, text);
  add_body_materials(description, body, text);
  add_velocity(text, "velocity", body->velocity, "m/s");
  add_velocity(text, "spin", body->angular_velocity, "rad/s");
  if (body->rigid)
    st_text_add(text, "    %-12s %.4g Pa\n", "stiffness", st_rigid_stiffness(description, body));
  return ST_OK;
}

// ", young 1e+06 Pa" for each value that does not follow from the others.
static void add_values(const StParam *param, int count, const double *value, StText *text) {
  for (int i = 0; i < count; i++) {
    const char *unit = st_dimension_unit(param[i].dimension);
    if (isfinite(value[i]))
      st_text_add(text, ", %s %.6g%s%s", param[i].name, value[i], *unit ? " " : "", unit);
  }
}

static void add_law(const StMaterialDesc *material, const StParam *param, int param_count,
                    StText *text) {
  st_text_add(text, "  %s\n    %-12s %s", material->name, "law", material->law.name);
  add_values(param, param_count, material->law.value, text);
  st_text_add(text, "\n");
}

// A hinge's stiffness is a third of the stiffness of the plate it represents.
static void add_shell(const StMaterialDesc *material, StText *text) {
  const StShellLaw *law = st_shell_law_find(material->law.name);
  if (!law)
    return;
  StShellStiffness k = {0};
  law->prepare(material->law.value, &k);
  add_law(material, law->param, law->param_count, text);
  st_text_add(text,
              "    %-12s lambda %.5g N/m, mu %.5g N/m, bending %.5g J (a plate of %.5g N m)\n",
              "constants", k.lambda, k.mu, k.bending, 3 * k.bending);
  st_text_add(text, "    %-12s %g kg/m^2, waves in its plane at %.4g m/s\n", "density",
              material->density, sqrt((k.lambda + 2 * k.mu) / material->density));
}

// λ and μ at rest are entries of the tangent there: ∂P11/∂F22 and ∂P12/∂F12.
static void add_solid(const StMaterialDesc *material, StText *text) {
  static const double rest[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const StMaterialLaw *law = st_material_law_find(material->law.name);
  if (!law)
    return;
  double k[ST_LAW_CONSTANTS], C[81];
  law->prepare(material->law.value, k);
  law->tangent(k, rest, C);
  add_law(material, law->param, law->param_count, text);
  st_text_add(text, "    %-12s lambda %.5g Pa, mu %.5g Pa\n", "constants", C[4], C[10]);
  st_text_add(text, "    %-12s %g kg/m^3, pressure waves at %.4g m/s\n", "density",
              material->density, sqrt(law->modulus(k) / material->density));
}

static void add_material(const StMaterialDesc *material, StText *text) {
  if (material->rigid)
    st_text_add(text, "  %s\n    %-12s rigid\n    %-12s %g kg/m^3\n", material->name, "law",
                "density", material->density);
  else if (material->shell)
    add_shell(material, text);
  else
    add_solid(material, text);
  if (material->mass_damping > 0 || material->stiffness_damping > 0)
    st_text_add(text, "    %-12s mass %g 1/s, stiffness %g s\n", "damping", material->mass_damping,
                material->stiffness_damping);
}

// "30", "0 to 30", "a sine of 30 about 0 at 50 Hz"
static void add_curve(const StCurve *curve, double fallback, StText *text) {
  double low = fallback, high = fallback;
  for (int i = 0; i < curve->key_count; i++) {
    low = i ? fmin(low, curve->value[i]) : curve->value[i];
    high = i ? fmax(high, curve->value[i]) : curve->value[i];
  }
  if (curve->kind == ST_CURVE_SINE)
    st_text_add(text, "a sine of %.6g about %.6g at %.6g Hz", curve->sine.amplitude,
                curve->sine.mean, curve->sine.frequency / (2 * M_PI));
  else if (curve->kind == ST_CURVE_FORMULA)
    st_text_add(text, "a formula");
  else
    st_text_add(text, "%.6g", low);
  if (curve->key_count > 1)
    st_text_add(text, " to %.6g", high);
}

// " moved by 5 keys", " moved along a sine"
static void add_motion(const StMotion *motion, StText *text) {
  const StCurve *most = &motion->angle;
  for (int k = 2; k >= 0; k--)
    if (st_curve_is_given(&motion->translation[k]))
      most = &motion->translation[k];
  if (most->kind == ST_CURVE_KEYS)
    st_text_add(text, " moved by %d keys", most->key_count);
  else
    st_text_add(text, " moved by a %s", most->kind == ST_CURVE_SINE ? "sine" : "formula");
}

// Before a unit.
static const char *in(const StCurve *curve) {
  return curve->kind == ST_CURVE_KEYS ? "" : " in";
}

static const char *body_of(const StDescription *description, int vertex) {
  const StBodyDesc *body = description->body;
  while (vertex >= body->mesh->vertex_count)
    vertex -= (body++)->mesh->vertex_count;
  return body->name;
}

static void add_volume(const StDescription *description, const StVolumeDesc *volume, StText *text) {
  const StVolumeModel *model = st_volume_model_find(volume->model.name);
  st_text_add(text, "  %-14s in %s, %d triangles, rest volume %.6g m^3\n", volume->name,
              body_of(description, volume->triangle[0]), volume->triangle_count,
              volume->rest_volume);
  st_text_add(text, "    %-12s %s", "model", volume->model.name);
  add_values(model ? model->param : NULL, model ? model->param_count : 0, volume->model.value,
             text);
  st_text_add(text, "\n    %-12s ", "pressure");
  add_curve(&volume->pressure, volume->outside_pressure, text);
  st_text_add(text, "%s Pa inside at rest, %.6g Pa outside", in(&volume->pressure),
              volume->outside_pressure);
  if (volume->pressure.key_count > 1)
    st_text_add(text, "; %d keys over time", volume->pressure.key_count);
  st_text_add(text, "\n");
}

static void add_bearing(const StBearingDesc *bearing, StText *text) {
  const double *axis = bearing->axis, *centre = bearing->centre;
  st_text_add(text, "  %-14s %d vertices about (%.4g, %.4g, %.4g) through (%.4g, %.4g, %.4g) m",
              bearing->name, bearing->vertex_count, axis[0], axis[1], axis[2], centre[0], centre[1],
              centre[2]);
  st_text_add(text, ", %.4g N/m, torque ", bearing->stiffness);
  add_curve(&bearing->torque, 0, text);
  st_text_add(text, "%s N m", in(&bearing->torque));
  if (bearing->torque.key_count > 1)
    st_text_add(text, " by %d keys", bearing->torque.key_count);
  st_text_add(text, "\n");
}

static void add_fillings(const StDescription *description, StText *text) {
  if (description->volume_count > 0)
    st_text_add(text, "Volumes\n");
  for (int i = 0; i < description->volume_count; i++)
    add_volume(description, &description->volume[i], text);
  if (description->bearing_count > 0)
    st_text_add(text, "Bearings\n");
  for (int i = 0; i < description->bearing_count; i++)
    add_bearing(&description->bearing[i], text);
}

static void add_load(const StLoadDesc *load, StText *text) {
  static const char *const KIND[] = {"force", "traction", "pressure"};
  bool pressure = load->kind == ST_LOAD_PRESSURE;
  st_text_add(text, "  %-14s %s in %s on %d %s: ", load->name, KIND[load->kind],
              load->kind == ST_LOAD_FORCE ? "N" : "Pa",
              pressure ? load->triangle_count : load->vertex_count,
              pressure ? "triangles" : "vertices");
  for (int k = 0; k < (pressure ? 1 : 3); k++) {
    st_text_add(text, "%s", k ? ", " : "");
    add_curve(&load->value[k], 0, text);
  }
  st_text_add(text, "\n");
}

static void add_joint(const StJointDesc *joint, StText *text) {
  const double *at = joint->end[0].place[0];
  st_text_add(text, "  %-14s %s of %d vertices with ", joint->name, joint->type.name,
              joint->end[0].vertex_count);
  if (joint->end[1].vertex_count > 0)
    st_text_add(text, "%d others", joint->end[1].vertex_count);
  else
    st_text_add(text, "the world");
  st_text_add(text, " at (%.4g, %.4g, %.4g) m\n", at[0], at[1], at[2]);
}

static void add_actions(const StDescription *description, StText *text) {
  if (description->load_count > 0)
    st_text_add(text, "Loads\n");
  for (int i = 0; i < description->load_count; i++)
    add_load(&description->load[i], text);
  if (description->joint_count > 0)
    st_text_add(text, "Joints\n");
  for (int i = 0; i < description->joint_count; i++)
    add_joint(&description->joint[i], text);
}

static void add_boundary(const StBoundaryDesc *boundary, StText *text) {
  st_text_add(text, "  %-14s %d vertices,", boundary->name, boundary->vertex_count);
  for (int k = 0; k < 3; k++)
    if (boundary->axis[k])
      st_text_add(text, " %c", "xyz"[k]);
  if (st_motion_moves(&boundary->motion))
    add_motion(&boundary->motion, text);
  else
    st_text_add(text, " held");
  if (isfinite(boundary->release))
    st_text_add(text, ", released at %g s", boundary->release);
  st_text_add(text, "\n");
}

static void add_obstacle(const StObstacleDesc *obstacle, StText *text) {
  st_text_add(text, "  %-14s %s", obstacle->name, obstacle->shape.name);
  const StObstacleType *type = st_obstacle_find(obstacle->shape.name);
  add_values(type ? type->param : NULL, type ? type->param_count : 0, obstacle->shape.value, text);
  if (obstacle->mesh)
    st_text_add(text, " of %d vertices", obstacle->mesh->vertex_count);
  st_text_add(text, " at (%g, %g, %g) m", obstacle->origin[0], obstacle->origin[1],
              obstacle->origin[2]);
  if (st_motion_moves(&obstacle->motion)) {
    st_text_add(text, ",");
    add_motion(&obstacle->motion, text);
  }
  if (obstacle->material)
    st_text_add(text, ", made of %s", obstacle->material);
  st_text_add(text, "\n");
}

static void add_friction(const StFrictionDesc *friction, const char *unit, StText *text) {
  if (friction->static_coefficient == 0 && friction->viscous_coefficient == 0) {
    st_text_add(text, ", no friction");
    return;
  }
  st_text_add(text, ", friction %g", friction->dynamic_coefficient);
  if (friction->static_coefficient > friction->dynamic_coefficient)
    st_text_add(text, " (static %g, fades to %.4g m/s)", friction->static_coefficient,
                friction->stribeck_speed);
  if (friction->viscous_coefficient > 0)
    st_text_add(text, ", viscous %g %s", friction->viscous_coefficient, unit);
  if (friction->stick == ST_STICK_ANCHORED)
    st_text_add(text, ", anchored");
  else
    st_text_add(text, ", sticks below %.4g m/s", friction->sticking_speed);
}

static void add_contact(const StDescription *description, const StContactDesc *contact,
                        StText *text) {
  const char *surface = contact->body == contact->collider ? "itself"
                        : contact->body >= 0               ? description->body[contact->body].name
                                             : description->obstacle[contact->obstacle].name;
  st_text_add(text, "  %s on %s: from %.4g m, %.4g %s", description->body[contact->collider].name,
              surface, contact->thickness, contact->stiffness,
              st_contact_stiffness_unit(&description->contact_settings));
  add_friction(&contact->friction,
               st_contact_traits(description->contact_settings.method)->viscous_unit, text);
  st_text_add(text, "\n");
}

static void add_contacts(const StDescription *description, StText *text) {
  static const char *const mode[] = {"implicit", "implicit, fixed basis", "lagged"};
  const StContactSettings *settings = &description->contact_settings;
  if (description->obstacle_count > 0)
    st_text_add(text, "Obstacles\n");
  for (int i = 0; i < shown(description->obstacle_count); i++)
    add_obstacle(&description->obstacle[i], text);
  add_rest(description->obstacle_count, "obstacles", text);
  if (!st_pairs_exist(description))
    return;
  st_text_add(text, "Contact by %s, friction %s", st_contact_traits(settings->method)->title,
              mode[settings->friction]);
  if (settings->friction == ST_FRICTION_LAGGED)
    st_text_add(text, " %d times", settings->friction_iterations);
  st_text_add(text, "\n");
  int pair = st_pair_next(description, 0);
  for (int i = 0; pair != ST_NO_PAIR && i < SHOWN; i++) {
    StContactDesc contact = st_pair_law(description, pair);
    add_contact(description, &contact, text);
    pair = st_pair_next(description, pair + 1);
  }
  add_rest(st_pairs_count(description), "pairs", text);
}

static void add_pull(const StDescription *description, StText *text) {
  const double *gravity = description->gravity;
  st_text_add(text, "Gravity          (%g, %g, %g) m/s^2\n", gravity[0], gravity[1], gravity[2]);
  for (int i = 0; i < description->acceleration_count; i++) {
    const StAccelerationDesc *pull = &description->acceleration[i];
    st_text_add(text, "Acceleration     (%g, %g, %g) m/s^2 on %s from %g s", pull->value[0],
                pull->value[1], pull->value[2],
                pull->body < 0 ? "all bodies" : description->body[pull->body].name, pull->start);
    if (isfinite(pull->end))
      st_text_add(text, " to %g s", pull->end);
    st_text_add(text, "\n");
  }
}

// Follows the schedule, because frames and events shorten steps; -1 if that would take too long.
static long planned_steps(const StSchedule *schedule, const StTimeDesc *time) {
  if (time->duration > 1e6 * time->step)
    return -1;
  long steps = 0;
  for (double now = 0, end; !st_schedule_finished(schedule, now); now = end, steps++)
    st_schedule_step(schedule, now, time->step, &end);
  return steps;
}

static StStatus add_time(const StDescription *description, StText *text, StError *error) {
  StSchedule *schedule = NULL;
  ST_TRY(st_schedule_create(description, &schedule, error));
  long steps = planned_steps(schedule, &description->time);
  char step[32];
  st_step_text(description->time.step, step, sizeof step);
  st_text_add(text, "Time             %g s in ", description->time.duration);
  if (steps >= 0)
    st_text_add(text, "%ld steps of at most %s", steps, step);
  else
    st_text_add(text, "more than a million steps of %s", step);
  st_text_add(text, ", %d frames\n", st_schedule_frame_count(schedule));
  st_schedule_destroy(schedule);
  return ST_OK;
}

static void add_solver(const StDescription *description, StText *text) {
  static const char *const kind[] = {"auto", "direct", "iterative"};
  static const char *const preconditioner[] = {"auto", "ilu", "gamg", "none"};
  const StSolverDesc *solver = &description->solver;
  st_text_add(text, "Integrator       %s\n", description->integrator);
  st_text_add(text, "Solver           %s", kind[solver->kind]);
  if (solver->kind != ST_SOLVER_DIRECT)
    st_text_add(text, ", preconditioner %s", preconditioner[solver->preconditioner]);
  if (solver->kind != ST_SOLVER_ITERATIVE && solver->inexact_coupling)
    st_text_add(text, ", inexact coupling");
  st_text_add(text, ", to %.3g m/s\n", solver->velocity_tolerance);
}

// held: [vertices][3] which coordinates of what is not carried; for a rigid body its carriers.
static void mark_held(const StDescription *description, const StBoundaryDesc *boundary,
                      bool *held) {
  for (int i = 0; i < boundary->vertex_count; i++) {
    int index = st_description_body_of(description, boundary->vertex[i]);
    int first = st_description_first_vertex(description, index);
    const StBodyDesc *body = &description->body[index];
    int from = body->rigid ? first : boundary->vertex[i], count = body->rigid ? ST_CARRIERS : 1;
    for (int k = 3 * from; k < 3 * (from + count); k++)
      held[k] = held[k] || boundary->axis[k % 3];
  }
}

// Boundaries may share vertices, which count once. -1: out of memory.
static int held_coordinates(const StDescription *description) {
  int size = 3 * st_description_vertex_count(description), count = 0;
  bool *held = ST_NEW(bool, size);
  if (!held)
    return -1;
  for (int i = 0; i < description->boundary_count; i++)
    mark_held(description, &description->boundary[i], held);
  for (int k = 0; k < size; k++)
    count += held[k];
  free(held);
  return count;
}

static StStatus add_sizes(const StDescription *description, StText *text, StError *error) {
  int vertices = 0, unknowns = 0, tets = 0, second_order = 0, triangles = 0;
  int held = held_coordinates(description);
  double mass = 0;
  for (int i = 0; i < description->body_count; i++) {
    const StBodyDesc *body = &description->body[i];
    vertices += st_body_vertex_count(body);
    unknowns += 3 * (body->mesh->vertex_count - body->carried.count);
    tets += st_mesh_element_count(body->mesh);
    second_order += body->mesh->second_order ? st_mesh_element_count(body->mesh) : 0;
    triangles += description->body[i].mesh->triangle_count;
    mass += st_body_mass(description, &description->body[i]);
  }
  if (held < 0)
    return st_fail_memory(error);
  st_text_add(text, "Sizes            %d vertices", vertices);
  add_elements(tets, second_order, triangles, text);
  st_text_add(text, ", %d unknowns (%d held), %.6g kg\n", unknowns - held, held, mass);
  return ST_OK;
}

static void add_notes(const StDescription *description, StText *text) {
  if (description->note_count > 0)
    st_text_add(text, "Defaults chosen\n");
  for (int i = 0; i < description->note_count; i++) {
    const StNote *note = &description->note[i];
    st_text_add(text, "  %s = %s: %s\n", note->key, note->value, note->reason);
  }
}

StStatus st_scene_summary(const StDescription *description, StText *text, StError *error) {
  if (description->title)
    st_text_add(text, "%s\n", description->title);
  ST_TRY(add_sizes(description, text, error));
  ST_TRY(add_time(description, text, error));
  add_solver(description, text);
  add_pull(description, text);
  st_text_add(text, "Bodies\n");
  for (int i = 0; i < shown(description->body_count); i++)
    ST_TRY(add_body(description, &description->body[i], text, error));
  add_rest(description->body_count, "bodies", text);
  st_text_add(text, "Materials\n");
  for (int i = 0; i < description->material_count; i++)
    add_material(&description->material[i], text);
  if (description->boundary_count > 0)
    st_text_add(text, "Boundaries\n");
  for (int i = 0; i < shown(description->boundary_count); i++)
    add_boundary(&description->boundary[i], text);
  add_rest(description->boundary_count, "boundaries", text);
  add_fillings(description, text);
  add_actions(description, text);
  add_contacts(description, text);
  add_notes(description, text);
  return text->failed ? st_fail_memory(error) : ST_OK;
}
