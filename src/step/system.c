// Assembly of the parts a rank works on, and evaluation of whole forces.
// Tested by tests/step/test_stage.c.
#include "step/system.h"

#include "base/memory.h"
#include "force/contact_loop.h"
#include "force/list.h"
#include "mesh/second_order.h"
#include "model/contact_pairs.h"
#include "model/graph.h"
#include "model/partition.h"
#include "model/rigid.h"
#include "solve/partition.h"
#include "solve/runtime.h"
#include "step/neighbours.h"

#include <math.h>
#include <string.h>

// Skins of bodies that touch other bodies have their numbers on every rank: search and forces then
// stay local. Where their vertices are a rank hears as far as it may matter (step/neighbours.h).
static StStatus mark_skin(const StMesh *mesh, bool *shared, StError *error) {
  int *triangle = NULL, count = 0;
  ST_TRY(st_contacts_skin(mesh, &triangle, &count, error));
  for (int i = 0; i < 3 * count; i++)
    shared[triangle[i]] = true;
  free(triangle);
  return ST_OK;
}

static StStatus mark_skins(const StDescription *description, const unsigned char *touches,
                           bool *shared, StError *error) {
  for (int b = 0; b < description->body_count; b++) {
    const StMesh *mesh = description->body[b].mesh;
    if (touches[b] & (ST_PARTNER_ITSELF | ST_PARTNER_BODIES))
      ST_TRY(mark_skin(mesh, shared, error));
    shared += mesh->vertex_count;
  }
  return ST_OK;
}

// A program's force sees all vertices.
static void mark_outside(const StDescription *description, bool *shared) {
  int count = st_description_vertex_count(description);
  for (int i = 0; i < description->force_count; i++)
    for (int v = 0; v < count && description->force[i].type; v++)
      shared[v] = true;
}

// Vertices of volumes, bearings and joints every rank hears of: each then has the whole sum. And
// carriers, so that each knows where those are that they carry.
static void mark_sums(const StDescription *description, bool *shared) {
  mark_outside(description, shared);
  for (int i = 0; i < description->volume_count; i++)
    for (int k = 0; k < 3 * description->volume[i].triangle_count; k++)
      shared[description->volume[i].triangle[k]] = true;
  for (int i = 0; i < description->bearing_count; i++)
    for (int k = 0; k < description->bearing[i].vertex_count; k++)
      shared[description->bearing[i].vertex[k]] = true;
  for (int i = 0; i < 2 * description->joint_count; i++) {
    const StJointEnd *end = &description->joint[i / 2].end[i % 2];
    for (int k = 0; k < end->vertex_count; k++)
      shared[end->vertex[k]] = true;
  }
  for (int b = 0, first = 0; b < description->body_count; b++) {
    const StCarried *carried = &description->body[b].carried;
    for (int i = 0; i < ST_CARRIERS * carried->count; i++)
      shared[first + carried->carrier[i]] = true;
    first += description->body[b].mesh->vertex_count;
  }
}

static StStatus mark_shared(const StDescription *description, bool *shared, StError *error) {
  ST_FREE unsigned char *touches = ST_NEW(unsigned char, description->body_count);
  ST_TRY_MEMORY(touches, error);
  mark_sums(description, shared);
  st_pairs_partners(description, touches);
  return mark_skins(description, touches, shared, error);
}

// Carried vertices go with their carriers, all to one rank, and what shares carriers with them.
static void keep_together(const StDescription *description, int *owner) {
  for (int b = 0, first = 0; b < description->body_count; b++) {
    const StBodyDesc *body = &description->body[b];
    int whose = body->carried.count > 0 ? owner[first + body->carried.carrier[0]] : 0;
    for (int v = 0; body->carried.count > 0 && v < body->mesh->vertex_count; v++)
      owner[first + v] = whose;
    first += body->mesh->vertex_count;
  }
}

// Owner of each vertex, and the order in which ranks number theirs. The first rank makes the graph
// and broadcasts both.
static StStatus divide(const StDescription *description, int count, int *owner, int *order,
                       StError *error) {
  StGraph *graph = NULL;
  StStatus status = ST_OK;
  if (st_runtime_rank() == 0) {
    status = st_graph_create(description, &graph, error);
    if (status == ST_OK)
      status = st_graph_order(graph, order, error);
  }
  status = st_runtime_agree(status, error);
  if (status == ST_OK)
    status = st_partition_graph(count, graph ? graph->start : NULL, graph ? graph->neighbor : NULL,
                                owner, error);
  st_graph_destroy(graph);
  if (status == ST_OK)
    st_runtime_share(0, order, (size_t)count * sizeof(int));
  return status;
}

