// Sorting elements into batches, their rest data, and the scatter of element blocks.
#include "force/tet_set.h"

#include "base/memory.h"
#include "math/hot.h"
#include "math/vec3.h"
#include "force/tunables.h"

#include <string.h>

void st_tet_set_destroy(StTetSet *set) {
  if (!set)
    return;
  free(set->group);
  free(set->batch);
  free(set->tet);
  free(set->vertex);
  free(set->more);
  free(set->slot);
  st_rounds_free(&set->rounds);
  free(set);
}

// The groups in order: elements that count and others, linear ones and those of second order, by
// material.
typedef struct Sorting {
  const StPiece *piece;
  const bool *wanted;
  int material_count;
  int *group; // [4][material_count] number of its group, -1: none
} Sorting;

static bool is_second_order(const StPiece *piece, int tet) {
  return piece->tet_part[tet] >= 0;
}

// The group of a tet; of the parts of an element only the first one has one. NULL: not wanted.
static int *group_of(const Sorting *sorting, int tet) {
  const StPiece *piece = sorting->piece;
  int material = piece->tet_material[tet];
  int kind = 2 * (tet >= piece->owned_tet_count) + is_second_order(piece, tet);
  if (!sorting->wanted[material] || piece->tet_part[tet] > 0)
    return NULL;
  return &sorting->group[kind * sorting->material_count + material];
}

static int lanes_of(const StPiece *piece, int tet) {
  return is_second_order(piece, tet) ? ST_TET_POINTS : 1;
}

// Counts the lanes of all groups and numbers those that have any.
static void lay_out_groups(StTetSet *set, const Sorting *sorting) {
  int *count = sorting->group;
  for (int t = 0; t < sorting->piece->tet_count; t++) {
    int *group = group_of(sorting, t);
    if (group)
      *group += lanes_of(sorting->piece, t);
  }
  for (int i = 0; i < 4 * sorting->material_count; i++) {
    int kind = i / sorting->material_count, lanes = count[i];
    if (i == 2 * sorting->material_count)
      set->owned_group_count = set->group_count;
    count[i] = lanes ? set->group_count : -1;
    if (!lanes)
      continue;
    StTetGroup *group = &set->group[set->group_count++];
    group->material = i % sorting->material_count;
    group->second_order = kind % 2;
    group->first_batch = set->batch_count;
    group->batch_count = (lanes + ST_LANES - 1) / ST_LANES;
    set->batch_count += group->batch_count;
  }
}

static StStatus fail_flat(const StPiece *piece, int tet, double volume, StError *error) {
  const int *vertex = piece->tet + 4 * (size_t)tet;
  return st_fail(error, ST_BAD_INPUT,
                 "element %d has no positive volume at rest (%g m³); its corners are vertices %d, "
                 "%d, %d, %d",
                 piece->tet_id[tet], volume, piece->vertex_id[vertex[0]],
                 piece->vertex_id[vertex[1]], piece->vertex_id[vertex[2]],
                 piece->vertex_id[vertex[3]]);
}

static StStatus fill_lane(StTetBatch *batch, int lane, const StPiece *piece, int tet,
                          StError *error) {
  const int *vertex = piece->tet + 4 * (size_t)tet;
  double slope[3][3], determinant = st_tet_slopes(piece->rest, vertex, slope);
  if (!(determinant > 0 && determinant < INFINITY))
    return fail_flat(piece, tet, determinant / 6, error);
  for (int a = 0; a < 3; a++)
    for (int j = 0; j < 3; j++)
      batch->gradient[a][j][lane] = slope[a][j];
  batch->volume[lane] =
      fmax(st_piece_fill_part(piece, tet), st_force_tunables.cage_least_filled) * determinant / 6;
  for (int a = 0; a < 4; a++)
    batch->vertex[a][lane] = vertex[a];
  return ST_OK;
}

static StStatus fill_point(StTetBatch *batch, int lane, const StPiece *piece, int tet,
                           const int node[ST_SECOND_NODES], int point, StError *error) {
  double slope[ST_SECOND_NODES][3];
  double determinant = st_tet_point_slopes(piece->rest, node, point, slope);
  if (!(determinant > 0 && determinant < INFINITY))
    return fail_flat(piece, tet, determinant / 6, error);
  for (int a = 0; a < ST_SECOND_NODES; a++)
    batch->vertex[a][lane] = node[a];
  for (int a = 1; a < ST_SECOND_NODES; a++)
    for (int j = 0; j < 3; j++) {
      StLanes *to = a < 4 ? &batch->gradient[a - 1][j] : &batch->more[a - 4][j];
      (*to)[lane] = slope[a][j];
    }
  batch->volume[lane] = determinant / 6 / ST_TET_POINTS;
  return ST_OK;
}

static StStatus fill_points(StTetBatch *batch, int lane, const StPiece *piece, int tet,
                            StError *error) {
  int node[ST_SECOND_NODES];
  st_second_nodes(piece->tet + 4 * (size_t)tet, node);
  for (int p = 0; p < ST_TET_POINTS; p++)
    ST_TRY(fill_point(batch, lane + p, piece, tet, node, p, error));
  return ST_OK;
}

