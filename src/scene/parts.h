// The parts of a scene, one file each: its key table and the function that reads it.
#ifndef ST_SCENE_PARTS_H
#define ST_SCENE_PARTS_H

#include "scene/reader.h"

extern const StKeyTable st_keys_scene, st_keys_material, st_keys_body, st_keys_shape,
    st_keys_rotate, st_keys_boundary, st_keys_region, st_keys_box, st_keys_sphere, st_keys_plane,
    st_keys_motion, st_keys_motion_key, st_keys_acceleration, st_keys_obstacle,
    st_keys_obstacle_shape, st_keys_friction, st_keys_contact, st_keys_pair, st_keys_time,
    st_keys_solver, st_keys_output;

// Each reads the value of its top-level key into the description; NULL where the key is missing.
StStatus st_scene_read_materials(StReader *reader, const StJson *at);
StStatus st_scene_read_bodies(StReader *reader, const StJson *at);
StStatus st_scene_read_boundaries(StReader *reader, const StJson *at);
StStatus st_scene_read_accelerations(StReader *reader, const StJson *at);
StStatus st_scene_read_time(StReader *reader, const StJson *at);
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
StStatus st_scene_read_contact(StReader *reader, const StJson *at, const StFrictionTable *table);

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

// The mesh in the file that a path names.
StStatus st_scene_read_mesh(StReader *reader, const StJson *at, StMesh **mesh);

// Marks the vertices of the chosen bodies that lie in the region. chosen: [body_count];
// marked: [vertices of all bodies].
StStatus st_scene_select(StReader *reader, const StJson *region, const bool *chosen, bool *marked);

// Motion (NULL: at rest) about an axis through `middle` unless it says otherwise.
StStatus st_scene_read_motion(StReader *reader, const StJson *at, const double middle[3],
                              StMotion *motion);

// Index of the body or material with this name.
StStatus st_scene_find_body(const StReader *reader, const StJson *at, int *body);
StStatus st_scene_find_material(const StReader *reader, const StJson *at, int *material);

#endif
