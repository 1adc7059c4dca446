// Checks bodies, pairs of bodies, and bodies with obstacles.
#include "judge/judge.h"

#include "base/memory.h"
#include "judge/crossing.h"
#include "judge/inside.h"
#include "judge/passage.h"
#include "judge/scenery.h"
#include "judge/tets.h"
#include "math/box_pairs.h"
#include "mesh/cage.h"
#include "model/body.h"
#include "model/contact_pairs.h"

#include <math.h>
#include <string.h>

const char *const st_finding_name[ST_FOUND_KINDS] = {"crossings",          "self_crossings",
                                                     "obstacle_crossings", "vertices_inside",
                                                     "inverted_tets",      "passages"};

typedef struct Body {
  StHull hull;
  StTets tets;
  bool tets_fitted; // to the state being checked
  double reach;     // m, of contact with itself; -1: none
  StCourse course;  // in the step being checked
} Body;

// Things that must not pass through each other: other or obstacle is -1.
typedef struct Pair {
  int body, other, obstacle;
  double reach; // m, of their contact
} Pair;

struct StJudge {
  const StDescription *description;
  int body_count, obstacle_count, vertex_count, tet_count;
  Body *body;          // [body_count]
  StScenery *scenery;  // [obstacle_count]
  double *box;         // [body_count][6] where bodies are, or what they sweep
  StBoxPairs near;     // bodies whose boxes meet
  int *tet;            // [tet_count][4] of all bodies in their order
  int *tet_body_start; // [body_count + 1]
  unsigned char *vertex_mark, *tet_mark;
  StCourse *obstacle_course; // [obstacle_count]
  StPassageRoom room;
  // During a check:
  const double *position;
  StJudgement *found;
};

// The thickness of a pair's contact in either direction; -1: they never touch.
static double reach_between(const StJudge *judge, int body, int surface) {
  double there = st_pair_reach(judge->description, body, surface);
  return surface < judge->description->body_count
             ? fmax(there, st_pair_reach(judge->description, surface, body))
             : there;
}

static StStatus add_body(StJudge *judge, int index, StError *error) {
  const StMesh *mesh = judge->description->body[index].mesh;
  Body *body = &judge->body[judge->body_count++];
  body->reach = reach_between(judge, index, index);
  ST_TRY(st_hull_create(mesh, judge->vertex_count, &body->hull, error));
  ST_TRY(st_tets_create(mesh, judge->vertex_count, &body->tets, error));
  for (int i = 0; i < 4 * mesh->tet_count; i++)
    judge->tet[4 * (size_t)judge->tet_count + (size_t)i] = judge->vertex_count + mesh->tet[i];
  judge->vertex_count += mesh->vertex_count;
  judge->tet_count += mesh->tet_count;
  judge->tet_body_start[index + 1] = judge->tet_count;
  return ST_OK;
}

// For surfaces on their way.
static StStatus make_room(StJudge *judge, StError *error) {
  size_t most = (size_t)judge->vertex_count;
  for (int o = 0; o < judge->obstacle_count; o++) {
    const StMesh *surface = judge->scenery[o].surface;
    size_t count = surface ? (size_t)surface->vertex_count : 0;
    most = count > most ? count : most;
  }
  for (int i = 0; i < 4; i++)
    if (!(judge->room.place[i / 2][i % 2] = ST_NEW(double, 3 * most)))
      return st_fail_memory(error);
  return ST_OK;
}

static StStatus build(StJudge *judge, StError *error) {
  const StDescription *description = judge->description;
  size_t tets = 0, bodies = (size_t)description->body_count;
  for (int b = 0; b < description->body_count; b++)
    tets += (size_t)description->body[b].mesh->tet_count;
  judge->body = ST_NEW(Body, bodies);
  judge->scenery = ST_NEW(StScenery, description->obstacle_count);
  judge->obstacle_course = ST_NEW(StCourse, description->obstacle_count);
  judge->tet = ST_NEW(int, 4 * tets);
  judge->tet_body_start = ST_NEW(int, bodies + 1);
  judge->tet_mark = ST_NEW(unsigned char, tets);
  judge->vertex_mark = ST_NEW(unsigned char, st_description_vertex_count(description));
  judge->box = ST_NEW(double, 6 * bodies);
  if (!judge->body || !judge->scenery || !judge->obstacle_course || !judge->tet ||
      !judge->tet_body_start || !judge->tet_mark || !judge->vertex_mark || !judge->box)
    return st_fail_memory(error);
  for (int b = 0; b < description->body_count; b++)
    ST_TRY(add_body(judge, b, error));
  for (int o = 0; o < description->obstacle_count; o++) {
    ST_TRY(st_scenery_create(&description->obstacle[o], &judge->scenery[o], error));
    judge->obstacle_count++;
  }
  return make_room(judge, error);
}

