// Skins at given positions and times.
#include "contact/core/skins.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "model/contact_pairs.h"
#include "contact/tunables.h"

static const double FLAT_ANGLE = 1e-6;

static const double LARGER = 1 + 1e-9;     // areas that differ by less are equal to round-off
static const double FLAT_SHARPNESS = 1e-3; // the reach of such edges differs by less than 0.1 %

void st_skins_destroy(StSkins *skins) {
  st_owner_free(skins);
}

static void place_skin(const StSkins *skins, const StSkin *skin, double time, double *position,
                       double *velocity) {
  const StMotion *motion = &skins->description->obstacle[skin->obstacle].motion;
  StRigidPose pose;
  bool moves = st_motion_moves(motion);
  if (moves)
    st_motion_pose(motion, time, &pose);
  for (int i = skin->first_point; i < skin->first_point + skin->point_count; i++) {
    size_t at = 3 * (size_t)skins->point_place[i];
    double speed[3] = {0};
    if (moves)
      st_pose_apply(&pose, skins->rest + at, position + at, speed);
    else
      vec3_copy(skins->rest + at, position + at);
    if (velocity)
      vec3_copy(speed, velocity + at);
  }
}

void st_skins_place_rigid(const StSkins *skins, double time, double *position, double *velocity) {
  for (size_t at = 3 * (size_t)skins->vertex_count; at < 3 * (size_t)skins->place_count; at++) {
    position[at] = skins->rest[at]; // including vertices of a mesh without triangles
    if (velocity)
      velocity[at] = 0;
  }
  for (int s = 0; s < skins->skin_count; s++)
    if (skins->skin[s].obstacle >= 0)
      place_skin(skins, &skins->skin[s], time, position, velocity);
}

int st_skins_of_obstacle(const StSkins *skins, int obstacle) {
  for (int s = skins->skin_count - 1; s >= 0 && skins->skin[s].obstacle >= 0; s--)
    if (skins->skin[s].obstacle == obstacle)
      return s;
  return -1;
}

static int opposite(const StSkins *skins, int triangle, const int *edge) {
  const int *corner = skins->triangle_place + 3 * (size_t)triangle;
  for (int i = 0; i < 3; i++)
    if (corner[i] != edge[0] && corner[i] != edge[1])
      return corner[i];
  return corner[0];
}

// From the edge to a point, perpendicular to the edge, times the edge's squared length.
static void away_from_edge(const double *a, const double *b, const double *x, double out[3]) {
  double along[3], to[3], normal[3];
  vec3_sub(b, a, along);
  vec3_sub(x, a, to);
  vec3_cross(along, to, normal);
  vec3_cross(normal, along, out);
}

// How much two triangles deviate from a common plane, regardless of orientation.
static double bend_angle(const StSkins *skins, const double *position, int e) {
  const int *edge = skins->edge_place + 2 * (size_t)e;
  const int *triangle = skins->edge_triangle + 2 * (size_t)e;
  double away[2][3], cross[3];
  for (int k = 0; k < 2; k++)
    away_from_edge(position + 3 * (size_t)edge[0], position + 3 * (size_t)edge[1],
                   position + 3 * (size_t)opposite(skins, triangle[k], edge), away[k]);
  vec3_cross(away[0], away[1], cross);
  return atan2(vec3_length(cross), -vec3_dot(away[0], away[1]));
}

void st_skins_sharpen(const StSkins *skins, const double *position, double *sharpness) {
  for (int e = 0; e < skins->edge_count; e++) {
    sharpness[e] = 1;
    if (skins->edge_adjacent[e] != 2 || skins->edge_triangle[2 * (size_t)e + 1] < 0)
      continue;
    bool rigid = skins->edge_place[2 * (size_t)e] >= skins->vertex_count;
    double angle = bend_angle(skins, rigid ? skins->rest : position, e);
    if (skins->skin[skins->edge_skin[e]].curved && angle > FLAT_ANGLE)
      continue;
    double s = fmin(angle / st_contact_tunables.sharp_angle, 1);
    sharpness[e] = s * s * (3 - 2 * s);
  }
}

static bool bends(const StSkins *skins, const StSkin *skin) {
  return skin->obstacle < 0 && !skins->description->body[skin->body].rigid;
}

bool st_skins_yields(const StSkins *skins, int skin, int other) {
  const StSkin *a = &skins->skin[skin], *b = &skins->skin[other];
  return a->obstacle >= 0 || (b->obstacle < 0 && !bends(skins, a) && a->area > LARGER * b->area);
}

void st_skins_flatten(StSkins *skins, const double *sharpness) {
  for (int p = 0; p < skins->point_count; p++)
    skins->point_flat[p] = !bends(skins, &skins->skin[skins->point_skin[p]]);
  for (int i = 0; i < 2 * skins->edge_count; i++)
    if (sharpness[i / 2] > FLAT_SHARPNESS)
      skins->point_flat[skins->point[skins->edge_place[i]]] = false;
  for (int s = 0; s < skins->skin_count; s++) {
    StSkin *skin = &skins->skin[s];
    double area = 0;
    int pressing = 0;
    for (int p = skin->first_point; skin->radius == 0 && p < skin->first_point + skin->point_count;
         p++) {
      area += skins->point_area[p];
      pressing += !skins->point_flat[p];
    }
    skin->rim_grain = pressing > 0 ? area / pressing : skin->grain;
    skin->area = area;
  }
}

// Finds the sides of a pair of skins as surfaces of the description, the lower one first. False:
// they never have contact.
static bool find_sides(const StSkins *skins, int a, int b, int side[2]) {
  const StSkin *first = &skins->skin[a < b ? a : b], *second = &skins->skin[a < b ? b : a];
  bool bodies = second->body >= 0;
  side[0] = first->body; // bodies come first
  side[1] = bodies ? second->body : skins->description->body_count + second->obstacle;
  return first->body >= 0 && (!bodies || (first->whole && second->whole));
}

int st_skins_law(const StSkins *skins, int a, int b) {
  int side[2];
  if (skins->law)
    return skins->law[(size_t)a * (size_t)skins->skin_count + (size_t)b];
  int pair =
      find_sides(skins, a, b, side) ? st_pair_of(skins->description, side[0], side[1]) : ST_NO_PAIR;
  return pair == ST_NO_PAIR ? -1 : pair;
}

double st_skins_reach(const StSkins *skins, int a, int b) {
  int side[2], law = skins->law ? st_skins_law(skins, a, b) : -1;
  if (skins->law)
    return law < 0 ? 0 : skins->description->contact[law].thickness;
  return find_sides(skins, a, b, side)
             ? fmax(st_pair_reach(skins->description, side[0], side[1]), 0)
             : 0;
}

double st_skins_radii(const StSkins *skins, int a, int b) {
  return skins->skin[a].radius + skins->skin[b].radius;
}

bool st_skins_within_two_rings(const StSkins *skins, int a, int b) {
  const int *list = skins->neighbour;
  int i = skins->around[a], i_end = skins->around[a + 1];
  int k = skins->around[b], k_end = skins->around[b + 1];
  if (a == b)
    return true;
  while (i < i_end && k < k_end) {
    if (list[i] == list[k] || list[i] == b || list[k] == a)
      return true;
    *(list[i] < list[k] ? &i : &k) += 1;
  }
  for (; i < i_end; i++)
    if (list[i] == b)
      return true;
  return false;
}
