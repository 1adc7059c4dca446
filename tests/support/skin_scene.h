// Small descriptions for tests and benchmarks of skins: bodies, obstacles and who touches whom.
#ifndef TESTS_SUPPORT_SKIN_SCENE_H
#define TESTS_SUPPORT_SKIN_SCENE_H

#include "base/memory.h"
#include "contact/broad_phase/candidates.h"
#include "math/vec3.h"
#include "model/partition.h"
#include "support/box_mesh.h"

#include <stdio.h>
#include <string.h>

typedef struct SkinScene {
  StDescription *description;
  StPiece *piece;
  StSkins *skins;
  StCandidates *near;
} SkinScene;

static inline void skin_scene_must(bool good) {
  if (!good) {
    fputs("skin scene: out of memory or a bug\n", stderr);
    abort();
  }
}

// Room for a few of everything, so that adding is one line.
static inline SkinScene skin_scene_open(void) {
  SkinScene scene = {.description = st_description_create()};
  StDescription *d = scene.description;
  d->material_count = 1;
  d->material = ST_NEW(StMaterialDesc, 1);
  d->material[0] = (StMaterialDesc){.name = st_copy_string("wall"), .density = 1};
  d->body = ST_NEW(StBodyDesc, 64);
  d->obstacle = ST_NEW(StObstacleDesc, 64);
  d->contact = ST_NEW(StContactDesc, 256);
  return scene;
}

static inline int skin_scene_body(SkinScene *scene, StMesh *mesh) {
  StDescription *d = scene->description;
  d->body[d->body_count] = (StBodyDesc){.name = st_copy_string("body"), .mesh = mesh};
  return d->body_count++;
}

// At its origin, at rest. value: of its shape; mesh: NULL unless the shape is "mesh".
static inline int skin_scene_obstacle(SkinScene *scene, const char *shape, int count,
                                      const double *value, StMesh *mesh) {
  StDescription *d = scene->description;
  StObstacleDesc *desc = &d->obstacle[d->obstacle_count];
  *desc = (StObstacleDesc){
      .name = st_copy_string(shape), .mesh = mesh, .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  desc->shape.name = shape;
  for (int i = 0; i < count; i++)
    desc->shape.value[i] = value[i];
  return d->obstacle_count++;
}

// body or obstacle is -1.
static inline int skin_scene_contact(SkinScene *scene, int collider, int body, int obstacle,
                                     double thickness) {
  StDescription *d = scene->description;
  d->contact[d->contact_count] = (StContactDesc){
      .collider = collider, .body = body, .obstacle = obstacle, .thickness = thickness};
  return d->contact_count++;
}

static inline void skin_scene_build(SkinScene *scene) {
  skin_scene_must(st_piece_create_whole(scene->description, &scene->piece, NULL) == ST_OK);
  skin_scene_must(st_skins_create(scene->description, scene->piece, &scene->skins, NULL) == ST_OK);
  skin_scene_must(st_candidates_create(scene->skins, &scene->near, NULL) == ST_OK);
}

static inline void skin_scene_close(SkinScene *scene) {
  st_candidates_destroy(scene->near);
  st_skins_destroy(scene->skins);
  st_piece_destroy(scene->piece);
  st_description_destroy(scene->description);
}

// Positions of all places at rest; free() it.
static inline double *skin_scene_positions(const SkinScene *scene) {
  size_t numbers = 3 * (size_t)scene->skins->place_count;
  double *position = ST_NEW(double, numbers);
  memcpy(position, scene->skins->rest, numbers * sizeof(double));
  return position;
}

// A square sheet of cells × cells squares, from 0 to `size` along x and y.
static inline StMesh *skin_sheet(int cells, double size, double height) {
  const int row = cells + 1;
  StMesh *mesh = st_mesh_create(row * row, 0, 2 * cells * cells);
  int *corner = mesh->triangle;
  for (int v = 0; v < row * row; v++)
    vec3_set(size * (v % row) / cells, size * (v / row) / cells, height, mesh->position + 3 * v);
  for (int q = 0; q < cells * cells; q++, corner += 6) {
    int a = q / cells * row + q % cells, b = a + 1, c = a + row + 1, d = a + row;
    const int two[6] = {a, b, c, a, c, d};
    memcpy(corner, two, sizeof two);
  }
  return mesh;
}

// Triangles with corners of their own, of about `size`, anywhere in a cube of one metre.
static inline StMesh *skin_soup(int triangles, double size, uint64_t *state) {
  StMesh *mesh = st_mesh_create(3 * triangles, 0, triangles);
  for (int t = 0; t < triangles; t++) {
    double middle[3];
    random_fill(state, 0, 1, 3, middle);
    for (int i = 0; i < 9; i++)
      mesh->position[9 * t + i] = middle[i % 3] + random_between(state, -size, size);
    for (int i = 0; i < 3; i++)
      mesh->triangle[3 * t + i] = 3 * t + i;
  }
  return mesh;
}

#endif
