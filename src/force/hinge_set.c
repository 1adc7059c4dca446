// Constants of hinges from their rest shape, the memory of their angles, and the kernel for real
// and complex numbers.
#include "force/hinge_set.h"

#include "base/memory.h"
#include "force/element_batch.h"
#include "force/shell_material.h"
#include "math/vec3.h"
#include "model/hinge.h"

#define TURN 6.28318530717958647692

// k_θ = k_b ē/h̄ times factor, the angle at rest and the one at the last committed state.
enum HingeConstant { STIFFNESS, REST, LAST, CONSTANT_COUNT };

#define ST_LANES_KERNEL
#include "math/scalar.h"
#include "math/vec3_kernel.h"
#include "force/hinge_kernel.h"
#undef ST_LANES_KERNEL
#define ST_COMPLEX_KERNEL
#include "math/scalar.h"
#include "math/vec3_kernel.h"
#include "force/hinge_kernel.h"
#undef ST_COMPLEX_KERNEL
#include "math/scalar.h"

ST_ELEMENT_FUNCTIONS(hinge)

static const StElementKernel kernel = {
    .corners = 4,
    .constant_count = CONSTANT_COUNT,
    .energy = hinge_energy_hot,
    .gradient = hinge_gradient_hot,
    .hessian = hinge_hessian_hot,
    .viscous = hinge_viscous_hot,
    .viscous_tangent = hinge_viscous_tangent_hot,
    .gradient_complex = hinge_gradient_complex,
    .viscous_complex = hinge_viscous_complex,
};

// Input for making hinges.
typedef struct Maker {
  const StPiece *piece;
  StShellStiffness *stiffness;
  const double *factor;
} Maker;

static double hinge_factor(const Maker *maker, int hinge) {
  const int *material = maker->piece->hinge_material + 2 * (size_t)hinge;
  const int *vertex = maker->piece->hinge + 4 * (size_t)hinge;
  if (vertex[2] == vertex[3])
    return 0;
  return st_hinge_bending(maker->stiffness[material[0]].bending,
                          maker->stiffness[material[1]].bending) *
         (maker->factor[material[0]] + maker->factor[material[1]]) / 2;
}

static int count_wanted(const Maker *maker, int begin, int end) {
  int count = 0;
  for (int h = begin; h < end; h++)
    count += hinge_factor(maker, h) != 0;
  return count;
}

// ē/h̄, h̄ a third of the mean of the two heights at rest.
static double rest_shape(const StPiece *piece, int hinge) {
  const int *vertex = piece->hinge + 4 * (size_t)hinge;
  const double *origin = piece->rest + 3 * (size_t)vertex[0];
  double edge[3], corner[3], normal[3], twice_areas = 0;
  vec3_sub(piece->rest + 3 * (size_t)vertex[1], origin, edge);
  for (int w = 2; w < 4; w++) {
    vec3_sub(piece->rest + 3 * (size_t)vertex[w], origin, corner);
    vec3_cross(edge, corner, normal);
    twice_areas += vec3_length(normal);
  }
  return 6 * vec3_dot(edge, edge) / twice_areas;
}

static StStatus fill(StElementSet *set, const Maker *maker, StError *error) {
  int index = 0;
  for (int h = 0; h < maker->piece->hinge_count; h++) {
    double factor = hinge_factor(maker, h);
    if (factor == 0)
      continue;
    const double k[CONSTANT_COUNT] = {[STIFFNESS] = factor * rest_shape(maker->piece, h)};
    st_element_set_put(set, index++, h, maker->piece->hinge + 4 * (size_t)h, k);
  }
  return st_element_set_finish(set, maker->piece, error);
}

// Rounded exactly like the forces, so that the rest shape has none.
static ST_HOT void batch_angles(const StElementSet *set, int batch, const double *position,
                                StLanes *angle) {
  StLanes edge[ST_ELEMENT_EDGE];
  st_element_edges(set, batch, position, edge);
  hinge_angle_lanes(st_element_constants(set, batch), edge, angle);
}

