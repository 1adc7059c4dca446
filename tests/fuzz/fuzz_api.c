// Calls of the public interface in any order, with anything that their types allow: NULL, indices
// and names that do not exist, numbers that are none, handles freed early, callbacks that call
// back. The library may refuse; it may not crash, leak or hang.
#include <stiction/build.h>

#include <math.h>
#include <sanitizer/lsan_interface.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SLOTS = 3, CALLS = 64, STEPS = 4 };

typedef struct Slot {
  StictionScene *scene;
  StictionSimulation *simulation;
} Slot;

static Stiction *session;
static Slot slot[SLOTS];
static int steps;
static const uint8_t *input;
static size_t left;

static const char *const scenes[] = {
    "{ \"materials\": { \"gum\": { \"young\": 1e5, \"poisson\": 0.4, \"density\": 1000 } },"
    "  \"bodies\": { \"brick\": { \"material\": \"gum\", \"shape\": { \"type\": \"box\","
    "  \"size_x\": 0.1, \"size_y\": 0.1, \"size_z\": 0.1, \"edge\": 0.1 } } },"
    "  \"boundaries\": { \"foot\": { \"region\": { \"label\": \"z-\" } } },"
    "  \"time\": { \"duration\": \"20 ms\", \"step\": \"10 ms\" } }",
    "{ \"materials\": { \"gum\": { \"young\": 1e5, \"poisson\": 0.3, \"density\": 1000 } },"
    "  \"bodies\": { \"brick\": { \"material\": \"gum\", \"shape\": { \"type\": \"box\","
    "  \"size_x\": 0.1, \"size_y\": 0.1, \"size_z\": 0.1, \"edge\": 0.1 } } },"
    "  \"obstacles\": { \"floor\": { \"translate\": [0, 0, -0.0502],"
    "  \"shape\": { \"type\": \"half_space\" } } }, \"integrator\": \"be\","
    "  \"friction\": [{ \"between\": \"any\", \"dynamic\": 0.5 }],"
    "  \"time\": { \"duration\": \"50 ms\", \"step\": \"10 ms\" } }",
    "{ \"time\": 3 }", "", NULL};
static const char *const names[] = {"foot", "floor", "solid", "gravity", "wind", "", NULL};

#define PICK(list) ((list)[next() % (sizeof(list) / sizeof((list)[0]))])

static unsigned next(void) {
  if (!left)
    return 0;
  left--;
  return *input++;
}

static double number(void) {
  static const double odd[] = {0, -1, 1e-3, NAN, INFINITY, 0.01, 0.05, -0.05};
  return PICK(odd);
}

static Slot *any(void) {
  return &slot[next() % SLOTS];
}

static void call(void);

// What callbacks do is in the input too. They get few calls, so that inputs end.
static bool interfere(void) {
  unsigned what = next();
  if (what % 16 == 1)
    call();
  return what % 16 != 2;
}

static bool pose_at(void *context, double time, StictionPose *pose) {
  (void)context;
  pose->translation[0] = 0.01 * time;
  if (next() % 32 == 3)
    pose->rotation[1] = number();
  return interfere();
}

static bool targets_at(void *context, double time, int count, double *position, double *velocity) {
  (void)context, (void)time, (void)velocity;
  if (count && next() % 32 == 3)
    position[0] += number();
  return interfere();
}

static bool add(void *context, const StictionPoint *at, double *force) {
  (void)context;
  for (int i = 0; i < at->vertex_count; i++)
    force[3 * i] -= at->velocity[3 * i];
  if (next() % 32 == 3)
    force[0] = number();
  return interfere();
}

static void add_blocks(void *context, const StictionPoint *at, double by_position,
                       double by_velocity, StictionBlocks *blocks) {
  (void)context, (void)by_position;
  const double block[9] = {-by_velocity};
  for (int i = 0; i < at->vertex_count; i++)
    stiction_blocks_add(blocks, 1, &i, &i, block);
  int wild[2] = {(int)next() - 3, (int)next() - 3};
  if (next() % 32 == 3)
    stiction_blocks_add(blocks, 1, wild, wild + 1, block);
}

