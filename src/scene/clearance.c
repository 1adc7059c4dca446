// A gap is a clearance where the body has another gap on the opposite side, and both sides stay
// where they are relative to each other: faces of one obstacle or solid body, or of several things
// that are all at rest. What stands on a body, or a jaw that closes, makes way or is meant to
// press; such gaps are contacts that have yet to close, however narrow. The play is the sum of both
// gaps: it does not depend on where between the sides the body starts. Without any play the body is
// pressed in, and no thickness would free it.
#include "scene/clearance.h"

#include "base/memory.h"
#include "contact/start/overlaps.h"
#include "math/vec3.h"
#include "model/body.h"
#include "model/contact_pairs.h"
#include "model/partition.h"
#include "scene/parts.h"
#include "solve/runtime.h"
#include "contact/tunables.h"
#include "scene/tunables.h"

// Of the body's size: below this a sum of gaps is rounding, since meshes in single precision have
// seven digits.
static const double ROUNDING = 1e-6;

// Directions fall into the cells of a cube around the body; the smallest gap of each is enough.
enum { CELLS_ALONG = 6, CELLS = 6 * CELLS_ALONG * CELLS_ALONG };

// A body's view of a frame: things that do not move relative to each other.
typedef struct Side {
  int body, frame;
  double gap;    // m
  double way[3]; // unit vector to it
} Side;

typedef struct Clearance {
  const StDescription *description;
  int *frame_of_body, *frame_of_obstacle; // -1: makes way
  int held_count, *held;                  // bodies and obstacles in the frame of the world
  StPairExtras *confined;
} Clearance;

// Frame 0 is the world: obstacles at rest and bodies held there. Every other obstacle or solid body
// is a frame of its own.
static void mark_held(const StDescription *description, int *frame) {
  for (int i = 0; i < description->boundary_count; i++) {
    const StBoundaryDesc *boundary = &description->boundary[i];
    bool fixed = boundary->axis[0] && boundary->axis[1] && boundary->axis[2] &&
                 !st_motion_moves(&boundary->motion) && isinf(boundary->release);
    for (int k = 0; fixed && k < boundary->vertex_count; k++)
      frame[st_description_body_of(description, boundary->vertex[k])] = 0;
  }
  for (int i = 0; i < description->bearing_count; i++)
    frame[st_description_body_of(description, description->bearing[i].vertex[0])] = 0;
  for (int i = 0; i < description->boundary_count;
       i++) // parts that move count before those at rest
    for (int k = 0; st_motion_moves(&description->boundary[i].motion) &&
                    k < description->boundary[i].vertex_count;
         k++) {
      int body = st_description_body_of(description, description->boundary[i].vertex[k]);
      frame[body] = 1 + body;
    }
}

static void find_frames(Clearance *clearance) {
  const StDescription *description = clearance->description;
  int *frame = clearance->frame_of_body;
  for (int b = 0; b < description->body_count; b++)
    frame[b] = 1 + b;
  mark_held(description, frame);
  for (int b = 0; b < description->body_count; b++)
    if (!st_body_is_solid(&description->body[b]))
      frame[b] = -1;
  for (int i = 0; i < description->obstacle_count; i++)
    clearance->frame_of_obstacle[i] =
        st_motion_moves(&description->obstacle[i].motion) ? 1 + description->body_count + i : 0;
  for (int s = 0; s < description->body_count + description->obstacle_count; s++) {
    int obstacle = s - description->body_count;
    if ((obstacle < 0 ? frame[s] : clearance->frame_of_obstacle[obstacle]) == 0)
      clearance->held[clearance->held_count++] = s;
  }
}

static int list_sides(const Clearance *clearance, const StOverlaps *overlaps, Side *side) {
  int count = 0;
  for (size_t i = 0; i < overlaps->count; i++) {
    const StOverlapSpot *spot = &overlaps->spot[i];
    const double *n = spot->normal;
    int frame = spot->who.other >= 0 ? clearance->frame_of_body[spot->who.other]
                                     : clearance->frame_of_obstacle[spot->who.obstacle];
    double gap = fmax(spot->gap, 0);
    if (frame >= 0)
      side[count++] = (Side){spot->who.body, frame, gap, {-n[0], -n[1], -n[2]}};
    frame = clearance->frame_of_body[spot->who.body];
    if (spot->who.other >= 0 && frame >= 0)
      side[count++] = (Side){spot->who.other, frame, gap, {n[0], n[1], n[2]}};
  }
  return count;
}

static int compare(const void *a, const void *b) {
  const Side *p = a, *q = b;
  if (p->body != q->body)
    return p->body - q->body;
  return p->frame - q->frame;
}

static int cell_of(const double way[3]) {
  int axis = 0;
  for (int c = 1; c < 3; c++)
    axis = fabs(way[c]) > fabs(way[axis]) ? c : axis;
  int cell = 2 * axis + (way[axis] < 0);
  for (int k = 1; k < 3; k++) {
    double x = way[(axis + k) % 3] / fabs(way[axis]);
    int at = (int)(0.5 * (x + 1) * CELLS_ALONG);
    cell = CELLS_ALONG * cell + (at < CELLS_ALONG ? at : CELLS_ALONG - 1);
  }
  return cell;
}