// With the kernel itself, so that the rest shape has no force, not even round-off.
static StStatus take_rest(StHingeSet *set, StError *error) {
  const StPiece *piece = set->piece;
  for (int b = 0; b < set->elements->batch_count; b++) {
    StLanes *k = set->elements->constant + CONSTANT_COUNT * (size_t)b;
    batch_angles(set->elements, b, piece->rest, &k[REST]);
    k[LAST] = k[REST];
    for (int lane = 0; lane < ST_LANES; lane++) {
      const int *vertex = piece->hinge + 4 * (size_t)set->elements->element[ST_LANES * b + lane];
      if (!isfinite(k[REST][lane]) || !isfinite(k[STIFFNESS][lane]))
        return st_fail(error, ST_BAD_INPUT,
                       "a triangle along the edge of vertices %d and %d has no area at rest",
                       piece->vertex_id[vertex[0]], piece->vertex_id[vertex[1]]);
    }
  }
  return ST_OK;
}

static StStatus count_memory(StHingeSet *set, const StDescription *description, StError *error) {
  for (int b = 0; b < description->body_count; b++) {
    StHinge *hinge;
    int count;
    ST_TRY(st_mesh_hinges(description->body[b].mesh, &hinge, &count, error));
    free(hinge);
    set->memory_count += count;
  }
  return ST_OK;
}

// Decided by the description alone, so that all ranks agree.
static bool can_bend(const StDescription *description, const Maker *maker) {
  bool stiff = false, wanted = false;
  for (int i = 0; i < description->material_count; i++) {
    stiff |= maker->stiffness[i].bending > 0;
    wanted |= description->material[i].shell && maker->factor[i] != 0;
  }
  return stiff && wanted;
}

static StStatus build(StHingeSet *set, const StDescription *description, const Maker *maker,
                      StError *error) {
  const StPiece *piece = set->piece;
  int owned = count_wanted(maker, 0, piece->owned_hinge_count);
  int other = count_wanted(maker, piece->owned_hinge_count, piece->hinge_count);
  ST_TRY(st_element_set_create(&kernel, owned, other, &set->elements, error));
  ST_TRY(fill(set->elements, maker, error));
  ST_TRY(take_rest(set, error));
  return can_bend(description, maker) ? count_memory(set, description, error) : ST_OK;
}

StStatus st_hinge_set_create(const StDescription *description, const StPiece *piece,
                             const double *factor, StHingeSet **out, StError *error) {
  Maker maker = {.piece = piece, .factor = factor};
  *out = NULL;
  ST_TRY(st_shell_materials_create(description, &maker.stiffness, error));
  StHingeSet *set = ST_NEW(StHingeSet, 1);
  if (set)
    set->piece = piece;
  StStatus status = set ? build(set, description, &maker, error) : st_fail_memory(error);
  free(maker.stiffness);
  if (status != ST_OK)
    st_hinge_set_destroy(set);
  else
    *out = set;
  return status;
}

void st_hinge_set_destroy(StHingeSet *set) {
  if (!set)
    return;
  st_element_set_destroy(set->elements);
  free(set);
}

void st_hinge_set_commit(StHingeSet *set, const double *position) {
  for (int b = 0; b < set->elements->batch_count; b++) {
    StLanes angle;
    batch_angles(set->elements, b, position, &angle);
    set->elements->constant[CONSTANT_COUNT * (size_t)b + LAST] = angle;
  }
}

void st_hinge_set_remember(const StHingeSet *set, double *memory) {
  const StElementSet *elements = set->elements;
  for (int place = 0; place < elements->owned_count; place++)
    memory[set->piece->hinge_id[elements->element[place]]] +=
        st_element_constants(elements, place / ST_LANES)[LAST][place % ST_LANES];
}

void st_hinge_set_recall(StHingeSet *set, const double *memory) {
  StElementSet *elements = set->elements;
  for (int place = 0; place < ST_LANES * elements->batch_count; place++) {
    StLanes *k = elements->constant + CONSTANT_COUNT * (size_t)(place / ST_LANES);
    k[LAST][place % ST_LANES] = memory[set->piece->hinge_id[elements->element[place]]];
  }
}
