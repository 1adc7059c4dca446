// The parts of a scene, one file each: its key table and the function that reads it.
#ifndef ST_SCENE_PARTS_H
#define ST_SCENE_PARTS_H

#include "scene/reader.h"

extern const StKeyTable st_keys_scene, st_keys_material, st_keys_body, st_keys_mesh, st_keys_shape,
    st_keys_rotate, st_keys_boundary, st_keys_region, st_keys_box, st_keys_sphere, st_keys_plane,
    st_keys_motion, st_keys_motion_key, st_keys_acceleration, st_keys_force, st_keys_load,
    st_keys_joint, st_keys_joint_end, st_keys_obstacle, st_keys_obstacle_shape, st_keys_friction,
    st_keys_contact, st_keys_pair, st_keys_time, st_keys_solver, st_keys_output, st_keys_volume,
    st_keys_bearing, st_keys_probe, st_keys_probe_end, st_keys_curve_key, st_keys_sine,
    st_keys_ramp, st_keys_course;

// Each reads the value of its top-level key into the description; NULL where the key is missing.
StStatus st_scene_read_materials(StReader *reader, const StJson *at);
StStatus st_scene_read_bodies(StReader *reader, const StJson *at);
StStatus st_scene_read_boundaries(StReader *reader, const StJson *at);
StStatus st_scene_read_volumes(StReader *reader, const StJson *at);
StStatus st_scene_read_bearings(StReader *reader, const StJson *at); // after boundaries
StStatus st_scene_read_accelerations(StReader *reader, const StJson *at);
// Joints first: torques among the loads are joints too, and `torques` is room for them.
StStatus st_scene_read_joints(StReader *reader, const StJson *at, int torques);
StStatus st_scene_read_loads(StReader *reader, const StJson *at);
StStatus st_scene_read_forces(StReader *reader, const StJson *at);
StStatus st_scene_read_time(StReader *reader, const StJson *at);
StStatus st_scene_read_probes(StReader *reader, const StJson *at);
StStatus st_scene_read_solver(StReader *reader, const StJson *at);
StStatus st_scene_read_output(StReader *reader, const StJson *at);

// Rows of the friction table as they were given: speeds that were not are 0. Names point into the
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

// In this order: obstacles may be made of what only the friction table names, and the table may
// name what only obstacles are made of.
StStatus st_scene_read_friction(StReader *reader, const StJson *at, StFrictionTable *table);
StStatus st_scene_read_obstacles(StReader *reader, const StJson *at, const StFrictionTable *table);
StStatus st_scene_check_friction(StReader *reader, const StFrictionTable *table);
StStatus st_scene_read_contact(StReader *reader, const StJson *at, StFrictionTable *table);

// The part of the table whose unit goes by the method of contact: once that is known.
StStatus st_scene_read_viscous(StReader *reader, StFrictionTable *table);

// The row that fits two materials best (NULL: one without a name); *row is NULL where none does.
StStatus st_friction_table_find(const StReader *reader, const StFrictionTable *table, const char *a,
                                const char *b, const StFrictionRow **row);

// What the scene's own size, weight and speed are: the source of defaults.
typedef struct StSceneScale {
  double pull;      // strongest acceleration, m/s²
  double motion;    // fastest motion that is given, m/s
  double speed;     // √(gL), or that motion, or the speed of sound
  char reason[200]; // how the speed came about
} StSceneScale;

void st_scene_scale(const StDescription *description, StSceneScale *scale);

// Sizes that do not change when the world is turned, m: twice the largest distance of a vertex from
// the middle. Median length of the edges of a body's skin.
double st_scene_body_size(const StMesh *mesh);
double st_scene_size(const StDescription *description);
StStatus st_scene_median_edge(const StReader *reader, const StMesh *mesh, double *edge);

// A material at rest: Young's modulus, and λ + 2μ, the square of the speed of sound × density. Pa;
// of a shell N/m.
typedef struct StElasticity {
  double young, modulus;
} StElasticity;

StElasticity st_scene_elasticity(const StMaterialDesc *material);

// The stiffest and heaviest that a body is made of; 0 for a kind it has not.
typedef struct StBodyMakeup {
  double young, density;        // of tetrahedra, Pa and kg/m³
  double tension, area_density; // of triangles, N/m and kg/m²
} StBodyMakeup;

void st_scene_body_makeup(const StDescription *description, const StBodyDesc *body,
                          StBodyMakeup *makeup);

// Fills in what was not given (0): thickness, stiffness and sticking speed of contacts; tolerances,
// last of all. Each with a note.
StStatus st_scene_choose_contact(StReader *reader, const StFrictionTable *table);
StStatus st_scene_choose_tolerances(StReader *reader);

// Scale, rotations (object, list or NULL), then translation, applied to a mesh in place.
StStatus st_scene_transform(StReader *reader, const StJson *body, const double scale[3],
                            const StJson *rotate, const double translate[3], StMesh *mesh);