static StStatus fill_element(StTetSet *set, int position, const StPiece *piece, int tet,
                             StError *error) {
  StTetBatch *batch = &set->batch[position / ST_LANES];
  int lane = position % ST_LANES;
  for (int p = 0; p < lanes_of(piece, tet); p++)
    set->tet[position + p] = tet + p;
  return is_second_order(piece, tet) ? fill_points(batch, lane, piece, tet, error)
                                     : fill_lane(batch, lane, piece, tet, error);
}

// Puts every element into its group's next lanes; then copies the last one into spare lanes.
static StStatus fill_batches(StTetSet *set, const Sorting *sorting, StError *error) {
  const StPiece *piece = sorting->piece;
  for (int t = 0; t < piece->tet_count; t++) {
    const int *number = group_of(sorting, t);
    if (!number)
      continue;
    StTetGroup *group = &set->group[*number];
    int position = ST_LANES * group->first_batch + group->lane_count;
    group->lane_count += lanes_of(piece, t);
    ST_TRY(fill_element(set, position, piece, t, error));
  }
  for (int g = 0; g < set->group_count; g++) {
    const StTetGroup *group = &set->group[g];
    int each = group->second_order ? ST_TET_POINTS : 1;
    int end = ST_LANES * (group->first_batch + group->batch_count);
    for (int i = ST_LANES * group->first_batch + group->lane_count; i < end; i += each)
      ST_TRY(fill_element(set, i, piece, set->tet[i - each], error));
  }
  return ST_OK;
}

static int group_nodes(const StTetGroup *group) {
  return group->second_order ? ST_SECOND_NODES : 4;
}

static StStatus create_batches(StTetSet *set, StError *error) {
  size_t vertices = 0, more = 0;
  for (int g = 0; g < set->group_count; g++) {
    size_t batches = (size_t)set->group[g].batch_count;
    vertices += batches * (size_t)group_nodes(&set->group[g]) * ST_LANES;
    more += set->group[g].second_order ? batches * ST_TET_MORE : 0;
  }
  set->batch = ST_NEW(StTetBatch, set->batch_count);
  set->tet = ST_NEW(int, (size_t)set->batch_count *ST_LANES);
  set->vertex = ST_NEW(int, vertices);
  set->more = st_new_array(more, sizeof *set->more);
  ST_TRY_MEMORY(set->batch && set->tet && set->vertex && set->more, error);
  int(*vertex)[ST_LANES] = (int(*)[ST_LANES])set->vertex;
  StLanes(*next)[3] = set->more;
  for (int g = 0; g < set->group_count; g++) {
    const StTetGroup *group = &set->group[g];
    for (int b = group->first_batch; b < group->first_batch + group->batch_count; b++) {
      set->batch[b].vertex = vertex;
      set->batch[b].more = group->second_order ? next : NULL;
      vertex += group_nodes(group);
      next += group->second_order ? ST_TET_MORE : 0;
    }
  }
  return ST_OK;
}

