// Sorting elements into batches, their rest data, and the scatter of element blocks.
#include "force/tet_set.h"

#include "base/memory.h"
#include "math/hot.h"
#include "math/vec3.h"
#include "force/tunables.h"

void st_tet_set_destroy(StTetSet *set) {
  if (!set)
    return;
  free(set->group);
  free(set->batch);
  free(set->tet);
  free(set->slot);
  st_rounds_free(&set->rounds);
  free(set);
}

// count[owned ? 0 : 1][material]: how many elements each group will have.
static void count_tets(const StPiece *piece, const bool *wanted, int material_count, int *count) {
  for (int t = 0; t < piece->tet_count; t++) {
    int material = piece->tet_material[t];
    int part = t < piece->owned_tet_count ? 0 : material_count;
    if (wanted[material])
      count[part + material]++;
  }
}

// Turns counts into groups; count[] becomes the group's number, or -1.
static void lay_out_groups(StTetSet *set, int *count, int material_count) {
  for (int i = 0; i < 2 * material_count; i++) {
    if (i == material_count)
      set->owned_group_count = set->group_count;
    int tets = count[i];
    count[i] = tets ? set->group_count : -1;
    if (!tets)
      continue;
    StTetGroup *group = &set->group[set->group_count++];
    group->material = i % material_count;
    group->first_batch = set->batch_count;
    group->batch_count = (tets + ST_LANES - 1) / ST_LANES;
    set->batch_count += group->batch_count;
  }
}

static StStatus fill_lane(StTetBatch *batch, int lane, const StPiece *piece, int tet,
                          StError *error) {
  const int *vertex = piece->tet + 4 * (size_t)tet;
  const double *origin = piece->rest + 3 * (size_t)vertex[0];
  double edges[9], inverse[9]; // edges: Dm, its columns the edges from corner 0
  for (int a = 0; a < 3; a++)
    for (int i = 0; i < 3; i++)
      edges[3 * i + a] = piece->rest[3 * (size_t)vertex[a + 1] + (size_t)i] - origin[i];
  double determinant = mat3_inverse(edges, inverse);
  if (!(determinant > 0 && determinant < INFINITY))
    return st_fail(error, ST_BAD_INPUT,
                   "element %d has no positive volume at rest (%g m³); its corners are vertices "
                   "%d, %d, %d, %d",
                   piece->tet_id[tet], determinant / 6, piece->vertex_id[vertex[0]],
                   piece->vertex_id[vertex[1]], piece->vertex_id[vertex[2]],
                   piece->vertex_id[vertex[3]]);
  for (int a = 0; a < 3; a++)
    for (int j = 0; j < 3; j++)
      batch->gradient[a][j][lane] = inverse[3 * a + j];
  batch->volume[lane] =
      fmax(st_piece_fill_part(piece, tet), st_force_tunables.cage_least_filled) * determinant / 6;
  for (int a = 0; a < 4; a++)
    batch->vertex[a][lane] = vertex[a];
  return ST_OK;
}

// Puts every element into its group's next lane; then copies the last one into spare lanes.
static StStatus fill_batches(StTetSet *set, const StPiece *piece, const int *group_of,
                             int material_count, StError *error) {
  for (int t = 0; t < piece->tet_count; t++) {
    int part = t < piece->owned_tet_count ? 0 : material_count;
    int number = group_of[part + piece->tet_material[t]];
    if (number < 0)
      continue;
    StTetGroup *group = &set->group[number];
    int position = ST_LANES * group->first_batch + group->tet_count++;
    set->tet[position] = t;
    ST_TRY(fill_lane(&set->batch[position / ST_LANES], position % ST_LANES, piece, t, error));
  }
  for (int g = 0; g < set->group_count; g++) {
    const StTetGroup *group = &set->group[g];
    int end = ST_LANES * (group->first_batch + group->batch_count);
    for (int i = ST_LANES * group->first_batch + group->tet_count; i < end; i++) {
      set->tet[i] = set->tet[i - 1];
      ST_TRY(fill_lane(&set->batch[i / ST_LANES], i % ST_LANES, piece, set->tet[i], error));
    }
  }
  return ST_OK;
}

