// PolyFEM's scenes: what belongs to the scene as a whole. Tested by tests/app/import_polyfem.sh.
#include "import/polyfem.h"

#include "base/memory.h"
#include "import/polyfem_parts.h"

#include <math.h>
#include <string.h>

static double number_at(const StJson *object, const char *key) {
  return object ? st_polyfem_number(st_json_get(object, key)) : NAN;
}

// Two of the end, the step and their number; a scene without "time" is static.
static StStatus read_time(StPolyfem *polyfem, StError *error) {
  const StJson *time = st_json_get(polyfem->scene, "time");
  double start = number_at(time, "t0"), end = number_at(time, "tend"), step = number_at(time, "dt");
  double count = number_at(time, "time_steps");
  start = isnan(start) ? 0 : start;
  polyfem->still = !time || time->kind == ST_JSON_NULL;
  polyfem->duration = polyfem->still ? 1 : isnan(end) ? count * step : end - start;
  polyfem->step = polyfem->still ? 0.01 : isnan(step) ? polyfem->duration / count : step;
  if (!(polyfem->duration > 0 && polyfem->step > 0))
    return st_fail(error, ST_BAD_INPUT, "%s: time: two of tend, dt and time_steps are needed",
                   polyfem->program);
  if (start != 0)
    st_import_note(polyfem->notes, "time.t0: time starts at 0");
  return ST_OK;
}

static void write_time(const StPolyfem *polyfem, StJsonOut *out) {
  const StJson *output = st_json_get(polyfem->scene, "output");
  const StJson *paraview = output ? st_json_get(output, "paraview") : NULL;
  double every = number_at(paraview, "skip_frame");
  StJsonOut time = st_json_line(out, "time", '{');
  st_json_number(&time, "duration", polyfem->duration);
  st_json_number(&time, "step", polyfem->step);
  st_json_number(&time, "frame_rate", 1 / (polyfem->step * fmax(isnan(every) ? 1 : every, 1)));
  st_json_end(&time);
}

static void write_integrator(StPolyfem *polyfem, StJsonOut *out) {
  const StJson *time = st_json_get(polyfem->scene, "time");
  const StJson *integrator = st_json_get(time, "integrator");
  const char *type = integrator && integrator->kind == ST_JSON_OBJECT
                         ? st_json_get_text(integrator, "type")
                         : st_json_get_text(time, "integrator");
  double steps =
      integrator && integrator->kind == ST_JSON_OBJECT ? number_at(integrator, "steps") : NAN;
  const char *ours = NULL;
  if (!type || strcmp(type, "ImplicitEuler") == 0 || strcmp(type, "BDF1") == 0)
    ours = "be";
  else if (strcmp(type, "BDF2") == 0 || (strcmp(type, "BDF") == 0 && steps >= 2))
    ours = "bdf2";
  else if (strcmp(type, "BDF") == 0)
    ours = "be";
  else if (strcmp(type, "ImplicitNewmark") == 0)
    ours = "tr";
  if (!ours || steps > 2)
    st_import_note(polyfem->notes, "time.integrator: \"%s\" of %g steps; %s is there instead", type,
                   isnan(steps) ? 1 : steps, ours ? ours : "be");
  st_json_string(out, "integrator", ours ? ours : "be");
}

// PolyFEM's right-hand side is minus the acceleration.
static void write_gravity(StPolyfem *polyfem, StJsonOut *out) {
  const StJson *conditions = st_json_get(polyfem->scene, "boundary_conditions");
  const StJson *rhs = conditions ? st_json_get(conditions, "rhs") : NULL;
  double gravity[3] = {0, 0, 0};
  if (rhs && !st_polyfem_vector(rhs, gravity) && rhs->child_count > 0)
    st_import_note(polyfem->notes, "boundary_conditions.rhs: not constant; there is no gravity");
  for (int k = 0; k < 3; k++)
    gravity[k] = isfinite(gravity[k]) && gravity[k] != 0 ? -gravity[k] : 0;
  st_import_write_vector(out, "gravity", gravity);
}

