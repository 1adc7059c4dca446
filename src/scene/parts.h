// The parts of a scene, one file each: its key table and the function that reads it.
#ifndef ST_SCENE_PARTS_H
#define ST_SCENE_PARTS_H

#include "scene/reader.h"

extern const StKeyTable st_keys_scene, st_keys_material, st_keys_body, st_keys_shape,
    st_keys_rotate, st_keys_boundary, st_keys_region, st_keys_box, st_keys_sphere, st_keys_plane,
    st_keys_motion, st_keys_motion_key, st_keys_acceleration, st_keys_time, st_keys_solver,
    st_keys_output;

// Each reads the value of its top-level key into the description; NULL where the key is missing.
StStatus st_scene_read_materials(StReader *reader, const StJson *at);
StStatus st_scene_read_bodies(StReader *reader, const StJson *at);
StStatus st_scene_read_boundaries(StReader *reader, const StJson *at);
StStatus st_scene_read_accelerations(StReader *reader, const StJson *at);
StStatus st_scene_read_time(StReader *reader, const StJson *at);
StStatus st_scene_read_solver(StReader *reader, const StJson *at);
StStatus st_scene_read_output(StReader *reader, const StJson *at);

// Defaults that follow from the scene's own scale; call last.
StStatus st_scene_choose_tolerances(StReader *reader);

// Scale, rotations (object, list or NULL), then translation, applied to a mesh in place.
StStatus st_scene_transform(StReader *reader, const StJson *body, const double scale[3],
                            const StJson *rotate, const double translate[3], StMesh *mesh);

// Marks the vertices of the chosen bodies that lie in the region. chosen: [body_count];
// marked: [vertices of all bodies].
StStatus st_scene_select(StReader *reader, const StJson *region, const bool *chosen, bool *marked);

// Motion of a boundary (NULL: at rest); its vertices are there already.
StStatus st_scene_read_motion(StReader *reader, const StJson *at, StBoundaryDesc *boundary);

// Index of the body or material with this name.
StStatus st_scene_find_body(const StReader *reader, const StJson *at, int *body);
StStatus st_scene_find_material(const StReader *reader, const StJson *at, int *material);

#endif
