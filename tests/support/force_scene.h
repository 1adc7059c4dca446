// Two small bodies and a patch of shell, with one material per law, strongly deformed and moving:
// where every force of the list is put to the test. Also the same split into pieces, as ranks would
// hold them.
#ifndef TESTS_SUPPORT_FORCE_SCENE_H
#define TESTS_SUPPORT_FORCE_SCENE_H

#include "base/memory.h"
#include "contact/core/obstacle.h"
#include "force/joint.h"
#include "force/list.h"
#include "force/shell_material.h"
#include "force/volume_model.h"
#include "mesh/check.h"
#include "mesh/second_order.h"
#include "model/attachment.h"
#include "model/partition.h"
#include "support/box_mesh.h"
#include "support/law_sample.h"

enum {
  SCENE_MATERIALS = 8,
  SCENE_BODIES = 4,
  SCENE_VOLUMES = 4,
  SCENE_FORCES = 16,
  SCENE_JOINTS = 12
};

typedef struct ForceScene {
  StMaterialDesc material[SCENE_MATERIALS];
  StBodyDesc body[SCENE_BODIES];
  StLabelMaterial label_material[SCENE_BODIES][SCENE_MATERIALS];
  StAccelerationDesc acceleration[2];
  StObstacleDesc obstacle[1];
  StContactDesc contact[5];
  StVolumeDesc volume[SCENE_VOLUMES];
  StBearingDesc bearing[1];
  StLoadDesc load[3];
  StJointDesc joint[SCENE_JOINTS];
  StForceDesc force[SCENE_FORCES];
  StDescription description;
  StPiece *piece;
  int solid_count; // materials of solids; those of shells follow
  int numbers;     // 3 × vertices
  double *position, *velocity;
} ForceScene;

typedef struct SceneChoice {
  bool rotation_invariant_only;
  double mass_damping, stiffness_damping; // grow with the material's number
  bool second_order;                      // one body of such tets, curved ones, alone
} SceneChoice;

static inline void scene_add_materials(ForceScene *scene, SceneChoice choice) {
  for (const StMaterialLaw *const *law = st_material_laws; *law; law++) {
    if (choice.rotation_invariant_only && !(*law)->rotation_invariant)
      continue;
    int n = scene->description.material_count;
    if (n == SCENE_MATERIALS)
      return;
    StMaterialDesc *material = &scene->material[n];
    material->law.name = (*law)->name;
    law_sample(*law, 0.8 + 0.03 * n, material->law.value);
    material->density = 900 + 150 * n;
    material->mass_damping = choice.mass_damping * (1 + n);
    material->stiffness_damping = choice.stiffness_damping * (1 + 0.5 * n);
    scene->description.material_count++;
  }
}

// Elements of a body carry labels in turn, each label with a material of its own but the first.
static inline bool scene_add_body(ForceScene *scene, int b, const BoxGrid *grid) {
  StBodyDesc *body = &scene->body[b];
  int materials = scene->description.material_count;
  body->mesh = box_mesh_create(grid);
  if (!body->mesh)
    return false;
  body->material = b % materials;
  body->label_material = scene->label_material[b];
  for (int m = 0; m < materials; m++) {
    char name[2] = {(char)('a' + m), 0};
    int label = st_mesh_label(body->mesh, name);
    if (m > 0)
      body->label_material[body->label_material_count++] = (StLabelMaterial){label, m};
  }
  for (int t = 0; t < body->mesh->tet_count; t++)
    body->mesh->tet_label[t] = t % (materials + 1) - 1;
  scene->description.body_count++;
  return true;
}

// As stiff as the solids, so that no force is lost beside theirs.
static inline double scene_shell_value(const StParam *param) {
  const struct {
    StDimension dimension;
    double value;
  } sample[] = {{ST_LENGTH_DIMENSION, 0.1}, {ST_PRESSURE, 8e6}, {ST_TENSION, 1.1e6}, {ST_PURE, 0.4},
                {ST_AREA_DENSITY, 300},     {ST_ENERGY, 7e4}};
  for (int i = 0; i < ST_LENGTH(sample); i++)
    if (st_dimension_equal(sample[i].dimension, param->dimension))
      return sample[i].value;
  abort();
}