static void write_friction(StPolyfem *polyfem, StJsonOut *out) {
  const StJson *contact = st_json_get(polyfem->scene, "contact");
  double both = number_at(contact, "friction_coefficient");
  double dynamic = number_at(contact, "kinetic_friction_coefficient");
  double stick = number_at(contact, "static_friction_coefficient");
  dynamic = isnan(dynamic) ? both : dynamic;
  if (!(dynamic > 0) && !(stick > 0))
    return;
  StJsonOut list = st_json_line(out, "friction", '[');
  StJsonOut row = st_json_line(&list, NULL, '{');
  st_json_string(&row, "between", "any");
  st_json_number(&row, "dynamic", dynamic > 0 ? dynamic : stick);
  if (stick > dynamic)
    st_json_number(&row, "static", stick);
  st_json_end(&row);
  st_json_end(&list);
}

static void write_contact(StPolyfem *polyfem, StJsonOut *out) {
  const StJson *contact = st_json_get(polyfem->scene, "contact");
  const StJson *enabled = contact ? st_json_get(contact, "enabled") : NULL;
  double dhat = number_at(contact, "dhat");
  StJsonOut object = st_json_line(out, "contact", '{');
  if (!enabled || !enabled->truth)
    st_json_string(&object, "pairs", "none");
  else if (dhat > 0)
    st_json_number(&object, "thickness", dhat);
  st_json_end(&object);
}

static void note_rest(StPolyfem *polyfem) {
  static const char *const CONDITION[] = {"pressure_boundary", "normal_aligned_neumann_boundary",
                                          "periodic_boundary", "pressure_cavity"};
  static const char *const CONTACT[] = {"epsv", "collision_mesh", "adhesion", "periodic"};
  static const char *const SCENE[] = {"constraints", "input", "units", "tests"};
  const StJson *conditions = st_json_get(polyfem->scene, "boundary_conditions");
  const StJson *contact = st_json_get(polyfem->scene, "contact");
  for (int i = 0; i < ST_LENGTH(CONDITION); i++)
    if (conditions && st_json_get(conditions, CONDITION[i]))
      st_import_note(polyfem->notes, "boundary_conditions.%s", CONDITION[i]);
  for (int i = 0; i < ST_LENGTH(CONTACT); i++)
    if (contact && st_json_get(contact, CONTACT[i]))
      st_import_note(polyfem->notes, "contact.%s%s", CONTACT[i],
                     i == 0 ? ": contacts that hold do not creep" : "");
  for (int i = 0; i < ST_LENGTH(SCENE); i++)
    if (st_json_get(polyfem->scene, SCENE[i]))
      st_import_note(polyfem->notes, "%s", SCENE[i]);
  st_import_note(polyfem->notes, "solver, output: settings of PolyFEM's own methods and files");
}

static StStatus write_scene(StPolyfem *polyfem, StText *text, StError *error) {
  StJsonOut out = st_json_begin(text, '{', 2);
  int stem;
  ST_FREE char *title =
      st_format("Imported from PolyFEM's %s", st_path_name(polyfem->program, &stem));
  ST_TRY_MEMORY(title, error);
  st_json_string(&out, "title", title);
  st_polyfem_write_materials(polyfem, &out);
  st_polyfem_write_bodies(polyfem, &out);
  ST_TRY(st_polyfem_write_boundaries(polyfem, &out, error));
  ST_TRY(st_polyfem_write_loads(polyfem, &out, error));
  write_gravity(polyfem, &out);
  st_polyfem_write_obstacles(polyfem, &out);
  write_friction(polyfem, &out);
  write_contact(polyfem, &out);
  if (polyfem->still) {
    st_json_string(&out, "analysis", "static");
  } else {
    write_time(polyfem, &out);
    write_integrator(polyfem, &out);
  }
  st_json_end(&out);
  st_text_add(text, "\n");
  note_rest(polyfem);
  return text->failed || polyfem->notes->failed ? st_fail_memory(error) : ST_OK;
}

static void release(StPolyfem *polyfem) {
  for (int i = 0; i < polyfem->item_count; i++) {
    if (!polyfem->item[i].shares_mesh)
      st_mesh_destroy(polyfem->item[i].mesh);
    free(polyfem->item[i].mesh_path);
  }
  free(polyfem->item);
  free(polyfem->root);
  st_json_destroy(polyfem->document);
}

StStatus st_polyfem_import(const char *path, const char *folder, const StLog *log, StText *scene,
                           StText *notes, StError *error) {
  ST_FINALLY(release)
  StPolyfem polyfem = {.folder = folder, .program = path, .log = log, .notes = notes};
  ST_TRY(st_polyfem_read(&polyfem, path, error));
  ST_TRY(read_time(&polyfem, error));
  ST_TRY(st_polyfem_read_geometry(&polyfem, error));
  return write_scene(&polyfem, scene, error);
}
