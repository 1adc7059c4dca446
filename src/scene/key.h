// What a scene may say, as data: every key with its kind, unit, range, default and sentence. The
// reader, the checker's notes, the JSON Schema and the manual's reference are all made from these.
#ifndef ST_SCENE_KEY_H
#define ST_SCENE_KEY_H

#include "base/param.h"

#include <stddef.h>

// What a value looks like in the file, and (after the arrow) what the reader stores for it.
typedef enum StKeyKind {
  ST_KEY_SCALAR,    // as the parameter's kind says → double, int, bool or int (index of the word)
  ST_KEY_VECTOR,    // three quantities → double[3]
  ST_KEY_DIRECTION, // three numbers, not all 0, or "x", "-z" … → double[3] of length 1
  // All that follow → const StJson *.
  ST_KEY_QUANTITY, // a quantity whose unit depends on other keys, in words of `units`
  ST_KEY_CURVE,    // a quantity that may change over time (scene_curve.c)
  ST_KEY_CURVES,   // three of these, or one, along a direction that another key gives
  ST_KEY_TEXT,     // any text
  ST_KEY_PATH,     // a file, relative to the scene; with a `table`, or such an object instead
  ST_KEY_NUMBERS,  // a list of numbers, of any length
  ST_KEY_LABELS,   // a list of texts
  ST_KEY_NAME,     // the name of something else in the scene
  ST_KEY_NAMES,    // one such name or a list of them
  ST_KEY_NAME_MAP, // an object: label → name
  ST_KEY_AXES,     // a word of the parameter, or a list of "x", "y", "z"
  ST_KEY_OBJECT,   // an object with the keys of `table`
  ST_KEY_OBJECTS,  // one such object or a list of them; a word of the parameter is fine too
  ST_KEY_LIST,     // a list of such objects
  ST_KEY_MAP,      // an object: any name → such an object
} StKeyKind;

// One of the descriptors that a word chooses among: a material law, a shape, an integrator.
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
  size_t offset;           // where the value goes in the struct that is being filled
  StVariantAt *variant;    // words that come from descriptors
  const char *units;       // ST_KEY_QUANTITY: "Pa, or Pa/m with …"
  bool scalar_too;         // ST_KEY_VECTOR: one number times `along` is accepted as well
  bool numbers_too;        // ST_KEY_PATH: a list of numbers is accepted as well
  double along[3];         //
  const char *otherwise;   // in words or as JSON: what holds when the key is missing, if no number
  const char *why;         // reason of the default; `stiction check` prints defaults that have one
  const StKeyTable *table; // of objects
} StKey;

struct StKeyTable {
  const char *name; // "material": heading of the reference, name in the schema
  const char *path; // where it stands, for notes when the object is missing: "time"
  const char *doc;
  const StKey *key;
  int key_count;
  bool single; // exactly one of the keys is given
  // A word that brings keys of its own (a law and its parameters): index of that key, -1 for none,
  // and where the StChoice goes.
  int choice_key;
  size_t choice_offset;
  size_t curves_offset; // where courses of its parameters go, StCurve[ST_PARAM_MAX]; 0: nowhere
};

#endif