static StStatus cut_with_order(StSystem *system, int count, int *owner, int *order, bool *shared,
                               StError *error) {
  ST_TRY(divide(system->description, count, owner, order, error));
  keep_together(system->description, owner);
  ST_TRY(st_runtime_agree(mark_shared(system->description, shared, error), error));
  StCut cut = {.owner = owner, .order = order, .shared = shared, .rank = st_runtime_rank()};
  ST_FREE int *ghost_owner = NULL, *ghost_index = NULL;
  StStatus status = st_piece_create_part(system->description, &cut, &system->piece, &ghost_owner,
                                         &ghost_index, error);
  ST_TRY(st_runtime_agree(status, error));
  return st_exchange_create(system->piece->owned_count, system->piece->vertex_count, ghost_owner,
                            ghost_index, &system->exchange, error);
}

static StStatus cut_piece(StSystem *system, StError *error) {
  int count = st_description_vertex_count(system->description);
  ST_FREE int *owner = ST_NEW(int, count), *order = ST_NEW(int, count);
  ST_FREE bool *shared = ST_NEW(bool, count);
  StStatus status = owner && order && shared ? ST_OK : st_fail_memory(error);
  ST_TRY(st_runtime_agree(status, error));
  return cut_with_order(system, count, owner, order, shared, error);
}

static StStatus bind_force(const StSystem *system, const StForce *force, StError *error) {
  return force->type->bind ? force->type->bind(force->data, system->matrix, error) : ST_OK;
}

static StStatus create_force(StSystem *system, const StForceType *type, StError *error) {
  StForceSite site = {system->description, system->piece, NULL};
  ST_CHECK(system->force_count < ST_RECORD_FORCES, error);
  StForce *force = &system->force[system->force_count];
  bool present = true;
  ST_TRY(st_force_create(type, &site, &force->data, &present, error));
  if (!present)
    return ST_OK;
  force->type = type;
  system->force_count++;
  return bind_force(system, force, error);
}

// This rank's vertices, those of its elements, and those of volumes and bearings: whatever is not
// for contact alone. NULL: no memory.
static bool *find_always(const StSystem *system) {
  const StPiece *piece = system->piece;
  bool *always = ST_NEW(bool, piece->vertex_count);
  bool *shared = ST_NEW(bool, st_description_vertex_count(system->description));
  if (!always || !shared) {
    free(always);
    free(shared);
    return NULL;
  }
  mark_sums(system->description, shared);
  for (int v = 0; v < piece->vertex_count; v++)
    always[v] = v < piece->owned_count || shared[piece->vertex_id[v]];
  const int *list[] = {piece->tet, piece->triangle, piece->hinge};
  const int count[] = {4 * piece->tet_count, 3 * piece->triangle_count, 4 * piece->hinge_count};
  for (int k = 0; k < ST_LENGTH(list); k++)
    for (int i = 0; i < count[k]; i++)
      always[list[k][i]] = true;
  free(shared);
  return always;
}

static StStatus create_contacts(StSystem *system, StError *error) {
  ST_TRY(st_contacts_create(system->description, system->piece, &system->contacts, error));
  if (!system->contacts)
    return ST_OK;
  ST_TRY(st_contact_state_create(system->contacts, &system->contact_state, error));
  ST_TRY(st_contact_room_create(&system->room, error));
  ST_TRY(st_contact_cache_create(system->contacts, system->contact_state, &system->contact_cache,
                                 error));
  bool *always = find_always(system);
  if (!always)
    return st_fail_memory(error);
  return st_neighbours_create(system->contacts, always, &system->neighbours, error);
}

static StStatus create_forces(StSystem *system, StError *error) {
  const StDescription *description = system->description;
  ST_TRY(create_contacts(system, error));
  for (int i = 0; st_force_types[i]; i++)
    ST_TRY(create_force(system, st_force_types[i], error));
  for (int i = 0; i < description->force_count; i++)
    if (description->force[i].type)
      ST_TRY(create_force(system, description->force[i].type, error));
  return ST_OK;
}

// Pairs of vertices that share an element couple, and so do those of a volume's triangles, those of
// a joint and those that a force from outside names.
typedef struct Cliques {
  int *member; // [count][4] triangles name their last corner twice
  size_t count, capacity;
  bool failed; // memory ran out
} Cliques;

enum { SECOND_PAIRS = ST_SECOND_NODES / 2 };

