// Descends two trees of swept boxes together down to pairs of triangles.
#include "judge/passage.h"

#include "base/memory.h"
#include "judge/closest.h"
#include "judge/crossing.h"
#include "judge/meeting.h"
#include "math/vec3.h"

// Rotation over which ways count as straight; at most so many parts of a step.
static const double PART_ANGLE = 0.25;
enum { MOST_PARTS = 4096 };

// Minus the cosine of 150°, by which the direction to the other surface turns where something
// passes through it. More than contact allows in a slide: what is told here is certain.
static const double TURNED = 0.866;

// Two triangles that met on the way, and what is nearest to one of them on the other surface at
// both ends of the step.
struct StMet {
  int triangle[2];
  double gap[2], apart[2][3]; // from the second to the first
};
typedef struct StMet StMet;

void st_passage_room_free(StPassageRoom *room) {
  free(room->met);
}

typedef struct Search {
  const StPassing *passing;
  const double *from[2], *to[2]; // positions of either side
  bool within;
  StPassageRoom *room;
} Search;

static const int *corners(const StPassing *passing, int side, int triangle) {
  return passing->hull[side]->triangle + 3 * (size_t)triangle;
}

static bool share_corner(const int a[3], const int b[3]) {
  for (int i = 0; i < 9; i++)
    if (a[i / 3] == b[i % 3])
      return true;
  return false;
}

// False: out of memory.
static bool test_triangles(void *context, int first, int second) {
  Search *search = context;
  const int *a = corners(search->passing, 0, first), *b = corners(search->passing, 1, second);
  StPassageRoom *room = search->room;
  StCornerPaths one, other;
  if (search->within && share_corner(a, b))
    return true;
  for (int i = 0; i < 3; i++) {
    one.from[i] = search->from[0] + 3 * (size_t)a[i];
    one.to[i] = search->to[0] + 3 * (size_t)a[i];
    other.from[i] = search->from[1] + 3 * (size_t)b[i];
    other.to[i] = search->to[1] + 3 * (size_t)b[i];
  }
  if (!st_triangles_meet(&one, &other))
    return true;
  if (!st_grow((void **)&room->met, &room->capacity, (size_t)room->count + 1, sizeof(StMet)))
    return false;
  room->met[room->count++] = (StMet){.triangle = {first, second}, .gap = {INFINITY, INFINITY}};
  return true;
}
// Whether the boxes of both meet in a frame that moves with the first.
static bool come_near(const StPassing *passing) {
  const StCourse *a = passing->course[0], *b = passing->course[1];
  double grown = a->bulge + b->bulge;
  for (int c = 0; c < 3; c++) {
    double low[2], high[2];
    for (int k = 0; k < 2; k++) {
      const StCourse *course = passing->course[k];
      low[k] = fmin(course->box[0].low[c], course->box[1].low[c] - a->shift[c]);
      high[k] = fmax(course->box[0].high[c], course->box[1].high[c] - a->shift[c]);
    }
    if (low[0] - high[1] > grown || low[1] - high[0] > grown)
      return false;
  }
  return true;
}

// False: out of memory.
static bool follow_part(Search *search, double from, double to) {
  const StPassing *passing = search->passing;
  const double share[2] = {from, to};
  const double *at[2][2];
  double shift[3];
  for (int side = 0; side < 2; side++)
    for (int end = 0; end < 2; end++)
      at[side][end] = side == 1 && search->within ? at[0][end]
                                                  : st_course_at(passing->course[side], share[end],
                                                                 search->room->place[side][end]);
  for (int c = 0; c < 3; c++)
    shift[c] = (to - from) * passing->course[0]->shift[c];
  for (int side = 0; side < 2; side++) {
    search->from[side] = at[side][0];
    search->to[side] = at[side][1];
    if (side == 0 || !search->within)
      st_box_tree_sweep(&passing->hull[side]->tree, at[side][0], at[side][1], shift);
  }
  return st_box_trees_meet(&passing->hull[0]->tree, &passing->hull[1]->tree, test_triangles,
                           search);
}