static inline void scene_add_shell_materials(ForceScene *scene, SceneChoice choice) {
  scene->solid_count = scene->description.material_count;
  for (int l = 0; st_shell_laws[l]; l++) {
    int n = scene->description.material_count++;
    StMaterialDesc *material = &scene->material[n];
    material->shell = true;
    material->law.name = st_shell_laws[l]->name;
    for (int i = 0; i < st_shell_laws[l]->param_count; i++)
      material->law.value[i] = scene_shell_value(&st_shell_laws[l]->param[i]) * (1 + 0.3 * l);
    material->density = st_shell_laws[l]->area_density(material->law.value, 2000);
    material->mass_damping = choice.mass_damping * (1 + n);
    material->stiffness_damping = choice.stiffness_damping * (1 + 0.5 * n);
  }
}

// Three by three vertices, curved; the cells right of the middle have the last material.
static inline bool scene_add_patch(ForceScene *scene) {
  StBodyDesc *body = &scene->body[scene->description.body_count];
  StMesh *mesh = body->mesh = st_mesh_create(9, 0, 8);
  if (!mesh)
    return false;
  body->shell = scene->solid_count;
  body->label_material = scene->label_material[scene->description.body_count++];
  int label = st_mesh_label(mesh, "right");
  body->label_material[body->label_material_count++] =
      (StLabelMaterial){label, scene->description.material_count - 1};
  for (int v = 0; v < 9; v++) {
    double x = 0.5 * (v % 3), y = 0.55 * (v / 3) + 0.1 * x;
    vec3_set(x, y, 2 + 0.3 * x * x - 0.2 * x * y + 0.1 * y, mesh->position + 3 * v);
  }
  const int corner[8][3] = {{0, 1, 4}, {0, 4, 3}, {3, 4, 7}, {3, 7, 6},
                            {1, 2, 5}, {1, 5, 4}, {4, 5, 8}, {4, 8, 7}};
  memcpy(mesh->triangle, corner, sizeof corner);
  for (int t = 0; t < 8; t++)
    mesh->triangle_label[t] = t < 4 ? -1 : label;
  return true;
}

// The carriers of a rigid body, which carry nothing here.
static inline bool scene_add_rigid(ForceScene *scene) {
  StBodyDesc *body = &scene->body[scene->description.body_count];
  const double place[12] = {3, 0, 0.1, 3.6, 0.1, 0, 3.1, 0.5, 0, 2.9, 0.2, 0.8};
  StMesh *mesh = body->mesh = st_mesh_create(4, 0, 0);
  if (!mesh)
    return false;
  scene->description.body_count++;
  memcpy(mesh->position, place, sizeof place);
  body->rigid = true;
  body->rigid_mass = 40;
  body->rigid_stiffness = 3e4;
  return true;
}

// Positions of the patch, which comes before the rigid body.
static inline double *scene_patch(const ForceScene *scene) {
  return scene->position + scene->numbers - 27 - 12;
}

// Turns a corner of the patch, which only one triangle has, about that triangle's inner edge, past
// the upright.
static inline void scene_fold(ForceScene *scene) {
  double *patch = scene_patch(scene);
  double axis[3], arm[3], turned[3], R[9];
  vec3_sub(patch + 3 * 5, patch + 3 * 1, axis);
  vec3_sub(patch + 3 * 2, patch + 3 * 1, arm);
  double length = vec3_length(axis);
  for (int i = 0; i < 3; i++)
    axis[i] /= length;
  mat3_rotation(axis, 2.1, R);
  mat3_apply(R, arm, turned);
  for (int i = 0; i < 3; i++)
    patch[3 * 2 + i] = patch[3 * 1 + i] + turned[i];
}

static inline void scene_deform(ForceScene *scene) {
  uint64_t state = 41;
  double F[9] = {1.3, 0.4, -0.2, -0.3, 0.8, 0.25, 0.15, -0.35, 1.1};
  bool patch = scene->description.body_count > 1;
  for (int v = 0; v < scene->piece->vertex_count; v++) {
    mat3_apply(F, scene->piece->rest + 3 * v, scene->position + 3 * v);
    for (int i = 0; i < 3; i++)
      scene->position[3 * v + i] += random_between(&state, -0.06, 0.06);
  }
  for (int i = 0; patch && i < 27; i++)
    scene_patch(scene)[i] += (const double[3]){0.2, -0.6, -1.5}[i % 3];
  if (patch)
    scene_fold(scene);
  random_fill(&state, -2, 2, scene->numbers, scene->velocity);
}

