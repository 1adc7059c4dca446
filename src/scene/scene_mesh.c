// mesh: "ball.msh", or the mesh itself: {"vertices": [x, y, z, …], "tets": [0, 1, 2, 3, …]}
#include "scene/parts.h"

#include "base/memory.h"
#include "base/text.h"
#include "mesh/check.h"
#include "mesh/read.h"

#include <unistd.h>

typedef struct Given {
  const StJson *vertices, *tets, *triangles, *labels, *tet_labels, *triangle_labels, *tags;
} Given;

static const StKey KEYS[] = {
    ST_KEY(Given, vertices, NUMBERS, "x, y, z of the first vertex, of the second …, in m.",
           .required = true),
    ST_KEY(Given, tets, NUMBERS, "Tetrahedra: four vertex numbers each, counted from 0.",
           .otherwise = "none"),
    ST_KEY(Given, triangles, NUMBERS,
           "Triangles of cloth and shells: three vertex numbers each, counter-clockwise seen from "
           "outside.",
           .otherwise = "none"),
    ST_KEY(Given, labels, LABELS, "Names of parts of the mesh, for regions and materials.",
           .otherwise = "none"),
    ST_KEY(Given, tet_labels, NUMBERS,
           "The label of each tetrahedron, by number in labels, from 0; -1: none.",
           .otherwise = "none"),
    ST_KEY(Given, triangle_labels, NUMBERS, "The same for triangles.", .otherwise = "none"),
    ST_KEY(Given, tags, NUMBERS, "Labelled vertices: pairs of a vertex number and a label number.",
           .otherwise = "none"),
};

const StKeyTable st_keys_mesh = {
    .name = "mesh",
    .doc =
        "A mesh inside the scene file. All lists are flat. Programs that build scenes from arrays "
        "write them like this; keep large meshes in mesh files.",
    ST_KEYS(KEYS),
};

const char *st_scene_mesh_name(const StJson *at) {
  return at->kind == ST_JSON_STRING ? at->text : at->parent->key;
}

// Moves elements or labels into the mesh, replacing what it has.
static StStatus take_integers(const StReader *reader, const StJson *at, int group, int least,
                              int **array, int *count) {
  int *given = NULL;
  *count = 0;
  if (!at)
    return ST_OK;
  ST_TRY(st_reader_integers(reader, at, group, least, &given, count));
  free(*array);
  *array = given;
  *count /= group;
  return ST_OK;
}

static StStatus take_element_labels(const StReader *reader, const StJson *at, const char *what,
                                    int count, const StMesh *mesh, int **label) {
  int given = 0;
  if (!at)
    return ST_OK;
  ST_TRY(take_integers(reader, at, 1, -1, label, &given));
  if (given != count)
    return st_reader_fail(reader, at, "must have as many labels as there are %s: %d, not %d", what,
                          count, given);
  for (int i = 0; i < count; i++)
    if ((*label)[i] >= mesh->label_count)
      return st_reader_fail(reader, at, "item %d is %d; the mesh has %d labels, counted from 0", i,
                            (*label)[i], mesh->label_count);
  return ST_OK;
}

static StStatus take_labels(const StReader *reader, const StJson *at, StMesh *mesh) {
  for (const StJson *item = at ? at->child : NULL; item; item = item->next) {
    if (st_mesh_find_label(mesh, item->text) >= 0)
      return st_reader_fail(reader, item, "\"%.60s\" appears twice", item->text);
    if (st_mesh_label(mesh, item->text) < 0)
      return st_fail_memory(reader->error);
  }
  return ST_OK;
}

static StStatus add_tags(const StReader *reader, const StJson *at, const int *tag, int count,
                         StMesh *mesh) {
  for (int i = 0; i < count; i++, tag += 2) {
    if (tag[0] >= mesh->vertex_count || tag[1] >= mesh->label_count)
      return st_reader_fail(reader, at,
                            "pair %d is vertex %d and label %d; there are %d vertices and %d "
                            "labels, counted from 0",
                            i, tag[0], tag[1], mesh->vertex_count, mesh->label_count);
    ST_TRY(st_mesh_add_tag(mesh, tag[0], tag[1], reader->error));
  }
  return ST_OK;
}