StStatus st_judge_create(const StDescription *description, StJudge **result, StError *error) {
  StJudge *judge = ST_NEW(StJudge, 1);
  if (!judge)
    return st_fail_memory(error);
  judge->description = description;
  StStatus status = build(judge, error);
  if (status != ST_OK) {
    st_judge_destroy(judge);
    return status;
  }
  *result = judge;
  return ST_OK;
}

void st_judge_destroy(StJudge *judge) {
  if (!judge)
    return;
  for (int b = 0; b < judge->body_count; b++) {
    st_hull_free(&judge->body[b].hull);
    st_tets_free(&judge->body[b].tets);
  }
  for (int o = 0; o < judge->obstacle_count; o++)
    st_scenery_free(&judge->scenery[o]);
  st_passage_room_free(&judge->room);
  for (int i = 0; i < 4; i++)
    free(judge->room.place[i / 2][i % 2]);
  free(judge->obstacle_course);
  free(judge->body);
  free(judge->scenery);
  free(judge->box);
  st_box_pairs_free(&judge->near);
  free(judge->tet);
  free(judge->tet_body_start);
  free(judge->tet_mark);
  free(judge->vertex_mark);
  free(judge);
}

const unsigned char *st_judge_vertex_marks(const StJudge *judge) {
  return judge->vertex_mark;
}

const unsigned char *st_judge_tet_marks(const StJudge *judge) {
  return judge->tet_mark;
}

// The current search: kind of finding, and between whom.
typedef struct Inquiry {
  StJudge *judge;
  StFindingKind kind;
  Pair pair;
} Inquiry;

static void count_one(const Inquiry *inquiry) {
  StFinding *finding = &inquiry->judge->found->kind[inquiry->kind];
  if (finding->count++ == 0) {
    finding->body = inquiry->pair.body;
    finding->other = inquiry->pair.other;
    finding->obstacle = inquiry->pair.obstacle;
  }
}

static void mark(const Inquiry *inquiry, const int *vertex, int count) {
  for (int i = 0; i < count; i++)
    inquiry->judge->vertex_mark[vertex[i]] |= (unsigned char)(1 << inquiry->kind);
}

// If there is an obstacle, it is the second sheet; its vertices have no marks.
static void take_crossing(void *context, const int edge[2], const int triangle[3],
                          bool edge_is_of_second) {
  const Inquiry *inquiry = context;
  bool has_obstacle = inquiry->pair.obstacle >= 0;
  count_one(inquiry);
  if (!has_obstacle || !edge_is_of_second)
    mark(inquiry, edge, 2);
  if (!has_obstacle || edge_is_of_second)
    mark(inquiry, triangle, 3);
}

static const StBox *box_of(const StHull *hull) {
  return &hull->tree.node[0].box;
}

static StSheet sheet_of(const StJudge *judge, int body) {
  return (StSheet){&judge->body[body].hull, judge->position};
}

// A surface that was put into a cage though it crosses itself does so for good.
static void look_within(StJudge *judge, int body) {
  const StCage *cage = judge->description->body[body].mesh->cage;
  if (cage && cage->crossed)
    return;
  Inquiry inquiry = {judge, ST_FOUND_SELF_CROSSING, {body, body, -1, 0}};
  StCrossings visit = {take_crossing, &inquiry};
  StSheet sheet = sheet_of(judge, body);
  st_crossings_within(&sheet, &visit);
}

// A vertex inside several things is one finding.
static void take_inside(const Inquiry *inquiry, int vertex) {
  if (inquiry->judge->vertex_mark[vertex] >> ST_FOUND_INSIDE & 1)
    return;
  count_one(inquiry);
  mark(inquiry, &vertex, 1);
}

static bool box_holds(const StBox *box, const double x[3]) {
  StBox point = {{x[0], x[1], x[2]}, {x[0], x[1], x[2]}};
  return st_boxes_meet(box, &point);
}

static void look_inside(StJudge *judge, int body, int other) {
  Body *around = &judge->body[other];
  const StHull *hull = &judge->body[body].hull;
  Inquiry inquiry = {judge, ST_FOUND_INSIDE, {body, other, -1, 0}};
  const StBodyDesc *desc = &judge->description->body[other];
  bool solid = st_body_has_surface(desc) && desc->closed;
  if (!st_body_is_solid(desc))
    return;
  if (!around->tets_fitted && !solid)
    st_box_tree_fit(&around->tets.tree, judge->position);
  around->tets_fitted = true;
  for (int i = 0; i < hull->point_count; i++) {
    const double *x = judge->position + 3 * (size_t)hull->point[i];
    if (!box_holds(box_of(&around->hull), x))
      continue;
    if (solid ? st_hull_contains(&around->hull, judge->position, x)
              : st_tets_contain(&around->tets, &around->hull, judge->position, x))
      take_inside(&inquiry, hull->point[i]);
  }
}

