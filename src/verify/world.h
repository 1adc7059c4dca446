// Builds small worlds from C: bodies, obstacles, contacts and boundaries added one after the other.
// Failures are remembered and asked for once at the end, so that builders read as plain
// sequences. Verification, tests and benchmarks share it.
#pragma once

#include "model/description.h"

#define ST_ATMOSPHERE 101325.0 // Pa

typedef struct StWorld {
  StDescription *description; // NULL after a failure
  StError error;              // the first failure
} StWorld;

// An elastic material by the two constants of most laws.
typedef struct StWorldMaterial {
  const char *law; // NULL: neo_hookean
  double young, poisson, density;
  double mass_damping, stiffness_damping;
} StWorldMaterial;

// Cloth by its stiffness and mass per area.
typedef struct StCloth {
  double young, poisson; // N/m
  double area_density;   // kg/m²
  double bending;        // of a hinge, J
  double mass_damping, stiffness_damping;
} StCloth;

StWorld st_world_begin(void); // no gravity, direct solver, contact by smooth surfaces

// Hands the description over; NULL (and *error filled) when something failed on the way.
StDescription *st_world_finish(StWorld *world, StError *error);
void st_world_drop(StWorld *world);
void st_world_fail_memory(StWorld *world); // for callers that add parts of their own

// Settings of contact: its method, and how friction acts and holds.
typedef struct StTouch {
  StContactMethod method;
  StStick stick;
  StFrictionMode mode;
  int friction_iterations; // of lagged friction; 0: one
} StTouch;

void st_world_set_touch(StWorld *world, const StTouch *touch);

// Friction that has fallen to the dynamic coefficient at ten times the sticking speed.
StFrictionDesc st_touch_friction(const StTouch *touch, double dynamic_coefficient,
                                 double static_coefficient, double sticking_speed);

// A method of contact in the words of these cases.
typedef struct StWorldMethod {
  bool slabs;   // a rigid slab of two triangles may be a surface
  double slope; // of the logarithm of pressure over the gap at half the thickness, times it
  double (*stiffness)(double pressure, double thickness); // κ that carries a pressure there
} StWorldMethod;

const StWorldMethod *st_world_method(StContactMethod method);
double st_world_stiffness(StContactMethod method, double pressure, double thickness);

// Time and how it is stepped through; tolerances are set for the given ε or smallest speed.
void st_world_set_time(StWorld *world, const char *integrator, double step, double duration);
void st_world_set_tolerance(StWorld *world, double speed);

// All indices count from 0; -1 after a failure.
int st_world_add_material(StWorld *world, const StWorldMaterial *material);
int st_world_add_cloth(StWorld *world, const StCloth *cloth);

// A parametric shape with parameters in the order of its list (0: its default for cells), shifted;
// of tets, or its surface of triangles.
StMesh *st_world_shape(StWorld *world, const char *shape, const double *value, int value_count,
                       const double shift[3]);
StMesh *st_world_surface(StWorld *world, const char *shape, const double *value, int value_count,
                         const double shift[3]);
int st_world_add_body(StWorld *world, const char *name, StMesh *mesh,
                      int material); // takes the mesh

void st_world_make_rigid(StWorld *world, int body); // of its material's density

int st_world_add_floor(StWorld *world, double height); // everything below z = height
int st_world_add_ceiling(StWorld *world, double height);
int st_world_add_ball(StWorld *world, const double centre[3], double radius);
void st_world_add_contact(StWorld *world, const StContactDesc *contact);

// Between two bodies, each against the other: twice, unless the method has one entry for both.
void st_world_add_mutual(StWorld *world, const StContactDesc *contact);

// Selects the rest positions of a boundary; NULL: all of a body.
typedef bool (*StWorldChoice)(const double X[3], const void *context);

// Holds vertices of one body in all axes until the caller says otherwise; NULL after a failure.
StBoundaryDesc *st_world_add_boundary(StWorld *world, int body, StWorldChoice chosen,
                                      const void *context);

// Fills the space inside a body, that of its triangles or the first cavity of its tets, which is at
// rest as it is, at 1 atm inside and outside; the caller says what differs. NULL after a failure.
StVolumeDesc *st_world_fill(StWorld *world, int body, const char *model);

// A rim about the z-axis without a torque, likewise.
StBearingDesc *st_world_add_bearing(StWorld *world, int body, StWorldChoice chosen,
                                    const void *context, double stiffness);

void st_world_set_curve(StWorld *world, StCurve *curve, int key_count, const double *time,
                        const double *value);

// Straight motion with constant velocity between keys; goes on after the last one.
void st_world_move(StWorld *world, StMotion *motion, int key_count, const double *time,
                   const double *translation);