// A triangle that looks for the nearest one of the other side.
typedef struct Outlook {
  const StHull *hull;
  const double *position;
  const int *own; // corners of the triangle itself, which have the same numbers; NULL: others
  const double *corner[3];
  StBox box; // of the triangle
  double gap, apart[3];
} Outlook;

static double boxes_apart(const StBox *a, const StBox *b) {
  double square = 0;
  for (int c = 0; c < 3; c++) {
    double gap = fmax(fmax(a->low[c] - b->high[c], b->low[c] - a->high[c]), 0);
    square += gap * gap;
  }
  return sqrt(square);
}

static void look_near(Outlook *outlook, int n) {
  const StBoxNode *node = &outlook->hull->tree.node[n];
  if (!(boxes_apart(&node->box, &outlook->box) < outlook->gap))
    return;
  for (int t = node->first; t < node->first + node->count; t++) {
    const int *corner = outlook->hull->triangle + 3 * (size_t)t;
    const double *at[3];
    double apart[3];
    if (!(boxes_apart(&outlook->hull->tree.item[t], &outlook->box) < outlook->gap) ||
        (outlook->own && share_corner(outlook->own, corner)))
      continue;
    for (int i = 0; i < 3; i++)
      at[i] = outlook->position + 3 * (size_t)corner[i];
    double gap = st_triangles_apart(outlook->corner, at, apart);
    if (!(gap < outlook->gap))
      continue;
    outlook->gap = gap;
    vec3_copy(apart, outlook->apart);
  }
  if (node->count == 0) {
    const StBoxNode *tree = outlook->hull->tree.node;
    double first = boxes_apart(&tree[n + 1].box, &outlook->box);
    bool left = first <= boxes_apart(&tree[node->right].box, &outlook->box);
    look_near(outlook, left ? n + 1 : node->right);
    look_near(outlook, left ? node->right : n + 1);
  }
}

// Looks from a triangle of one side at all of the other; gap: larger ones do not matter.
static Outlook look_from(const StPassing *passing, int side, int end, int triangle, double gap) {
  const StCourse *own = passing->course[side], *other = passing->course[1 - side];
  const int *corner = corners(passing, side, triangle);
  const double *position = end ? own->after : own->before;
  Outlook outlook = {.hull = passing->hull[1 - side],
                     .position = end ? other->after : other->before,
                     .own = passing->hull[0] == passing->hull[1] ? corner : NULL,
                     .box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}},
                     .gap = gap};
  for (int i = 0; i < 3; i++) {
    outlook.corner[i] = position + 3 * (size_t)corner[i];
    for (int c = 0; c < 3; c++) {
      outlook.box.low[c] = fmin(outlook.box.low[c], outlook.corner[i][c]);
      outlook.box.high[c] = fmax(outlook.box.high[c], outlook.corner[i][c]);
    }
  }
  look_near(&outlook, 0);
  return outlook;
}

static void fit(const StPassing *passing, int end) {
  for (int side = 0; side < 2; side++) {
    const StCourse *course = passing->course[side];
    st_box_tree_fit(&passing->hull[side]->tree, end ? course->after : course->before);
  }
}

// Whether the surfaces touch anywhere at an end of the step.
static bool touch(const StPassing *passing, int end) {
  for (int t = 0; t < passing->hull[0]->triangle_count; t++)
    if (look_from(passing, 0, end, t, passing->reach).gap < passing->reach)
      return true;
  return false;
}

// Whether two triangles of one surface are closer than what is known of those that met.
static void compare(const StPassing *passing, int end, int first, int second, StMet *met) {
  const double *corner[2][3], *at = end ? passing->course[0]->after : passing->course[0]->before;
  const int triangle[2] = {first, second};
  double apart[3];
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 3; i++)
      corner[side][i] = at + 3 * (size_t)corners(passing, 0, triangle[side])[i];
  double gap = st_triangles_apart(corner[0], corner[1], apart);
  if (!(gap < met->gap[end]))
    return;
  met->gap[end] = gap;
  vec3_copy(apart, met->apart[end]);
}

