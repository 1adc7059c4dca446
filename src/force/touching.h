// What the contact and the friction force share: loops over touches that turn a force on one
// stencil, in complex numbers, into blocks, products and complex forces of the whole piece.
#ifndef ST_FORCE_TOUCHING_H
#define ST_FORCE_TOUCHING_H

#include "force/force.h"

// Adds the force of one touch on its stencil. position, velocity, force: [count][3].
typedef void (*StTouchForce)(StContacts *contacts, const StTouch *touch, const int *vertex,
                             const StDual *position, const StDual *velocity, StDual *force);

// What the slopes of one touch between bodies are computed in. The gap's arrays are its own.
typedef struct StTouchSlopes {
  const StSurface *surface;
  double *position, *velocity; // [count][3]
  StGap gap;
  double *point_rows;  // [3][3 count]
  double *share_slope; // [count][3 count]
  double *jacobian;    // [3 count][3 count]
  double *work;        // [ST_SLOPE_WORK count]
} StTouchSlopes;

// Fills the jacobian, by_position·∂f/∂x + by_velocity·∂f/∂v of the stencil. False where it cannot:
// then complex numbers serve, column by column.
typedef bool (*StTouchJacobian)(StContacts *contacts, const StTouch *touch, double by_position,
                                double by_velocity, StTouchSlopes *slopes);

void st_touching_blocks(StContacts *contacts, const StTouchList *list, const StPoint *at,
                        double by_position, double by_velocity, StTouchForce add,
                        StTouchJacobian fill, StBlockMatrix *matrix);

void st_touching_product(StContacts *contacts, const StTouchList *list, const StPoint *at,
                         double by_position, double by_velocity, const double *direction,
                         StTouchForce add, double *result);

void st_touching_complex(StContacts *contacts, const StTouchList *list, const StDual *position,
                         const StDual *velocity, StTouchForce add, StDual *force);

// Adds weight_r·weight_c·block to every pair of the stencil's vertices that has a place in the
// matrix.
void st_touching_spread_block(const StContacts *contacts, const StTouch *touch, const int *vertex,
                              const double *weight, const double block[9], StBlockMatrix *matrix);

// Blocks of one row after another: false when the row is not ours, NULL where there is no place.
bool st_touching_open_row(const StContacts *contacts, const StBlockMatrix *matrix, int row);
double *st_touching_block(const StContacts *contacts, StBlockMatrix *matrix, int row, int column);

// For descriptors: the contacts belong to the site, and blocks are looked up as touches come.
void st_touching_destroy(void *data);
StStatus st_touching_bind(void *data, const StBlockMatrix *matrix, StError *error);

// Brings the contacts to the point; false, with *trouble filled for this force, when it cannot.
bool st_touching_update(StContacts *contacts, const StPoint *at, const char *force,
                        StTrouble *trouble);

// Brings the contacts to these complex positions' real parts.
StStatus st_touching_update_complex(StContacts *contacts, double time, const StDual *position);

// Complex work space of a touch of `count` vertices for its gap, behind what the loops use
// themselves.
StGapDual st_touching_gap(const StContacts *contacts, int count);

// Adds a stencil's forces into a vertex array, for the vertices that are ours.
void st_touching_scatter(const StTouch *touch, const int *vertex, const double *stencil_force,
                         double *force);

#endif
