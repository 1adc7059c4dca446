// Local pieces: owned vertices, the elements that touch them, and the ghosts those need.
#include "model/partition.h"

#include "base/memory.h"

#include <string.h>

// Scratch while cutting; all arrays are over the description's vertices unless said otherwise.
typedef struct Cutter {
  const StDescription *description;
  const StCut *cut;
  StPiece *piece; // NULL while counting
  int vertex_count;
  int owned_count, tet_count, owned_tet_count;
  int *home;   // number of a vertex at its owner
  int *local;  // number here, -1 when not (yet) part of the piece
  int *ghosts; // [ghost_count] vertices, in the order they were met
  int ghost_count;
} Cutter;

static int owner_of(const Cutter *c, int vertex) {
  return c->cut->owner ? c->cut->owner[vertex] : 0;
}

// Numbers the vertices of every rank along the given order.
static StStatus number_at_home(Cutter *c, StError *error) {
  int ranks = 1;
  for (int v = 0; v < c->vertex_count; v++)
    if (owner_of(c, v) >= ranks)
      ranks = owner_of(c, v) + 1;
  int *next = ST_NEW(int, ranks > c->cut->rank ? ranks : c->cut->rank + 1);
  if (!next)
    return st_fail_memory(error);
  for (int k = 0; k < c->vertex_count; k++) {
    int v = c->cut->order ? c->cut->order[k] : k;
    c->home[v] = next[owner_of(c, v)]++;
    c->local[v] = owner_of(c, v) == c->cut->rank ? c->home[v] : -1;
  }
  c->owned_count = next[c->cut->rank];
  free(next);
  return ST_OK;
}

typedef void (*TetVisit)(Cutter *c, int body, int tet, int id, const int vertex[4]);

static void for_each_tet(Cutter *c, TetVisit visit) {
  int offset = 0, id = 0;
  for (int b = 0; b < c->description->body_count; b++) {
    const StMesh *mesh = c->description->body[b].mesh;
    for (int t = 0; t < mesh->tet_count; t++, id++) {
      int vertex[4];
      for (int i = 0; i < 4; i++)
        vertex[i] = offset + mesh->tet[4 * t + i];
      visit(c, b, t, id, vertex);
    }
    offset += mesh->vertex_count;
  }
}

static bool touches(const Cutter *c, const int vertex[4]) {
  for (int i = 0; i < 4; i++)
    if (owner_of(c, vertex[i]) == c->cut->rank)
      return true;
  return false;
}

static bool owns(const Cutter *c, const int vertex[4]) {
  return owner_of(c, vertex[0]) == c->cut->rank;
}

static void add_ghost(Cutter *c, int vertex) {
  if (c->local[vertex] >= 0)
    return;
  c->local[vertex] = c->owned_count + c->ghost_count;
  c->ghosts[c->ghost_count++] = vertex;
}

static void count_tet(Cutter *c, int body, int tet, int id, const int vertex[4]) {
  (void)body, (void)tet, (void)id;
  if (!touches(c, vertex))
    return;
  c->tet_count++;
  c->owned_tet_count += owns(c, vertex);
  for (int i = 0; i < 4; i++)
    add_ghost(c, vertex[i]);
}

// Counters are rebuilt while storing: owned tets fill from the front, others from owned_tet_count
// on.
typedef struct Store {
  Cutter cutter; // first, so that a Cutter* of a Store can be turned back
  int owned, other;
} Store;

static void store_tet(Cutter *c, int body, int tet, int id, const int vertex[4]) {
  Store *store = (Store *)c;
  if (!touches(c, vertex))
    return;
  StPiece *piece = c->piece;
  int slot = owns(c, vertex) ? store->owned++ : piece->owned_tet_count + store->other++;
  for (int i = 0; i < 4; i++)
    piece->tet[4 * slot + i] = c->local[vertex[i]];
  piece->tet_id[slot] = id;
  piece->tet_material[slot] = st_body_tet_material(&c->description->body[body], tet);
}

// Masses are complete also for ghosts: each rank sees the whole description anyway.
static void add_mass(Cutter *c, int body, int tet, int id, const int vertex[4]) {
  (void)id;
  const StBodyDesc *desc = &c->description->body[body];
  double density = c->description->material[st_body_tet_material(desc, tet)].density;
  double share = density * st_tet_volume(desc->mesh->position, desc->mesh->tet + 4 * tet) / 4;
  for (int i = 0; i < 4; i++)
    if (c->local[vertex[i]] >= 0)
      c->piece->mass[c->local[vertex[i]]] += share;
}

static void fill_vertices(Cutter *c) {
  int v = 0;
  for (int b = 0; b < c->description->body_count; b++) {
    const StMesh *mesh = c->description->body[b].mesh;
    for (int i = 0; i < mesh->vertex_count; i++, v++) {
      int here = c->local[v];
      if (here < 0)
        continue;
      c->piece->vertex_id[here] = v;
      c->piece->body[here] = b;
      memcpy(c->piece->rest + 3 * here, mesh->position + 3 * i, 3 * sizeof(double));
    }
  }
}

