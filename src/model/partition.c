// Local pieces: owned vertices, the elements that touch them, and the ghosts those need.
#include "model/partition.h"

#include "base/memory.h"
#include "mesh/cage.h"
#include "mesh/second_order.h"
#include "model/body.h"
#include "model/hinge.h"
#include "model/lumping.h"

#include <string.h>

typedef enum Kind { TET, TRIANGLE, HINGE, KINDS } Kind;

static const int CORNERS[KINDS] = {4, 3, 4};
static const int MATERIALS[KINDS] = {1, 1, 2};

// An element of the description, in its numbers.
typedef struct Element {
  Kind kind;
  int body, index; // which of the body's
  int id;
  int vertex[4];
  int whole_count, whole[ST_SECOND_NODES]; // vertices of the element of which it is a part
} Element;

// Scratch while cutting; arrays are over the description's vertices unless noted.
typedef struct Cutter {
  const StDescription *description;
  const StCut *cut;
  StPiece *piece; // NULL while counting
  int vertex_count;
  int independent_count, owned_count, ghost_end;
  int count[KINDS], owned[KINDS]; // elements
  int owned_stored[KINDS], other_stored[KINDS];
  int *home;        // number of a vertex at its owner
  int *local;       // local number, -1 if not (yet) in the piece
  int *ghosts;      // [ghost_count] vertices, in order of discovery
  StHinge **hinge;  // [body_count]
  int *hinge_count; // [body_count]
  int ghost_count;
  StCarriage carriage;
} Cutter;

// A piece's arrays for one kind of element.
typedef struct Shelf {
  int *vertex, *id, *material;
  int count, owned_count;
  int *part; // of tets
} Shelf;

static Shelf shelf_of(const StPiece *piece, Kind kind) {
  const Shelf shelf[KINDS] = {
      {piece->tet, piece->tet_id, piece->tet_material, piece->tet_count, piece->owned_tet_count,
       piece->tet_part},
      {piece->triangle, piece->triangle_id, piece->triangle_material, piece->triangle_count,
       piece->owned_triangle_count, NULL},
      {piece->hinge, piece->hinge_id, piece->hinge_material, piece->hinge_count,
       piece->owned_hinge_count, NULL},
  };
  return shelf[kind];
}

static int owner_of(const Cutter *c, int vertex) {
  return c->cut->owner ? c->cut->owner[vertex] : 0;
}

static bool is_carried(const Cutter *c, int vertex) {
  return c->carriage.entry[vertex] >= 0;
}

// Numbers the vertices of every rank that are carried, or those that are not, in the given order.
static void number_along(Cutter *c, bool carried, int *next) {
  for (int k = 0; k < c->vertex_count; k++) {
    int v = c->cut->order ? c->cut->order[k] : k;
    if (is_carried(c, v) != carried)
      continue;
    c->home[v] = next[owner_of(c, v)]++;
    c->local[v] = owner_of(c, v) == c->cut->rank ? c->home[v] : -1;
  }
}

static StStatus number_at_home(Cutter *c, StError *error) {
  int ranks = 1;
  for (int v = 0; v < c->vertex_count; v++)
    if (owner_of(c, v) >= ranks)
      ranks = owner_of(c, v) + 1;
  ST_FREE int *next = ST_NEW(int, ranks > c->cut->rank ? ranks : c->cut->rank + 1);
  ST_TRY_MEMORY(next, error);
  number_along(c, false, next);
  c->independent_count = next[c->cut->rank];
  number_along(c, true, next);
  c->owned_count = next[c->cut->rank];
  return ST_OK;
}

typedef void (*Visit)(Cutter *c, const Element *element);

// Triangles that are a surface are not elements.
static int element_count(const Cutter *c, int body, Kind kind) {
  const StBodyDesc *desc = &c->description->body[body];
  const int count[KINDS] = {desc->mesh->tet_count, st_body_shell_count(desc), c->hinge_count[body]};
  return count[kind];
}