// A slanted floor that moves under both bodies' feet, each body against the other, and the first
// against the patch, which lies over it and is met from its back.
static inline void scene_add_contacts(ForceScene *scene) {
  const StFrictionDesc friction = {.dynamic_coefficient = 0.4,
                                   .static_coefficient = 0.7,
                                   .viscous_coefficient = 3,
                                   .sticking_speed = 0.5,
                                   .stribeck_speed = 4};
  scene->obstacle[0] =
      (StObstacleDesc){.shape = {.name = st_obstacle_find("sphere")->name, .value = {3}},
                       .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                       .origin = {0.4, 0.3, -3.1}};
  scene->contact[0] = (StContactDesc){0, -1, 0, 0.4, 200, friction};
  scene->contact[1] = (StContactDesc){0, 1, -1, 0.35, 300, friction};
  scene->contact[2] = (StContactDesc){1, 0, -1, 0.35, 250, friction};
  scene->contact[3] = (StContactDesc){0, 2, -1, 0.3, 350, friction};
  scene->contact[4] = (StContactDesc){2, 0, -1, 0.3, 150, friction};
  scene->description.obstacle = scene->obstacle;
  scene->description.obstacle_count = 1;
  scene->description.contact = scene->contact;
  scene->description.contact_count = ST_LENGTH(scene->contact);
  scene->description.contact_settings = (StContactSettings){
      .area_weighted = true, .radius_multiplier = 2, .smoothing = 0.1, .friction_iterations = 1};
}

// One space per model, in turn around either solid.
static inline bool scene_add_volumes(ForceScene *scene) {
  static double time[] = {0.2, 1.1}, pressure[] = {1.3e5, 3.1e5};
  scene->description.volume = scene->volume;
  for (int m = 0; st_volume_models[m] && m < SCENE_VOLUMES; m++) {
    StVolumeDesc *volume = &scene->volume[m];
    const StMesh *mesh = scene->body[m % 2].mesh;
    *volume = (StVolumeDesc){.model = {st_volume_models[m]->name, {1e-5}},
                             .rest_volume = 0.3 + 0.1 * m,
                             .outside_pressure = 1e5,
                             .pressure = {.key_count = 2, .time = time, .value = pressure}};
    if (st_mesh_boundary(mesh, &volume->triangle, &volume->triangle_count, NULL) != ST_OK)
      return false;
    for (int i = 0; i < 3 * volume->triangle_count && m % 2; i++)
      volume->triangle[i] += scene->body[0].mesh->vertex_count;
    scene->description.volume_count++;
  }
  return true;
}

static inline void scene_add_bearing(ForceScene *scene) {
  static int vertex[] = {0, 5, 13, 20, 31};
  static double time[] = {0, 1}, torque[] = {-4e3, 7e4};
  scene->bearing[0] = (StBearingDesc){.vertex_count = ST_LENGTH(vertex),
                                      .vertex = vertex,
                                      .centre = {0.4, 0.5, 0.1},
                                      .axis = {0.4, -1.1, 0.9},
                                      .stiffness = 3e5,
                                      .torque = {.key_count = 2, .time = time, .value = torque}};
  scene->description.bearing = scene->bearing;
  scene->description.bearing_count = 1;
}

// A load of each kind, over time.
static inline void scene_add_loads(ForceScene *scene) {
  static int vertex[] = {1, 4, 7, 9}, triangle[] = {0, 1, 4, 1, 5, 4, 30, 31, 34};
  static double weight[] = {0.1, 0.4, 0.3, 0.2}, time[] = {0, 1}, value[] = {2e3, 9e4};
  scene->description.load = scene->load;
  for (int k = 0; k < 3; k++) {
    StLoadDesc *load = &scene->load[scene->description.load_count++];
    *load = (StLoadDesc){.name = "push", .kind = (StLoadKind)k};
    for (int c = 0; c < (k == ST_LOAD_PRESSURE ? 1 : 3); c++)
      load->value[c] = (StCurve){.key_count = 2, .time = time, .value = value};
    if (k == ST_LOAD_PRESSURE) {
      load->triangle = triangle;
      load->triangle_count = 3;
    } else {
      load->vertex = vertex;
      load->weight = weight;
      load->vertex_count = ST_LENGTH(vertex);
    }
  }
}

