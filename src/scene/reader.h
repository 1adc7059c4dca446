// Reads objects of a scene by their key tables and says what is wrong with them: file, line,
// column, key path, and what would be right.
#pragma once

#include "base/json.h"
#include "base/log.h"
#include "model/description.h"
#include "scene/key.h"

typedef struct StReader {
  const char *name;   // of the scene, for messages
  const char *folder; // base of relative paths; NULL: the scene may not refer to files
  const StJsonDocument *document;
  const StLog *log;
  StDescription *description; // being built
  StError *error;
  double rigid_stiffness[2]; // Pa, the smallest and the largest that was chosen
  bool together;             // several processes read the scene, each with the same document; …
  bool stopped;              // … one of them has failed, and all know
} StReader;

// "scene.json:12:5: bodies.ball.material: " + text. The location is that of the value or of its
// key; values set by a program have none, and only the key path is given.
StStatus st_reader_fail(const StReader *reader, const StJson *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
StStatus st_reader_fail_key(const StReader *reader, const StJson *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// A warning at a value's place.
void st_reader_warn(const StReader *reader, const StJson *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Prefixes the message of a lower layer with the location of a value.
StStatus st_reader_prefix(const StReader *reader, const StJson *at, StStatus status);

// That location as a text, for errors detected later; free() it. NULL: out of memory.
char *st_reader_source(const StReader *reader, const StJson *at);

// "no material is named "rubbber"; known: …"; names: [count], each found by name_of(context,
// index).
typedef const char *StNameOf(const void *context, int index);
StStatus st_reader_find_name(const StReader *reader, const StJson *at, const char *what,
                             StNameOf *name_of, const void *context, int count, int *index);

// The key path of a value: "bodies.ball.rotate[1].axis". Truncated if very long.
void st_reader_path(const StJson *at, char *path, size_t size);

// Records a default chosen for a missing key of this object.
StStatus st_reader_note(StReader *reader, const StJson *at, const char *key, const char *value,
                        const char *reason);

// Checks that the value is of this kind; `what` describes it: "a list of keys".
StStatus st_reader_expect(const StReader *reader, const StJson *at, StJsonKind kind,
                          const char *what);

// A list of numbers as an array, in groups of `group`; free() it.
StStatus st_reader_numbers(const StReader *reader, const StJson *at, int group, double **array,
                           int *count);

// The same for integers from `least` on.
StStatus st_reader_integers(const StReader *reader, const StJson *at, int group, int least,
                            int **array, int *count);

// One value. into: depends on the key's kind.
StStatus st_reader_value(StReader *reader, const StJson *at, const StKey *key, void *into);

// A number, integer, boolean or word of a parameter, as a double.
StStatus st_reader_param(StReader *reader, const StJson *at, const StParam *param, double *value);

// Stores such a double as the parameter's own type: double, bool or int.
void st_reader_store(const StParam *param, double value, void *into);

// Reads all keys of an object into the struct at `into`; a missing object (NULL) gets all defaults.
StStatus st_reader_object(StReader *reader, const StJson *at, const StKeyTable *table, void *into);