static void look_between(StJudge *judge, const Pair *pair) {
  Inquiry inquiry = {judge, ST_FOUND_CROSSING, *pair};
  StCrossings visit = {take_crossing, &inquiry};
  StSheet first = sheet_of(judge, pair->body), second = sheet_of(judge, pair->other);
  if (!st_boxes_meet(box_of(first.hull), box_of(second.hull)))
    return;
  st_crossings_between(&first, &second, &visit);
  look_inside(judge, pair->body, pair->other);
  look_inside(judge, pair->other, pair->body);
}

// Triangles of a body that reach into a shape in closed form.
static void look_into_shape(const Inquiry *inquiry, const StScenery *scenery, int n) {
  const StHull *hull = &inquiry->judge->body[inquiry->pair.body].hull;
  const StBoxNode *node = &hull->tree.node[n];
  if (!st_rigid_may_meet(&scenery->rigid, &node->box))
    return;
  for (int t = node->first; t < node->first + node->count; t++) {
    const int *corner = hull->triangle + 3 * (size_t)t;
    const double *position = inquiry->judge->position;
    const double *const at[3] = {position + 3 * (size_t)corner[0], position + 3 * (size_t)corner[1],
                                 position + 3 * (size_t)corner[2]};
    if (st_rigid_may_meet(&scenery->rigid, &hull->tree.item[t]) &&
        st_rigid_is_reached(&scenery->rigid, at)) {
      count_one(inquiry);
      mark(inquiry, corner, 3);
    }
  }
  if (node->count == 0) {
    look_into_shape(inquiry, scenery, n + 1);
    look_into_shape(inquiry, scenery, node->right);
  }
}

static void look_at_obstacle(StJudge *judge, const Pair *pair) {
  const StScenery *scenery = &judge->scenery[pair->obstacle];
  const StHull *hull = &judge->body[pair->body].hull;
  Inquiry inquiry = {judge, ST_FOUND_OBSTACLE_CROSSING, *pair};
  StCrossings visit = {take_crossing, &inquiry};
  StSheet first = sheet_of(judge, pair->body), second = {&scenery->hull, scenery->position};
  if (hull->triangle_count == 0 || !st_scenery_may_meet(scenery, box_of(hull)))
    return;
  if (scenery->is_mesh)
    st_crossings_between(&first, &second, &visit);
  else
    look_into_shape(&inquiry, scenery, 0);
  inquiry.kind = ST_FOUND_INSIDE;
  for (int i = 0; i < hull->point_count; i++)
    if (st_scenery_contains(scenery, judge->position + 3 * (size_t)hull->point[i]))
      take_inside(&inquiry, hull->point[i]);
}

static void look_at_tets(StJudge *judge) {
  for (int b = 0; b < judge->body_count; b++) {
    int start = judge->tet_body_start[b], count = judge->tet_body_start[b + 1] - start;
    const int *tet = judge->tet + 4 * (size_t)start;
    Inquiry inquiry = {judge, ST_FOUND_INVERTED, {b, -1, -1, 0}};
    if (st_tets_inverted(tet, count, judge->position, judge->tet_mark + start) == 0)
      continue;
    for (int t = 0; t < count; t++)
      if (judge->tet_mark[start + t]) {
        count_one(&inquiry);
        mark(&inquiry, tet + 4 * (size_t)t, 4);
      }
  }
}

// Returns the largest coordinate.
static double fit_surfaces(StJudge *judge) {
  double size = 0;
  for (int b = 0; b < judge->body_count; b++) {
    StHull *hull = &judge->body[b].hull;
    judge->body[b].tets_fitted = false;
    st_box_tree_fit(&hull->tree, judge->position);
    for (int c = 0; c < 3 && hull->triangle_count; c++)
      size = fmax(size, fmax(fabs(box_of(hull)->low[c]), fabs(box_of(hull)->high[c])));
  }
  return size;
}

