// Rayleigh damping: f = −α m v − β K(q) v, α and β of each element's material, K the stiffness at
// the current q without the part due to stress: that part is negative where a compressed element
// buckles, and would drive the motion instead of damping it.
#include "base/memory.h"
#include "force/hinge_set.h"
#include "force/list.h"
#include "force/membrane_set.h"
#include "force/tet_damping.h"
#include "model/body.h"

typedef struct Damping {
  const StDescription *description;
  const StPiece *piece;
  StTetDamping *tets;
  StElementSet *triangles; // their energies times β, …
  StHingeSet *hinges;      // … and those of hinges
  double *drag;            // [vertex_count] Σ α m over owned elements, kg/s
  double *drag_complete;   // [owned_count] the same over all elements
  int *diagonal;           // [owned_count] diagonal blocks of the bound matrix
} Damping;

static void destroy(void *data) {
  Damping *damping = data;
  if (!damping)
    return;
  st_tet_damping_destroy(damping->tets);
  st_element_set_destroy(damping->triangles);
  st_hinge_set_destroy(damping->hinges);
  free(damping->drag);
  free(damping->drag_complete);
  free(damping->diagonal);
  free(damping);
}

// Every element contributes its share of the lumped mass, so that α may differ between labels.
static void add_share(Damping *damping, bool owned, const int *vertex, int corners, double share) {
  for (int a = 0; a < corners; a++) {
    if (owned)
      damping->drag[vertex[a]] += share;
    if (vertex[a] < damping->piece->owned_count)
      damping->drag_complete[vertex[a]] += share;
  }
}

static void add_drag(Damping *damping) {
  const StPiece *piece = damping->piece;
  const StMaterialDesc *all = damping->description->material;
  for (int t = 0; t < piece->tet_count; t++) {
    const StMaterialDesc *material = &all[piece->tet_material[t]];
    const int *vertex = piece->tet + 4 * (size_t)t;
    double volume[4];
    st_piece_corner_volumes(piece, t, volume);
    for (int i = 0; i < 4; i++)
      add_share(damping, t < piece->owned_tet_count, vertex + i, 1,
                material->mass_damping * material->density * volume[i] * piece->lumping[vertex[i]]);
  }
  for (int t = 0; t < piece->triangle_count; t++) {
    const StMaterialDesc *material = &all[piece->triangle_material[t]];
    const int *vertex = piece->triangle + 3 * (size_t)t;
    double mass = material->density * st_triangle_area(piece->rest, vertex) / 3;
    add_share(damping, t < piece->owned_triangle_count, vertex, 3, material->mass_damping * mass);
  }
  for (int v = 0; v < piece->owned_count; v++) {
    const StBodyDesc *body = &damping->description->body[piece->body[v]];
    if (body->rigid)
      add_share(damping, true, &v, 1, all[body->material].mass_damping * piece->mass[v]);
  }
}

static StStatus build_shells(Damping *damping, StError *error) {
  const StDescription *description = damping->description;
  ST_FREE double *beta = ST_NEW(double, description->material_count);
  ST_TRY_MEMORY(beta, error);
  for (int i = 0; i < description->material_count; i++)
    beta[i] = description->material[i].stiffness_damping;
  ST_TRY(st_membrane_set_create(description, damping->piece, beta, &damping->triangles, error));
  return st_hinge_set_create(description, damping->piece, beta, &damping->hinges, error);
}

static StStatus build(const StForceSite *site, void **data, StError *error) {
  const StPiece *piece = site->piece;
  Damping *damping = *data;
  damping->description = site->description;
  damping->piece = piece;
  damping->drag = ST_NEW(double, piece->vertex_count);
  damping->drag_complete = ST_NEW(double, piece->owned_count);
  damping->diagonal = ST_NEW(int, piece->owned_count);
  ST_TRY_MEMORY(damping->drag && damping->drag_complete && damping->diagonal, error);
  add_drag(damping);
  ST_TRY(st_tet_damping_create(damping->description, piece, &damping->tets, error));
  return build_shells(damping, error);
}

