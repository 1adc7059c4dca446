// Describes a scene in lines of text, and warns of what is allowed but seldom meant.
#include "app/scene_summary.h"

#include "app/progress.h"
#include "contact/obstacle.h"
#include "force/material.h"
#include "math/vec3.h"
#include "mesh/check.h"
#include "step/schedule.h"

#include <string.h>

enum { CONTACTS_SHOWN = 40 };

static int body_material(const StBodyDesc *body, int tet) {
  for (int i = 0; i < body->label_material_count; i++)
    if (body->label_material[i].label == body->mesh->tet_label[tet])
      return body->label_material[i].material;
  return body->material;
}

static double body_mass(const StDescription *description, const StBodyDesc *body) {
  double mass = 0;
  for (int t = 0; t < body->mesh->tet_count; t++)
    mass += description->material[body_material(body, t)].density *
            st_tet_volume(body->mesh->position, body->mesh->tet + 4 * t);
  return mass;
}

static void add_velocity(StText *text, const char *what, const double v[3], const char *unit) {
  if (vec3_length(v) > 0)
    st_text_add(text, "    %-12s (%g, %g, %g) %s\n", what, v[0], v[1], v[2], unit);
}

static StStatus add_body(const StDescription *description, const StBodyDesc *body, StText *text,
                         StError *error) {
  StMeshReport report;
  ST_TRY(st_mesh_report(body->mesh, &report, error));
  const double *low = report.low, *high = report.high;
  st_text_add(text, "  %s\n", body->name);
  st_text_add(text, "    %-12s %d vertices, %d tets\n", "size", body->mesh->vertex_count,
              body->mesh->tet_count);
  st_text_add(text, "    %-12s %.6g kg, volume %.6g m^3\n", "mass", body_mass(description, body),
              report.volume);
  st_text_add(text, "    %-12s x %.4g to %.4g, y %.4g to %.4g, z %.4g to %.4g m\n", "extent",
              low[0], high[0], low[1], high[1], low[2], high[2]);
  st_text_add(text, "    %-12s edges %.4g to %.4g m, worst quality %.3f (1: regular)\n", "mesh",
              report.shortest_edge, report.longest_edge, report.worst_quality);
  st_text_add(text, "    %-12s %s", "material", description->material[body->material].name);
  for (int i = 0; i < body->label_material_count; i++)
    st_text_add(text, ", %s where \"%s\"",
                description->material[body->label_material[i].material].name,
                body->mesh->label_name[body->label_material[i].label]);
  st_text_add(text, "\n");
  add_velocity(text, "velocity", body->velocity, "m/s");
  add_velocity(text, "spin", body->angular_velocity, "rad/s");
  return ST_OK;
}

