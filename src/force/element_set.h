// Small elements of three or four corners in batches of eight, whose energy is a function of the
// edges from their first corner to the others: forces and blocks for any kernel that gives energy,
// gradient and Hessian by those edges. The first corner follows from translation invariance.
#pragma once

#include "force/force.h"
#include "force/rounds.h"
#include "math/hot.h"
#include "math/lanes.h"

enum {
  ST_ELEMENT_CORNERS = 4,                         // at most
  ST_ELEMENT_EDGE = 3 * (ST_ELEMENT_CORNERS - 1), // numbers of their edges
  ST_ELEMENT_CONSTANTS = 8,
};

// k: constants of the elements, edge: [corners - 1][3], out: W, [n] or [n][n] with n numbers of
// edges. Not finite for degenerate elements. `viscous` resists a rate of the edges: the stiffness
// without the part due to stress, times the rate; its tangent is by_position·∂/∂edge +
// by_velocity·∂/∂rate of that.
typedef struct StElementKernel {
  int corners;
  int constant_count;
  void (*energy)(const StLanes *k, const StLanes *edge, StLanes *W);
  void (*gradient)(const StLanes *k, const StLanes *edge, StLanes *gradient);
  void (*hessian)(const StLanes *k, const StLanes *edge, StLanes *H);
  void (*viscous)(const StLanes *k, const StLanes *edge, const StLanes *rate, StLanes *gradient);
  void (*viscous_tangent)(const StLanes *k, const StLanes *edge, const StLanes *rate,
                          double by_position, double by_velocity, StLanes *J);
  void (*gradient_complex)(const double *k, const StDual *edge, StDual *gradient);
  void (*viscous_complex)(const double *k, const StDual *edge, const StDual *rate,
                          StDual *gradient);
} StElementKernel;

// The functions of a kernel of this name, name_energy_lanes …, as name_energy_hot …
#define ST_ELEMENT_FUNCTIONS(name)                                                                 \
  static ST_HOT void name##_energy_hot(const StLanes *k, const StLanes *edge, StLanes *W) {        \
    name##_energy_lanes(k, edge, W);                                                               \
  }                                                                                                \
  static ST_HOT void name##_gradient_hot(const StLanes *k, const StLanes *edge, StLanes *g) {      \
    name##_gradient_lanes(k, edge, g);                                                             \
  }                                                                                                \
  static ST_HOT void name##_hessian_hot(const StLanes *k, const StLanes *edge, StLanes *H) {       \
    name##_hessian_lanes(k, edge, H);                                                              \
  }                                                                                                \
  static ST_HOT void name##_viscous_hot(const StLanes *k, const StLanes *edge,                     \
                                        const StLanes *rate, StLanes *g) {                         \
    name##_viscous_lanes(k, edge, rate, g);                                                        \
  }                                                                                                \
  static ST_HOT void name##_viscous_tangent_hot(const StLanes *k, const StLanes *edge,             \
                                                const StLanes *rate, double by_position,           \
                                                double by_velocity, StLanes *J) {                  \
    name##_viscous_tangent_lanes(k, edge, rate, by_position, by_velocity, J);                      \
  }

// The last batch of owned elements and the last of all may have spare lanes: copies of the previous
// element.
typedef struct StElementSet {
  const StElementKernel *kernel;
  int owned_count; // elements that count towards forces and energies, …
  int other_count; // … and those that only complete our rows, in separate batches
  int owned_batch_count;
  int batch_count;
  int *element;      // [batch_count][8] number in the piece's list
  int *vertex;       // [batch_count][corners][8]
  StLanes *constant; // [batch_count][constant_count]
  int *slot;         // [batch_count][8][corners²] block of the bound matrix, -1: not ours
  StRounds rounds;   // group 0: owned, 1: others
} StElementSet;

StStatus st_element_set_create(const StElementKernel *kernel, int owned_count, int other_count,
                               StElementSet **set, StError *error);
void st_element_set_destroy(StElementSet *set); // NULL is fine

// Puts element `number` of the piece's list into place `index`: owned ones from 0 on, others from
// owned_count on. All places must be filled, in any order, before finish.
void st_element_set_put(StElementSet *set, int index, int number, const int *vertex,
                        const double *constant);
StStatus st_element_set_finish(StElementSet *set, const StPiece *piece, StError *error);

StStatus st_element_set_bind(StElementSet *set, const StBlockMatrix *matrix, StError *error);

// As in StForceType; viscous, or with velocities: the force against the rate of change. `add`
// returns the place of a failed element, counted as [batch][lane], or -1.
double st_element_set_energy(const StElementSet *set, const double *position);
void st_element_set_share_energy(const StElementSet *set, const double *position, const int *body,
                                 double *energy); // body: [vertex_count]
int st_element_set_add(const StElementSet *set, const StPoint *at, bool viscous, double *force);
void st_element_set_add_blocks(const StElementSet *set, const StPoint *at, bool viscous,
                               double by_position, double by_velocity, StBlockMatrix *matrix);
void st_element_set_add_complex(const StElementSet *set, const StDual *position,
                                const StDual *velocity, StDual *force);

// Names the vertex of a place that `add` returned, and the reason; id: of the piece's elements,
// NULL if they have no numbers.
void st_element_set_report(const StElementSet *set, int place, const StPiece *piece,
                           const double *position, const int *id, StTrouble *trouble);
