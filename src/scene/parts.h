// The parts of a scene, one file each: its key table and the function that reads it.
#pragma once

#include "scene/pair_plan.h"
#include "scene/reader.h"

extern const StKeyTable st_keys_scene, st_keys_material, st_keys_body, st_keys_mesh, st_keys_shape,
    st_keys_rotate, st_keys_boundary, st_keys_region, st_keys_box, st_keys_sphere, st_keys_plane,
    st_keys_motion, st_keys_motion_key, st_keys_acceleration, st_keys_force, st_keys_load,
    st_keys_joint, st_keys_joint_end, st_keys_obstacle, st_keys_obstacle_shape, st_keys_friction,
    st_keys_contact, st_keys_pair, st_keys_time, st_keys_solver, st_keys_output, st_keys_volume,
    st_keys_bearing, st_keys_probe, st_keys_probe_end, st_keys_curve_key, st_keys_sine,
    st_keys_ramp, st_keys_course;

extern const char *const st_everywhere[]; // "all"

// Keys that choose vertices: bodies, and a region in them.
#define ST_KEY_BODIES(type, field)                                                                 \
  ST_KEY_NAMED("body", type, field, NAMES,                                                         \
               "Bodies to choose vertices from: a name or a list of names.",                       \
               .otherwise = "all bodies")
#define ST_KEY_REGION .param.word = st_everywhere, .table = &st_keys_region
#define ST_KEY_VERTICES(type)                                                                      \
  ST_KEY(type, region, OBJECTS,                                                                    \
         "Which vertices: \"all\", one region, or a list of regions (their union).",               \
         ST_KEY_REGION, .required = true)

// Makes the array of what a list or a map of the scene has, and reads its items in order. at may be
// NULL.
typedef StStatus StReadItem(StReader *reader, const StJson *at);
StStatus st_scene_read_each(StReader *reader, const StJson *at, void **array, size_t item_size,
                            StReadItem *read);

// Each reads the value of its top-level key into the description; NULL if the key is missing.
StStatus st_scene_read_materials(StReader *reader, const StJson *at);
StStatus st_scene_read_bodies(StReader *reader, const StJson *at);
StStatus st_scene_read_boundaries(StReader *reader, const StJson *at);
StStatus st_scene_read_volumes(StReader *reader, const StJson *at);
StStatus st_scene_read_bearings(StReader *reader, const StJson *at); // after boundaries
StStatus st_scene_read_accelerations(StReader *reader, const StJson *at);
// Joints first: torques among the loads are joints too, and `torques` reserves space for them.
StStatus st_scene_read_joints(StReader *reader, const StJson *at, int torques);
StStatus st_scene_read_loads(StReader *reader, const StJson *at);
StStatus st_scene_read_forces(StReader *reader, const StJson *at);
StStatus st_scene_check_statics(const StReader *reader); // after contact is read
StStatus st_scene_read_time(StReader *reader, const StJson *at, int load_steps);
StStatus st_scene_read_probes(StReader *reader, const StJson *at);
StStatus st_scene_read_solver(StReader *reader, const StJson *at);
StStatus st_scene_read_output(StReader *reader, const StJson *at);
StStatus st_scene_read_tunables(StReader *reader, const StJson *at); // first of all

// The tunables of all layers; NULL-terminated.
extern const StTunableTable *const st_tunable_tables[];

// Rows of the friction table as given; speeds that were not given are 0. Names point into the
// scene's text.
typedef struct StFrictionRow {
  const StJson *at;
  const char *name[2]; // NULL: any material
  StFrictionDesc friction;
} StFrictionRow;

typedef struct StFrictionTable {
  int count;
  StFrictionRow *row; // free() it
} StFrictionTable;

// In this order: obstacles may have materials that only the friction table names, and the table may
// name materials that only obstacles have.
StStatus st_scene_read_friction(StReader *reader, const StJson *at, StFrictionTable *table);
StStatus st_scene_read_obstacles(StReader *reader, const StJson *at, const StFrictionTable *table);
StStatus st_scene_check_friction(StReader *reader, const StFrictionTable *table);
StStatus st_scene_read_contact(StReader *reader, const StJson *at, StFrictionTable *table);

// The part of the table whose unit depends on the contact method, once that is known.
StStatus st_scene_read_viscous(StReader *reader, StFrictionTable *table);

// The row that best matches two materials (NULL: an unnamed one); *row is NULL if none does.
StStatus st_friction_table_find(const StReader *reader, const StFrictionTable *table, const char *a,
                                const char *b, const StFrictionRow **row);

// The scene's own size, weight and speed: the basis of defaults.
typedef struct StSceneScale {
  double pull;      // strongest acceleration, m/s²
  double motion;    // fastest prescribed motion, m/s
  double force;     // strongest load, spring or motor, N
  double pressure;  // strongest pressure of a load, Pa
  double speed;     // √(gL), or that motion, or the speed of sound
  char reason[200]; // where the speed comes from
} StSceneScale;