static StStatus take_tags(const StReader *reader, const StJson *at, StMesh *mesh) {
  int *tag = NULL, count = 0;
  if (!at)
    return ST_OK;
  ST_TRY(st_reader_integers(reader, at, 2, 0, &tag, &count));
  StStatus status = add_tags(reader, at, tag, count / 2, mesh);
  free(tag);
  return status;
}

static StStatus take_all(const StReader *reader, const Given *given, StMesh *mesh) {
  double *position = NULL;
  ST_TRY(st_reader_numbers(reader, given->vertices, 3, &position, &mesh->vertex_count));
  free(mesh->position);
  mesh->position = position;
  mesh->vertex_count /= 3;
  ST_TRY(take_integers(reader, given->tets, 4, 0, &mesh->tet, &mesh->tet_count));
  ST_TRY(take_integers(reader, given->triangles, 3, 0, &mesh->triangle, &mesh->triangle_count));
  ST_TRY(take_labels(reader, given->labels, mesh));
  ST_TRY(take_element_labels(reader, given->tet_labels, "tets", mesh->tet_count, mesh,
                             &mesh->tet_label));
  ST_TRY(take_element_labels(reader, given->triangle_labels, "triangles", mesh->triangle_count,
                             mesh, &mesh->triangle_label));
  return take_tags(reader, given->tags, mesh);
}

static int items(const StJson *at) {
  return at ? at->child_count : 0;
}

// Labels, initially none, have space for as many elements as there can be.
static StStatus make_mesh(const StReader *reader, const Given *given, StMesh **mesh) {
  *mesh = st_mesh_create(0, items(given->tets) / 4, items(given->triangles) / 3);
  ST_TRY_MEMORY(*mesh, reader->error);
  return take_all(reader, given, *mesh);
}

static StStatus read_given(StReader *reader, const StJson *at, bool raw, StMesh **mesh) {
  Given given = {0};
  ST_TRY(st_reader_object(reader, at, &st_keys_mesh, &given));
  ST_TRY(make_mesh(reader, &given, mesh));
  const char *name = st_scene_mesh_name(at);
  StStatus status = raw ? st_mesh_check_numbers(*mesh, name, reader->error)
                        : st_mesh_check(*mesh, name, reader->log, reader->error);
  return status == ST_OK ? ST_OK : st_reader_prefix(reader, at, status);
}

static StStatus join_path(const StReader *reader, const char *file, StText *path) {
  bool relative = file[0] != '/' && reader->folder[0] != 0;
  if (relative)
    st_text_add(path, "%s/", reader->folder);
  st_text_add(path, "%s", file);
  return path->failed ? st_fail_memory(reader->error) : ST_OK;
}

// One of the readers of a mesh file.
typedef StStatus ReadFile(const char *path, const StLog *log, StMesh **mesh, StError *error);

static StStatus read_file(StReader *reader, const StJson *at, ReadFile *read, StMesh **mesh) {
  if (!reader->folder)
    return st_reader_fail(reader, at, "mesh files cannot be read here; use a shape");
  ST_FINALLY(st_text_free) StText path = {0};
  StStatus status = join_path(reader, at->text, &path);
  if (status == ST_OK && access(path.data, F_OK) != 0)
    status = st_reader_fail(reader, at, "there is no file \"%.300s\"", path.data);
  else if (status == ST_OK) {
    status = read(path.data, reader->log, mesh, reader->error);
    if (status != ST_OK)
      status = st_reader_prefix(reader, at, status);
  }
  return status;
}

static StStatus read_mesh(StReader *reader, const StJson *at, ReadFile *read, StMesh **mesh) {
  StMesh *made = NULL;
  StStatus status = at->kind == ST_JSON_OBJECT
                        ? read_given(reader, at, read == st_mesh_read_raw, &made)
                        : read_file(reader, at, read, &made);
  if (status != ST_OK)
    st_mesh_destroy(made);
  else
    *mesh = made;
  return status;
}

StStatus st_scene_read_mesh(StReader *reader, const StJson *at, bool second_order, StMesh **mesh) {
  return read_mesh(reader, at, second_order ? st_mesh_read_second_order : st_mesh_read, mesh);
}

StStatus st_scene_read_surface(StReader *reader, const StJson *at, StMesh **mesh) {
  return read_mesh(reader, at, st_mesh_read_raw, mesh);
}
