// Warns of solid bodies that linear tets make too stiff: few cells through a slender body,
// materials that hardly change their volume, and slivers. Cells are counted by second moments,
// which depend neither on how a body is turned nor on how its cells are cut into tets.
#include "scene/parts.h"

#include "base/memory.h"
#include "math/eigen.h"
#include "math/vec3.h"
#include "mesh/cage.h"
#include "mesh/check.h"
#include "scene/tunables.h"

#include <string.h>

static const double ROUNDING = 1e-6; // of that, for meshes in single precision

static const double CELLS_GOOD = 4; // cubes

// Of each kind of warning; the other bodies are counted.
enum { WARNED_MOST = 4 };

typedef struct Extent {
  double length, thickness; // m, of a box with the same second moments
  double cells;             // through the thickness
  double aspect;            // their length along the body over their height
  double filled;            // part of that box
} Extent;

// Uses of a vertex in a scene.
typedef enum Use { HELD = 1, TIED = 2 } Use; // all of it prescribed; held, loaded or in a joint

typedef struct Warned {
  int bending, locking, slivers;
} Warned;

// spread += weight · (x − from)(x − from)ᵀ
static void add_spread(const double x[3], const double from[3], double weight, double spread[9]) {
  double way[3];
  vec3_sub(x, from, way);
  for (int k = 0; k < 9; k++)
    spread[k] += weight * way[k / 3] * way[k % 3];
}

static void centre_of_tet(const StMesh *mesh, int t, double centre[3]) {
  vec3_set(0, 0, 0, centre);
  for (int i = 0; i < 4; i++)
    vec3_add_scaled(0.25, mesh->position + 3 * (size_t)mesh->tet[4 * t + i], centre);
}

static double volume_of_tet(const StMesh *mesh, int t) {
  return st_mesh_fill_part(mesh, t) * st_tet_volume(mesh->position, mesh->tet + 4 * (size_t)t);
}

static void centre_of(const StMesh *mesh, double centre[3]) {
  double sum[3] = {0, 0, 0}, volume = 0;
  for (int t = 0; t < mesh->tet_count; t++) {
    double middle[3], part = volume_of_tet(mesh, t);
    centre_of_tet(mesh, t, middle);
    vec3_add_scaled(part, middle, sum);
    volume += part;
  }
  vec3_set(0, 0, 0, centre);
  vec3_add_scaled(1 / volume, sum, centre);
}

// Variances of position: of the whole body, and the mean of its tets, each about its own centre;
// times the volume. That of a tet is Σ (x − c)(x − c)ᵀ/20 over its corners.
static double spreads_of(const StMesh *mesh, double whole[9], double tets[9]) {
  double centre[3], volume = 0;
  centre_of(mesh, centre);
  memset(whole, 0, 9 * sizeof *whole);
  memset(tets, 0, 9 * sizeof *tets);
  for (int t = 0; t < mesh->tet_count; t++) {
    double middle[3], part = volume_of_tet(mesh, t);
    centre_of_tet(mesh, t, middle);
    add_spread(middle, centre, part, whole);
    for (int i = 0; i < 4; i++)
      add_spread(mesh->position + 3 * (size_t)mesh->tet[4 * t + i], middle, part / 20, tets);
    volume += part;
  }
  for (int k = 0; k < 9; k++)
    whole[k] += tets[k];
  return volume;
}

static double along(const double matrix[9], const double vector[9], int column) {
  double sum = 0;
  for (int k = 0; k < 9; k++)
    sum += matrix[k] * vector[3 * (k / 3) + column] * vector[3 * (k % 3) + column];
  return sum;
}