// Calls visit for each pair that touches and is near, in the order of bodies: first with obstacles,
// then with bodies of higher numbers. False: out of memory, or a visit was the last.
static bool visit_pairs(StJudge *judge, bool (*visit)(StJudge *judge, const Pair *pair)) {
  size_t next = 0;
  if (!st_pairs_exist(judge->description))
    return true;
  if (!st_box_pairs_find(judge->body_count, judge->box, &judge->near))
    return false;
  for (int b = 0; b < judge->body_count; b++) {
    for (int o = 0; o < judge->obstacle_count; o++) {
      double reach = reach_between(judge, b, judge->body_count + o);
      if (reach >= 0 && !visit(judge, &(Pair){b, -1, o, reach}))
        return false;
    }
    for (; next < judge->near.count && judge->near.pair[next][0] == b; next++) {
      int other = judge->near.pair[next][1];
      double reach = reach_between(judge, b, other);
      if (reach >= 0 && !visit(judge, &(Pair){b, other, -1, reach}))
        return false;
    }
  }
  return true;
}

static bool look_at_pair(StJudge *judge, const Pair *pair) {
  (pair->obstacle >= 0 ? look_at_obstacle : look_between)(judge, pair);
  return true;
}

static void put_box(const double low[3], const double high[3], double more, double *box) {
  for (int c = 0; c < 3; c++) {
    box[c] = low[c] - more;
    box[c + 3] = high[c] + more;
  }
}

StStatus st_judge_check(StJudge *judge, double time, const double *position, StJudgement *judgement,
                        StError *error) {
  memset(judgement, 0, sizeof *judgement);
  for (int k = 0; k < ST_FOUND_KINDS; k++)
    judgement->kind[k].body = judgement->kind[k].other = judgement->kind[k].obstacle = -1;
  judge->position = position;
  judge->found = judgement;
  memset(judge->vertex_mark, 0, (size_t)judge->vertex_count);
  double size = fit_surfaces(judge);
  for (int o = 0; o < judge->obstacle_count; o++)
    st_scenery_place(&judge->scenery[o], time, size);
  for (int b = 0; b < judge->body_count; b++) {
    const StBox *box = box_of(&judge->body[b].hull);
    put_box(box->low, box->high, 0, judge->box + 6 * (size_t)b);
    look_within(judge, b);
  }
  bool good = visit_pairs(judge, look_at_pair);
  look_at_tets(judge);
  return good ? ST_OK : st_fail_memory(error);
}

static void take_passage(void *context, const int first[3], const int second[3]) {
  const Inquiry *inquiry = context;
  count_one(inquiry);
  mark(inquiry, first, 3);
  if (inquiry->pair.obstacle < 0)
    mark(inquiry, second, 3);
}

static bool look_on_way(StJudge *judge, const Pair *pair) {
  Inquiry inquiry = {judge, ST_FOUND_PASSAGE, *pair};
  StPassageVisit visit = {take_passage, &inquiry};
  StScenery *scenery = pair->obstacle >= 0 ? &judge->scenery[pair->obstacle] : NULL;
  Body *body = &judge->body[pair->body], *other = scenery ? NULL : &judge->body[pair->other];
  StPassing passing = {
      .hull = {&body->hull, scenery ? &scenery->hull : &other->hull},
      .course = {&body->course, scenery ? &judge->obstacle_course[pair->obstacle] : &other->course},
      .reach = pair->reach + (scenery ? 2 * scenery->sagitta : 0)};
  if (scenery && !scenery->surface)
    return true;
  return st_passages_find(&passing, &judge->room, &visit);
}

// Both ends of the way, and how far it gets away from the straight one.
static void put_swept_box(StJudge *judge, int body) {
  const StCourse *course = &judge->body[body].course;
  double low[3], high[3];
  for (int c = 0; c < 3; c++) {
    low[c] = fmin(course->box[0].low[c], course->box[1].low[c]);
    high[c] = fmax(course->box[0].high[c], course->box[1].high[c]);
  }
  put_box(low, high, course->bulge, judge->box + 6 * (size_t)body);
}

StStatus st_judge_sweep(StJudge *judge, double start, const double *before, double time,
                        const double *position, StJudgement *judgement, StError *error) {
  bool good = true;
  judge->found = judgement;
  for (int b = 0; b < judge->body_count; b++) {
    st_course_of_body(&judge->body[b].hull, before, position, &judge->body[b].course);
    put_swept_box(judge, b);
  }
  for (int o = 0; o < judge->obstacle_count; o++)
    if (judge->scenery[o].surface)
      st_scenery_move(&judge->scenery[o], (double[]){start, time}, &judge->obstacle_course[o]);
  for (int b = 0; b < judge->body_count && good; b++)
    if (judge->body[b].reach > 0)
      good = look_on_way(judge, &(Pair){b, b, -1, judge->body[b].reach});
  good = good && visit_pairs(judge, look_on_way);
  return good ? ST_OK : st_fail_memory(error);
}
