// Search and filter of contact by primitives, processor time per triangle: two sheets on each
// other, a cloth folded many times, a block of tets that flies and turns.
#include "contact/ccd/conservative_advancement.h"
#include "support/skin_scene.h"

#include <time.h>

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct Case {
  const char *name;
  SkinScene scene;
  double *from, *to; // [place_count][3]
  double slack;
} Case;

static void close_case(Case *it) {
  free(it->from);
  free(it->to);
  skin_scene_close(&it->scene);
}

static void open_case(Case *it) {
  skin_scene_build(&it->scene);
  it->from = skin_scene_positions(&it->scene);
  it->to = skin_scene_positions(&it->scene);
}

// One lies a third of the activation distance above the other, turned a little, and slides.
static Case sheets(int cells) {
  Case it = {.name = "two sheets", .scene = skin_scene_open()};
  double cell = 1.0 / cells;
  skin_scene_body(&it.scene, skin_sheet(cells, 1, 0));
  skin_scene_body(&it.scene, skin_sheet(cells, 1, 0.03 * cell));
  skin_scene_contact(&it.scene, 0, 1, -1, 0.1 * cell);
  skin_scene_contact(&it.scene, 0, 0, -1, 0.1 * cell);
  skin_scene_contact(&it.scene, 1, 1, -1, 0.1 * cell);
  open_case(&it);
  it.slack = 0.05 * cell;
  for (int v = it.scene.skins->place_count / 2; v < it.scene.skins->place_count; v++) {
    double x = it.from[3 * v], y = it.from[3 * v + 1];
    it.from[3 * v] = 0.96 * x - 0.28 * y;
    it.from[3 * v + 1] = 0.28 * x + 0.96 * y;
    vec3_copy(it.from + 3 * v, it.to + 3 * v);
    it.to[3 * v] += 0.2 * cell;
  }
  return it;
}

// Laid in waves of eight layers, and shaken a little.
static Case folds(int cells) {
  Case it = {.name = "folded cloth", .scene = skin_scene_open()};
  double cell = 1.0 / cells;
  uint64_t state = 5;
  skin_scene_contact(&it.scene, skin_scene_body(&it.scene, skin_sheet(cells, 1, 0)), 0, -1,
                     0.1 * cell);
  open_case(&it);
  it.slack = 0.05 * cell;
  for (int v = 0; v < it.scene.skins->place_count; v++) {
    double along = 8 * it.from[3 * v], layer = floor(along), part = along - layer;
    double x = fmod(layer, 2) ? 1 - part : part;
    vec3_set(x / 8, it.from[3 * v + 1], 0.08 * cell * along, it.from + 3 * v);
    for (int c = 0; c < 3; c++)
      it.to[3 * v + c] = it.from[3 * v + c] + 0.02 * cell * random_between(&state, -1, 1);
  }
  return it;
}

static Case flight(int cells) {
  Case it = {.name = "turning block", .scene = skin_scene_open()};
  int n = (int)sqrt(cells * cells / 6.0);
  BoxGrid grid = {{n, n, n}, {0, 0, 0}, {1, 1, 1}, 0};
  skin_scene_contact(&it.scene, skin_scene_body(&it.scene, box_mesh_create(&grid)), 0, -1, 0.1 / n);
  open_case(&it);
  it.slack = 0.05 / n;
  double turn[9];
  mat3_rotation((double[]){0.6, 0, 0.8}, 0.3, turn);
  for (int v = 0; v < it.scene.skins->place_count; v++) {
    mat3_apply(turn, it.from + 3 * v, it.to + 3 * v);
    it.to[3 * v] += 0.2;
  }
  return it;
}

// Repeats until it takes long enough to be measured; nanoseconds per triangle.
static double measure(const Case *it, void (*work)(const Case *it)) {
  double start = seconds(), taken = 0;
  int count = 0;
  for (; taken < 0.3; count++) {
    work(it);
    taken = seconds() - start;
  }
  return 1e9 * taken / count / it->scene.skins->triangle_count;
}

static void fit(const Case *it) {
  st_skin_tree_fit(&it->scene.near->tree, it->scene.near->bounds);
}

static void cover(const Case *it) {
  it->scene.near->covering = false;
  skin_scene_must(st_candidates_cover(it->scene.near, it->from, it->to, it->slack, NULL) == ST_OK);
}

static void check(const Case *it) {
  skin_scene_must(st_candidates_covers(it->scene.near, it->from, it->to));
}

static void advance(const Case *it) {
  st_advance(it->scene.near, it->from, it->to, NULL);
}

static void run(Case it) {
  StCandidates *near = it.scene.near;
  double triangles = it.scene.skins->triangle_count;
  double times[4] = {measure(&it, cover), measure(&it, fit), measure(&it, check),
                     measure(&it, advance)};
  printf("%-16s %9.0f %8.1f %8.1f %8.1f %8.1f %9.2f %9.2f\n", it.name, triangles, times[1],
         times[0], times[2], times[3], near->list[ST_CANDIDATE_POINT_TRIANGLE].count / triangles,
         near->list[ST_CANDIDATE_EDGE_EDGE].count / triangles);
  close_case(&it);
}

int main(void) {
  printf("%-16s %9s %8s %8s %8s %8s %9s %9s\n", "ns per triangle", "triangles", "refit", "cover",
         "check", "advance", "points", "edges");
  const int cells[] = {50, 160, 390};
  for (int i = 0; i < ST_LENGTH(cells); i++) {
    run(sheets(cells[i]));
    run(folds((int)(cells[i] * M_SQRT2)));
    run(flight(cells[i] / 2));
  }
  return 0;
}
