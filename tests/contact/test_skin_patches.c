// What ranks must receive: everything that comes close on a path, and nothing that stays far away.
// Three ranks take turns in one process.
#include "contact/broad_phase/skin_patches.h"
#include "support/skin_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

enum { RANKS = 3, TRIANGLES = 400, BODIES = 2, VERTICES = 3 * TRIANGLES * BODIES };
static const double REACH = 0.03, LENGTH = 10;

// What one rank has.
typedef struct Part {
  SkinScene scene;
  StSkinPatches *patches;
  double *from, *to; // [place_count][3]
  double *box;
  bool *known;
} Part;

typedef struct World {
  StDescription *description;
  int owner[VERTICES];
  double to[VERTICES][3];
  Part part[RANKS];
} World;

// A bar instead of a cube, and slabs along it; triangles at their borders belong to two.
static void stretch(StMesh *mesh) {
  for (int v = 0; v < mesh->vertex_count; v++)
    mesh->position[3 * v] *= LENGTH;
}

static void share_out(World *world) {
  for (int b = 0, v = 0; b < BODIES; b++) {
    const StMesh *mesh = world->description->body[b].mesh;
    for (int i = 0; i < mesh->vertex_count; i++, v++)
      world->owner[v] = (int)fmin(fmax(RANKS * mesh->position[3 * i] / LENGTH, 0), RANKS - 1);
  }
}

// The second body flies through the first, and shivers.
static void move(World *world, uint64_t *state) {
  for (int b = 0, v = 0; b < BODIES; b++) {
    const StMesh *mesh = world->description->body[b].mesh;
    for (int i = 0; i < mesh->vertex_count; i++, v++)
      for (int c = 0; c < 3; c++)
        world->to[v][c] =
            mesh->position[3 * i + c] + 0.05 * b * (c + 1) + random_between(state, -0.01, 0.01);
  }
}

static void open_part(World *world, int rank) {
  Part *part = &world->part[rank];
  int *ghost_owner, *ghost_index;
  bool shared[VERTICES];
  memset(shared, 1, sizeof shared);
  StCut cut = {.owner = world->owner, .shared = shared, .rank = rank};
  SkinScene *scene = &part->scene;
  scene->description = world->description;
  skin_scene_must(st_piece_create_part(world->description, &cut, &scene->piece, &ghost_owner,
                                       &ghost_index, NULL) == ST_OK);
  free(ghost_owner);
  free(ghost_index);
  skin_scene_must(st_skins_create(world->description, scene->piece, &scene->skins, NULL) == ST_OK);
  skin_scene_must(st_candidates_create(scene->skins, &scene->near, NULL) == ST_OK);
  skin_scene_must(st_skin_patches_create(scene->skins, &part->patches, NULL) == ST_OK);
  part->from = skin_scene_positions(scene);
  part->to = skin_scene_positions(scene);
  for (int v = 0; v < scene->piece->vertex_count; v++)
    vec3_copy(world->to[scene->piece->vertex_id[v]], part->to + 3 * v);
  part->box = ST_NEW(double, 6 * (size_t)part->patches->patch_count);
  part->known = ST_NEW(bool, scene->piece->vertex_count);
}

static void close_part(Part *part) {
  part->scene.description = NULL;
  st_candidates_destroy(part->scene.near);
  st_skins_destroy(part->scene.skins);
  st_piece_destroy(part->scene.piece);
  st_skin_patches_destroy(part->patches);
  free(part->from);
  free(part->to);
  free(part->box);
  free(part->known);
}

// As ranks do.
static void agree_on_boxes(World *world) {
  int numbers = 6 * world->part[0].patches->patch_count;
  for (int r = 0; r < RANKS; r++) {
    Part *part = &world->part[r];
    const double *way[2] = {part->from, part->to};
    assert_int_equal(6 * part->patches->patch_count, numbers);
    double longest = st_skin_patches_bound(part->patches, way, 2, part->box);
    assert_true(longest > 0.05 && longest < 0.17);
  }
  for (int i = 0; i < numbers; i++) {
    double least = INFINITY;
    for (int r = 0; r < RANKS; r++)
      least = fmin(least, world->part[r].box[i]);
    for (int r = 0; r < RANKS; r++)
      world->part[r].box[i] = least;
  }
}

static void find_known(Part *part) {
  const StPiece *piece = part->scene.piece;
  assert_int_equal(st_skin_patches_find(part->patches, part->box, part->known, NULL), ST_OK);
  for (int v = 0; v < piece->owned_count; v++)
    part->known[v] = true;
  for (int i = 0; i < 3 * piece->triangle_count; i++)
    part->known[piece->triangle[i]] = true;
}

static int count_known(const Part *part) {
  int count = 0;
  for (int v = 0; v < part->scene.piece->vertex_count; v++)
    count += part->known[v];
  return count;
}

static World *open_world(void) {
  uint64_t state = 5;
  World *world = ST_NEW(World, 1);
  SkinScene scene = skin_scene_open();
  for (int b = 0; b < BODIES; b++)
    skin_scene_body(&scene, skin_soup(TRIANGLES, 0.02, &state));
  skin_scene_contact(&scene, 0, 1, -1, REACH);
  skin_scene_contact(&scene, 1, 1, -1, REACH);
  world->description = scene.description;
  for (int b = 0; b < BODIES; b++)
    stretch(world->description->body[b].mesh);
  share_out(world);
  move(world, &state);
  for (int r = 0; r < RANKS; r++)
    open_part(world, r);
  agree_on_boxes(world);
  for (int r = 0; r < RANKS; r++)
    find_known(&world->part[r]);
  return world;
}