void st_scene_scale(const StDescription *description, StSceneScale *scale);

// Loads on each body, [bodies]: the forces of loads, springs and drives, N, and its strongest
// pressure, Pa. Both are 0 where there is none.
void st_scene_body_loads(const StDescription *description, const double *size, double *force,
                         double *pressure);

// The strongest acceleration of a body, m/s².
double st_scene_body_pull(const StDescription *description, int body);

// Rotation-invariant sizes, m: twice the largest distance of a vertex from the centre. Median edge
// length of a body's skin.
void st_scene_body_centre(const StMesh *mesh, double centre[3]);
double st_scene_body_size(const StMesh *mesh);
double st_scene_size(const StDescription *description);
StStatus st_scene_median_edge(const StReader *reader, const StMesh *mesh, double *edge);

// A material at rest: Young's modulus, and λ + 2μ, the square of the speed of sound × density, Pa;
// of a shell N/m. Poisson's ratio.
typedef struct StElasticity {
  double young, modulus, poisson;
} StElasticity;

StElasticity st_scene_elasticity(const StMaterialDesc *material);

// The stiffest and heaviest materials of a body; 0 for a kind it does not have.
typedef struct StBodyMakeup {
  double young, density;        // of tetrahedra, Pa and kg/m³
  double tension, area_density; // of triangles, N/m and kg/m²
} StBodyMakeup;

void st_scene_body_makeup(const StDescription *description, const StBodyDesc *body,
                          StBodyMakeup *makeup);

// Stiffness of the stiffest body that has some of these vertices, where a part of this radius is
// held, N/m.
double st_scene_stiffest(const StDescription *description, const int *vertex, int count,
                         double radius);

// Chooses tolerances that were not given (0), after contact. Each with a note.
StStatus st_scene_choose_tolerances(StReader *reader);

// Warns of meshes and materials that make solid bodies too stiff, once all that acts on them is
// known.
StStatus st_scene_warn_elements(const StReader *reader);

// Scale, rotations (object, list or NULL), then translation, applied to a mesh in place.
StStatus st_scene_transform(StReader *reader, const StJson *body, const double scale[3],
                            const StJson *rotate, const double translate[3], StMesh *mesh);

// The same in two steps: the scale for a mesh that keeps its own frame, the rest for that frame.
StStatus st_scene_scale_mesh(StReader *reader, const StJson *at, const double scale[3],
                             StMesh *mesh);
StStatus st_scene_pose(StReader *reader, const StJson *at, const StJson *rotate,
                       const double translate[3], double rotation[9], double origin[3]);

// Where several processes read a scene together, each makes some of the meshes, and all get all of
// them, for reading only. rank: [count] who makes which.
typedef StStatus StMakeMesh(StReader *reader, void *context, int index, StMesh **mesh);
typedef struct StMeshMakers {
  int count;
  const int *rank;
  StMakeMesh *make;
  void *context;
} StMeshMakers;

// status: of what came before; mesh: [count] NULL before, and the caller's even after a failure.
// Collective.
StStatus st_scene_make_meshes(StReader *reader, const StMeshMakers *makers, StStatus status,
                              StMesh **mesh);
StStatus st_scene_make_mesh(StReader *reader, StMakeMesh *make, void *context, StMesh **mesh);

// The worst status of all processes. Collective.
StStatus st_scene_agree(StReader *reader, StStatus status);

// The mesh from the file that a path names, or from the scene itself.
StStatus st_scene_read_mesh(StReader *reader, const StJson *at, bool second_order, StMesh **mesh);

// The same unchecked, for repair and for positions alone.
StStatus st_scene_read_surface(StReader *reader, const StJson *at, StMesh **mesh);

// Its name in messages: the file, or the body or obstacle that it belongs to.
const char *st_scene_mesh_name(const StJson *at);

typedef enum StMeshFill { ST_FILL_NONE, ST_FILL_SOLID, ST_FILL_CAGE } StMeshFill;

// A surface that is to become a solid.
typedef struct StSceneFill {
  int fill;                     // StMeshFill
  double edge, tolerance, hole; // m; 0: from the surface
  int order;                    // of the body's tets
} StSceneFill;

// Fills the mesh in the scene's units, with the scale applied; checks that the keys of a body are
// consistent.
StStatus st_scene_fill(StReader *reader, const StJson *body, const StJson *file,
                       const StSceneFill *given, const double scale[3], StMesh **mesh);
StStatus st_scene_check_fill(const StReader *reader, const StJson *body, const StJson *shape,
                             const StSceneFill *given);

// The vertices of the named bodies (NULL: all) in a region, at least one, numbered through all
// bodies.
StStatus st_scene_choose_vertices(StReader *reader, const StJson *body, const StJson *region,
                                  int **vertex, int *count);

