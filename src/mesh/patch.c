// Patches of quadrilaterals on an integer lattice.
#include "mesh/patch.h"

#include "base/memory.h"

static StStatus patch_allocate(StPatch *patch, int vertices, int quads, int rim, StError *error) {
  *patch = (StPatch){.vertex_count = vertices, .quad_count = quads, .rim_count = rim};
  patch->lattice = ST_NEW(int, 3 * (size_t)vertices);
  patch->quad = ST_NEW(int, 4 * (size_t)quads);
  patch->rim = ST_NEW(int, 2 * (size_t)rim);
  patch->rim_index = ST_NEW(int, vertices);
  if (patch->lattice && patch->quad && patch->rim && patch->rim_index)
    return ST_OK;
  st_patch_free(patch);
  return st_fail_memory(error);
}

void st_patch_free(StPatch *patch) {
  free(patch->lattice);
  free(patch->quad);
  free(patch->rim);
  free(patch->rim_index);
  *patch = (StPatch){0};
}

static void set_lattice(StPatch *patch, int vertex, int i, int j, int k) {
  int *lattice = patch->lattice + 3 * (size_t)vertex;
  lattice[0] = i, lattice[1] = j, lattice[2] = k;
}

static void add_quad(StPatch *patch, int *next, int a, int b, int c, int d) {
  int *quad = patch->quad + 4 * (size_t)(*next)++;
  quad[0] = a, quad[1] = b, quad[2] = c, quad[3] = d;
}

static void add_rim(StPatch *patch, int *next, int from, int to) {
  int *rim = patch->rim + 2 * (size_t)(*next)++;
  rim[0] = from, rim[1] = to;
}

// Every vertex of the rim is the start of exactly one of its edges.
static void number_rim(StPatch *patch) {
  for (int v = 0; v < patch->vertex_count; v++)
    patch->rim_index[v] = -1;
  for (int e = 0; e < patch->rim_count; e++)
    patch->rim_index[patch->rim[2 * (size_t)e]] = e;
}

// The boundary of an x by y grid as a closed walk of 2(x + y) points, counter-clockwise from (0,
// 0).

static void walk_point(int x, int y, int step, int *i, int *j) {
  step %= 2 * (x + y);
  if (step <= x)
    *i = step, *j = 0;
  else if (step <= x + y)
    *i = x, *j = step - x;
  else if (step <= 2 * x + y)
    *i = 2 * x + y - step, *j = y;
  else
    *i = 0, *j = 2 * (x + y) - step;
}

static void fill_grid(StPatch *patch, int *next, int x, int y, int first, int k) {
  for (int j = 0; j <= y; j++)
    for (int i = 0; i <= x; i++)
      set_lattice(patch, first + j * (x + 1) + i, i, j, k);
  for (int j = 0; j < y; j++)
    for (int i = 0; i < x; i++) {
      int a = first + j * (x + 1) + i;
      add_quad(patch, next, a, a + 1, a + x + 2, a + x + 1);
    }
}

StStatus st_patch_rectangle(int x, int y, StPatch *patch, StError *error) {
  int rim = 2 * (x + y), quads = 0, edges = 0;
  ST_TRY(patch_allocate(patch, (x + 1) * (y + 1), x * y, rim, error));
  fill_grid(patch, &quads, x, y, 0, 0);
  for (int step = 0; step < rim; step++) {
    int i0, j0, i1, j1;
    walk_point(x, y, step, &i0, &j0);
    walk_point(x, y, step + 1, &i1, &j1);
    add_rim(patch, &edges, j0 * (x + 1) + i0, j1 * (x + 1) + i1);
  }
  number_rim(patch);
  return ST_OK;
}

static int disc_vertex(int n, int ring, int step) {
  step %= 4 * n;
  if (ring > 0)
    return (n + 1) * (n + 1) + (ring - 1) * 4 * n + step;
  int i, j;
  walk_point(n, n, step, &i, &j);
  return j * (n + 1) + i;
}

StStatus st_patch_disc(int n, int rings, StPatch *patch, StError *error) {
  int around = 4 * n, quads = 0, edges = 0;
  ST_TRY(patch_allocate(patch, (n + 1) * (n + 1) + rings * around, n * n + rings * around, around,
                        error));
  fill_grid(patch, &quads, n, n, 0, 0);
  for (int ring = 1; ring <= rings; ring++)
    for (int step = 0; step < around; step++) {
      int i, j;
      walk_point(n, n, step, &i, &j);
      set_lattice(patch, disc_vertex(n, ring, step), i, j, ring);
      add_quad(patch, &quads, disc_vertex(n, ring - 1, step), disc_vertex(n, ring, step),
               disc_vertex(n, ring, step + 1), disc_vertex(n, ring - 1, step + 1));
    }
  for (int step = 0; step < around; step++)
    add_rim(patch, &edges, disc_vertex(n, rings, step), disc_vertex(n, rings, step + 1));
  number_rim(patch);
  return ST_OK;
}

