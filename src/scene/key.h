// The contents of a scene, as data: every key with its kind, unit, range, default and description.
// The reader, the checker's notes, the JSON Schema and the reference manual are all made from
// these.
#pragma once

#include "base/param.h"

#include <stddef.h>

// How a value is written in the file, and (after the arrow) what the reader stores for it.
typedef enum StKeyKind {
  ST_KEY_SCALAR,    // as the parameter's kind says → double, int, bool or int (index of the word)
  ST_KEY_VECTOR,    // three quantities → double[3]
  ST_KEY_DIRECTION, // three numbers, not all 0, or "x", "-z" … → double[3] of length 1
  // All of the following → const StJson *.
  ST_KEY_QUANTITY,   // a quantity whose unit depends on other keys, described by `units`
  ST_KEY_CURVE,      // a quantity that may change over time (scene_curve.c)
  ST_KEY_CURVES,     // three of these, or one, along a direction that another key gives
  ST_KEY_TEXT,       // any text
  ST_KEY_PATH,       // a file, relative to the scene; with a `table`, alternatively such an object
  ST_KEY_NUMBERS,    // a list of numbers, of any length
  ST_KEY_LABELS,     // a list of texts
  ST_KEY_NAME,       // the name of something else in the scene
  ST_KEY_NAMES,      // one such name or a list of them
  ST_KEY_NAME_MAP,   // an object: label → name
  ST_KEY_NUMBER_MAP, // an object: name → number
  ST_KEY_AXES,       // a word of the parameter, or a list of "x", "y", "z"
  ST_KEY_OBJECT,     // an object with the keys of `table`
  ST_KEY_OBJECTS,    // one such object or a list of them; words of the parameter are accepted too
  ST_KEY_LIST,       // a list of such objects
  ST_KEY_MAP,        // an object: any name → such an object
} StKeyKind;

// One of the descriptors that a word can select: a material law, a shape, an integrator.
typedef struct StVariant {
  const char *name, *summary;
  const StParam *param;
  int param_count;
  const char *const *label; // vertex labels it makes, NULL-terminated; NULL: none
} StVariant;

typedef bool StVariantAt(int index, StVariant *variant); // false past the end

typedef struct StKeyTable StKeyTable;

typedef struct StKey {
  StParam param; // name, doc, and for numbers unit, range and default; min = max = 0: any value
  StKeyKind kind;
  bool required;
  size_t offset;           // offset of the value in the struct being filled
  StVariantAt *variant;    // words that come from descriptors
  const char *units;       // ST_KEY_QUANTITY: "Pa, or Pa/m with …"
  bool scalar_too;         // ST_KEY_VECTOR: also accepts one number, times `along`
  bool numbers_too;        // ST_KEY_PATH: also accepts a list of numbers
  double along[3];         //
  const char *otherwise;   // in words or as JSON: the default, unless it is a number
  const char *why;         // reason of the default; `stiction check` prints defaults that have one
  const StKeyTable *table; // of objects
} StKey;

// A row of a table: a key of a kind without ST_KEY_, named as the field that it fills or otherwise,
// its sentence, and what else it has.
#define ST_KEY(type, field, kind_, doc_, ...)                                                      \
  ST_KEY_NAMED(#field, type, field, kind_, doc_, __VA_ARGS__)
#define ST_KEY_NAMED(name_, type, field, kind_, doc_, ...)                                         \
  {                                                                                                \
    .param.name = name_, .param.doc = doc_, .kind = ST_KEY_##kind_,                                \
    .offset = offsetof(type, field), __VA_ARGS__                                                   \
  }

#define ST_KEY_RANGE(min_, max_) .param.min = min_, .param.max = max_
#define ST_KEY_NOT_NEGATIVE ST_KEY_RANGE(0, INFINITY)
#define ST_KEY_POSITIVE ST_KEY_NOT_NEGATIVE, .param.min_open = true

struct StKeyTable {
  const char *name; // "material": heading of the reference, name in the schema
  const char *path; // its location, for notes when the object is missing: "time"
  const char *doc;
  const StKey *key;
  int key_count;
  bool single; // exactly one of the keys must be given
  // The key whose word has keys of its own (a law and its parameters), NULL: none; and the offset
  // of the StChoice.
  const StKey *chooser;
  size_t choice_offset;
  size_t curves_offset; // offset of curves of its parameters, StCurve[ST_PARAM_MAX]; 0: none
};

#define ST_KEYS(rows) .key = rows, .key_count = ST_LENGTH(rows)
