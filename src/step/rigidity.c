// The largest strain over bodies, ranks and steps.
#include "step/rigidity.h"

#include "force/list.h"
#include "force/rigid.h"
#include "solve/communicator.h"
#include "solve/runtime.h"

#include <mpi.h>
#include <stdio.h>

void st_rigidity_measure(const StSystem *system, const StPoint *at, StReport *report) {
  struct {
    double strain;
    int body;
  } largest = {-1, -1};
  for (int i = 0; i < system->force_count; i++)
    if (system->force[i].type == &st_force_rigid)
      largest.strain = st_rigid_largest_strain(system->force[i].data, at, &largest.body);
  if (largest.body < 0)
    largest.strain = -1;
  if (st_runtime_size() > 1)
    MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE_INT, MPI_MAXLOC, st_communicator());
  report->rigid_count = 0;
  for (int b = 0; b < system->description->body_count; b++)
    report->rigid_count += system->description->body[b].rigid;
  report->rigid_body = largest.body;
  report->rigid_strain = largest.body < 0 ? 0 : largest.strain;
}

void st_rigidity_count(StRigidRecord *record, const StReport *report) {
  if (report->rigid_count == 0 || !(report->rigid_strain > record->strain))
    return;
  *record = (StRigidRecord){report->rigid_strain, report->time, report->rigid_body};
}

void st_rigidity_words(const StDescription *description, const StRigidRecord *record, char *text,
                       size_t size) {
  text[0] = 0;
  if (record->strain > ST_RIGID_STRAIN)
    snprintf(
        text, size,
        "Warning: the rigid body \"%.100s\" was strained by up to %.3g (t = %.6g s), more than "
        "%g; a larger \"stiffness\" of its material, or a smaller step, keeps it in shape.",
        description->body[record->body].name, record->strain, record->time, ST_RIGID_STRAIN);
}