static const int *element_vertices(const Cutter *c, int body, Kind kind, int index) {
  const StMesh *mesh = c->description->body[body].mesh;
  switch (kind) {
  case TET: return mesh->tet + 4 * (size_t)index;
  case TRIANGLE: return mesh->triangle + 3 * (size_t)index;
  default: return c->hinge[body][index].vertex;
  }
}

static int part_of(const StMesh *mesh, Kind kind, int index) {
  return kind == TET && mesh->second_order ? index % ST_SECOND_PARTS : -1;
}

// The parts of an element stay together: its forces need all of them.
static void name_vertices(const Cutter *c, int offset, Element *element) {
  const int *vertex = element_vertices(c, element->body, element->kind, element->index);
  int part = part_of(c->description->body[element->body].mesh, element->kind, element->index);
  element->whole_count = part < 0 ? CORNERS[element->kind] : ST_SECOND_NODES;
  if (part < 0)
    memcpy(element->whole, vertex, (size_t)element->whole_count * sizeof(int));
  else
    st_second_nodes(vertex - 4 * part, element->whole);
  for (int i = 0; i < element->whole_count; i++)
    element->whole[i] += offset;
  for (int i = 0; i < CORNERS[element->kind]; i++)
    element->vertex[i] = offset + vertex[i];
}

static void for_each_element(Cutter *c, Kind kind, Visit visit) {
  Element element = {.kind = kind};
  int offset = 0;
  for (int b = 0; b < c->description->body_count; b++) {
    element.body = b;
    for (int e = 0; e < element_count(c, b, kind); e++, element.id++) {
      element.index = e;
      name_vertices(c, offset, &element);
      visit(c, &element);
    }
    if (kind == TRIANGLE && st_body_has_surface(&c->description->body[b]))
      element.id += c->description->body[b].mesh->triangle_count;
    offset += c->description->body[b].mesh->vertex_count;
  }
}

static bool touches(const Cutter *c, const Element *element) {
  for (int i = 0; i < element->whole_count; i++)
    if (owner_of(c, element->whole[i]) == c->cut->rank)
      return true;
  return false;
}

static bool owns(const Cutter *c, const Element *element) {
  return owner_of(c, element->whole[0]) == c->cut->rank;
}

static void add_ghost(Cutter *c, int vertex) {
  if (c->local[vertex] >= 0)
    return;
  c->local[vertex] = c->owned_count + c->ghost_count;
  c->ghosts[c->ghost_count++] = vertex;
}

static void count_element(Cutter *c, const Element *element) {
  if (!touches(c, element))
    return;
  c->count[element->kind]++;
  c->owned[element->kind] += owns(c, element);
  for (int i = 0; i < element->whole_count; i++)
    add_ghost(c, element->whole[i]);
}

static void find_materials(const Cutter *c, const Element *element, int material[2]) {
  const StBodyDesc *body = &c->description->body[element->body];
  if (element->kind == TET) {
    material[0] = st_body_tet_material(body, element->index);
  } else if (element->kind == TRIANGLE) {
    material[0] = st_body_triangle_material(body, element->index);
  } else {
    const StHinge *hinge = &c->hinge[element->body][element->index];
    for (int i = 0; i < 2; i++)
      material[i] = st_body_triangle_material(body, hinge->triangle[i]);
  }
}

// Owned elements fill from the front, others after the owned ones.
static void store_element(Cutter *c, const Element *element) {
  if (!touches(c, element))
    return;
  Kind kind = element->kind;
  Shelf shelf = shelf_of(c->piece, kind);
  int slot =
      owns(c, element) ? c->owned_stored[kind]++ : shelf.owned_count + c->other_stored[kind]++;
  int material[2];
  find_materials(c, element, material);
  for (int i = 0; i < CORNERS[kind]; i++)
    shelf.vertex[CORNERS[kind] * slot + i] = c->local[element->vertex[i]];
  for (int i = 0; i < MATERIALS[kind]; i++)
    shelf.material[MATERIALS[kind] * slot + i] = material[i];
  shelf.id[slot] = element->id;
  if (kind == TET)
    c->piece->tet_part[slot] =
        part_of(c->description->body[element->body].mesh, kind, element->index);
}