// A joint of each kind between two bodies, and some with the world.
static inline bool scene_add_joints(ForceScene *scene) {
  static const int own[2][6] = {{0, 2, 5, 8, 11, 13}, {1, 3, 6, 7, 10, 12}};
  static int part[2][6];
  static double weight[2][6 * ST_JOINT_POINTS];
  static const double place[4][3] = {
      {1.1, 0.4, 0.3}, {1.3, 0.4, 0.3}, {1.1, 0.6, 0.4}, {1, 0.3, 0.5}};
  double rest[3 * 6];
  for (int e = 0; e < 2; e++) {
    for (int i = 0; i < 6; i++)
      vec3_copy(scene->body[e].mesh->position + 3 * own[e][i], rest + 3 * i);
    if (st_attach(6, rest, 4, place, weight[e]) > 1e-9)
      return false;
  }
  for (int i = 0; i < 12; i++)
    part[i / 6][i % 6] = own[i / 6][i % 6] + (i < 6 ? 0 : scene->body[0].mesh->vertex_count);
  scene->description.joint = scene->joint;
  for (int t = 0; st_joint_types[t].name; t++) {
    const StJointType *type = &st_joint_types[t];
    StJointDesc *joint = &scene->joint[scene->description.joint_count++];
    *joint = (StJointDesc){.name = "joint", .type.name = type->name};
    for (int i = 0; i < type->param_count; i++)
      joint->type.value[i] = 3e2 + 10 * i;
    if (type->kind == ST_JOINT_MOTOR)
      joint->type.value[ST_MOTOR_SPEED] = 2, joint->type.value[ST_MOTOR_SLIP] = 1.5,
      joint->type.value[ST_MOTOR_GEAR] = -3;
    if (type->limits) // one of them is exceeded
      joint->type.value[ST_JOINT_LOWER] = -5e-2, joint->type.value[ST_JOINT_UPPER] = -1e-2;
    if (type->kind == ST_JOINT_TORSION || type->apart)
      joint->type.value[ST_JOINT_REST] = 0.7;
    for (int e = 0; e < 2; e++) {
      memcpy(joint->end[e].place, place, sizeof place);
      if (e == 1 && t % 3 == 1)
        continue; // the world
      joint->end[e].vertex = part[e];
      joint->end[e].weight = weight[e];
      joint->end[e].vertex_count = 6;
    }
  }
  return true;
}

// What scenes have to ask for is asked for twice: for all bodies, and for one with other values.
static inline void scene_add_forces(ForceScene *scene) {
  scene->description.force = scene->force;
  for (const StForceType *const *type = st_force_types; *type; type++)
    for (int body = -1; body < 1 && (*type)->optional; body++) {
      int n = scene->description.force_count++;
      if (n >= SCENE_FORCES)
        abort();
      scene->force[n] = (StForceDesc){.choice = {.name = (*type)->name}, .body = body};
      for (int i = 0; i < (*type)->param_count; i++)
        scene->force[n].choice.value[i] = param_sample(&(*type)->param[i], 0.6 + 0.1 * body);
    }
}

// The nodes of edges are off their middles.
static inline bool scene_add_second_order(ForceScene *scene) {
  BoxGrid grid = {{2, 1, 1}, {0, 0, 0}, {1.4, 0.9, 0.8}, 0};
  uint64_t state = 67;
  if (!scene_add_body(scene, 0, &grid))
    return false;
  StMesh *mesh = scene->body[0].mesh;
  int corners = mesh->vertex_count;
  if (st_mesh_raise_order(mesh, NULL) != ST_OK)
    return false;
  for (int i = 3 * corners; i < 3 * mesh->vertex_count; i++)
    mesh->position[i] += random_between(&state, -0.03, 0.03);
  return true;
}

static inline bool scene_start(ForceScene *scene) {
  if (st_piece_create_whole(&scene->description, &scene->piece, NULL) != ST_OK)
    return false;
  scene->numbers = 3 * scene->piece->vertex_count;
  scene->position = ST_NEW(double, scene->numbers);
  scene->velocity = ST_NEW(double, scene->numbers);
  if (!scene->position || !scene->velocity)
    return false;
  scene_deform(scene);
  return true;
}

static inline bool scene_create(ForceScene *scene, SceneChoice choice) {
  *scene = (ForceScene){0};
  scene->description.material = scene->material;
  scene->description.body = scene->body;
  scene_add_materials(scene, choice);
  if (choice.second_order)
    return scene_add_second_order(scene) && scene_start(scene);
  BoxGrid first = {{2, 2, 1}, {0, 0, 0}, {1, 0.9, 0.5}, 0.1};
  BoxGrid second = {{1, 2, 2}, {1.2, 0, 0}, {1.7, 1, 1.1}, 0.1};
  if (!scene_add_body(scene, 0, &first) || !scene_add_body(scene, 1, &second))
    return false;
  scene_add_shell_materials(scene, choice);
  if (!scene_add_patch(scene) || !scene_add_rigid(scene))
    return false;
  vec3_set(0.3, -9.81, 0.1, scene->description.gravity);
  scene->acceleration[0] = (StAccelerationDesc){{1, 2, 3}, -1, 0, 1};
  scene->acceleration[1] = (StAccelerationDesc){{-4, 5, 6}, 1, 0.5, 2};
  scene->description.acceleration = scene->acceleration;
  scene->description.acceleration_count = 2;
  scene_add_contacts(scene);
  scene_add_bearing(scene);
  scene_add_loads(scene);
  scene_add_forces(scene);
  return scene_add_joints(scene) && scene_add_volumes(scene) && scene_start(scene);
}

