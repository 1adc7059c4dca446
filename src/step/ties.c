// By the types of joints.
#include "step/ties.h"

#include "force/joint.h"

static void mark(const StDescription *description, const int *vertex, int count, bool *tied) {
  if (count > 0)
    tied[st_description_body_of(description, vertex[0])] = true;
}

void st_ties_mark(const StDescription *description, bool *tied) {
  for (int i = 0; i < description->joint_count; i++) {
    const StJointDesc *joint = &description->joint[i];
    if (st_joint_type_find(joint->type.name)->ties)
      for (int e = 0; e < 2; e++)
        mark(description, joint->end[e].vertex, joint->end[e].vertex_count, tied);
  }
  for (int i = 0; i < description->bearing_count; i++)
    mark(description, description->bearing[i].vertex, description->bearing[i].vertex_count, tied);
}