// The body of the vertex with this number, and its rest position.
typedef struct StSceneVertex {
  const StBodyDesc *body;
  int own; // its number in that body
  const double *position;
} StSceneVertex;

StSceneVertex st_scene_vertex(const StDescription *description, int vertex);

// A number over time: one value, a formula, keys, a sine or a ramp, with the key's dimension.
StStatus st_scene_read_curve(StReader *reader, const StJson *at, const StKey *key, StCurve *curve);

// Three of them, or one `along` a direction, which must then be given (NULL: not given). Zero
// counts as not given.
StStatus st_scene_read_curves(StReader *reader, const StJson *at, const StKey *key,
                              const StJson *direction, const double along[3], StCurve curve[3]);

// Where a joint is attached: to vertices of bodies (NULL: all) in a region (NULL: those around the
// point), at a point (NULL: the region's centre, or `place`); all NULL: to the world.
typedef struct StJointSite {
  const StJson *at, *body, *region, *point;
  double place[3];
} StJointSite;

// Fills the vertices and the first place of an end; then all places and weights, for joints that
// use several points of an end, with an axis (NULL: any) and a distance between points.
StStatus st_scene_choose_end(StReader *reader, const StJointSite *site, StJointEnd *end);
StStatus st_scene_attach_end(StReader *reader, const StJointSite *site, int points,
                             const double *axis, double span, StJointEnd *end);
double st_scene_end_radius(const StReader *reader, const StJointEnd *end); // m; < 0: out of memory

// Motion (NULL: at rest), about an axis through `middle` unless given otherwise.
StStatus st_scene_read_motion(StReader *reader, const StJson *at, const double middle[3],
                              StMotion *motion);

// Which closed surface a volume refers to, in the order of the words in a scene.
typedef enum StEnclosureKind {
  ST_ENCLOSED_AUTO,
  ST_ENCLOSED_SURFACE,
  ST_ENCLOSED_BOUNDARY,
  ST_ENCLOSED_CAVITY,
} StEnclosureKind;

typedef struct StEnclosure {
  const StJson *at; // the volume
  const StJson *body, *labels;
  StEnclosureKind of;
  int cavity; // from 1
} StEnclosure;

typedef struct StEnclosed {
  double volume; // m³ at rest
  bool flat;     // its volume is only round-off
} StEnclosed;

// Stores the triangles in the volume and checks that they are closed and face outward.
StStatus st_scene_enclose(StReader *reader, const StEnclosure *wanted, StVolumeDesc *desc,
                          StEnclosed *enclosed);
// Checks that no two volumes share a triangle.
StStatus st_scene_check_enclosures(StReader *reader, const StJson *at);

// Index of the body with this name.
StStatus st_scene_find_body(const StReader *reader, const StJson *at, int *body);

// Whether a body or an obstacle may have this name.
StStatus st_scene_check_name(const StReader *reader, const StJson *at);

// Where a full turn changes nothing, more than one without a unit; at may be NULL.
void st_scene_warn_angle(const StReader *reader, const StJson *at);

// Whether a velocity, of this key, is one that a body can have; at: NULL where it was not given;
// where: "", or ST_AT_A_METRE of what turns, for which an angular velocity is a velocity.
#define ST_AT_A_METRE " a metre from the axis"
StStatus st_scene_check_speed(const StReader *reader, const StJson *at, const double velocity[3],
                              const char *where);

// Index of the material with this name, which must be one for triangles (shell) or tetrahedra.
StStatus st_scene_find_material(const StReader *reader, const StJson *at, bool shell,
                                int *material);
// The only material of that kind, for a body without the key.
StStatus st_scene_only_material(StReader *reader, const StJson *body, const char *key, bool shell,
                                int *material);

// The materials of a body's elements, once its mesh is known.
typedef struct StBodyMaterials {
  const StJson *material, *shell, *materials; // as given; NULL: not given
} StBodyMaterials;

StStatus st_scene_read_body_materials(StReader *reader, const StJson *body,
                                      const StBodyMaterials *given, StBodyDesc *desc);

// Of any kind.
StStatus st_scene_find_any_material(const StReader *reader, const StJson *at, int *material);

// Mass properties given for a rigid body, in the axes of its mesh after scaling; 0: no mass.
typedef struct StRigidGiven {
  double mass, centre[3], inertia[3], products[3];
  const StJson *rotate;
  double translate[3];
} StRigidGiven;

// Whether a body is made of a rigid material, named or the only one.
bool st_scene_is_rigid(const StReader *reader, const StBodyMaterials *made_of);
StStatus st_scene_refuse_rigid_keys(const StReader *reader, const StJson *at); // of others
StStatus st_scene_make_rigid(StReader *reader, const StJson *at, const StBodyMaterials *made_of,
                             const StRigidGiven *given, StBodyDesc *desc);
StStatus st_scene_note_rigid_stiffness(StReader *reader); // of those that were not given

// The material that represents the whole body in the friction table.
int st_scene_body_material(const StBodyDesc *body);