// Ghosts have complete masses too, because each rank sees the whole description.
static void add_mass(Cutter *c, const Element *element) {
  const StMesh *mesh = c->description->body[element->body].mesh;
  const int *vertex = element_vertices(c, element->body, element->kind, element->index);
  int corners = CORNERS[element->kind], material[2];
  find_materials(c, element, material);
  double share[4], density = c->description->material[material[0]].density;
  if (element->kind == TET)
    st_mesh_corner_volumes(mesh, element->index, share);
  else
    share[0] = share[1] = share[2] = st_triangle_area(mesh->position, vertex) / 3;
  for (int i = 0; i < corners; i++)
    if (c->local[element->vertex[i]] >= 0)
      c->piece->mass[c->local[element->vertex[i]]] += density * share[i];
}

// Lumps the masses of the elements, before other masses are added.
static StStatus lump(Cutter *c, StError *error) {
  for (int b = 0, first = 0; b < c->description->body_count; b++) {
    const StBodyDesc *body = &c->description->body[b];
    int count = body->mesh->vertex_count;
    ST_FREE double *factor = ST_NEW(double, count);
    ST_TRY_MEMORY(factor, error);
    for (int v = 0; v < count; v++)
      factor[v] = 1;
    if (body->mesh->second_order)
      ST_TRY(st_body_lumping(c->description, body, factor, error));
    for (int v = 0; v < count; v++) {
      int here = c->local[first + v];
      if (here >= 0) {
        c->piece->lumping[here] = factor[v];
        c->piece->mass[here] *= factor[v];
      }
    }
    first += count;
  }
  return ST_OK;
}

