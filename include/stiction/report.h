// What a report on a step or a state has: stiction_simulation_report returns one.
// stiction/stiction.h includes this header.
#ifndef STICTION_REPORT_H
#define STICTION_REPORT_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct StictionForceReport {
  const char *name;
  double energy; // J; NaN for forces without one
} StictionForceReport;

typedef struct StictionVolumeReport { // a space with something in it, such as the air in a tyre
  const char *name;
  double volume;   // m³
  double pressure; // Pa, absolute, inside
} StictionVolumeReport;

typedef struct StictionBearingReport { // a rim that turns about an axis
  const char *name;
  double angle;  // rad, from rest, all turns counted
  double speed;  // rad/s
  double torque; // N m, what drives it
} StictionBearingReport;

// Force and torque of a boundary or an obstacle on the bodies. With weights, loads and joints to
// the world, reactions are the rate of change of momentum.
typedef struct StictionReactionReport {
  const char *name;
  bool obstacle;    // or else a boundary
  double force[3];  // N, on the bodies
  double torque[3]; // N m, on them about the origin
} StictionReactionReport;

typedef struct StictionActionReport { // a load or a joint
  const char *name;
  bool joint;       // it has a travel
  double force[3];  // N, on the body, of a joint on the first
  double torque[3]; // N m, on the same about the origin
  double travel;    // m that a joint's points are apart or shifted, or rad it has turned
} StictionActionReport;

typedef struct StictionPairReport {
  const char *name;       // "block|floor": whose vertices, against what
  int touching, sticking; // vertices
  double normal_force;    // N, sum of magnitudes
  double friction[3];     // N, on the vertices
  double force[3];        // N, pressing and friction on the first; the other gets the opposite
  double torque[3];       // N m, on the first about the origin, …
  double other_torque[3]; // … and on the other; 0 for obstacles, which feel nothing
  double lost;            // J, taken from the motion of both in the step, stored energy included
} StictionPairReport;

typedef struct StictionBodyReport {
  const char *name;
  double mass;                // kg
  double volume;              // m³, of its tets
  double centre[3];           // m, of mass
  double velocity[3];         // m/s, of that
  double momentum[3];         // kg m/s
  double angular_momentum[3]; // kg m²/s about its centre
  double kinetic_energy;      // J
  double elastic_energy;      // J, of tets, membranes and bending
  double potential_energy;    // J, of gravity
  double contact_force[3];    // N, of all that it touches
  double contact_torque[3];   // N m, the same about its centre
} StictionBodyReport;

typedef struct StictionProbeReport { // a point of the scene's `probes`
  const char *name;
  double point[3];    // m
  double velocity[3]; // m/s
  double distance;    // m, to its other end; NaN: it has none
} StictionProbeReport;

// All contacts in this state, and how well they keep the laws of friction (docs/physics.md).
typedef struct StictionContactReport {
  int touching, sticking;              // vertices, once for each of their contacts
  double normal_force, friction_force; // N, sums of magnitudes
  double cone_violation; // N, largest |friction| - μ × normal force; NaN: no friction
  double friction_power; // W, dissipated: negative; what anchors store and give back is not in it
  double pair_net_force; // N, largest over pairs of two bodies; action is reaction: zero
  double normal_force_error; // N, largest |normal force friction went by - the true one|
  double deepest_gap;        // m, negative: inside; NaN: nothing touches
  int deepest_vertex;        // -1: none
  double creep_speed;        // m/s, fastest of the sticking vertices
  double held_displacement;  // m, the largest elastic displacement that an anchor holds
  double sticking_speed;     // m/s, below which a vertex counts as sticking, largest of all pairs
                             // whose friction holds by velocity; 0: none does
  double stiffness_growth;   // largest ratio of a contact's stiffness to the scene's
  int repeats;               // of the step with stiffer contact
} StictionContactReport;

// What contact itself measured: the worst of all steps so far.
typedef struct StictionCertificate {
  double deepest_gap, deepest_time; // m, s
  int deepest_vertex;
  long overlapping_steps; // that ended inside something, as only an overlap at the start allows
  double cone_violation, friction_power, pair_net_force, normal_force_error, creep_speed;
  double held_displacement; // m
} StictionCertificate;

// What an independent check of the geometry found in this state: the judge, which knows positions
// only and shares nothing with contact.
typedef struct StictionJudgeReport {
  bool checked;            // it looked at this state; else the counts are 0
  long crossings;          // edges of one body through triangles of another
  long self_crossings;     // edges of a body through triangles of the same body
  long obstacle_crossings; // triangles and edges that reach into obstacles
  long vertices_inside;    // surface vertices inside another body or an obstacle
  long inverted_tets;
  long passages; // pairs of triangles that passed through each other in the step
} StictionJudgeReport;

// The same over all states so far.
typedef struct StictionJudgeRecord {
  long states;   // that were looked at
  long findings; // of those, with anything found
  // The most in one state:
  long crossings, self_crossings, obstacle_crossings, vertices_inside, inverted_tets, passages;
  double first_time; // s, of the first state with a finding; NaN: there is none
} StictionJudgeRecord;

// One step, or the state a simulation starts from.
typedef struct StictionReport {
  long step;                  // steps so far
  double time;                // s, at its end
  double step_size;           // s
  int newton_iterations;      // of all attempts at the step, rejected ones included
  int linear_iterations;      // Krylov iterations, or factorisations of the direct solver; the same
  int residual_evaluations;   // by Newton's method; the same
  int retries;                // rejected attempts before the one that stands
  const char *solved_by;      // "newton": at once; else what it took (docs/running.md)
  double residual;            // m/s, largest |r_i|/m_i when accepted
  double seconds;             // wall time
  double kinetic_energy;      // J
  double total_energy;        // J, with those of all forces
  double external_work;       // J, done in the step by what moves by itself or changes over time
  double energy_gain;         // J, what the total gained beyond that; negative: lost
  double energy_error;        // J, a gain that the errors of method and solver explain
  double momentum[3];         // kg m/s
  double angular_momentum[3]; // kg m²/s about the origin
  double centre_of_mass[3];   // m
  double tet_volume;          // m³, of all tets
  int force_count;
  const StictionForceReport *force; // [force_count] those that act
  int volume_count;
  const StictionVolumeReport *volume; // [volume_count] in the scene's order
  int bearing_count;
  const StictionBearingReport *bearing; // [bearing_count] in the scene's order
  int action_count;
  const StictionActionReport *action; // [action_count] loads, then joints, then motors
  StictionJudgeReport judge;
  StictionJudgeRecord judged;
  bool has_contact; // something can touch; else what follows has no meaning
  int pair_count;
  const StictionPairReport *pair; // [pair_count] the scene's first 1024, then those that touched
  StictionContactReport contact;
  StictionCertificate certificate;
  int body_count;
  const StictionBodyReport *body; // [body_count] in the scene's order
  int probe_count;
  const StictionProbeReport *probe; // [probe_count] in the scene's order
  int reaction_count;
  const StictionReactionReport *reaction; // [reaction_count] boundaries, then obstacles
} StictionReport;

#ifdef __cplusplus
}
#endif

#endif