// The smallest play of one body in one frame.
static double play_of(const Side *side, int count, double size) {
  const Side *least[CELLS] = {0};
  double play = INFINITY;
  for (int i = 0; i < count; i++) {
    const Side **at = &least[cell_of(side[i].way)];
    if (!*at || side[i].gap < (*at)->gap)
      *at = &side[i];
  }
  for (int a = 0; a < CELLS; a++)
    for (int b = 0; least[a] && b < a; b++)
      if (least[b] && vec3_dot(least[a]->way, least[b]->way) < -st_contact_tunables.same_direction)
        play = fmin(play, least[a]->gap + least[b]->gap);
  return play > ROUNDING * size ? play : INFINITY;
}

// Adds a pair of a body and a side, if they touch.
static bool add(const Clearance *clearance, int body, int surface, double play) {
  int low = body < surface ? body : surface, high = body < surface ? surface : body;
  return surface == body || st_pair_reach(clearance->description, low, high) < 0 ||
         st_pair_extras_add(clearance->confined, body, surface, (StSqueeze){0}, play);
}

// Pairs of a body and the sides that confine it. Every frame but the world's is one surface.
static bool enter(const Clearance *clearance, int body, int frame, double play) {
  bool room = frame == 0 || add(clearance, body, frame - 1, play);
  for (int i = 0; i < clearance->held_count && frame == 0 && room; i++)
    room = add(clearance, body, clearance->held[i], play);
  return room;
}

static StStatus compare_sides(const Clearance *clearance, const StOverlaps *overlaps,
                              StError *error) {
  ST_FREE Side *side = ST_NEW(Side, 2 * overlaps->count + 1);
  ST_TRY_MEMORY(side, error);
  int count = list_sides(clearance, overlaps, side);
  bool room = true;
  qsort(side, (size_t)count, sizeof *side, compare);
  for (int first = 0, next; first < count && room; first = next) {
    int body = side[first].body;
    for (next = first; next < count && compare(&side[first], &side[next]) == 0;)
      next++;
    double size = st_scene_body_size(clearance->description->body[body].mesh);
    double found = play_of(side + first, next - first, size);
    if (isfinite(found))
      room = enter(clearance, body, side[first].frame, found);
  }
  return room ? ST_OK : st_fail_memory(error);
}

// Where the vertices of a piece start.
static void place(const StDescription *description, const StPiece *piece, double *position) {
  for (int v = 0; v < piece->vertex_count; v++) {
    const double *from = description->start ? description->start + 3 * (size_t)piece->vertex_id[v]
                                            : piece->rest + 3 * (size_t)v;
    vec3_copy(from, position + 3 * (size_t)v);
  }
}

static StStatus search(const Clearance *clearance, const StPiece *piece, const StSkins *skins,
                       StError *error) {
  StOverlaps *overlaps = NULL;
  ST_FREE double *position = ST_NEW(double, 3 * (size_t)skins->place_count);
  StStatus status = position ? st_overlaps_create(skins, &overlaps, error) : st_fail_memory(error);
  if (status == ST_OK) {
    place(clearance->description, piece, position);
    st_skins_place_rigid(skins, 0, position, NULL);
    status = st_overlaps_find(overlaps, 0, position, st_scene_tunables.clearance_reach, 0, error);
  }
  if (status == ST_OK)
    status = compare_sides(clearance, overlaps, error);
  st_overlaps_destroy(overlaps);
  return status;
}

static StStatus measure(const StDescription *description, StPairExtras *confined, StError *error) {
  int surfaces = description->body_count + description->obstacle_count;
  Clearance clearance = {.description = description,
                         .frame_of_body = ST_NEW(int, description->body_count),
                         .frame_of_obstacle = ST_NEW(int, description->obstacle_count + 1),
                         .held = ST_NEW(int, surfaces),
                         .confined = confined};
  StPiece *piece = NULL;
  StSkins *skins = NULL;
  bool good = clearance.frame_of_body && clearance.frame_of_obstacle && clearance.held;
  StStatus status =
      good ? st_piece_create_whole(description, &piece, error) : st_fail_memory(error);
  if (status == ST_OK)
    status = st_skins_create(description, piece, &skins, error);
  if (status == ST_OK) {
    find_frames(&clearance);
    status = search(&clearance, piece, skins, error);
  }
  st_skins_destroy(skins);
  st_piece_destroy(piece);
  free(clearance.frame_of_body);
  free(clearance.frame_of_obstacle);
  free(clearance.held);
  return status;
}

// Every process gets what the first one found.
static StStatus share(StReader *reader, StPairExtras *confined) {
  int count = confined->count;
  st_runtime_share(0, &count, sizeof count);
  bool room =
      st_grow((void **)&confined->item, &confined->capacity, (size_t)count, sizeof *confined->item);
  ST_TRY(st_scene_agree(reader, room ? ST_OK : st_fail_memory(reader->error)));
  confined->count = count;
  st_runtime_share(0, confined->item, (size_t)count * sizeof *confined->item);
  return ST_OK;
}

StStatus st_clearance_measure(StReader *reader, StPairExtras *confined) {
  StPairExtras found = {0};
  StStatus status = ST_OK;
  if (!reader->together || st_runtime_rank() == 0)
    status = measure(reader->description, &found, reader->error);
  if (reader->together) {
    status = st_scene_agree(reader, status);
    status = status == ST_OK ? share(reader, &found) : status;
  }
  for (int i = 0; i < found.count && status == ST_OK; i++) {
    const StPairExtra *of = &found.item[i];
    if (!st_pair_extras_add(confined, of->collider, of->surface, of->squeeze, of->play))
      status = st_fail_memory(reader->error);
  }
  st_pair_extras_free(&found);
  return status;
}
