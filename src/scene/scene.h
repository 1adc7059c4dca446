// Scene files: JSON in, a complete and checked description out, or one message that says what is
// wrong and where. docs/scene.md, the reference, is made from the same tables as the reader.
#ifndef ST_SCENE_SCENE_H
#define ST_SCENE_SCENE_H

#include "base/log.h"
#include "base/text.h"
#include "model/description.h"

// The most bytes a scene may have. Large meshes and tables stand in files of their own; a JSON text
// takes some fifty times its size while it is read.
enum { ST_SCENE_SIZE = 32 << 20 };

// Relative paths in the scene start at the scene's own folder. *description is set on success only;
// st_description_destroy it. It carries notes about every default that was chosen.
StStatus st_scene_load(const char *path, const StLog *log, StDescription **description,
                       StError *error);

// The same from memory. name: for messages. base_folder: where relative paths start ("" is the
// current folder); NULL: the scene may not name files.
StStatus st_scene_parse(const char *name, const char *text, size_t size, const char *base_folder,
                        const StLog *log, StDescription **description, StError *error);

// Meshes that a program has in memory, by the names that bodies know them by. *mesh stays NULL when
// it has none of that name; then it is a file's.
typedef struct StMeshSource {
  StStatus (*find)(const void *context, const char *name, StMesh **mesh, StError *error);
  const void *context;
} StMeshSource;

StStatus st_scene_parse_with(const char *name, const char *text, size_t size,
                             const char *base_folder, const StMeshSource *meshes, const StLog *log,
                             StDescription **description, StError *error);

// The published JSON Schema (draft 2020-12) and the reference in Markdown. Failure to get memory is
// in text->failed.
void st_scene_schema(StText *text);
void st_scene_reference(StText *text);

#endif
