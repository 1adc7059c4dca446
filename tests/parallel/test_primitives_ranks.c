// Contact by primitives on several ranks as on one process: between bodies, of a folded cloth with
// itself, and with a box. Every kind of contact must be there, or nothing was compared.
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

static StDescription *scene(StSolverKind solver) {
  return folded_create("be", 0.005, 0.08, solver);
}

int main(int count, char **argument) {
  return ranks_both_solvers(count, argument, scene, check_contact);
}