static void add_clique(Cliques *cliques, const int member[4]) {
  cliques->failed =
      cliques->failed || !ST_GROW(cliques->member, cliques->capacity, 4 * (cliques->count + 1));
  if (!cliques->failed)
    memcpy(cliques->member + 4 * cliques->count++, member, 4 * sizeof(int));
}

static void add_triangle(Cliques *cliques, int a, int b, int c) {
  add_clique(cliques, (const int[]){a, b, c, c});
}

static void add_volumes(const StDescription *description, const int *local, Cliques *cliques) {
  for (int i = 0; i < description->volume_count; i++)
    for (int t = 0; t < description->volume[i].triangle_count; t++) {
      const int *v = description->volume[i].triangle + 3 * t;
      add_triangle(cliques, local[v[0]], local[v[1]], local[v[2]]);
    }
}

static void add_pairs(const StDescription *description, const int *local, Cliques *cliques) {
  for (int i = 0; i < description->force_count; i++)
    for (int p = 0; p < description->force[i].pair_count; p++) {
      const int *v = description->force[i].pair + 2 * p;
      add_triangle(cliques, local[v[0]], local[v[1]], local[v[1]]);
    }
}

static int joint_size(const StJointDesc *joint) {
  return joint->end[0].vertex_count + joint->end[1].vertex_count;
}

static int joint_vertex(const StJointDesc *joint, int index) {
  int first = joint->end[0].vertex_count;
  return index < first ? joint->end[0].vertex[index] : joint->end[1].vertex[index - first];
}

static void add_joint_pairs(const StDescription *description, const int *local, Cliques *cliques) {
  for (int i = 0; i < description->joint_count; i++) {
    const StJointDesc *joint = &description->joint[i];
    for (int a = 0; a < joint_size(joint); a++)
      for (int b = 0; b < a; b++)
        add_triangle(cliques, local[joint_vertex(joint, a)], local[joint_vertex(joint, b)],
                     local[joint_vertex(joint, b)]);
  }
}

static void add_rigid(const StDescription *description, const int *local, Cliques *cliques) {
  for (int b = 0, first = 0; b < description->body_count; b++) {
    const StBodyDesc *body = &description->body[b];
    if (body->rigid)
      add_clique(cliques, local + first + st_rigid_first_carrier(body));
    first += body->mesh->vertex_count;
  }
}

// An element of second order couples its ten nodes: any two of five pairs of them.
static void add_second_order(const StPiece *piece, Cliques *cliques) {
  for (int t = 0; t < piece->tet_count; t++) {
    int node[ST_SECOND_NODES];
    if (piece->tet_part[t] != 0)
      continue;
    st_second_nodes(piece->tet + 4 * (size_t)t, node);
    for (int a = 0; a < SECOND_PAIRS; a++)
      for (int b = 0; b < a; b++) {
        const int two[4] = {node[2 * a], node[2 * a + 1], node[2 * b], node[2 * b + 1]};
        add_clique(cliques, two);
      }
  }
}

static StStatus list_cliques(const StSystem *system, Cliques *cliques, StError *error) {
  const StPiece *piece = system->piece;
  const StDescription *description = system->description;
  ST_FREE int *local = ST_NEW(int, st_description_vertex_count(description));
  ST_TRY_MEMORY(local, error);
  for (int t = 0; t < piece->tet_count; t++)
    add_clique(cliques, piece->tet + 4 * (size_t)t);
  for (int h = 0; h < piece->hinge_count; h++)
    add_clique(cliques, piece->hinge + 4 * (size_t)h);
  for (const int *v = piece->triangle; v < piece->triangle + 3 * piece->triangle_count; v += 3)
    add_triangle(cliques, v[0], v[1], v[2]);
  for (int i = 0; i < piece->vertex_count; i++)
    local[piece->vertex_id[i]] = i;
  add_second_order(piece, cliques);
  add_volumes(description, local, cliques);
  add_pairs(description, local, cliques);
  add_joint_pairs(description, local, cliques);
  add_rigid(description, local, cliques);
  return cliques->failed ? st_fail_memory(error) : ST_OK;
}

static StStatus create_crew(StSystem *system, StError *error) {
  int asked = system->description->solver.threads, usual = 1;
  if (st_runtime_size() == 1)
    usual = st_crew_default_size();
  return st_crew_create(asked > 0 ? asked : usual, &system->crew, error);
}

static StStatus create_matrix(StSystem *system, StError *error) {
  const StPiece *piece = system->piece;
  Cliques cliques = {0};
  StStatus status = list_cliques(system, &cliques, error);
  if (status == ST_OK)
    status = st_block_matrix_create(piece->owned_count, piece->vertex_count, cliques.member,
                                    (int)cliques.count, 4, &system->matrix, error);
  if (status == ST_OK)
    system->matrix->crew = system->crew;
  free(cliques.member);
  return status;
}

