// Building scenes by calls, and reading, changing and writing scene files. Keys, units and defaults
// are those of scene files: docs/scene.md is the reference, docs/c-interface.md the guide.
//
//   StictionBuild *build = NULL;
//   stiction_build_create(&build);
//   StictionPart *rubber = stiction_build_add_material(build, "rubber", "neo_hookean");
//   stiction_part_set_text(rubber, "young", "600 kPa");
//   stiction_part_set_number(rubber, "poisson", 0.45);
//   …
//   status = stiction_scene_build(session, build, &scene);
//
// stiction_scene_build checks the whole scene with the same code and messages as for files;
// messages use the names that the program gave. Mistakes in a call itself (a number that is not
// finite, a second body of the same name, text that is not UTF-8) are recorded:
// stiction_scene_build, stiction_build_text and stiction_build_write report the first one, and the
// build no longer changes after it. So a program need not check every call.
//
// Use a build from one thread at a time. Its calls never wait, may come from callbacks and need no
// session.
#ifndef STICTION_BUILD_H
#define STICTION_BUILD_H

#include <stiction/stiction.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct StictionBuild StictionBuild; // a scene under construction
typedef struct StictionPart StictionPart;   // an object or a list in it: a body, its shape …

// Starts with an empty scene, a scene file, or its text. On failure *build is NULL.
STICTION_API StictionStatus stiction_build_create(StictionBuild **build);
STICTION_API StictionStatus stiction_build_load(const char *path, StictionBuild **build);
STICTION_API StictionStatus stiction_build_parse(const char *text, StictionBuild **build);
STICTION_API void stiction_build_free(StictionBuild *build); // NULL is fine; parts go with it

// Where relative paths start: "" is the current folder; NULL forbids files. Default: the folder of
// the loaded file, or the current one.
STICTION_API StictionStatus stiction_build_set_folder(StictionBuild *build, const char *folder);

// Checks the scene and makes it. The build stays as it is and can be changed for the next one.
STICTION_API StictionStatus stiction_scene_build(Stiction *session, StictionBuild *build,
                                                 StictionScene **scene);

// The scene as JSON, unchecked. An unchanged file keeps its text, comments included. Arrays are
// part of the text, and numbers keep all their bits. Valid until the next call that returns a text
// of this build. NULL on failure; stiction_error has the reason.
STICTION_API const char *stiction_build_text(StictionBuild *build);

// Writes that text into a file. Paths in it are not changed.
STICTION_API StictionStatus stiction_build_write(StictionBuild *build, const char *path);

// Parts live as long as their build. After a mistake these functions return a part that ignores
// everything; they return NULL only for a build or part that is NULL.

// The scene itself: "title", "gravity", "integrator", "start".
STICTION_API StictionPart *stiction_build_root(StictionBuild *build);

// The scene's single objects: "time", "contact", "solver", "output".
STICTION_API StictionPart *stiction_build_settings(StictionBuild *build, const char *key);

// Named things; each name once. The last argument may be NULL: the default law, the only material,
// all bodies.
STICTION_API StictionPart *stiction_build_add_material(StictionBuild *build, const char *name,
                                                       const char *law);
STICTION_API StictionPart *stiction_build_add_body(StictionBuild *build, const char *name,
                                                   const char *material);
STICTION_API StictionPart *stiction_build_add_obstacle(StictionBuild *build, const char *name,
                                                       const char *material);
STICTION_API StictionPart *stiction_build_add_boundary(StictionBuild *build, const char *name,
                                                       const char *body);
STICTION_API StictionPart *stiction_build_add_volume(StictionBuild *build, const char *name,
                                                     const char *model);
STICTION_API StictionPart *stiction_build_add_bearing(StictionBuild *build, const char *name,
                                                      const char *body);
STICTION_API StictionPart *stiction_build_add_load(StictionBuild *build, const char *name,
                                                   const char *body);
STICTION_API StictionPart *stiction_build_add_joint(StictionBuild *build, const char *name,
                                                    const char *type);
STICTION_API StictionPart *stiction_build_add_probe(StictionBuild *build, const char *name,
                                                    const char *body);