static bool present(const StForceSite *site) {
  const StDescription *description = site->description;
  bool solid = false, shell = false;
  for (int b = 0; b < description->body_count; b++) {
    solid |= description->body[b].mesh->tet_count > 0 || description->body[b].rigid;
    shell |= st_body_shell_count(&description->body[b]) > 0;
  }
  for (int i = 0; i < description->material_count; i++) {
    const StMaterialDesc *material = &description->material[i];
    bool damped = material->mass_damping > 0 || material->stiffness_damping > 0;
    if (damped && (material->shell ? shell : solid))
      return true;
  }
  return false;
}

static StStatus bind(void *data, const StBlockMatrix *matrix, StError *error) {
  Damping *damping = data;
  for (int v = 0; v < damping->piece->owned_count; v++) {
    damping->diagonal[v] = st_block_matrix_slot(matrix, v, v);
    ST_CHECK(damping->diagonal[v] >= 0, error);
  }
  ST_TRY(st_tet_damping_bind(damping->tets, matrix, error));
  ST_TRY(st_element_set_bind(damping->triangles, matrix, error));
  return st_element_set_bind(damping->hinges->elements, matrix, error);
}

static bool add_shells(const Damping *damping, const StPoint *at, double *force,
                       StTrouble *trouble) {
  const StPiece *piece = damping->piece;
  const StElementSet *set[] = {damping->triangles, damping->hinges->elements};
  const int *id[] = {piece->triangle_id, NULL};
  for (int s = 0; s < ST_LENGTH(set); s++) {
    int place = st_element_set_add(set[s], at, true, force);
    if (place >= 0) {
      st_element_set_report(set[s], place, piece, at->position, id[s], trouble);
      return false;
    }
  }
  return true;
}

static bool add(const void *data, const StPoint *at, double *force, StTrouble *trouble) {
  const Damping *damping = data;
  for (int v = 0; v < damping->piece->vertex_count; v++)
    for (int i = 0; i < 3; i++)
      force[3 * v + i] -= damping->drag[v] * at->velocity[3 * v + i];
  if (st_tet_damping_add(damping->tets, at, force, trouble) &&
      add_shells(damping, at, force, trouble))
    return true;
  trouble->force = st_force_damping.name;
  return false;
}

static void add_blocks(const void *data, const StPoint *at, double by_position, double by_velocity,
                       StBlockMatrix *matrix) {
  const Damping *damping = data;
  for (int v = 0; v < damping->piece->owned_count; v++)
    for (int i = 0; i < 3; i++)
      matrix->value[9 * (size_t)damping->diagonal[v] + (size_t)(4 * i)] -=
          by_velocity * damping->drag_complete[v];
  st_tet_damping_add_blocks(damping->tets, at, by_position, by_velocity, matrix);
  st_element_set_add_blocks(damping->triangles, at, true, by_position, by_velocity, matrix);
  st_element_set_add_blocks(damping->hinges->elements, at, true, by_position, by_velocity, matrix);
}

static void add_complex(const void *data, const StPoint *at, const StDual *position,
                        const StDual *velocity, StDual *force) {
  (void)at;
  const Damping *damping = data;
  for (int v = 0; v < damping->piece->vertex_count; v++)
    for (int i = 0; i < 3; i++)
      force[3 * v + i] -= damping->drag[v] * velocity[3 * v + i];
  st_tet_damping_add_complex(damping->tets, position, velocity, force);
  st_element_set_add_complex(damping->triangles, position, velocity, force);
  st_element_set_add_complex(damping->hinges->elements, position, velocity, force);
}

const StForceType st_force_damping = {
    .name = "damping",
    .summary =
        "Rayleigh damping of solids and shells, −α m v − β K(q) v, with α (mass_damping) and "
        "β (stiffness_damping) of each material.",
    .by_velocity = true,
    .present = present,
    .size = sizeof(Damping),
    .build = build,
    .destroy = destroy,
    .bind = bind,
    .add = add,
    .add_blocks = add_blocks,
    .add_complex = add_complex,
};