static const int *batch_vertices(const void *set, int batch, int *count) {
  const StTetBatch *one = &((const StTetSet *)set)->batch[batch];
  *count = st_tet_nodes(one) * ST_LANES;
  return one->vertex[0];
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

static StStatus build(StTetSet *set, const Sorting *sorting, StError *error) {
  lay_out_groups(set, sorting);
  ST_TRY(create_batches(set, error));
  ST_TRY(fill_batches(set, sorting, error));
  StBatches batches = {.set = set,
                       .count = set->batch_count,
                       .vertex_count = sorting->piece->vertex_count,
                       .vertices = batch_vertices,
                       .group = batch_group};
  return st_rounds_create(&batches, sorting->piece->crew, &set->rounds, error);
}

StStatus st_tet_set_create(const StPiece *piece, const bool *wanted, int material_count,
                           StTetSet **out, StError *error) {
  *out = NULL;
  ST_FREE int *count = ST_NEW(int, 4 * (size_t)material_count);
  StTetSet *set = ST_NEW(StTetSet, 1);
  if (set)
    set->group = ST_NEW(StTetGroup, 4 * (size_t)material_count);
  StStatus status = count && set && set->group
                        ? build(set, &(Sorting){piece, wanted, material_count, count}, error)
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
  for (int b = chunk->first; b < chunk->end; b++) {
    const StTetBatch *batch = &binding->set->batch[b];
    int nodes = st_tet_nodes(batch), step = batch->more ? ST_TET_POINTS : 1, *slot = batch->slot;
    for (int lane = 0; lane < ST_LANES; lane += step)
      for (int i = 0; i < nodes * nodes; i++, slot++) {
        int row = batch->vertex[i / nodes][lane], column = batch->vertex[i % nodes][lane];
        *slot = st_block_matrix_slot_again(binding->matrix, row, column, *slot);
        if (*slot < 0 && row < binding->matrix->row_count)
          st_first_failed_note(&binding->failed, b);
      }
  }
}

// Blocks of a batch.
static int slots_of(const StTetBatch *batch) {
  int nodes = st_tet_nodes(batch);
  return nodes * nodes * (batch->more ? ST_LANES / ST_TET_POINTS : ST_LANES);
}

static StStatus create_slots(StTetSet *set, StError *error) {
  size_t count = 0;
  for (int b = 0; b < set->batch_count; b++)
    count += (size_t)slots_of(&set->batch[b]);
  int *slot = set->slot = ST_NEW(int, count);
  ST_TRY_MEMORY(slot, error);
  for (int b = 0; b < set->batch_count; b++) {
    set->batch[b].slot = slot;
    slot += slots_of(&set->batch[b]);
  }
  return ST_OK;
}

StStatus st_tet_set_bind(StTetSet *set, const StBlockMatrix *matrix, StError *error) {
  if (!set->slot)
    ST_TRY(create_slots(set, error));
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

// Blocks K_ab[i][k] = scale V Σ_jl g_a[j] C[ij][kl] g_b[l] of the corners but the first, or of any
// three nodes `a` with three nodes `b`, for the lanes from `first` on. If they are symmetric, half
// of them are computed.
static void corner_blocks(const StTetBatch *batch, const StLanes (*slope_a)[3],
                          const StLanes (*slope_b)[3], int first, double scale, const StLanes C[81],
                          bool symmetric, StQuad K[4][4][9]) {
  StQuad factor = scale * st_quad(&batch->volume, first);
  for (int a = 0; a < 3; a++) {
    StQuad half[27]; // g_a[j] C[ij][kl], scaled
    StQuad g[3];
    for (int j = 0; j < 3; j++)
      g[j] = factor * st_quad(&slope_a[a][j], first);
    for (int i = 0; i < 3; i++)
      for (int q = 0; q < 9; q++)
        half[9 * i + q] = g[0] * st_quad(&C[27 * i + q], first) +
                          g[1] * st_quad(&C[27 * i + 9 + q], first) +
                          g[2] * st_quad(&C[27 * i + 18 + q], first);
    for (int b = symmetric ? a : 0; b < 3; b++) {
      StQuad h[3];
      for (int l = 0; l < 3; l++)
        h[l] = st_quad(&slope_b[b][l], first);
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

static ST_HOT void add_blocks(const StTetBatch *batch, int lanes, double scale, const StLanes C[81],
                              bool symmetric, StBlockMatrix *matrix) {
  st_prefetch_blocks(16, lanes, batch->slot, matrix);
  for (int first = 0; first < lanes; first += ST_QUAD) {
    StQuad K[4][4][9];
    const StQuad(*block)[9] = (const StQuad(*)[9])K;
    corner_blocks(batch, batch->gradient, batch->gradient, first, scale, C, symmetric, K);
    first_corner_blocks(K);
    st_scatter_blocks(block, 16, lanes - first, batch->slot + 16 * first, matrix);
  }
}

enum { NODES = ST_SECOND_NODES, TRIPLES = (NODES - 1) / 3 };

// The blocks of the nodes but the first, three by three, summed over the element's four points, and
// those of the first from them.
static void element_blocks(const StTetBatch *batch, int first, double scale, const StLanes C[81],
                           bool symmetric, double K[NODES][NODES][9]) {
  const StLanes(*slope[TRIPLES])[3] = {batch->gradient, batch->more, batch->more + 3};
  memset(K, 0, sizeof(double[NODES][NODES][9]));
  for (int I = 0; I < TRIPLES; I++)
    for (int J = 0; J < TRIPLES; J++) {
      StQuad part[4][4][9];
      corner_blocks(batch, slope[I], slope[J], first, scale, C, symmetric && I == J, part);
      for (int i = 0; i < 81; i++) {
        int a = i / 27 + 1, b = i / 9 % 3 + 1, e = i % 9;
        StQuad point = part[a][b][e];
        double sum = (point[0] + point[1]) + (point[2] + point[3]);
        a += 3 * I, b += 3 * J;
        K[a][b][e] = sum;
        K[0][b][e] -= sum;
        K[a][0][e] -= sum;
        K[0][0][e] += sum;
      }
    }
}

static ST_HOT void add_second_order(const StTetBatch *batch, int lanes, double scale,
                                    const StLanes C[81], bool symmetric, StBlockMatrix *matrix) {
  const int *slot = batch->slot;
  for (int first = 0; first < lanes; first += ST_TET_POINTS) {
    double K[NODES][NODES][9];
    element_blocks(batch, first, scale, C, symmetric, K);
    for (int p = 0; p < NODES * NODES; p++, slot++)
      for (int e = 0; *slot >= 0 && e < 9; e++)
        matrix->value[9 * (size_t)*slot + (size_t)e] += K[p / NODES][p % NODES][e];
  }
}

void st_tet_set_add_blocks(const StTetSet *set, int batch, int lanes, double scale,
                           const StLanes C[81], bool symmetric, StBlockMatrix *matrix) {
  const StTetBatch *one = &set->batch[batch];
  if (one->more)
    add_second_order(one, lanes, scale, C, symmetric, matrix);
  else
    add_blocks(one, lanes, scale, C, symmetric, matrix);
}