// Things without a name: friction between two materials (NULL: any); a uniform acceleration; an
// optional force such as "drag".
STICTION_API StictionPart *stiction_build_add_friction(StictionBuild *build, const char *material,
                                                       const char *other, double dynamic);
STICTION_API StictionPart *stiction_build_add_acceleration(StictionBuild *build);
STICTION_API StictionPart *stiction_build_add_force(StictionBuild *build, const char *type);

// Set a value, replacing an existing one. key NULL: append to a list. Numbers are in SI units; a
// text can have a unit, "5 cm", or be a formula.
STICTION_API StictionStatus stiction_part_set_number(StictionPart *part, const char *key,
                                                     double value);
STICTION_API StictionStatus stiction_part_set_boolean(StictionPart *part, const char *key,
                                                      bool value);
STICTION_API StictionStatus stiction_part_set_text(StictionPart *part, const char *key,
                                                   const char *text);
STICTION_API StictionStatus stiction_part_set_vector(StictionPart *part, const char *key, double x,
                                                     double y, double z);

// Lists. Arrays are copied.
STICTION_API StictionStatus stiction_part_set_texts(StictionPart *part, const char *key, int count,
                                                    const char *const *text);
STICTION_API StictionStatus stiction_part_set_numbers(StictionPart *part, const char *key,
                                                      int count, const double *number);
STICTION_API StictionStatus stiction_part_set_integers(StictionPart *part, const char *key,
                                                       int count, const int *number);

// Any value, as JSON: "{ \"type\": \"sphere\", \"radius\": \"5 cm\" }".
STICTION_API StictionStatus stiction_part_set_json(StictionPart *part, const char *key,
                                                   const char *json);

STICTION_API StictionStatus stiction_part_remove(StictionPart *part, const char *key);

// The object or list under a key, created if needed; key NULL: a new one, appended to a list.
// stiction_part_add appends a new object to the list under the key.
STICTION_API StictionPart *stiction_part_object(StictionPart *part, const char *key);
STICTION_API StictionPart *stiction_part_list(StictionPart *part, const char *key);
STICTION_API StictionPart *stiction_part_add(StictionPart *part, const char *key);

// Reading: the number of keys or items; the key of one, in order (NULL: no such index, or a list);
// the value of a key as JSON (key NULL: the part itself; the result is NULL if there is none).
STICTION_API int stiction_part_count(const StictionPart *part);
STICTION_API const char *stiction_part_key(const StictionPart *part, int index);
STICTION_API const char *stiction_part_json(StictionPart *part, const char *key);

// Shortcuts

// Gives a body or an obstacle a mesh from arrays, or a parametric shape; the shape's parameters are
// keys of the returned part. (For a file: stiction_part_set_text(body, "mesh", "ball.msh").)
STICTION_API StictionStatus stiction_part_set_mesh(StictionPart *part, const StictionMesh *mesh);
STICTION_API StictionPart *stiction_part_set_shape(StictionPart *part, const char *type);

// Adds a rotation of a body or an obstacle about an axis through the origin, after earlier ones.
STICTION_API StictionStatus stiction_part_add_rotation(StictionPart *part, const double axis[3],
                                                       double angle); // rad

// Sets the region of a boundary, load, joint end or probe: the vertices with a label, or by their
// numbers in the body's mesh. Boxes, spheres and planes are keys of
// stiction_part_object(part, "region").
STICTION_API StictionStatus stiction_part_choose_label(StictionPart *part, const char *label);
STICTION_API StictionStatus stiction_part_choose_vertices(StictionPart *part, int count,
                                                          const int *vertex);

// Sets a quantity over time, linear between the values at these times (s).
STICTION_API StictionStatus stiction_part_set_curve(StictionPart *part, const char *key, int count,
                                                    const double *time, const double *value);

// Appends a keyframe to the motion of a boundary or an obstacle; set its "translate" or "angle".
STICTION_API StictionPart *stiction_part_add_motion_key(StictionPart *part, double time);

#ifdef __cplusplus
}
#endif

#endif