// λ and μ at rest are entries of the tangent there: ∂P11/∂F22 and ∂P12/∂F12.
static void add_material(const StMaterialDesc *material, StText *text) {
  static const double rest[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const StMaterialLaw *law = st_material_law_find(material->law.name);
  if (!law)
    return;
  double k[ST_LAW_CONSTANTS], C[81];
  law->prepare(material->law.value, k);
  law->tangent(k, rest, C);
  st_text_add(text, "  %s\n    %-12s %s", material->name, "law", law->name);
  for (int i = 0; i < law->param_count; i++) {
    const char *unit = st_dimension_unit(law->param[i].dimension);
    st_text_add(text, ", %s %g%s%s", law->param[i].name, material->law.value[i], *unit ? " " : "",
                unit);
  }
  st_text_add(text, "\n    %-12s lambda %.5g Pa, mu %.5g Pa\n", "constants", C[4], C[10]);
  st_text_add(text, "    %-12s %g kg/m^3, pressure waves at %.4g m/s\n", "density",
              material->density, sqrt(law->modulus(k) / material->density));
  if (material->mass_damping > 0 || material->stiffness_damping > 0)
    st_text_add(text, "    %-12s mass %g 1/s, stiffness %g s\n", "damping", material->mass_damping,
                material->stiffness_damping);
}

static int held_axes(const StBoundaryDesc *boundary) {
  return boundary->axis[0] + boundary->axis[1] + boundary->axis[2];
}

static void add_boundary(const StBoundaryDesc *boundary, StText *text) {
  st_text_add(text, "  %-14s %d vertices,", boundary->name, boundary->vertex_count);
  for (int k = 0; k < 3; k++)
    if (boundary->axis[k])
      st_text_add(text, " %c", "xyz"[k]);
  if (boundary->motion.key_count > 0)
    st_text_add(text, " moved by %d keys", boundary->motion.key_count);
  else
    st_text_add(text, " held");
  if (isfinite(boundary->release))
    st_text_add(text, ", released at %g s", boundary->release);
  st_text_add(text, "\n");
}

static void add_obstacle(const StObstacleDesc *obstacle, StText *text) {
  st_text_add(text, "  %-14s %s", obstacle->name, obstacle->shape.name);
  const StObstacleType *type = st_obstacle_find(obstacle->shape.name);
  for (int i = 0; type && i < type->param_count; i++)
    st_text_add(text, ", %s %g m", type->param[i].name, obstacle->shape.value[i]);
  if (obstacle->mesh)
    st_text_add(text, " of %d vertices", obstacle->mesh->vertex_count);
  st_text_add(text, " at (%g, %g, %g) m", obstacle->origin[0], obstacle->origin[1],
              obstacle->origin[2]);
  if (obstacle->motion.key_count > 0)
    st_text_add(text, ", moved by %d keys", obstacle->motion.key_count);
  if (obstacle->material)
    st_text_add(text, ", made of %s", obstacle->material);
  st_text_add(text, "\n");
}

static void add_friction(const StFrictionDesc *friction, StText *text) {
  if (friction->static_coefficient == 0 && friction->viscous_coefficient == 0) {
    st_text_add(text, ", no friction");
    return;
  }
  st_text_add(text, ", friction %g", friction->dynamic_coefficient);
  if (friction->static_coefficient > friction->dynamic_coefficient)
    st_text_add(text, " (static %g, fades to %.4g m/s)", friction->static_coefficient,
                friction->stribeck_speed);
  if (friction->viscous_coefficient > 0)
    st_text_add(text, ", viscous %g kg/s", friction->viscous_coefficient);
  st_text_add(text, ", sticks below %.4g m/s", friction->sticking_speed);
}

static void add_contact(const StDescription *description, const StContactDesc *contact,
                        StText *text) {
  const char *surface = contact->body >= 0 ? description->body[contact->body].name
                                           : description->obstacle[contact->obstacle].name;
  st_text_add(text, "  %s on %s: from %.4g m, %.4g %s", description->body[contact->collider].name,
              surface, contact->thickness, contact->stiffness,
              description->contact_settings.area_weighted ? "Pa/m" : "N/m");
  add_friction(&contact->friction, text);
  st_text_add(text, "\n");
}

static void add_contacts(const StDescription *description, StText *text) {
  static const char *const mode[] = {"implicit", "implicit, fixed basis", "lagged"};
  const StContactSettings *settings = &description->contact_settings;
  if (description->obstacle_count > 0)
    st_text_add(text, "Obstacles\n");
  for (int i = 0; i < description->obstacle_count; i++)
    add_obstacle(&description->obstacle[i], text);
  if (description->contact_count == 0)
    return;
  st_text_add(text, "Contact, friction %s", mode[settings->friction]);
  if (settings->friction == ST_FRICTION_LAGGED)
    st_text_add(text, " %d times", settings->friction_iterations);
  st_text_add(text, "\n");
  for (int i = 0; i < description->contact_count && i < CONTACTS_SHOWN; i++)
    add_contact(description, &description->contact[i], text);
  if (description->contact_count > CONTACTS_SHOWN)
    st_text_add(text, "  and %d pairs more\n", description->contact_count - CONTACTS_SHOWN);
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

// Walks through the schedule, since frames and events shorten steps; -1 when that would take long.
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
    st_text_add(text, ", preconditioner %s%s", preconditioner[solver->preconditioner],
                solver->matrix_free ? ", matrix-free" : "");
  st_text_add(text, ", to %.3g m/s\n", solver->velocity_tolerance);
}

static void add_sizes(const StDescription *description, StText *text) {
  int vertices = st_description_vertex_count(description), tets = 0, held = 0;
  double mass = 0;
  for (int i = 0; i < description->body_count; i++) {
    tets += description->body[i].mesh->tet_count;
    mass += body_mass(description, &description->body[i]);
  }
  for (int i = 0; i < description->boundary_count; i++)
    held += description->boundary[i].vertex_count * held_axes(&description->boundary[i]);
  st_text_add(text, "Sizes            %d vertices, %d tets, %d unknowns (%d held), %.6g kg\n",
              vertices, tets, 3 * vertices - held, held, mass);
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
  add_sizes(description, text);
  ST_TRY(add_time(description, text, error));
  add_solver(description, text);
  add_pull(description, text);
  st_text_add(text, "Bodies\n");
  for (int i = 0; i < description->body_count; i++)
    ST_TRY(add_body(description, &description->body[i], text, error));
  st_text_add(text, "Materials\n");
  for (int i = 0; i < description->material_count; i++)
    add_material(&description->material[i], text);
  if (description->boundary_count > 0)
    st_text_add(text, "Boundaries\n");
  for (int i = 0; i < description->boundary_count; i++)
    add_boundary(&description->boundary[i], text);
  add_contacts(description, text);
  add_notes(description, text);
  return text->failed ? st_fail_memory(error) : ST_OK;
}