static inline void scene_destroy(ForceScene *scene) {
  st_piece_destroy(scene->piece);
  for (int b = 0; b < SCENE_BODIES; b++)
    st_mesh_destroy(scene->body[b].mesh);
  for (int i = 0; i < scene->description.volume_count; i++)
    free(scene->volume[i].triangle);
  free(scene->position);
  free(scene->velocity);
}

static inline StPoint scene_point(const ForceScene *scene) {
  return (StPoint){.time = 0.7, .position = scene->position, .velocity = scene->velocity};
}

static inline void scene_fit_joints(const ForceScene *scene, const StPiece *piece,
                                    StBlockMatrix *matrix) {
  int *local = st_piece_find_vertices(piece, st_description_vertex_count(&scene->description));
  for (int j = 0; local && j < scene->description.joint_count; j++) {
    int clique[12], count = 0;
    bool changed;
    for (int e = 0; e < 2; e++)
      for (int i = 0; i < scene->joint[j].end[e].vertex_count; i++)
        clique[count++] = local[scene->joint[j].end[e].vertex[i]];
    if (st_block_matrix_fit(matrix, &(StCliques){(size_t[2]){0, (size_t)count}, NULL, clique, 1},
                            true, &changed, NULL, NULL) != ST_OK)
      abort();
  }
  free(local);
}

static inline void scene_fit_rigid(const ForceScene *scene, const StPiece *piece,
                                   StBlockMatrix *matrix) {
  int vertices = st_description_vertex_count(&scene->description);
  int *local = st_piece_find_vertices(piece, vertices);
  bool changed;
  if (local && scene->description.body_count == SCENE_BODIES && local[vertices - 4] >= 0 &&
      st_block_matrix_fit(matrix, &(StCliques){(size_t[2]){0, 4}, NULL, local + vertices - 4, 1},
                          true, &changed, NULL, NULL) != ST_OK)
    abort();
  free(local);
}

static inline void scene_fit_second_order(const StPiece *piece, StBlockMatrix *matrix) {
  for (int t = 0; t < piece->tet_count; t++) {
    int node[ST_SECOND_NODES];
    bool changed;
    if (piece->tet_part[t] != 0)
      continue;
    st_second_nodes(piece->tet + 4 * t, node);
    if (st_block_matrix_fit(matrix, &(StCliques){(size_t[2]){0, ST_SECOND_NODES}, NULL, node, 1},
                            true, &changed, NULL, NULL) != ST_OK)
      abort();
  }
}

// Room for the blocks of all elements of a piece and of joints; NULL: no memory.
static inline StBlockMatrix *scene_matrix(const ForceScene *scene, const StPiece *piece) {
  const struct {
    const int *clique;
    int count, size;
  } kind[] = {{piece->triangle, piece->triangle_count, 3}, {piece->hinge, piece->hinge_count, 4}};
  StBlockMatrix *matrix;
  bool changed;
  if (st_block_matrix_create(piece->owned_count, piece->vertex_count, piece->tet, piece->tet_count,
                             4, &matrix, NULL) != ST_OK)
    return NULL;
  for (int k = 0; k < ST_LENGTH(kind); k++)
    for (int c = 0; c < kind[k].count; c++)
      if (st_block_matrix_fit(matrix,
                              &(StCliques){(size_t[2]){0, (size_t)kind[k].size}, NULL,
                                           kind[k].clique + kind[k].size * c, 1},
                              true, &changed, NULL, NULL) != ST_OK)
        abort();
  scene_fit_second_order(piece, matrix);
  scene_fit_joints(scene, piece, matrix);
  scene_fit_rigid(scene, piece, matrix);
  return matrix;
}

// The part that a rank would hold; every vertex is known to all, as those of touching skins are.
static inline StPiece *scene_part(const ForceScene *scene, const int *owner, int rank) {
  bool shared[256];
  int *ghost_owner, *ghost_index;
  StPiece *part;
  for (int v = 0; v < scene->piece->vertex_count; v++)
    shared[v] = true;
  StCut cut = {.owner = owner, .shared = shared, .rank = rank};
  if (st_piece_create_part(&scene->description, &cut, &part, &ghost_owner, &ghost_index, NULL) !=
      ST_OK)
    abort();
  free(ghost_owner);
  free(ghost_index);
  return part;
}

#endif