// Within one surface there is always something near: the two triangles count alone, and, where they
// seem to have passed, those around either of them, as what slides over a ridge goes from one of
// its faces to the other.
static void find_between(const StPassing *passing, int end, StMet *met) {
  compare(passing, end, met->triangle[0], met->triangle[1], met);
}

static void find_around(const StPassing *passing, StMet *met) {
  const int *own[2] = {corners(passing, 0, met->triangle[0]),
                       corners(passing, 0, met->triangle[1])};
  for (int t = 0; t < passing->hull[0]->triangle_count; t++) {
    const int *other = corners(passing, 0, t);
    bool beside[2] = {share_corner(other, own[0]), share_corner(other, own[1])};
    for (int end = 0; end < 2 && beside[0] != beside[1]; end++)
      compare(passing, end, beside[0] ? t : met->triangle[0], beside[0] ? met->triangle[1] : t,
              met);
  }
}

static bool has_turned(const StMet *met) {
  return vec3_dot(met->apart[0], met->apart[1]) < -TURNED * met->gap[0] * met->gap[1];
}

static void find_nearest(const StPassing *passing, int end, StMet *met) {
  for (int side = 0; side < 2; side++) {
    Outlook outlook = look_from(passing, side, end, met->triangle[side], met->gap[end]);
    if (!(outlook.gap < met->gap[end]))
      continue;
    met->gap[end] = outlook.gap;
    for (int c = 0; c < 3; c++)
      met->apart[end][c] = (side == 0 ? 1 : -1) * outlook.apart[c];
  }
}

static void note_crossing(void *context, const int edge[2], const int triangle[3], bool second) {
  (void)edge, (void)triangle, (void)second;
  *(bool *)context = true;
}

// Whether the surfaces cross each other at an end of the step, to which their trees are fitted.
static bool cross(const StPassing *passing, int end) {
  bool found = false;
  const StCrossings visit = {note_crossing, &found};
  StSheet sheet[2];
  for (int side = 0; side < 2; side++)
    sheet[side] = (StSheet){passing->hull[side],
                            end ? passing->course[side]->after : passing->course[side]->before};
  if (passing->hull[0] == passing->hull[1])
    st_crossings_within(&sheet[0], &visit);
  else
    st_crossings_between(&sheet[0], &sheet[1], &visit);
  return found;
}

// Where surfaces touch at an end of the step and go on rolling or sliding, straight ways cut
// corners and dents. There only what is on the other side afterwards has passed. Surfaces that
// cross at an end have no sides there; the check of that state reports them.
static void report(const StPassing *passing, const StPassageRoom *room,
                   const StPassageVisit *visit) {
  bool touches = false, within = passing->hull[0] == passing->hull[1];
  for (int end = 0; end < 2; end++) {
    fit(passing, end);
    if (cross(passing, end))
      return;
    touches = touches || touch(passing, end);
    for (int i = 0; i < room->count; i++)
      (within ? find_between : find_nearest)(passing, end, &room->met[i]);
  }
  for (int i = 0; i < room->count; i++) {
    StMet *met = &room->met[i];
    if (within && has_turned(met))
      find_around(passing, met);
    if (!touches || has_turned(met))
      visit->found(visit->context, corners(passing, 0, met->triangle[0]),
                   corners(passing, 1, met->triangle[1]));
  }
}

bool st_passages_find(const StPassing *passing, StPassageRoom *room, const StPassageVisit *visit) {
  Search search = {
      .passing = passing, .room = room, .within = passing->hull[0] == passing->hull[1]};
  double angle = fmax(passing->course[0]->angle, passing->course[1]->angle);
  int parts = (int)fmax(fmin(ceil(angle / PART_ANGLE), MOST_PARTS), 1);
  room->count = 0;
  if (passing->hull[0]->triangle_count == 0 || passing->hull[1]->triangle_count == 0 ||
      !come_near(passing))
    return true;
  for (int i = 0; i < parts; i++)
    if (!follow_part(&search, (double)i / parts, (double)(i + 1) / parts))
      return false;
  if (room->count > 0)
    report(passing, room, visit);
  return true;
}
