// Shared by the contact and friction forces: loops over contacts that turn a force on one stencil
// into blocks, products and complex forces of the whole piece.
#pragma once

#include "contact/core/provider.h"
#include "force/force.h"

// Adds the force of one contact of a list on its stencil. position, velocity, force: [count][3].
typedef void (*StContactForce)(const StContactSet *set, const StContactArray *list,
                               const StContact *contact, const StDual *position,
                               const StDual *velocity, StDual *force);

// Fills the jacobian [3 count][3 count], by_position·∂f/∂x + by_velocity·∂f/∂v of the stencil.
// room: [3 count]. False if it cannot: complex numbers are used then, column by column.
typedef bool (*StContactJacobian)(const StContactSet *set, const StContact *contact,
                                  const double *position, const double *velocity,
                                  double by_position, double by_velocity, double *room,
                                  double *jacobian);

// Fills the force of one contact of a list on its stencil, [count][3]. room: the same size. Threads
// call it at once.
typedef void (*StContactStencil)(const StContactSet *set, const StContactArray *list,
                                 const StContact *contact, const StPoint *at, double *room,
                                 double *stencil);

// Adds the forces of this rank's contacts, in their order.
void st_contact_loop_forces(const StContactArray *list, const StPoint *at, StContactStencil fill,
                            double *force);

// Makes room for the Jacobians of a set's contacts, so that blocks can be added without fail.
// False: out of memory. slots: of its contacts.
bool st_contact_loop_reserve(const StContactSet *set, const StContactSlots *slots);

// Needs that room.
void st_contact_loop_blocks(const StContactArray *list, const StPoint *at, double by_position,
                            double by_velocity, StContactForce add, StContactJacobian fill,
                            StBlockMatrix *matrix);

void st_contact_loop_complex(const StContactArray *list, const StPoint *at, const StDual *position,
                             const StDual *velocity, StContactForce add, StDual *force);

// Adds a contact's blocks to our rows, where the matrix has slots for them:
// weight_r·weight_c·block; factor·g_r g_cᵀ.
void st_contact_loop_spread_block(const StPoint *at, const StContactArray *list,
                                  const StContact *contact, const double *weight,
                                  const double block[9], StBlockMatrix *matrix);
void st_contact_loop_add_outer(const StPoint *at, const StContactArray *list,
                               const StContact *contact, double factor, const double *g,
                               StBlockMatrix *matrix);

// Whether something may touch at the point, and was evaluated.
bool st_contact_loop_known(const StPoint *at);

// False, with *trouble filled for this force, if the search for contacts failed.
bool st_contact_loop_check(const StPoint *at, const char *force, StTrouble *trouble);