// A box of thickness a has the variance a²/12, and tets in cells of height h have h²/24 in the
// mean, cut into five or six. Where a second direction is as thin, to 10 %, both count: the axes
// found between them are arbitrary.
static Extent extent_of(const StMesh *mesh) {
  double whole[9], tets[9], value[3], vector[9], body = 0, cell = 0;
  double volume = spreads_of(mesh, whole, tets);
  int most = 0, thin = 0;
  mat3_eigen(whole, value, vector);
  double least = fmin(fmin(value[0], value[1]), value[2]);
  for (int k = 0; k < 3; k++) {
    most = value[k] > value[most] ? k : most;
    if (value[k] <= 1.1 * 1.1 * least) {
      body += value[k];
      cell += along(tets, vector, k);
      thin++;
    }
  }
  double box =
      sqrt(12 * value[0] / volume) * sqrt(12 * value[1] / volume) * sqrt(12 * value[2] / volume);
  return (Extent){.length = sqrt(12 * value[most] / volume),
                  .thickness = sqrt(12 * least / volume),
                  .cells = sqrt(body / (2 * cell)),
                  .aspect = sqrt(along(tets, vector, most) * thin / cell),
                  .filled = volume / box};
}

static double bent_part(double cells, double aspect) {
  double squared = cells * cells;
  return squared / (squared + st_scene_tunables.bending_cells +
                    st_scene_tunables.bending_aspect * aspect * aspect);
}

static void mark(const int *vertex, int count, Use use, unsigned char *used) {
  for (int i = 0; i < count; i++)
    used[vertex[i]] |= (unsigned char)use;
}

// used: [vertices of all bodies] Use
static void mark_used(const StDescription *description, unsigned char *used) {
  for (int i = 0; i < description->boundary_count; i++) {
    const StBoundaryDesc *boundary = &description->boundary[i];
    bool all = boundary->axis[0] && boundary->axis[1] && boundary->axis[2];
    mark(boundary->vertex, boundary->vertex_count, all ? HELD | TIED : TIED, used);
  }
  for (int i = 0; i < description->load_count; i++) {
    const StLoadDesc *load = &description->load[i];
    mark(load->vertex, load->vertex_count, TIED, used);
    mark(load->triangle, 3 * load->triangle_count, TIED, used);
  }
  for (int i = 0; i < description->joint_count; i++)
    for (int k = 0; k < 2; k++) {
      const StJointEnd *end = &description->joint[i].end[k];
      mark(end->vertex, end->vertex_count, TIED, used);
    }
  for (int i = 0; i < description->bearing_count; i++)
    mark(description->bearing[i].vertex, description->bearing[i].vertex_count, TIED, used);
}

// Of a beam of this shape on two supports under its own weight, over its length: 5 w L³/(384 E I).
static double sag_of(const StDescription *description, int body, const Extent *extent) {
  StBodyMakeup makeup;
  st_scene_body_makeup(description, &description->body[body], &makeup);
  double slender = extent->length / extent->thickness;
  return 5.0 / 32 * makeup.density * st_scene_body_pull(description, body) * extent->length *
         slender * slender / makeup.young;
}

// used: [vertices of this body]
static bool may_bend(const StDescription *description, int body, const Extent *extent,
                     const unsigned char *used) {
  int held = 0, tied = 0, count = description->body[body].mesh->vertex_count;
  for (int v = 0; v < count; v++) {
    held += (used[v] & HELD) != 0;
    tied += (used[v] & TIED) != 0;
  }
  return extent->length > st_scene_tunables.slender_ratio * (1 + ROUNDING) * extent->thickness &&
         extent->filled > st_scene_tunables.bending_filled &&
         held < st_scene_tunables.bending_held * count &&
         (tied > 0 || sag_of(description, body, extent) >= st_scene_tunables.bending_sag);
}

static void warn_bending(const StReader *reader, int index, const unsigned char *used,
                         Warned *warned) {
  const StDescription *description = reader->description;
  const StBodyDesc *body = &description->body[index];
  Extent extent = extent_of(body->mesh);
  double part = bent_part(extent.cells, extent.aspect);
  if (!(part < st_scene_tunables.bending_warned) || !may_bend(description, index, &extent, used) ||
      warned->bending++ >= WARNED_MOST)
    return;
  st_log(reader->log, ST_WARNING,
         "%sbends too little, by about %.2g %% of the right amount: it is %.2g times as long as "
         "thick, with about %.2g cell%s of tetrahedra through its thickness of %.3g m, each about "
         "%.2g times as long as high; %g cells with edges of %.3g m give %.0f %%%s. A thin sheet "
         "can be a shell, and what need not bend rigid",
         body->source, 100 * part, extent.length / extent.thickness, extent.cells,
         extent.cells < 1.05 ? "" : "s", extent.thickness, extent.aspect, CELLS_GOOD,
         extent.thickness / CELLS_GOOD, 100 * bent_part(CELLS_GOOD, 1),
         body->mesh->cage ? "" : ", \"order\": 2 nearly all of it");
}