static const int *batch_vertices(const void *set, int batch) {
  return &((const StTetSet *)set)->batch[batch].vertex[0][0];
}

int st_tet_set_group(const StTetSet *set, int batch) {
  int group = 0;
  while (batch >= set->group[group].first_batch + set->group[group].batch_count)
    group++;
  return group;
}

static int batch_group(const void *set, int batch) {
  return st_tet_set_group(set, batch);
}

static StStatus build(StTetSet *set, const StPiece *piece, const bool *wanted, int material_count,
                      int *count, StError *error) {
  count_tets(piece, wanted, material_count, count);
  lay_out_groups(set, count, material_count);
  size_t lanes = (size_t)set->batch_count * ST_LANES;
  set->batch = ST_NEW(StTetBatch, set->batch_count);
  set->tet = ST_NEW(int, lanes);
  ST_TRY_MEMORY(set->batch && set->tet, error);
  ST_TRY(fill_batches(set, piece, count, material_count, error));
  StBatches batches = {.set = set,
                       .count = set->batch_count,
                       .vertex_count = piece->vertex_count,
                       .per_batch = 4 * ST_LANES,
                       .vertices = batch_vertices,
                       .group = batch_group};
  return st_rounds_create(&batches, piece->crew, &set->rounds, error);
}

StStatus st_tet_set_create(const StPiece *piece, const bool *wanted, int material_count,
                           StTetSet **out, StError *error) {
  *out = NULL;
  ST_FREE int *count = ST_NEW(int, 2 * (size_t)material_count);
  StTetSet *set = ST_NEW(StTetSet, 1);
  if (set)
    set->group = ST_NEW(StTetGroup, 2 * (size_t)material_count);
  StStatus status = count && set && set->group
                        ? build(set, piece, wanted, material_count, count, error)
                        : st_fail_memory(error);
  if (status != ST_OK)
    st_tet_set_destroy(set);
  else
    *out = set;
  return status;
}

typedef struct Binding {
  StTetSet *set;
  const StBlockMatrix *matrix;
  StFirstFailed failed;
} Binding;

static void bind_chunk(void *context, const StChunk *chunk) {
  Binding *binding = context;
  StTetSet *set = binding->set;
  for (int i = ST_LANES * chunk->first; i < ST_LANES * chunk->end; i++) {
    const StTetBatch *batch = &set->batch[i / ST_LANES];
    int *slot = set->slot + 16 * (size_t)i;
    for (int a = 0; a < 4; a++)
      for (int b = 0; b < 4; b++, slot++) {
        int row = batch->vertex[a][i % ST_LANES], column = batch->vertex[b][i % ST_LANES];
        *slot = st_block_matrix_slot_again(binding->matrix, row, column, *slot);
        if (*slot < 0 && row < binding->matrix->row_count)
          st_first_failed_note(&binding->failed, i / ST_LANES);
      }
  }
}

StStatus st_tet_set_bind(StTetSet *set, const StBlockMatrix *matrix, StError *error) {
  size_t lanes = (size_t)set->batch_count * ST_LANES;
  if (!set->slot)
    set->slot = ST_NEW(int, 16 * lanes);
  ST_TRY_MEMORY(set->slot, error);
  Binding binding = {set, matrix, ST_NONE_FAILED};
  st_rounds_do(&set->rounds, set->group_count, ST_HEAVY, bind_chunk, &binding);
  ST_CHECK(binding.failed == ST_NONE_FAILED, error);
  return ST_OK;
}

static void take_lane(const StLanes *from, int lane, double out[9]) {
  for (int p = 0; p < 9; p++)
    out[p] = from[p][lane];
}