static double energy(void *context, const StictionPoint *at) {
  (void)context, (void)at;
  return number();
}

static bool progress(void *context, const StictionProgress *now) {
  (void)context, (void)now;
  return interfere();
}

static void add_force(StictionScene *scene) {
  static const int pairs[] = {0, 1, 2, 99, -1, 3};
  StictionForce force = {.name = PICK(names),
                         .pair_count = (int)(next() % 4) - 1,
                         .pair = next() % 4 ? pairs : NULL,
                         .add = next() % 8 ? add : NULL,
                         .add_blocks = next() % 2 ? add_blocks : NULL,
                         .energy = next() % 2 ? energy : NULL};
  stiction_scene_add_force(scene, next() % 16 ? &force : NULL);
}

static void look_at_scene(StictionScene *scene) {
  StictionBody body;
  StictionBoundary boundary;
  StictionObstacle obstacle;
  int index = (int)(next() % 4) - 1;
  if (stiction_scene_body(scene, index, &body) == STICTION_OK && body.skin_count < 1)
    abort();
  stiction_scene_boundary(scene, index, next() % 8 ? &boundary : NULL);
  stiction_scene_obstacle(scene, index, &obstacle);
  if (!stiction_scene_title(scene) || stiction_scene_vertex_count(scene) < 0)
    abort();
  stiction_scene_duration(scene);
}

static void look_at_simulation(StictionSimulation *simulation) {
  const StictionReport *report = stiction_simulation_report(simulation);
  if (report && report->step < 0)
    abort();
  stiction_simulation_time(simulation);
  stiction_simulation_finished(simulation);
  stiction_simulation_on_frame(simulation);
  if (!stiction_simulation_verdict(simulation) || !stiction_error(session))
    abort();
}

// A callback may free the simulation: each call asks for it anew.
static void look_at_arrays(const Slot *own) {
  const double *array;
  StictionContactFields fields;
  StictionFindings findings;
  double wrong[2];
  stiction_simulation_forces(own->simulation, PICK(names), next() % 8 ? &array : NULL);
  stiction_simulation_contact_fields(own->simulation, next() % 8 ? &fields : NULL);
  stiction_simulation_findings(own->simulation, next() % 8 ? &findings : NULL);
  stiction_simulation_stress(own->simulation, next() % 8 ? &array : NULL);
  stiction_simulation_check_force(own->simulation, PICK(names), number(), wrong, wrong + 1);
}

static void change(StictionSimulation *simulation) {
  double *position = stiction_simulation_positions(simulation);
  double *velocity = stiction_simulation_velocities(simulation);
  int count = stiction_simulation_vertex_count(simulation);
  if (position && count)
    position[next() % (unsigned)count] += number();
  if (velocity && count)
    velocity[next() % (unsigned)count] = number();
  stiction_simulation_state_changed(simulation);
}

static void use_other_session(void) {
  Stiction *other = NULL;
  StictionScene *scene = NULL;
  StictionSimulation *simulation = NULL;
  stiction_open(&other);
  stiction_scene_parse(other, scenes[0], NULL, &scene);
  stiction_simulation_create(next() % 2 ? other : session, scene, &simulation);
  if (next() % 2)
    stiction_scene_free(scene), scene = NULL;
  stiction_close(other);
  look_at_simulation(simulation);
  change(simulation);
  stiction_simulation_step(simulation);
  stiction_simulation_free(simulation);
  stiction_scene_free(scene);
}

static void run(StictionScene *scene) {
  StictionRunOptions options = {.folder = next() % 2 ? "/dev/null/run" : NULL,
                                .progress = progress,
                                .resume = next() % 2,
                                .overwrite = next() % 2};
  stiction_scene_run(session, scene, next() % 8 ? &options : NULL);
}

static void free_scene(Slot *own) {
  StictionScene *scene = own->scene;
  own->scene = NULL;
  stiction_scene_free(scene);
}

