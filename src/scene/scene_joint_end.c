// Ends of joints: which vertices carry one, and with which weights its points follow them.
#include "scene/parts.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "model/attachment.h"
#include "model/body.h"
#include "model/rigid.h"

// A joint couples all its vertices with each other, which is expensive for many.
enum { MOST_VERTICES = 400, RINGS = 4 };

// [count][3] at rest; NULL: out of memory.
static double *places_of(const StDescription *description, const StJointEnd *end) {
  double *rest = ST_NEW(double, 3 * (size_t)end->vertex_count);
  for (int i = 0; rest && i < end->vertex_count; i++)
    vec3_copy(st_scene_vertex(description, end->vertex[i]).position, rest + 3 * (size_t)i);
  return rest;
}

double st_scene_end_radius(const StReader *reader, const StJointEnd *end) {
  ST_FREE double *rest = places_of(reader->description, end);
  return rest ? st_attachment_radius(end->vertex_count, rest) : -1;
}

// Adds all vertices of elements that have a marked one. element: [count][size]
static void grow_marks(const int *element, int count, int size, const bool *marked, bool *more) {
  for (int e = 0; e < count; e++) {
    bool touched = false;
    for (int c = 0; c < size; c++)
      touched = touched || marked[element[size * e + c]];
    for (int c = 0; c < size && touched; c++)
      more[element[size * e + c]] = true;
  }
}

static StStatus take_marks(StReader *reader, const bool *marked, StJointEnd *end) {
  int total = st_description_vertex_count(reader->description), count = 0;
  for (int v = 0; v < total; v++)
    count += marked[v];
  free(end->vertex);
  end->vertex_count = 0;
  ST_TRY_MEMORY(end->vertex = ST_NEW(int, count), reader->error);
  for (int v = 0; v < total; v++)
    if (marked[v])
      end->vertex[end->vertex_count++] = v;
  return ST_OK;
}

// Adds one more ring of elements.
static StStatus grow_end(StReader *reader, StJointEnd *end) {
  const StDescription *description = reader->description;
  size_t total = (size_t)st_description_vertex_count(description);
  ST_FREE bool *marked = ST_NEW(bool, total), *more = ST_NEW(bool, total);
  ST_TRY_MEMORY(marked && more, reader->error);
  for (int i = 0; i < end->vertex_count; i++)
    marked[end->vertex[i]] = more[end->vertex[i]] = true;
  for (int b = 0, first = 0; b < description->body_count; b++) {
    const StMesh *mesh = description->body[b].mesh;
    grow_marks(mesh->tet, mesh->tet_count, 4, marked + first, more + first);
    grow_marks(mesh->triangle, mesh->triangle_count, 3, marked + first, more + first);
    first += mesh->vertex_count;
  }
  return take_marks(reader, more, end);
}

static StStatus choose_nearest(StReader *reader, const StJointSite *site, StJointEnd *end) {
  const StDescription *description = reader->description;
  int body = 0, first = 0, nearest = 0;
  double least = INFINITY;
  if (site->body->kind != ST_JSON_STRING)
    return st_reader_fail(reader, site->body, "must be one name where no region is given");
  ST_TRY(st_scene_find_body(reader, site->body, &body));
  for (int b = 0; b < body; b++)
    first += description->body[b].mesh->vertex_count;
  const StMesh *mesh = description->body[body].mesh;
  for (int v = 0; v < st_body_vertex_count(&description->body[body]); v++) {
    double arm[3];
    vec3_sub(mesh->position + 3 * v, site->place, arm);
    if (vec3_length(arm) < least) {
      least = vec3_length(arm);
      nearest = first + v;
    }
  }
  ST_TRY_MEMORY(end->vertex = ST_NEW(int, 1), reader->error);
  end->vertex[0] = nearest;
  end->vertex_count = 1;
  return grow_end(reader, end);
}

static void set_middle(const StDescription *description, StJointEnd *end) {
  vec3_set(0, 0, 0, end->place[0]);
  for (int i = 0; i < end->vertex_count; i++)
    vec3_add_scaled(1.0 / end->vertex_count, st_scene_vertex(description, end->vertex[i]).position,
                    end->place[0]);
}

