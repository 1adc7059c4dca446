// Rigid bodies. Their surface is carried by four vertices, each with a quarter of the mass, placed
// so that mass, centre and inertia are exact; a stiff energy (force/rigid.c) keeps the four in
// shape. These carriers are the last four vertices of the body's mesh and belong to no triangle.
#pragma once

#include "model/description.h"

// Name of the law of rigid materials.
#define ST_RIGID_LAW "rigid"

// Mass, centre and inertia, in the world at rest.
typedef struct StRigidMass {
  double mass;       // kg
  double centre[3];  // m
  double inertia[9]; // kg m² about the centre
} StRigidMass;

// Of the volume of a mesh: of its tets, or inside its triangles, which must then be closed.
StStatus st_rigid_measure(const StMesh *mesh, double density, StRigidMass *mass, StError *error);

// Makes a body rigid: its mesh keeps only its surface and gets the carriers; labels of elements
// become labels of vertices. stiffness: Pa; 0: from st_rigid_stiffness. ST_BAD_INPUT if no mass
// distribution has such an inertia.
StStatus st_body_make_rigid(StBodyDesc *body, const StRigidMass *mass, double stiffness,
                            StError *error);

// The first of the four carriers in the mesh of a rigid body.
int st_rigid_first_carrier(const StBodyDesc *body);

// Carriers may be turned against the body as a whole and still have its mass, centre and inertia.
// Turns those of a body so that they are nearest to those of another one, of nearly the same shape:
// principal axes alone jump where two moments are equal. start: their positions at the start,
// [4][3]; NULL: those at rest.
void st_rigid_align(StBodyDesc *body, const StBodyDesc *like, double *start);

// Young's modulus of the energy that keeps a body in shape, Pa: large enough that weight and
// impacts strain it by about 1e-8.
double st_rigid_stiffness(const StDescription *description, const StBodyDesc *body);

// Sets it for all bodies that have none. range: the smallest and the largest that was set; the
// largest is 0 if there was none.
void st_rigid_choose_stiffness(StDescription *description, double range[2]);

// Volume of the box with the same mass and inertia, m³.
double st_rigid_volume(const StBodyDesc *body);