static void free_simulation(Slot *own) {
  StictionSimulation *simulation = own->simulation;
  own->simulation = NULL;
  stiction_simulation_free(simulation);
}

static void parse(Slot *own) {
  StictionScene *made = NULL;
  stiction_scene_parse(next() % 16 ? session : NULL, PICK(scenes), NULL, &made);
  if (!made)
    return;
  free_scene(own);
  own->scene = made;
}

static const char *const keys[] = {"bodies", "brick", "shape", "type", "materials", "gum",
                                   "mesh",   "time",  "",      "\xff", "vertices",  NULL};

// A value, or what values can be set in.
static StictionPart *say(StictionPart *part) {
  static const double numbers[20] = {0, 0, 0, 0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1, NAN};
  static const int corners[20] = {0, 1, 2, 3, -1, 99};
  const StictionMesh mesh = {.vertex_count = (int)(next() % 6) - 1,
                             .position = next() % 8 ? numbers : NULL,
                             .tet_count = (int)(next() % 3),
                             .tet = corners,
                             .label_count = (int)(next() % 3),
                             .label = names,
                             .tag_count = (int)(next() % 3),
                             .tag = corners};
  const char *key = PICK(keys);
  switch (next() % 14) {
  case 0: return stiction_part_object(part, key);
  case 1: return stiction_part_list(part, key);
  case 2: return stiction_part_add(part, key);
  case 3: return stiction_part_set_shape(part, PICK(names));
  case 4: return stiction_part_add_motion_key(part, number());
  case 5: stiction_part_set_number(part, key, number()); break;
  case 6: stiction_part_set_text(part, key, PICK(names)); break;
  case 7: stiction_part_set_boolean(part, key, true); break;
  case 8: stiction_part_set_numbers(part, key, (int)(next() % 21) - 1, numbers); break;
  case 9: stiction_part_set_mesh(part, next() % 8 ? &mesh : NULL); break;
  case 10: stiction_part_set_json(part, key, PICK(scenes)); break;
  case 11: stiction_part_remove(part, key); break;
  case 12: stiction_part_choose_vertices(part, (int)(next() % 4) - 1, corners); break;
  case 13: stiction_part_set_curve(part, key, (int)(next() % 4) - 1, numbers, numbers); break;
  }
  return part;
}

// Its text as it is written, not as it was read. NULL: there was a mistake.
static const char *written(StictionBuild *build) {
  stiction_part_set_number(stiction_build_root(build), "new", 1);
  stiction_part_remove(stiction_build_root(build), "new");
  return stiction_build_text(build);
}

// What has been written can be read again, and is then the same.
static void check_text(StictionBuild *build) {
  const char *text = written(build);
  StictionBuild *again = NULL;
  if (!text)
    return;
  if (stiction_build_parse(text, &again) != STICTION_OK)
    abort();
  const char *second = written(again);
  if (!second || strcmp(text, second) != 0)
    abort();
  stiction_build_free(again);
}

static void build_scene(Slot *own) {
  StictionBuild *build = NULL;
  StictionScene *made = NULL;
  const char *text = PICK(scenes);
  if (next() % 2)
    stiction_build_parse(text, &build);
  else
    stiction_build_create(&build);
  StictionPart *parts[4] = {stiction_build_root(build), stiction_build_root(build)};
  parts[2] = stiction_build_add_body(build, PICK(names), PICK(names));
  parts[3] = stiction_build_add_friction(build, PICK(names), NULL, number());
  for (int i = (int)(next() % 12); i > 0; i--)
    parts[next() % 4] = say(parts[next() % 4]);
  stiction_part_key(parts[next() % 4], (int)(next() % 4) - 1);
  stiction_part_json(parts[next() % 4], PICK(keys));
  check_text(build);
  stiction_scene_build(session, build, &made);
  stiction_build_free(build);
  if (!made)
    return;
  free_scene(own);
  own->scene = made;
}

