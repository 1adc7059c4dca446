// Contact by primitives on several ranks as on one process: between bodies, of a folded cloth with
// itself, and with a box. Every kind of contact must be there, or nothing was compared.
#include "judge/judge.h"
#include "support/folded_scene.h"
#include "support/ranks.h"

static void check_contact(const StDescription *d, StSimulation *simulation) {
  const StReport *report = st_simulation_report(simulation);
  for (int kind = 0; kind < 3; kind++) {
    double force = 0;
    for (int p = 0; p < report->pair_count; p++) {
      const StContactDesc *pair = &d->contact[p];
      int found = pair->body < 0 ? 0 : pair->body == pair->collider ? 1 : 2;
      if (found == kind)
        force += report->pair[p].normal_force;
    }
    world_must(force > 0, "a kind of contact is missing");
  }
}

static StSnapshot fall(StSolverKind solver) {
  StDescription *d = folded_create("be", 0.005, 0.08, solver);
  d->solver.velocity_tolerance = 1e-12;
  d->solver.change_tolerance = 1e-9;
  StSimulation *simulation = world_start(d);
  world_run(simulation);
  check_contact(d, simulation);
  StSnapshot snapshot = world_snapshot(simulation);
  st_simulation_destroy(simulation);
  st_description_destroy(d);
  return snapshot;
}

static StSnapshot reference(void) {
  return fall(ST_SOLVER_DIRECT);
}

static void direct_agrees(void **state) {
  (void)state;
  StSnapshot snapshot = fall(ST_SOLVER_DIRECT);
  ranks_compare(&snapshot, 1e-9);
}

static void iterative_agrees(void **state) {
  (void)state;
  StSnapshot snapshot = fall(ST_SOLVER_ITERATIVE);
  ranks_compare(&snapshot, 1e-8);
}

int main(int count, char **argument) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(direct_agrees),
      cmocka_unit_test(iterative_agrees),
  };
  return RANKS_MAIN(count, argument, reference, tests);
}