static void add_rigid_masses(Cutter *c) {
  int end = 0;
  for (int b = 0; b < c->description->body_count; b++) {
    const StBodyDesc *body = &c->description->body[b];
    end += body->mesh->vertex_count;
    for (int v = end - ST_CARRIERS; body->rigid && v < end; v++)
      if (c->local[v] >= 0)
        c->piece->mass[c->local[v]] = body->rigid_mass / ST_CARRIERS;
  }
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

// Scratch for sorting one kind of element.
typedef struct Sorter {
  int *place; // [count] where an element goes
  int *start; // [vertex_count + 1]
  int *copy;  // [count][4]
} Sorter;

// The lowest vertex of an element, or of the element that it is a part of.
static int lowest(const Shelf *shelf, int corners, int element) {
  int part = shelf->part ? shelf->part[element] : -1, count = corners;
  if (part >= 0)
    element -= part, count *= ST_SECOND_PARTS;
  const int *vertex = shelf->vertex + corners * element;
  int low = vertex[0];
  for (int i = 1; i < count; i++)
    low = vertex[i] < low ? vertex[i] : low;
  return low;
}

static void find_places(const Shelf *shelf, int corners, int begin, int end, int vertex_count,
                        Sorter *sorter) {
  memset(sorter->start, 0, ((size_t)vertex_count + 1) * sizeof(int));
  for (int e = begin; e < end; e++)
    sorter->start[lowest(shelf, corners, e) + 1]++;
  for (int v = 0; v < vertex_count; v++)
    sorter->start[v + 1] += sorter->start[v];
  for (int e = begin; e < end; e++)
    sorter->place[e] = begin + sorter->start[lowest(shelf, corners, e)]++;
}

static void rearrange(int *array, int width, int count, const Sorter *sorter) {
  size_t bytes = (size_t)width * sizeof(int);
  memcpy(sorter->copy, array, (size_t)count * bytes);
  for (int e = 0; e < count; e++)
    memcpy(array + width * sorter->place[e], sorter->copy + width * e, bytes);
}

// Sorts elements by their lowest vertex, so that they access vertex data in order.
static StStatus order_elements(StPiece *piece, Kind kind, StError *error) {
  Shelf shelf = shelf_of(piece, kind);
  Sorter sorter = {ST_NEW(int, shelf.count), ST_NEW(int, piece->vertex_count + 1),
                   ST_NEW(int, 4 * (size_t)shelf.count)};
  bool good = sorter.place && sorter.start && sorter.copy;
  if (good) {
    int corners = CORNERS[kind], vertices = piece->vertex_count;
    find_places(&shelf, corners, 0, shelf.owned_count, vertices, &sorter);
    find_places(&shelf, corners, shelf.owned_count, shelf.count, vertices, &sorter);
    rearrange(shelf.vertex, corners, shelf.count, &sorter);
    rearrange(shelf.id, 1, shelf.count, &sorter);
    rearrange(shelf.material, MATERIALS[kind], shelf.count, &sorter);
    if (shelf.part)
      rearrange(shelf.part, 1, shelf.count, &sorter);
  }
  free(sorter.place);
  free(sorter.start);
  free(sorter.copy);
  return good ? ST_OK : st_fail_memory(error);
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

static StStatus find_hinges(Cutter *c, StError *error) {
  c->hinge = ST_NEW(StHinge *, c->description->body_count);
  c->hinge_count = ST_NEW(int, c->description->body_count);
  ST_TRY_MEMORY(c->hinge && c->hinge_count, error);
  for (int b = 0; b < c->description->body_count; b++)
    if (!st_body_has_surface(&c->description->body[b]))
      ST_TRY(st_mesh_hinges(c->description->body[b].mesh, &c->hinge[b], &c->hinge_count[b], error));
  return ST_OK;
}

static StStatus create_piece(Cutter *c, StError *error) {
  StPieceSize size = {c->owned_count + c->ghost_count, c->count[TET], c->count[TRIANGLE],
                      c->count[HINGE]};
  StPiece *piece = c->piece = st_piece_create(size);
  ST_TRY_MEMORY(piece, error);
  piece->independent_count = c->independent_count;
  piece->owned_count = c->owned_count;
  piece->ghost_end = c->ghost_end;
  piece->owned_tet_count = c->owned[TET];
  piece->owned_triangle_count = c->owned[TRIANGLE];
  piece->owned_hinge_count = c->owned[HINGE];
  return ST_OK;
}

// Adds the carriers of all known vertices, and sorts ghosts so that carried ones come last.
static StStatus sort_ghosts(Cutter *c, StError *error) {
  int *carried = ST_NEW(int, c->ghost_count), carried_count = 0, kept = 0;
  ST_TRY_MEMORY(carried, error);
  for (int g = 0; g < c->ghost_count; g++) {
    if (is_carried(c, c->ghosts[g]))
      carried[carried_count++] = c->ghosts[g];
    else
      c->ghosts[kept++] = c->ghosts[g];
  }
  memcpy(c->ghosts + kept, carried, (size_t)carried_count * sizeof(int));
  free(carried);
  for (int g = 0; g < c->ghost_count; g++)
    c->local[c->ghosts[g]] = c->owned_count + g;
  c->ghost_end = c->owned_count + kept;
  return ST_OK;
}

static void add_carriers(Cutter *c) {
  const StCarried *all = &c->carriage.all;
  for (int i = 0; i < all->count; i++)
    for (int k = 0; c->local[all->vertex[i]] >= 0 && k < ST_CARRIERS; k++)
      add_ghost(c, all->carrier[ST_CARRIERS * i + k]);
}

// Carried vertices with numbers from `from` to `end` - 1, in the order of the piece.
static int list_carried(Cutter *c, int from, int end, int at) {
  const StCarried *all = &c->carriage.all;
  StCarried *to = &c->piece->carried;
  for (int v = from; v < end; v++, at++) {
    int entry = c->carriage.entry[c->piece->vertex_id[v]];
    to->vertex[at] = v;
    for (int k = 0; k < ST_CARRIERS; k++) {
      to->carrier[ST_CARRIERS * at + k] = c->local[all->carrier[ST_CARRIERS * entry + k]];
      to->weight[ST_CARRIERS * at + k] = all->weight[ST_CARRIERS * entry + k];
    }
  }
  return at;
}

static StStatus fill_carried(Cutter *c, StError *error) {
  const StPiece *piece = c->piece;
  int count = st_piece_owned_carried(piece) + piece->vertex_count - piece->ghost_end;
  ST_TRY(st_carried_create(count, &c->piece->carried, error));
  int owned = list_carried(c, piece->independent_count, piece->owned_count, 0);
  list_carried(c, piece->ghost_end, piece->vertex_count, owned);
  return ST_OK;
}

// The part of each tet that the body fills, where there are cages.
static StStatus fill_volumes(Cutter *c, StError *error) {
  StPiece *piece = c->piece;
  bool any = false;
  for (int b = 0; b < c->description->body_count; b++)
    any = any || c->description->body[b].mesh->cage;
  if (!any)
    return ST_OK;
  ST_TRY_MEMORY(piece->tet_volume = ST_NEW(double, 4 * (size_t)piece->tet_count), error);
  ST_FREE int *end = ST_NEW(int, c->description->body_count);
  ST_TRY_MEMORY(end, error);
  for (int b = 0, tets = 0; b < c->description->body_count; b++)
    end[b] = tets += c->description->body[b].mesh->tet_count;
  for (int t = 0; t < piece->tet_count; t++) {
    int b = piece->body[piece->tet[4 * (size_t)t]];
    const StMesh *mesh = c->description->body[b].mesh;
    st_mesh_corner_volumes(mesh, piece->tet_id[t] - (end[b] - mesh->tet_count),
                           piece->tet_volume + 4 * (size_t)t);
  }
  return ST_OK;
}

static StStatus cut_piece(Cutter *c, StError *error) {
  ST_TRY(st_carriage_create(c->description, &c->carriage, error));
  ST_TRY(number_at_home(c, error));
  ST_TRY(find_hinges(c, error));
  for (Kind kind = 0; kind < KINDS; kind++)
    for_each_element(c, kind, count_element);
  for (int v = 0; c->cut->shared && v < c->vertex_count; v++)
    if (c->cut->shared[v])
      add_ghost(c, v);
  add_carriers(c);
  ST_TRY(sort_ghosts(c, error));
  ST_TRY(create_piece(c, error));
  for (Kind kind = 0; kind < KINDS; kind++) {
    for_each_element(c, kind, store_element);
    ST_TRY(order_elements(c->piece, kind, error));
  }
  for_each_element(c, TET, add_mass);
  for_each_element(c, TRIANGLE, add_mass);
  ST_TRY(lump(c, error));
  add_rigid_masses(c);
  fill_vertices(c);
  ST_TRY(fill_volumes(c, error));
  return fill_carried(c, error);
}

static void cutter_free(Cutter *c) {
  for (int b = 0; c->hinge && b < c->description->body_count; b++)
    free(c->hinge[b]);
  free(c->hinge);
  free(c->hinge_count);
  st_carriage_free(&c->carriage);
  free(c->home);
  free(c->local);
  free(c->ghosts);
}

StStatus st_piece_create_part(const StDescription *description, const StCut *cut, StPiece **piece,
                              int **ghost_owner, int **ghost_index, StError *error) {
  size_t count = (size_t)st_description_vertex_count(description);
  Cutter cutter = {.description = description,
                   .cut = cut,
                   .vertex_count = (int)count,
                   .home = ST_NEW(int, count),
                   .local = ST_NEW(int, count),
                   .ghosts = ST_NEW(int, count)};
  StStatus status = cutter.home && cutter.local && cutter.ghosts ? ST_OK : st_fail_memory(error);
  if (status == ST_OK)
    status = cut_piece(&cutter, error);
  if (status == ST_OK)
    status = list_ghosts(&cutter, ghost_owner, ghost_index, error);
  cutter_free(&cutter);
  if (status != ST_OK) {
    st_piece_destroy(cutter.piece);
    return status;
  }
  *piece = cutter.piece;
  return ST_OK;
}

StStatus st_piece_create_whole(const StDescription *description, StPiece **piece, StError *error) {
  StCut cut = {.rank = 0};
  ST_FREE int *ghost_owner = NULL, *ghost_index = NULL;
  ST_TRY(st_piece_create_part(description, &cut, piece, &ghost_owner, &ghost_index, error));
  return ST_OK;
}