static void close_world(World *world) {
  for (int r = 0; r < RANKS; r++)
    close_part(&world->part[r]);
  st_description_destroy(world->description);
  free(world);
}

// Part of the way; what a rank does not know is nowhere.
static double *place(const Part *part, double share, bool hide) {
  size_t places = (size_t)part->scene.skins->place_count;
  double *x = ST_NEW(double, 3 * places);
  for (size_t i = 0; i < 3 * places; i++)
    x[i] =
        hide && !part->known[i / 3] ? NAN : part->from[i] + share * (part->to[i] - part->from[i]);
  return x;
}

static int copy_lists(const StCandidates *near, StCandidateList copy[ST_CANDIDATE_KINDS]) {
  int total = 0;
  for (int k = 0; k < ST_CANDIDATE_KINDS; k++) {
    copy[k] = (StCandidateList){.count = near->list[k].count,
                                .pair = ST_NEW(int, 2 * (size_t)near->list[k].count)};
    if (copy[k].count > 0)
      memcpy(copy[k].pair, near->list[k].pair, 2 * (size_t)copy[k].count * sizeof(int));
    total += copy[k].count;
  }
  return total;
}

static bool has(const StCandidateList *list, const int pair[2]) {
  for (int i = 0; i < list->count; i++)
    if (list->pair[2 * i] == pair[0] && list->pair[2 * i + 1] == pair[1])
      return true;
  return false;
}

// Pairs that come closer than their reach, each of which must be listed; returns how many.
static int check_pairs(const Part *part, const StCandidateList *all, StCandidateKind kind,
                       const double *x) {
  const StSkins *skins = part->scene.skins;
  int close = 0;
  for (int i = 0; i < all->count; i++) {
    StCandidatePair pair = st_candidates_pair(skins, kind, all->pair + 2 * (size_t)i);
    if (!(st_candidates_distance(&pair, x) < pair.reach))
      continue;
    close++;
    for (int k = 0; k < pair.count; k++)
      assert_true(part->known[pair.place[k]]);
    assert_true(has(&part->scene.near->list[kind], all->pair + 2 * (size_t)i));
  }
  return close;
}

// Lists of the known part contain all pairs that the whole would give, and need nothing else.
static void test_complete(void **unused) {
  (void)unused;
  World *world = open_world();
  for (int r = 0; r < RANKS; r++) {
    Part *part = &world->part[r];
    StCandidateList all[ST_CANDIDATE_KINDS];
    assert_int_equal(st_candidates_cover(part->scene.near, part->from, part->to, 1e-3, NULL),
                     ST_OK);
    assert_true(copy_lists(part->scene.near, all) > 100);
    double *from = place(part, 0, true), *to = place(part, 1, true);
    st_candidates_set_known(part->scene.near, part->known);
    assert_false(st_candidates_covers(part->scene.near, from, to));
    assert_int_equal(st_candidates_cover(part->scene.near, from, to, 1e-3, NULL), ST_OK);
    int close = 0;
    for (int s = 0; s <= 4; s++) {
      double *x = place(part, 0.25 * s, false);
      for (int k = 0; k < ST_CANDIDATE_KINDS; k++)
        close += check_pairs(part, &all[k], (StCandidateKind)k, x);
      free(x);
    }
    assert_true(close > 20);
    for (int k = 0; k < ST_CANDIDATE_KINDS; k++)
      free(all[k].pair);
    free(from);
    free(to);
  }
  close_world(world);
}

// The first and the last slab are three metres apart, much more than paths and slack.
static void test_spared(void **unused) {
  (void)unused;
  World *world = open_world();
  for (int r = 0; r < RANKS; r += 2) {
    const StPiece *piece = world->part[r].scene.piece;
    int theirs = 0;
    for (int v = 0; v < piece->vertex_count; v++)
      theirs += world->owner[piece->vertex_id[v]] == 2 - r && world->part[r].known[v];
    assert_int_equal(theirs, 0);
    assert_true(count_known(&world->part[r]) > piece->owned_count);
    assert_true(count_known(&world->part[r]) < 0.8 * piece->vertex_count);
  }
  close_world(world);
}

// A plan is valid on the path and within the slack of it, and no farther.
static void test_holds(void **unused) {
  (void)unused;
  uint64_t state = 3;
  World *world = open_world();
  for (int r = 0; r < RANKS; r++) {
    Part *part = &world->part[r];
    double slack = part->patches->slack;
    double *x = place(part, 0.6, false);
    assert_true(slack >= REACH);
    for (int i = 0; i < 3 * part->scene.piece->owned_count; i++)
      x[i] += random_between(&state, -slack, slack);
    assert_true(st_skin_patches_cover(part->patches, part->box, x));
    x[2] = NAN; // is nowhere
    assert_true(st_skin_patches_cover(part->patches, part->box, x));
    x[1] -= LENGTH;
    assert_false(st_skin_patches_cover(part->patches, part->box, x));
    free(x);
  }
  close_world(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_complete),
      cmocka_unit_test(test_spared),
      cmocka_unit_test(test_holds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