void st_tet_set_report(const StTetSet *set, const StPiece *piece, int batch, const StLanes *F,
                       const StLanes *stress, StTrouble *trouble) {
  double here[9];
  int lane = -1;
  bool finite = true;
  while (finite && ++lane < ST_LANES) {
    take_lane(stress, lane, here);
    for (int p = 0; p < 9; p++)
      finite &= isfinite(here[p]) != 0;
  }
  take_lane(F, lane, here);
  int tet = set->tet[ST_LANES * batch + lane];
  trouble->vertex = piece->vertex_id[piece->tet[4 * (size_t)tet]];
  trouble->element = piece->tet_id[tet];
  trouble->reason = mat3_determinant(here) <= 0 ? ST_TET_INVERTED : "not a number";
}

// Blocks K_ab[i][k] = scale V Σ_jl g_a[j] C[ij][kl] g_b[l] of the corners but the first, for the
// lanes from `first` on. Of a symmetric C half of them are computed.
static void corner_blocks(const StTetBatch *batch, int first, double scale, const StLanes C[81],
                          bool symmetric, StQuad K[4][4][9]) {
  StQuad factor = scale * st_quad(&batch->volume, first);
  for (int a = 0; a < 3; a++) {
    StQuad half[27]; // g_a[j] C[ij][kl], scaled
    StQuad g[3];
    for (int j = 0; j < 3; j++)
      g[j] = factor * st_quad(&batch->gradient[a][j], first);
    for (int i = 0; i < 3; i++)
      for (int q = 0; q < 9; q++)
        half[9 * i + q] = g[0] * st_quad(&C[27 * i + q], first) +
                          g[1] * st_quad(&C[27 * i + 9 + q], first) +
                          g[2] * st_quad(&C[27 * i + 18 + q], first);
    for (int b = symmetric ? a : 0; b < 3; b++) {
      StQuad h[3];
      for (int l = 0; l < 3; l++)
        h[l] = st_quad(&batch->gradient[b][l], first);
      for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
          const StQuad *row = half + 9 * i + 3 * k;
          StQuad entry = row[0] * h[0] + row[1] * h[1] + row[2] * h[2];
          K[a + 1][b + 1][3 * i + k] = entry;
          if (symmetric)
            K[b + 1][a + 1][3 * k + i] = entry;
        }
    }
  }
}

// Blocks of the first corner follow from the others, as no translation of the element matters.
static void first_corner_blocks(StQuad K[4][4][9]) {
  for (int b = 1; b < 4; b++)
    for (int e = 0; e < 9; e++) {
      K[0][b][e] = -(K[1][b][e] + K[2][b][e] + K[3][b][e]);
      K[b][0][e] = -(K[b][1][e] + K[b][2][e] + K[b][3][e]);
    }
  for (int e = 0; e < 9; e++)
    K[0][0][e] = -(K[1][0][e] + K[2][0][e] + K[3][0][e]);
}

static ST_HOT void add_blocks(const StTetSet *set, int batch, int lanes, double scale,
                              const StLanes C[81], bool symmetric, StBlockMatrix *matrix) {
  const int *slot = set->slot + 16 * (size_t)batch * ST_LANES;
  st_prefetch_blocks(16, lanes, slot, matrix);
  for (int first = 0; first < lanes; first += ST_QUAD) {
    StQuad K[4][4][9];
    const StQuad(*block)[9] = (const StQuad(*)[9])K;
    corner_blocks(&set->batch[batch], first, scale, C, symmetric, K);
    first_corner_blocks(K);
    st_scatter_blocks(block, 16, lanes - first, slot + 16 * first, matrix);
  }
}

void st_tet_set_add_blocks(const StTetSet *set, int batch, int lanes, double scale,
                           const StLanes C[81], bool symmetric, StBlockMatrix *matrix) {
  add_blocks(set, batch, lanes, scale, C, symmetric, matrix);
}