// Elements in the order of their first vertex: their data is then met in the order of the
// vertices'.
static void sort_tets(StPiece *piece, int begin, int end, int *scratch, int *start) {
  memset(start, 0, ((size_t)piece->vertex_count + 1) * sizeof(int));
  for (int t = begin; t < end; t++) {
    int *v = piece->tet + 4 * t, low = v[0];
    for (int i = 1; i < 4; i++)
      low = v[i] < low ? v[i] : low;
    scratch[6 * t] = low;
    memcpy(scratch + 6 * t + 1, v, 4 * sizeof(int));
    scratch[6 * t + 5] = piece->tet_id[t];
    start[low + 1]++;
  }
  int *material = scratch + 6 * (size_t)piece->tet_count;
  memcpy(material + begin, piece->tet_material + begin, (size_t)(end - begin) * sizeof(int));
  for (int v = 0; v < piece->vertex_count; v++)
    start[v + 1] += start[v];
  for (int t = begin; t < end; t++) {
    int slot = begin + start[scratch[6 * t]]++;
    memcpy(piece->tet + 4 * slot, scratch + 6 * t + 1, 4 * sizeof(int));
    piece->tet_id[slot] = scratch[6 * t + 5];
    piece->tet_material[slot] = material[t];
  }
}

static StStatus order_tets(StPiece *piece, StError *error) {
  int *scratch = ST_NEW(int, 7 * (size_t)piece->tet_count);
  int *start = ST_NEW(int, piece->vertex_count + 1);
  StStatus status = scratch && start ? ST_OK : st_fail_memory(error);
  if (status == ST_OK) {
    sort_tets(piece, 0, piece->owned_tet_count, scratch, start);
    sort_tets(piece, piece->owned_tet_count, piece->tet_count, scratch, start);
  }
  free(scratch);
  free(start);
  return status;
}

static StStatus list_ghosts(const Cutter *c, int **ghost_owner, int **ghost_index, StError *error) {
  *ghost_owner = ST_NEW(int, c->ghost_count);
  *ghost_index = ST_NEW(int, c->ghost_count);
  if (!*ghost_owner || !*ghost_index) {
    free(*ghost_owner);
    free(*ghost_index);
    *ghost_owner = *ghost_index = NULL;
    return st_fail_memory(error);
  }
  for (int g = 0; g < c->ghost_count; g++) {
    (*ghost_owner)[g] = owner_of(c, c->ghosts[g]);
    (*ghost_index)[g] = c->home[c->ghosts[g]];
  }
  return ST_OK;
}

static StStatus cut_piece(Store *store, StError *error) {
  Cutter *c = &store->cutter;
  ST_TRY(number_at_home(c, error));
  for_each_tet(c, count_tet);
  for (int v = 0; c->cut->shared && v < c->vertex_count; v++)
    if (c->cut->shared[v])
      add_ghost(c, v);
  if (!(c->piece = st_piece_create(c->owned_count + c->ghost_count, c->tet_count)))
    return st_fail_memory(error);
  c->piece->owned_count = c->owned_count;
  c->piece->owned_tet_count = c->owned_tet_count;
  for_each_tet(c, store_tet);
  for_each_tet(c, add_mass);
  fill_vertices(c);
  return order_tets(c->piece, error);
}

StStatus st_piece_create_part(const StDescription *description, const StCut *cut, StPiece **piece,
                              int **ghost_owner, int **ghost_index, StError *error) {
  size_t count = (size_t)st_description_vertex_count(description);
  Store store = {.cutter = {.description = description, .cut = cut, .vertex_count = (int)count}};
  Cutter *c = &store.cutter;
  c->home = ST_NEW(int, count);
  c->local = ST_NEW(int, count);
  c->ghosts = ST_NEW(int, count);
  StStatus status = c->home && c->local && c->ghosts ? ST_OK : st_fail_memory(error);
  if (status == ST_OK)
    status = cut_piece(&store, error);
  if (status == ST_OK)
    status = list_ghosts(c, ghost_owner, ghost_index, error);
  free(c->home);
  free(c->local);
  free(c->ghosts);
  if (status != ST_OK) {
    st_piece_destroy(c->piece);
    return status;
  }
  *piece = c->piece;
  return ST_OK;
}

StStatus st_piece_create_whole(const StDescription *description, StPiece **piece, StError *error) {
  StCut cut = {.rank = 0};
  int *ghost_owner = NULL, *ghost_index = NULL;
  ST_TRY(st_piece_create_part(description, &cut, piece, &ghost_owner, &ghost_index, error));
  free(ghost_owner);
  free(ghost_index);
  return ST_OK;
}