// The body if all vertices belong to one rigid body: its carriers then determine any point of it.
static const StBodyDesc *rigid_end(const StDescription *description, const StJointEnd *end) {
  const StBodyDesc *body = NULL;
  for (int i = 0; i < end->vertex_count; i++) {
    const StBodyDesc *of = st_scene_vertex(description, end->vertex[i]).body;
    if (!of->rigid || (body && of != body))
      return NULL;
    body = of;
  }
  return body;
}

static StStatus hold_carriers(StReader *reader, StJointEnd *end) {
  const StDescription *description = reader->description;
  const StBodyDesc *body = rigid_end(description, end);
  if (!body)
    return ST_OK;
  int first = end->vertex[0] - st_scene_vertex(description, end->vertex[0]).own;
  free(end->vertex);
  end->vertex = ST_NEW(int, ST_CARRIERS);
  end->vertex_count = 0;
  ST_TRY_MEMORY(end->vertex, reader->error);
  for (int k = 0; k < ST_CARRIERS; k++)
    end->vertex[end->vertex_count++] = first + st_rigid_first_carrier(body) + k;
  return ST_OK;
}

StStatus st_scene_choose_end(StReader *reader, const StJointSite *site, StJointEnd *end) {
  bool world = !site->body && !site->region;
  vec3_copy(site->place, end->place[0]);
  if (world)
    return ST_OK;
  if (!site->region && !site->point)
    return st_reader_fail(
        reader, site->at,
        "one of the keys \"region\", \"point\" is needed, to say where it is attached");
  if (!site->region) {
    ST_TRY(choose_nearest(reader, site, end));
    return hold_carriers(reader, end);
  }
  ST_TRY(
      st_scene_choose_vertices(reader, site->body, site->region, &end->vertex, &end->vertex_count));
  if (!site->point)
    set_middle(reader->description, end);
  ST_TRY(hold_carriers(reader, end));
  if (end->vertex_count > MOST_VERTICES)
    return st_reader_fail(reader, site->region,
                          "has %d vertices; a joint may have %d at most, because all of them are "
                          "coupled: choose a smaller region",
                          end->vertex_count, MOST_VERTICES);
  return ST_OK;
}

// Three orthogonal directions, the first given or x.
static void find_axes(const double *axis, double axes[3][3]) {
  const double x[3] = {1, 0, 0};
  vec3_copy(axis ? axis : x, axes[0]);
  int least = 0;
  for (int k = 1; k < 3; k++)
    least = fabs(axes[0][k]) < fabs(axes[0][least]) ? k : least;
  double unit[3] = {least == 0, least == 1, least == 2};
  vec3_cross(axes[0], unit, axes[1]);
  double length = vec3_length(axes[1]);
  for (int k = 0; k < 3; k++)
    axes[1][k] /= length;
  vec3_cross(axes[0], axes[1], axes[2]);
}

static StStatus weigh(StReader *reader, int points, StJointEnd *end, double *misfit) {
  ST_FREE double *rest = places_of(reader->description, end);
  free(end->weight);
  end->weight = ST_NEW(double, ST_JOINT_POINTS *(size_t)end->vertex_count);
  ST_TRY_MEMORY(rest && end->weight, reader->error);
  *misfit = st_attach(end->vertex_count, rest, points, (const double(*)[3])end->place, end->weight);
  return ST_OK;
}

// A flat part is extended by adjacent elements, which have depth.
StStatus st_scene_attach_end(StReader *reader, const StJointSite *site, int points,
                             const double *axis, double span, StJointEnd *end) {
  double axes[3][3], misfit = 0;
  find_axes(axis, axes);
  for (int p = 1; p < ST_JOINT_POINTS; p++)
    for (int k = 0; k < 3; k++)
      end->place[p][k] = end->place[0][k] + span * axes[p - 1][k];
  if (end->vertex_count == 0)
    return ST_OK;
  ST_TRY(weigh(reader, points, end, &misfit));
  for (int ring = 0; ring < RINGS && misfit > 1e-6 * span; ring++) {
    ST_TRY(grow_end(reader, end));
    ST_TRY(weigh(reader, points, end, &misfit));
  }
  if (misfit > 1e-6 * span)
    return st_reader_fail(reader, site->at,
                          "the vertices it is attached to are flat, but the joint needs points off "
                          "their plane (off by %g m)",
                          misfit);
  return ST_OK;
}