static bool carries(const StDescription *description) {
  bool any = false;
  for (int b = 0; b < description->body_count; b++)
    any = any || description->body[b].carried.count > 0;
  return any;
}

static StStatus create_folding(StSystem *system, StError *error) {
  bool changed;
  if (!carries(system->description))
    return ST_OK;
  ST_TRY(st_folding_create(system->piece, system->exchange, &system->folding, error));
  return st_runtime_agree(st_block_fold_fit(system->folding->fold, system->matrix, &changed, error),
                          error);
}

StBlockMatrix *st_system_unknown_matrix(const StSystem *system) {
  return system->folding ? st_block_fold_matrix(system->folding->fold) : system->matrix;
}

void st_system_fold(const StSystem *system) {
  if (system->folding)
    st_block_fold_add(system->folding->fold, system->matrix);
}

static StStatus build(StSystem *system, StError *error) {
  system->reason = ST_NEW(char, ST_REASON);
  ST_TRY(st_runtime_agree(system->reason ? ST_OK : st_fail_memory(error), error));
  ST_TRY(st_runtime_agree(create_crew(system, error), error));
  ST_TRY(cut_piece(system, error));
  system->piece->crew = system->crew;
  if (system->description->statics)
    system->still = ST_NEW(double, 3 * (size_t)system->piece->vertex_count);
  bool short_of_memory = system->description->statics && !system->still;
  ST_TRY(st_runtime_agree(short_of_memory ? st_fail_memory(error) : ST_OK, error));
  ST_TRY(st_runtime_agree(create_matrix(system, error), error));
  ST_TRY(create_folding(system, error));
  system->tet_count = (int)st_runtime_sum(system->piece->owned_tet_count);
  system->triangle_count = (int)st_runtime_sum(system->piece->owned_triangle_count);
  ST_TRY(st_runtime_agree(create_forces(system, error), error));
  if (st_system_couplings(system) > ST_COUPLINGS)
    return st_fail(error, ST_BAD_INPUT,
                   "the scene has too many volumes and bearings: %d dense terms, at most %d are "
                   "handled",
                   st_system_couplings(system), ST_COUPLINGS);
  return ST_OK;
}

StStatus st_system_create(const StDescription *description, StSystem **result, StError *error) {
  StSystem *system = ST_NEW(StSystem, 1);
  ST_TRY(st_runtime_agree(system ? ST_OK : st_fail_memory(error), error));
  system->description = description;
  StStatus status = build(system, error);
  if (status != ST_OK) {
    st_system_destroy(system);
    return status;
  }
  *result = system;
  return ST_OK;
}

void st_system_destroy(StSystem *system) {
  if (!system)
    return;
  for (int i = 0; i < system->force_count; i++)
    if (system->force[i].data)
      system->force[i].type->destroy(system->force[i].data);
  st_neighbours_destroy(system->neighbours);
  st_contact_cache_destroy(system->contact_cache);
  st_contact_room_destroy(system->room);
  st_contact_state_destroy(system->contact_state);
  st_contacts_destroy(system->contacts);
  st_folding_destroy(system->folding);
  st_block_matrix_destroy(system->matrix);
  st_exchange_destroy(system->exchange);
  st_piece_destroy(system->piece);
  st_crew_destroy(system->crew);
  free(system->still);
  free(system->reason);
  free(system);
}

static StStatus bind_forces(StSystem *system, StError *error) {
  for (int i = 0; i < system->force_count; i++)
    ST_TRY(bind_force(system, &system->force[i], error));
  return ST_OK;
}

int st_system_coupling_count(const StForce *force) {
  return force->type->coupling_count ? force->type->coupling_count(force->data) : 0;
}

int st_system_couplings(const StSystem *system) {
  int count = 0;
  for (int i = 0; i < system->force_count; i++)
    count += st_system_coupling_count(&system->force[i]);
  return count;
}

void st_system_commit(StSystem *system, const StPoint *at) {
  for (int i = 0; i < system->force_count; i++)
    if (system->force[i].type->commit)
      system->force[i].type->commit(system->force[i].data, at);
}

