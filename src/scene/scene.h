// Scenes: JSON in, as a file, a text or a document in memory; a complete and checked description
// out, or one message that says what is wrong and where. docs/scene.md, the reference, is made from
// the same tables as the reader.
#pragma once

#include "base/json.h"
#include "base/log.h"
#include "base/text.h"
#include "model/description.h"

// Maximum size of a scene in bytes; values other than arrays are limited by ST_JSON_VALUES.
enum { ST_SCENE_SIZE = 256 << 20 };

// Relative paths in the scene start at the scene's own folder. *description is set on success only;
// st_description_destroy it. It carries notes about every default that was chosen.
StStatus st_scene_load(const char *path, const StLog *log, StDescription **description,
                       StError *error);

// The same from memory. name: for messages. base_folder: where relative paths start ("" is the
// current folder); NULL: the scene may not name files.
StStatus st_scene_parse(const char *name, const char *text, size_t size, const char *base_folder,
                        const StLog *log, StDescription **description, StError *error);

// The same for all ranks that run a scene: each has its text, the first reads the meshes, and each
// machine has one copy of them in memory (solve/machine.h). What one rank fails on, all fail on.
// Collective; st_description_destroy is not. Alone, as above.
StStatus st_scene_parse_together(const char *name, const char *text, size_t size,
                                 const char *base_folder, const StLog *log,
                                 StDescription **description, StError *error);

// The same from a document, which a program may have put together (base/json_tree.h). status: of
// what this rank did for it before.
StStatus st_scene_describe_together(const char *name, const StJsonDocument *document,
                                    const char *base_folder, const StLog *log, StStatus status,
                                    StDescription **description, StError *error);

// The published JSON Schema (draft 2020-12) and the reference in Markdown. Failure to get memory is
// in text->failed.
void st_scene_schema(StText *text);
void st_scene_reference(StText *text);
