// Contact by smooth surfaces: creates the surfaces of bodies and of mesh obstacles, and assigns
// them to pairs. Tested by tests/contact/test_contact_set.c.
#include "base/memory.h"
#include "contact/core/method.h"
#include "contact/core/provider.h"
#include "contact/smooth/smooth_contacts.h"
#include "contact/smooth/smooth_easing.h"
#include "contact/smooth/smooth_memory.h"
#include "contact/smooth/smooth_paths.h"
#include "contact/smooth/smooth_state.h"
#include "math/vec3.h"

// A third of each skin triangle's rest area to each of its corners; zero off the skin.
static StStatus vertex_areas(const double *position, const int *triangle, int count,
                             int vertex_count, double *area, StError *error) {
  (void)vertex_count, (void)error;
  for (int t = 0; t < count; t++) {
    double third = st_triangle_area(position, triangle + 3 * t) / 3;
    for (int i = 0; i < 3; i++)
      area[triangle[3 * t + i]] += third;
  }
  return ST_OK;
}

static StStatus create(StContacts *contacts, StError *error) {
  int pairs = contacts->description->contact_count;
  struct StSmoothContacts *smooth = contacts->smooth = ST_OWN(contacts, struct StSmoothContacts, 1);
  ST_TRY_MEMORY(smooth, error);
  smooth->side = ST_OWN(contacts, struct StSmoothSide, pairs);
  smooth->surface = ST_OWN(contacts, StSharedSurface, pairs);
  return st_owner_is_whole(contacts) ? ST_OK : st_fail_memory(error);
}

static void destroy(StContacts *contacts) {
  for (int i = 0; contacts->smooth && i < contacts->smooth->surface_count; i++)
    free(contacts->smooth->surface[i].triangle);
}

static StSurfaceOptions options_of(const StContacts *contacts, const StPair *pair) {
  const StContactSettings *settings = &contacts->description->contact_settings;
  return (StSurfaceOptions){.kernel = (StSurfaceKernel)settings->kernel,
                            .radius_multiplier = settings->radius_multiplier,
                            .smoothing = settings->smoothing,
                            .thickness = pair->desc->thickness,
                            .two_sided = pair->smooth->two_sided};
}

static int find_surface(const StContacts *contacts, const StContactDesc *desc) {
  for (int i = 0; i < contacts->smooth->surface_count; i++)
    if (contacts->smooth->surface[i].body == desc->body &&
        contacts->smooth->surface[i].options.thickness == desc->thickness)
      return i;
  return -1;
}

// The skin of a body or an obstacle.
static StStatus add_surface(StContacts *contacts, StPair *pair, const StMesh *mesh,
                            const double *rest, StError *error) {
  StSharedSurface *shared = &contacts->smooth->surface[contacts->smooth->surface_count];
  *shared = (StSharedSurface){
      .body = pair->desc->body, .options = options_of(contacts, pair), .rest = rest};
  ST_TRY(st_contacts_skin(mesh, &shared->triangle, &shared->triangle_count, error));
  pair->smooth->surface = contacts->smooth->surface_count++;
  return ST_OK;
}

// The surface of a body, in local vertex numbers. All ranks know all its vertices.
static StStatus add_body(StContacts *contacts, StPair *pair, const int *local, StError *error) {
  const StDescription *description = contacts->description;
  if ((pair->smooth->surface = find_surface(contacts, pair->desc)) >= 0)
    return ST_OK;
  ST_TRY(add_surface(contacts, pair, description->body[pair->desc->body].mesh,
                     contacts->piece->rest, error));
  const StSharedSurface *shared = &contacts->smooth->surface[pair->smooth->surface];
  int offset = st_description_first_vertex(description, pair->desc->body);
  for (int i = 0; i < 3 * shared->triangle_count; i++)
    shared->triangle[i] = local[offset + shared->triangle[i]];
  return ST_OK;
}

static StStatus add_obstacle(StContacts *contacts, StPair *pair, StError *error) {
  const StObstacleDesc *desc = &contacts->description->obstacle[pair->desc->obstacle];
  if (!desc->mesh)
    return ST_OK;
  pair->smooth->rigid_count = desc->mesh->vertex_count;
  pair->smooth->rigid_first = contacts->piece->vertex_count + contacts->smooth->rigid_count;
  contacts->smooth->rigid_count += pair->smooth->rigid_count;
  pair->smooth->rigid_rest = ST_OWN(contacts, double, 3 * (size_t)pair->smooth->rigid_count);
  ST_TRY_MEMORY(pair->smooth->rigid_rest, error);
  for (int v = 0; v < pair->smooth->rigid_count; v++) {
    mat3_apply(desc->rotation, desc->mesh->position + 3 * v, pair->smooth->rigid_rest + 3 * v);
    vec3_add_scaled(1, desc->origin, pair->smooth->rigid_rest + 3 * v);
  }
  return add_surface(contacts, pair, desc->mesh, pair->smooth->rigid_rest, error);
}

static StStatus add_pair(StContacts *contacts, StPair *pair, const int *local, StError *error) {
  int body = pair->desc->body;
  pair->smooth = &contacts->smooth->side[contacts->pair_count - 1];
  pair->smooth->surface = -1;
  if (body < 0)
    return add_obstacle(contacts, pair, error);
  const StBodyDesc *desc = &contacts->description->body[body];
  pair->smooth->two_sided = !desc->closed && desc->mesh->triangle_count > 0;
  return add_body(contacts, pair, local, error);
}

static double stiffness(const StContactState *state, int pair) {
  return state->smooth->pair[pair].stiffness;
}

const StContactMethodType st_method_smooth = {
    .provider = {&st_provider_smooth, &st_provider_obstacle},
    .normal_law = ST_NORMAL_PENALTY,
    .takes_fixed_basis = true,
    .areas = vertex_areas,
    .create = create,
    .add_pair = add_pair,
    .destroy = destroy,
    .create_state = st_smooth_state_create,
    .begin = st_smooth_state_begin,
    .check_pair = st_smooth_check_pair,
    .stiffness = stiffness,
    .forget = st_smooth_state_forget,
    .displaced = st_smooth_state_forget_sides,
    .pack = st_smooth_memory_pack,
    .unpack = st_smooth_memory_unpack,
    .rename = st_smooth_memory_rename,
    .start = st_smooth_start,
    .stiffen = st_smooth_state_stiffen,
    .commit = st_smooth_state_commit,
    .next_ease = st_smooth_next_ease,
    .ease = st_smooth_ease,
};