// All ranks learn of the trouble that the lowest rank met.
static StStatus share_trouble(bool good, int force, StTrouble *trouble, const StSystem *system) {
  if (st_runtime_size() == 1)
    return good ? ST_OK : ST_NOT_SOLVED;
  int rank = st_runtime_rank(), size = st_runtime_size();
  int first = st_runtime_least(good ? size : rank);
  if (first == size)
    return ST_OK;
  struct {
    int vertex, element, force;
    char reason[ST_REASON];
  } message = {trouble->vertex, trouble->element, force, ""};
  if (rank == first)
    strncpy(message.reason, trouble->reason, sizeof message.reason - 1);
  st_runtime_share(first, &message, sizeof message);
  memcpy(system->reason, message.reason, ST_REASON);
  *trouble = (StTrouble){.vertex = message.vertex,
                         .element = message.element,
                         .force = system->force[message.force].type->name,
                         .reason = system->reason};
  return ST_NOT_SOLVED;
}

static double risen(const StSystem *system, double time) {
  return 1 - st_curve_missing(time, st_description_rise(system->description));
}

double st_system_share(const StSystem *system, const StForceType *type, double time) {
  return type->rises ? risen(system, time) : 1;
}

StPoint st_system_seen(const StSystem *system, const StForceType *type, const StPoint *at) {
  StPoint seen = *at;
  if (system->still && !type->of_contact)
    seen.velocity = system->still;
  return seen;
}

double st_system_energy(const StSystem *system, int index, const StPoint *at) {
  const StForce *force = &system->force[index];
  return st_system_share(system, force->type, at->time) * force->type->energy(force->data, at);
}

// Forces with a weight that may be below 1: gravity and wind in a static analysis, otherwise
// contact.
static bool is_weighted(const StSystem *system, const StForceType *type) {
  return system->still ? type->rises : type->of_contact;
}

// Forces that are weighted, or those that are not.
static bool add_forces(const StSystem *system, bool weighted, const StPoint *at, double *total,
                       int *index, StTrouble *trouble) {
  for (int i = 0; i < system->force_count; i++) {
    const StForce *force = &system->force[i];
    StPoint seen = st_system_seen(system, force->type, at);
    *index = i;
    if (is_weighted(system, force->type) == weighted &&
        !force->type->add(force->data, &seen, total, trouble))
      return false;
  }
  return true;
}

StStatus st_system_total_force(const StSystem *system, const StPoint *at, double contact_weight,
                               double *total, StTrouble *trouble) {
  int size = 3 * system->piece->vertex_count, index = 0;
  memset(total, 0, (size_t)size * sizeof(double));
  double weight = system->still ? risen(system, at->time) : contact_weight;
  bool good = true;
  if (weight != 0)
    good = add_forces(system, true, at, total, &index, trouble);
  for (int i = 0; good && weight != 1 && i < size; i++)
    total[i] *= weight;
  good = good && add_forces(system, false, at, total, &index, trouble);
  ST_TRY(share_trouble(good, index, trouble, system));
  st_carried_hand_on(&system->piece->carried, total);
  st_exchange_reverse(system->exchange, total);
  return ST_OK;
}

StStatus st_system_fit_matrix(StSystem *system, const StContactSet *set, bool keep, bool *changed,
                              StError *error) {
  *changed = false;
  StStatus status = set->status == ST_OK
                        ? st_contact_room_make(system->room, system->matrix, set,
                                               system->piece->vertex_count, keep, changed, error)
                        : st_fail_memory(error);
  if (status == ST_OK && !st_contact_loop_reserve(set, st_contact_room_slots(system->room)))
    status = st_fail_memory(error);
  if (status == ST_OK && *changed)
    status = bind_forces(system, error);
  if (status == ST_OK && *changed && system->folding)
    status = st_block_fold_fit(system->folding->fold, system->matrix, changed, error);
  ST_TRY(st_runtime_agree(status, error));
  *changed = st_runtime_any(*changed);
  return ST_OK;
}

void st_system_single_force(const StSystem *system, int index, const StPoint *at, double *force) {
  StTrouble ignored;
  const StForceType *type = system->force[index].type;
  StPoint seen = st_system_seen(system, type, at);
  double share = st_system_share(system, type, at->time);
  memset(force, 0, 3 * (size_t)system->piece->vertex_count * sizeof(double));
  type->add(system->force[index].data, &seen, force, &ignored);
  for (int i = 0; share != 1 && i < 3 * system->piece->vertex_count; i++)
    force[i] *= share;
  st_exchange_reverse(system->exchange, force);
}

// A straight step that turns a rigid body strains it, which raises the residual's norm however good
// the step is.
bool st_system_needs_descent(const StSystem *system) {
  if (system->still)
    return true;
  if (system->contacts)
    return st_contacts_keep_apart(system->contacts);
  for (int b = 0; b < system->description->body_count; b++)
    if (system->description->body[b].rigid)
      return true;
  return false;
}