// The same in parts: the scale for a mesh that keeps its own frame, the rest for that frame.
StStatus st_scene_scale_mesh(StReader *reader, const StJson *at, const double scale[3],
                             StMesh *mesh);
StStatus st_scene_pose(StReader *reader, const StJson *at, const StJson *rotate,
                       const double translate[3], double rotation[9], double origin[3]);

// The mesh in the file that a path names, or the one that is given itself.
StStatus st_scene_read_mesh(StReader *reader, const StJson *at, StMesh **mesh);

// The same as it is given, for repair.
StStatus st_scene_read_surface(StReader *reader, const StJson *at, StMesh **mesh);

// What to call it in messages: the file, or the body or obstacle that it is the mesh of.
const char *st_scene_mesh_name(const StJson *at);

// A surface that is to be filled with tetrahedra.
typedef struct StSceneFill {
  int fill;                     // 0: it is not
  double edge, tolerance, hole; // m; 0: by the surface's size
} StSceneFill;

// The mesh in the scene's units, scale applied; and whether the keys of a body go together.
StStatus st_scene_fill(StReader *reader, const StJson *body, const StJson *file,
                       const StSceneFill *given, const double scale[3], StMesh **mesh);
StStatus st_scene_check_fill(const StReader *reader, const StJson *body, const StJson *shape,
                             const StSceneFill *given);

// The vertices of the bodies that are named (NULL: all) in a region, at least one, counted through
// all bodies.
StStatus st_scene_choose_vertices(StReader *reader, const StJson *body, const StJson *region,
                                  int **vertex, int *count);

// Whose vertex it is that has this number among all, and where it is at rest.
typedef struct StSceneVertex {
  const StBodyDesc *body;
  int own; // its number in that body
  const double *position;
} StSceneVertex;

StSceneVertex st_scene_vertex(const StDescription *description, int vertex);

// A number over time: one value, a formula, keys, a sine or a ramp, of the key's dimension.
StStatus st_scene_read_curve(StReader *reader, const StJson *at, const StKey *key, StCurve *curve);

// Three of them, or one `along` the direction that must then be given (NULL: it is not). What is 0
// is not given.
StStatus st_scene_read_curves(StReader *reader, const StJson *at, const StKey *key,
                              const StJson *direction, const double along[3], StCurve curve[3]);

// Where a joint holds on to something: to vertices of bodies (NULL: all) in a region (NULL: those
// around the point), at a point (NULL: the region's middle, or `place`); all NULL: to the world.
typedef struct StJointSite {
  const StJson *at, *body, *region, *point;
  double place[3];
} StJointSite;

// Fills the vertices and the first place of an end; then all places and weights, for joints that
// look at some points of an end with an axis (NULL: any) and a span between points.
StStatus st_scene_choose_end(StReader *reader, const StJointSite *site, StJointEnd *end);
StStatus st_scene_attach_end(StReader *reader, const StJointSite *site, int points,
                             const double *axis, double span, StJointEnd *end);
double st_scene_end_radius(const StReader *reader, const StJointEnd *end); // m; < 0: no memory

// Motion (NULL: at rest) about an axis through `middle` unless it says otherwise.
StStatus st_scene_read_motion(StReader *reader, const StJson *at, const double middle[3],
                              StMotion *motion);

// Which closed surface a volume asks for; the order is that of the words in a scene.
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
  bool flat;     // it is nothing but round-off
} StEnclosed;

// Puts the triangles into the volume and checks that they are closed and face outward.
StStatus st_scene_enclose(StReader *reader, const StEnclosure *wanted, StVolumeDesc *desc,
                          StEnclosed *enclosed);
// Of all volumes: no two have a triangle in common.
StStatus st_scene_check_enclosures(StReader *reader, const StJson *at);

// Index of the body with this name.
StStatus st_scene_find_body(const StReader *reader, const StJson *at, int *body);

// Index of the material with this name, which must be one for triangles (shell) or tetrahedra.
StStatus st_scene_find_material(const StReader *reader, const StJson *at, bool shell,
                                int *material);
// The only one of that kind, for a body that leaves the key out.
StStatus st_scene_only_material(StReader *reader, const StJson *body, const char *key, bool shell,
                                int *material);

// What a body's elements are made of, once its mesh is there.
typedef struct StBodyMaterials {
  const StJson *material, *shell, *materials; // as given; NULL: not
} StBodyMaterials;

StStatus st_scene_read_body_materials(StReader *reader, const StJson *body,
                                      const StBodyMaterials *given, StBodyDesc *desc);

// Of any kind.
StStatus st_scene_find_any_material(const StReader *reader, const StJson *at, int *material);

// What a rigid body says of its mass, in the axes of its mesh after scaling; 0: no mass.
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
StStatus st_scene_choose_rigid_stiffness(StReader *reader); // where it was not given, with a note

// The one that stands for the whole body, in the friction table.
int st_scene_body_material(const StBodyDesc *body);

#endif
