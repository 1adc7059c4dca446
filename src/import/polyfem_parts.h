// Types and functions shared by the files of the import from PolyFEM.
#pragma once

#include "base/json_text.h"
#include "base/json_tree.h"
#include "import/polyfem.h"
#include "import/write.h"
#include "mesh/mesh.h"

enum { ST_POLYFEM_TURNS = 3, ST_POLYFEM_NAME = 80 };

// An entry of "geometry", or one copy of a mesh_array.
typedef struct StPolyfemItem {
  const StJson *json;
  char key[40];               // "geometry[3]", for notes
  char name[ST_POLYFEM_NAME]; // of the body or obstacle
  char *mesh_path;            // NULL: a plane
  bool obstacle;
  int order; // of the displacement of a body
  int id;    // of the volume, or of an obstacle's surface; -1: none
  double scale[3], translate[3];
  int turn_count; // rotations in order, in degrees
  double turn_axis[ST_POLYFEM_TURNS][3], turn_angle[ST_POLYFEM_TURNS];
  double point[3], normal[3]; // of a plane
  StMesh *mesh;               // in its place but for the offset; NULL: a plane
  bool shares_mesh;           // with the first copy of an array
  double offset[3];           // of a copy
  double low[3], high[3];     // of the mesh in its place
} StPolyfemItem;

typedef struct StPolyfem {
  const char *folder;  // of the new scene
  const char *program; // PolyFEM's scene, for messages
  char *root;          // folder that PolyFEM's paths are relative to
  StJsonDocument *document;
  const StJson *scene;
  const StLog *log;
  StText *notes;
  bool still;            // a static scene: time is the load parameter, from 0 to 1
  double step, duration; // s
  StPolyfemItem *item;
  size_t item_capacity;
  int item_count;
} StPolyfem;

// polyfem_read.c: the scene with its "common" files and patches merged in.
StStatus st_polyfem_read(StPolyfem *polyfem, const char *path, StError *error);

// A number, or a formula without variables; NaN otherwise, and for NULL.
double st_polyfem_number(const StJson *value);

// Three components; false if it is not a list of three numbers.
bool st_polyfem_vector(const StJson *value, double vector[3]);

// Whether an "id" (a number, a list of them, or "all") matches this number.
bool st_polyfem_id_matches(const StJson *id, int number);

// polyfem_geometry.c
StStatus st_polyfem_read_geometry(StPolyfem *polyfem, StError *error);
void st_polyfem_write_bodies(StPolyfem *polyfem, StJsonOut *out);
void st_polyfem_write_obstacles(StPolyfem *polyfem, StJsonOut *out);

// polyfem_material.c
void st_polyfem_write_materials(StPolyfem *polyfem, StJsonOut *out);
// Name of the material of a volume; "material" if there is only one for all.
void st_polyfem_material_name(const StPolyfem *polyfem, int id, char name[ST_POLYFEM_NAME]);

// polyfem_boundary.c
StStatus st_polyfem_write_boundaries(StPolyfem *polyfem, StJsonOut *out, StError *error);
StStatus st_polyfem_write_loads(StPolyfem *polyfem, StJsonOut *out, StError *error);

// polyfem_selection.c: vertices on an item's surface with one of these ids, their own or that of a
// face; free() it.
StStatus st_polyfem_select(StPolyfem *polyfem, const StPolyfemItem *item, const StJson *id,
                           int **vertex, int *count, StError *error);

// polyfem_formula.c: a formula in PolyFEM's syntax as one in t in ours, for use at a place (NULL:
// it may not depend on the place). false: it cannot be said.
bool st_polyfem_formula(const char *text, const double *place, StText *formula);
bool st_polyfem_depends_on_place(const char *text);

// Formulas in t of a list of three components, numbers included.
typedef struct StPolyfemFormulas {
  StText component[3];
} StPolyfemFormulas;

bool st_polyfem_formulas(const StJson *value, StPolyfemFormulas *formulas);
void st_polyfem_formulas_free(StPolyfemFormulas *formulas);

// polyfem_motion.c: writes the member "motion" for displacements (a list of three). scale: a length
// of what moves. *written is false: they are no rigid motion.
StStatus st_polyfem_write_motion(const StPolyfem *polyfem, const StJson *value, double scale,
                                 StJsonOut *out, bool *written, StError *error);