// The material of its tets that changes its volume least.
static int stiffest_volume(const StDescription *description, const StBodyDesc *body) {
  int found = body->material;
  for (int i = 0; i < body->label_material_count; i++) {
    int material = body->label_material[i].material;
    if (!description->material[material].shell &&
        st_scene_elasticity(&description->material[material]).poisson >
            st_scene_elasticity(&description->material[found]).poisson)
      found = material;
  }
  return found;
}

static void warn_locking(const StReader *reader, const StBodyDesc *body, Warned *warned) {
  const StDescription *description = reader->description;
  const StMaterialDesc *material = &description->material[stiffest_volume(description, body)];
  double poisson = st_scene_elasticity(material).poisson;
  if (!(poisson > st_scene_tunables.poisson_warned * (1 + ROUNDING)) ||
      warned->locking++ >= WARNED_MOST)
    return;
  st_log(reader->log, ST_WARNING,
         "%shas the material \"%.60s\" with a Poisson's ratio of %.4g: tetrahedra lock above %g, "
         "and give too little (a beam with two cells through it bends by 10 %% less at 0.49). %s",
         body->source, material->name, poisson, st_scene_tunables.poisson_warned,
         body->mesh->cage ? "Take a smaller ratio, or compare with a finer cage"
                          : "Give the body \"order\": 2, or take a smaller ratio");
}

static void warn_slivers(const StReader *reader, const StBodyDesc *body, Warned *warned) {
  const StMesh *mesh = body->mesh;
  double worst = INFINITY;
  int count = 0, at = -1;
  for (int t = 0; t < mesh->tet_count; t++) {
    double quality = st_tet_quality(mesh->position, mesh->tet + 4 * (size_t)t);
    count += quality < st_scene_tunables.quality_warned;
    at = quality < worst ? t : at;
    worst = fmin(worst, quality);
  }
  if (count == 0 || warned->slivers++ >= WARNED_MOST)
    return;
  st_log(reader->log, ST_WARNING,
         "%s%d of %d tetrahedra are nearly flat, with a quality below %g (1: regular); the worst, "
         "tet %d, has %.2g; they make a body stiff and steps hard to solve: mesh it again",
         body->source, count, mesh->tet_count, st_scene_tunables.quality_warned, at, worst);
}

static void count_rest(const StReader *reader, int count, const char *what) {
  if (count > WARNED_MOST)
    st_log(reader->log, ST_WARNING, "%s: %d more bodies %s", reader->name, count - WARNED_MOST,
           what);
}

StStatus st_scene_warn_elements(const StReader *reader) {
  const StDescription *description = reader->description;
  ST_FREE unsigned char *used = ST_NEW(unsigned char, st_description_vertex_count(description));
  Warned warned = {0};
  ST_TRY_MEMORY(used, reader->error);
  mark_used(description, used);
  for (int b = 0, first = 0; b < description->body_count; b++) {
    const StBodyDesc *body = &description->body[b];
    if (!body->rigid && body->mesh->tet_count > 0) {
      if (!body->mesh->second_order) {
        warn_bending(reader, b, used + first, &warned);
        warn_locking(reader, body, &warned);
      }
      warn_slivers(reader, body, &warned);
    }
    first += body->mesh->vertex_count;
  }
  count_rest(reader, warned.bending, "bend too little, for the same reason");
  count_rest(reader, warned.locking, "have a Poisson's ratio at which tetrahedra lock");
  count_rest(reader, warned.slivers, "have tetrahedra that are nearly flat");
  return ST_OK;
}