static void create(Slot *own) {
  StictionSimulation *made = NULL;
  stiction_simulation_create(session, any()->scene, &made);
  if (!made)
    return;
  free_simulation(own);
  own->simulation = made;
}

static void step(const Slot *own) {
  if (steps++ < STEPS)
    stiction_simulation_step(own->simulation);
}

static const char *const parameters[] = {"gravity", "materials.gum.young",
                                         "friction.brick|floor.dynamic", "boundaries.foot.release",
                                         "nothing"};

// Going back and forth, and changing what happens next.
static void control(const Slot *own) {
  static const double numbers[] = {0, 0.01, 1e-9, -1, 1e6, NAN};
  const double three[3] = {PICK(numbers), PICK(numbers), PICK(numbers)};
  const StictionPose pose = {.translation = {PICK(numbers)}, .velocity = {PICK(numbers)}};
  StictionState *saved = NULL, *copy = NULL;
  const void *bytes = NULL;
  size_t size = 0;
  switch (next() % 6) {
  case 0:
    stiction_simulation_set(own->simulation, PICK(parameters), next() % 2 ? 3 : 1, three);
    break;
  case 1: stiction_simulation_move(own->simulation, PICK(names), &pose); break;
  case 2: stiction_simulation_move_to(own->simulation, PICK(names), &pose, PICK(numbers)); break;
  case 3: stiction_simulation_set_time(own->simulation, PICK(numbers)); break;
  case 4:
    if (steps++ < STEPS)
      stiction_simulation_advance(own->simulation, next() % 2 ? 0.01 : PICK(numbers) * 1e-3);
    break;
  case 5: stiction_simulation_reset(own->simulation); break;
  }
  stiction_simulation_save(own->simulation, &saved);
  stiction_state_bytes(session, saved, &bytes, &size);
  stiction_state_from_bytes(session, bytes, size, &copy);
  stiction_simulation_restore(any()->simulation, next() % 2 ? saved : copy);
  stiction_simulation_take_over(any()->simulation, own->simulation);
  stiction_state_free(saved);
  stiction_state_free(copy);
}

static void ask(const Slot *own) {
  const StictionContact *contact;
  const double point[3] = {next() / 255.0, 0, next() / 255.0}, down[3] = {0, 0, -1};
  StictionHit hit;
  StictionPose pose;
  int count;
  stiction_simulation_contacts(own->simulation, &contact, &count);
  stiction_simulation_nearest(own->simulation, next() % 2 ? PICK(names) : NULL, point, 1, &hit);
  stiction_simulation_ray(own->simulation, NULL, point, down, INFINITY, &hit);
  stiction_simulation_pose(own->simulation, PICK(names), &pose);
}

static void call(void) {
  Slot *own = any();
  switch (next() % 18) {
  case 0: parse(own); break;
  case 1: free_scene(own); break;
  case 2: create(own); break;
  case 3: free_simulation(own); break;
  case 4:
  case 5: step(own); break;
  case 6: change(own->simulation); break;
  case 7: look_at_simulation(own->simulation); break;
  case 8: look_at_arrays(own); break;
  case 9: look_at_scene(own->scene); break;
  case 10: stiction_scene_drive(own->scene, PICK(names), next() % 8 ? pose_at : NULL, NULL); break;
  case 11:
    stiction_scene_drive_vertices(own->scene, PICK(names), next() % 8 ? targets_at : NULL, NULL);
    break;
  case 12: add_force(own->scene); break;
  case 13: use_other_session(); break;
  case 14: run(own->scene); break;
  case 15: control(own); break;
  case 16: ask(own); break;
  case 17: build_scene(own); break;
  }
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  __lsan_disable(); // what MPI never frees is no leak of ours
  if (stiction_open(&session) != STICTION_OK)
    abort();
  __lsan_enable();
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  input = data;
  left = size;
  steps = 0;
  for (int i = 0; i < CALLS && left; i++)
    call();
  for (int i = 0; i < SLOTS; i++) {
    free_scene(&slot[i]);
    free_simulation(&slot[i]);
  }
  return 0;
}
