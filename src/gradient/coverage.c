// Refuses what is not covered, rather than leave a part of a derivative out.
#include "gradient/coverage.h"

#include "solve/runtime.h"
#include "step/simulation_parts.h"

static bool has_rigid(const StDescription *description) {
  bool any = false;
  for (int b = 0; b < description->body_count; b++)
    any = any || description->body[b].rigid;
  return any;
}

static const char *find_uncovered(const StSimulation *s) {
  const StDescription *description = s->description;
  if (st_runtime_size() > 1)
    return "more than one process";
  if (description->statics)
    return "a static analysis";
  if (s->integrator->decoupled || st_integrator_uses_force(s->integrator))
    return "an integrator that uses the force at the start of a step (choose be, bdf2 or sdirk2)";
  if (st_description_has_callbacks(description))
    return "forces or motions of a program";
  if (s->attempt->impact)
    return "a restitution";
  // They are attached to carriers before those of variants are turned alike.
  if (description->joint_count + description->bearing_count > 0 && has_rigid(description))
    return "joints in a scene with rigid bodies";
  if (!s->system->contacts)
    return NULL;
  if (!st_contacts_keep_apart(s->system->contacts))
    return "contact by smooth surfaces (choose contact.method primitives)";
  if (description->contact_settings.friction == ST_FRICTION_LAGGED)
    return "lagged friction";
  return NULL;
}

StStatus st_coverage_check(const StSimulation *s, StError *error) {
  const char *uncovered = find_uncovered(s);
  if (uncovered)
    return st_fail(error, ST_BAD_INPUT, "derivatives do not cover %s", uncovered);
  if (s->observer.accepted)
    return st_fail(error, ST_BAD_INPUT, "derivatives of this simulation are followed already");
  if (s->report.step > 0)
    return st_fail(error, ST_BAD_INPUT,
                   "derivatives begin at the start of the scene, before the first step");
  return ST_OK;
}