StStatus st_patch_annulus(int around, int rings, StPatch *patch, StError *error) {
  ST_CHECK(around % 2 == 0, error);
  int quads = 0, edges = 0, outer = rings * around;
  ST_TRY(patch_allocate(patch, (rings + 1) * around, rings * around, 2 * around, error));
  for (int ring = 0; ring <= rings; ring++)
    for (int i = 0; i < around; i++)
      set_lattice(patch, ring * around + i, i, ring, 0);
  for (int ring = 0; ring < rings; ring++)
    for (int i = 0; i < around; i++) {
      int a = ring * around + i, b = ring * around + (i + 1) % around;
      add_quad(patch, &quads, a, a + around, b + around, b);
    }
  for (int i = 0; i < around; i++) {
    int next = (i + 1) % around;
    add_rim(patch, &edges, outer + i, outer + next);
    add_rim(patch, &edges, next, i);
  }
  number_rim(patch);
  return ST_OK;
}

// Lexicographic from the bottom: a full grid, loops, a full grid.
static int surface_vertex(const int cells[3], int step, int k) {
  int x = cells[0], y = cells[1], full = (x + 1) * (y + 1), loop = 2 * (x + y), i, j;
  if (k > 0 && k < cells[2])
    return full + (k - 1) * loop + step % loop;
  walk_point(x, y, step, &i, &j);
  return (k == 0 ? 0 : full + (cells[2] - 1) * loop) + j * (x + 1) + i;
}

static void turn_quads(StPatch *patch, int first, int last) {
  for (int q = first; q < last; q++) {
    int *quad = patch->quad + 4 * (size_t)q, kept = quad[1];
    quad[1] = quad[3], quad[3] = kept;
  }
}

StStatus st_patch_box_surface(int x, int y, int z, StPatch *patch, StError *error) {
  const int cells[3] = {x, y, z};
  int full = (x + 1) * (y + 1), loop = 2 * (x + y), quads = 0;
  ST_TRY(patch_allocate(patch, 2 * full + (z - 1) * loop, 2 * x * y + loop * z, 0, error));
  fill_grid(patch, &quads, x, y, 0, 0);
  turn_quads(patch, 0, quads);
  for (int k = 0; k < z; k++)
    for (int step = 0; step < loop; step++) {
      int i, j, a = surface_vertex(cells, step, k), b = surface_vertex(cells, step + 1, k);
      walk_point(x, y, step, &i, &j);
      set_lattice(patch, a, i, j, k);
      add_quad(patch, &quads, a, b, surface_vertex(cells, step + 1, k + 1),
               surface_vertex(cells, step, k + 1));
    }
  fill_grid(patch, &quads, x, y, full + (z - 1) * loop, z);
  number_rim(patch);
  return ST_OK;
}

// The lower sheet has a whole grid of vertices, the upper one those inside of it.
static int upper_vertex(int x, int y, int i, int j) {
  if (i == 0 || i == x || j == 0 || j == y)
    return j * (x + 1) + i;
  return (x + 1) * (y + 1) + (j - 1) * (x - 1) + i - 1;
}

StStatus st_patch_pillow(int x, int y, StPatch *patch, StError *error) {
  ST_CHECK(x % 2 == 0 && y % 2 == 0, error);
  int full = (x + 1) * (y + 1), quads = 0;
  ST_TRY(patch_allocate(patch, full + (x - 1) * (y - 1), 2 * x * y, 0, error));
  fill_grid(patch, &quads, x, y, 0, 0);
  turn_quads(patch, 0, quads);
  for (int j = 1; j < y; j++)
    for (int i = 1; i < x; i++)
      set_lattice(patch, upper_vertex(x, y, i, j), i, j, 2);
  for (int j = 0; j < y; j++)
    for (int i = 0; i < x; i++)
      add_quad(patch, &quads, upper_vertex(x, y, i, j), upper_vertex(x, y, i + 1, j),
               upper_vertex(x, y, i + 1, j + 1), upper_vertex(x, y, i, j + 1));
  number_rim(patch);
  return ST_OK;
}
