// Scenes built by calls: the result, and the messages about mistakes.
#include "api/rebuild.h"
#include "api/session.h"
#include "base/file.h"

#include <stiction/build.h>
#include <unistd.h>

static StictionBuild *new_build(Stiction *session) {
  StictionBuild *build = NULL;
  must(session, stiction_build_create(&build));
  return build;
}

static void add_gum(StictionBuild *build) {
  StictionPart *gum = stiction_build_add_material(build, "gum", NULL);
  stiction_part_set_text(gum, "young", "1 MPa");
  stiction_part_set_number(gum, "poisson", 0.4);
  stiction_part_set_number(gum, "density", 1000);
}

static const double CORNERS[] = {0, 0, 0, 0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1};
static const int TET[] = {0, 1, 2, 3}, TAGS[] = {0, 0, 1, 0};
static const char *const LABELS[] = {"foot", "all"};
static const int TET_LABEL[] = {1};

static StictionMesh one_tet(void) {
  return (StictionMesh){.vertex_count = 4,
                        .position = CORNERS,
                        .tet_count = 1,
                        .tet = TET,
                        .label_count = 2,
                        .label = LABELS,
                        .tet_label = TET_LABEL,
                        .tag_count = 2,
                        .tag = TAGS};
}

// A tet from arrays that stands on two of its vertices.
static StictionBuild *tet_build(Stiction *session) {
  StictionBuild *build = new_build(session);
  const StictionMesh mesh = one_tet();
  add_gum(build);
  StictionPart *tet = stiction_build_add_body(build, "tet", "gum");
  stiction_part_set_mesh(tet, &mesh);
  stiction_part_set_number(tet, "scale", 2);
  stiction_part_choose_label(stiction_build_add_boundary(build, "foot", NULL), "foot");
  stiction_part_set_text(stiction_build_settings(build, "time"), "duration", "20 ms");
  return build;
}

static StictionScene *scene_of(Stiction *session, StictionBuild *build) {
  StictionScene *scene = NULL;
  must(session, stiction_scene_build(session, build, &scene));
  return scene;
}

static void wrong(Stiction *session, StictionBuild *build, const char *message) {
  StictionScene *scene = NULL;
  assert_int_equal(stiction_scene_build(session, build, &scene), STICTION_BAD_INPUT);
  assert_null(scene);
  assert_string_equal(stiction_error(session), message);
  stiction_build_free(build);
}

static void bodies_come_from_arrays(void **state) {
  StictionBuild *build = tet_build(*state);
  StictionScene *scene = scene_of(*state, build);
  stiction_build_free(build); // the scene needs it no longer
  StictionBody body;
  StictionBoundary foot;
  must(*state, stiction_scene_body(scene, 0, &body));
  must(*state, stiction_scene_boundary(scene, 0, &foot));
  assert_near(body.rest[3], 0.2, 1e-15);
  assert_int_equal(body.label_count, 2);
  assert_int_equal(body.tet_label[0], 1);
  assert_int_equal(foot.vertex_count, 2);
  StictionSimulation *simulation = start(*state, scene);
  go_on(*state, simulation, 2);
  finish(scene, simulation);
}

// A folder with a built scene is like any other: its text contains the arrays.
static void built_scenes_run_into_folders(void **state) {
  StictionBuild *build = tet_build(*state), *read = NULL;
  StictionScene *scene = scene_of(*state, build), *again = NULL;
  const StictionRunOptions run = {.folder = "built", .overwrite = true};
  must(*state, stiction_scene_run(*state, scene, &run));
  stiction_scene_free(scene);
  must(*state, stiction_build_load("built/scene.json", &read));
  assert_string_equal(stiction_build_text(read), stiction_build_text(build));
  must(*state, stiction_scene_build(*state, read, &again));
  assert_int_equal(stiction_scene_vertex_count(again), 4);
  stiction_scene_free(again);
  stiction_build_free(read);
  stiction_build_free(build);
}

static void written_scenes_are_read_back(void **state) {
  StictionBuild *build = tet_build(*state), *read = NULL;
  must(*state, stiction_build_write(build, "written.json"));
  must(*state, stiction_build_load("written.json", &read));
  assert_string_equal(stiction_build_text(read), stiction_build_text(build));
  must_fail(*state, stiction_build_write(build, "nowhere/at/all.json"), STICTION_SYSTEM_FAULT,
            "nowhere/at/all.json");
  stiction_build_free(read);
  stiction_build_free(build);
}

static const char COMMENTED[] =
    "// a bar\n"
    "{ \"materials\": { \"gum\": { \"young\": 1e6, \"poisson\": 0.4, \"density\": 1000 } },\n"
    "  \"bodies\": { \"bar\": { \"shape\": { \"type\": \"box\", \"size_x\": 0.1, \"size_y\": 0.1,\n"
    "    \"size_z\": 0.1, \"edge\": 0.1 } } }, // to be lifted\n"
    "  \"time\": { \"duration\": 0.1, \"step\": 0.01 } }\n";

static void scenes_that_were_read_can_be_changed(void **state) {
  StictionBuild *build = NULL;
  must(*state, stiction_build_parse(COMMENTED, &build));
  assert_string_equal(stiction_build_text(build), COMMENTED);
  StictionPart *bodies = stiction_part_object(stiction_build_root(build), "bodies");
  StictionPart *bar = stiction_part_object(bodies, "bar");
  assert_string_equal(stiction_build_text(build), COMMENTED); // looking changes nothing
  stiction_part_set_vector(bar, "translate", 0, 0, 0.5);
  StictionScene *scene = scene_of(*state, build);
  StictionBody body;
  must(*state, stiction_scene_body(scene, 0, &body));
  assert_near(body.rest[2], 0.45, 1e-15);
  stiction_scene_free(scene);
  // The next one, of the same build.
  stiction_part_set_vector(bar, "translate", 0, 0, 1.5);
  stiction_build_add_body(build, "other", NULL);
  stiction_part_remove(bodies, "other");
  scene = scene_of(*state, build);
  must(*state, stiction_scene_body(scene, 0, &body));
  assert_near(body.rest[2], 1.45, 1e-15);
  assert_int_equal(stiction_scene_body_count(scene), 1);
  stiction_scene_free(scene);
  // Values as they were read are reported with their line, others without.
  stiction_part_set_text(bar, "material", "gumm");
  wrong(*state, build,
        "bodies.bar.material: no material is named \"gumm\"; known: gum (did you "
        "mean \"gum\"?)");
  must(*state, stiction_build_parse(COMMENTED, &build));
  stiction_part_remove(stiction_part_object(stiction_build_root(build), "materials"), "gum");
  stiction_part_set_text(stiction_build_add_material(build, "gum", NULL), "yuong", "1 MPa");
  wrong(*state, build,
        "materials.gum.yuong: unknown key for neo_hookean; known: law, density, inversion, "
        "mass_damping, stiffness_damping, young, poisson (did you mean \"young\"?)");
}

// Every broken scene of the scene reader's tests, built by calls: the same messages, without a
// line.
static void mistakes_are_told_as_those_in_files(void **state) {
  char *text = NULL, folder[2000];
  size_t size;
  int count = 0;
  assert_non_null(getcwd(folder, sizeof folder));
  assert_int_equal(chdir(TEST_DATA "/scenes"), 0);
  assert_int_equal(st_file_read("broken.txt", &text, &size, NULL), ST_OK);
  for (char *next = strstr(text, "=== "); next;) {
    char *scene = strchr(next, '\n') + 1, *message = strstr(scene, "--- ");
    message[-1] = 0;
    message += 4;
    char *end = strchr(message, '\n');
    *end = 0;
    next = strstr(end + 1, "=== ");
    StictionBuild *build = rebuild(scene);
    int line, column, skipped = 0;
    if (!build || sscanf(message, "scene.json:%d:%d: %n", &line, &column, &skipped) != 2) {
      stiction_build_free(build);
      continue; // invalid as text
    }
    StictionScene *made = NULL;
    assert_int_equal(stiction_scene_build(*state, build, &made), STICTION_BAD_INPUT);
    const char *said = stiction_error(*state);
    if (strncmp(said, "scene: ", 7) == 0)
      said += 7; // of the scene as a whole
    assert_string_equal(said, message + skipped);
    stiction_build_free(build);
    count++;
  }
  free(text);
  assert_int_equal(chdir(folder), 0);
  assert_true(count > 100);
}

static void calls_that_make_no_sense_are_told(void **state) {
  StictionBuild *build = tet_build(*state);
  StictionPart *root = stiction_build_root(build);
  must_fail(*state, stiction_part_set_number(root, "gravity", NAN), STICTION_BAD_INPUT,
            "gravity: must be a finite number, is nan");
  // From then on nothing changes, and every call returns the first mistake.
  must_fail(*state, stiction_part_set_number(root, "gravity", 1), STICTION_BAD_INPUT, "is nan");
  stiction_part_set_number(stiction_build_add_body(build, "more", NULL), "scale", 3);
  assert_null(stiction_build_text(build));
  must_fail(*state, stiction_build_write(build, "never.json"), STICTION_BAD_INPUT, "is nan");
  assert_int_not_equal(access("never.json", F_OK), 0);
  wrong(*state, build, "gravity: must be a finite number, is nan");

  build = tet_build(*state);
  stiction_build_add_body(build, "tet", NULL);
  wrong(*state, build, "bodies.tet: this name is already in use");

  build = tet_build(*state);
  stiction_build_add_body(build, NULL, NULL);
  wrong(*state, build, "bodies: the key is NULL or empty, which is for lists only");

  build = tet_build(*state);
  stiction_part_set_text(stiction_build_root(build), "title", "\xff\xfe");
  wrong(*state, build, "title: the text is not UTF-8");

  build = tet_build(*state);
  stiction_part_set_text(stiction_build_root(build), "title", NULL);
  wrong(*state, build, "title: the text is NULL");

  build = tet_build(*state);
  stiction_part_set_number(stiction_part_list(stiction_build_root(build), "friction"), "dynamic",
                           1);
  wrong(*state, build, "friction: is a list, whose items have no keys such as \"dynamic\"");

  build = tet_build(*state);
  stiction_part_object(stiction_build_settings(build, "time"), "duration");
  wrong(*state, build, "time.duration: is a string already, not an object");

  build = tet_build(*state);
  stiction_part_remove(stiction_build_root(build), "gravity");
  wrong(*state, build, "gravity: there is nothing to remove");

  build = tet_build(*state);
  stiction_part_set_json(stiction_build_root(build), "time", "{ \"duration\": 1,, }");
  wrong(*state, build, "time:1:17: expected a key in double quotes, found ','");

  build = tet_build(*state);
  StictionPart *under = stiction_part_object(stiction_build_root(build), "b");
  for (int i = 0; i < 20; i++)
    under = stiction_part_object(under, "b");
  stiction_part_set_json(
      under, "c",
      "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]"
      "]]]]]]]]]]]]]]]]]]]]]]]]");
  StictionScene *scene = NULL;
  must_fail(*state, stiction_scene_build(*state, build, &scene), STICTION_BAD_INPUT,
            "b.c: lists and objects are nested too deeply (more than 64 levels)");
  stiction_build_free(build);

  build = tet_build(*state);
  StictionPart *deep = stiction_build_root(build);
  for (int i = 0; i < 100; i++)
    deep = stiction_part_object(deep, "a");
  must_fail(*state, stiction_scene_build(*state, build, &scene), STICTION_BAD_INPUT,
            "a.a.a: lists and objects are nested too deeply (more than 64 levels)");
  stiction_build_free(build);
}

static void parts_that_are_gone_are_told(void **state) {
  StictionBuild *build = tet_build(*state);
  StictionPart *bodies = stiction_part_object(stiction_build_root(build), "bodies");
  StictionPart *tet = stiction_part_object(bodies, "tet");
  StictionPart *mesh = stiction_part_object(tet, "mesh");
  stiction_part_set_text(tet, "mesh", "ball.msh");
  stiction_part_set_number(mesh, "vertices", 1);
  wrong(*state, build, "bodies.tet.mesh: is a string, which has no keys");
  build = tet_build(*state);
  bodies = stiction_part_object(stiction_build_root(build), "bodies");
  tet = stiction_part_object(bodies, "tet");
  stiction_part_remove(bodies, "tet");
  stiction_part_set_number(tet, "scale", 1);
  wrong(*state, build, "bodies.tet: this part was removed or replaced");
}

static void nothing_is_made_of_null(void **state) {
  StictionBuild *build = NULL;
  StictionScene *scene = NULL;
  must_fail(*state, stiction_build_create(NULL), STICTION_BAD_INPUT, "build is NULL");
  must_fail(*state, stiction_build_load(NULL, &build), STICTION_BAD_INPUT, "path is NULL");
  must_fail(*state, stiction_build_load("nowhere.json", &build), STICTION_BAD_INPUT,
            "nowhere.json");
  must_fail(*state, stiction_build_parse("{", &build), STICTION_BAD_INPUT, "scene:1:2");
  must_fail(*state, stiction_scene_build(*state, NULL, &scene), STICTION_BAD_INPUT, "is NULL");
  assert_null(build);
  assert_null(stiction_build_root(NULL));
  assert_null(stiction_build_add_body(NULL, "a", "b"));
  assert_null(stiction_build_add_friction(NULL, "a", "b", 1));
  assert_null(stiction_part_set_shape(NULL, "box"));
  assert_null(stiction_part_add_motion_key(NULL, 1));
  assert_null(stiction_build_text(NULL));
  must_fail(*state, stiction_part_set_number(NULL, "a", 1), STICTION_BAD_INPUT, "part is NULL");
  build = tet_build(*state);
  must_fail(*state, stiction_part_set_mesh(stiction_build_root(build), NULL), STICTION_BAD_INPUT,
            "mesh is NULL");
  stiction_build_free(build);
  stiction_build_free(NULL);
  must(*state, stiction_build_parse("[1]", &build));
  wrong(*state, build, "scene:1:1: must be an object (scene), is a list");
}

typedef struct WrongMesh {
  StictionMesh mesh;
  const char *message;
} WrongMesh;

static void wrong_arrays_are_told(void **state) {
  static const double BAD[] = {0, 0, 0, 0.1, 0, 0, 0, INFINITY, 0, 0, 0, 0.1};
  static const int FAR[] = {0, 1, 2, 4}, LABEL[] = {2}, TAG[] = {0, 0, 9, 1};
  static const char *const TWICE[] = {"foot", "foot"};
  WrongMesh all[] = {
      {one_tet(), "bodies.tet.mesh: tet: tet 0 refers to vertex 4, but there are 4 vertices "
                  "(counted from 0)"},
      {one_tet(), "bodies.tet.mesh.vertices: item 7 must be a finite number, is inf"},
      {one_tet(), "bodies.tet.mesh.vertices: the array is NULL, or its length negative"},
      {one_tet(), "bodies.tet.mesh.tets: the array is NULL, or its length negative"},
      {one_tet(), "bodies.tet.mesh.labels[1]: \"foot\" appears twice"},
      {one_tet(), "bodies.tet.mesh.tet_labels: item 0 is 2; the mesh has 2 labels, counted from 0"},
      {one_tet(), "bodies.tet.mesh.tags: pair 1 is vertex 9 and label 1; there are 4 vertices and "
                  "2 labels, counted from 0"},
  };
  all[0].mesh.tet = FAR;
  all[1].mesh.position = BAD;
  all[2].mesh.position = NULL;
  all[3].mesh.tet_count = -1;
  all[4].mesh.label = TWICE;
  all[5].mesh.tet_label = LABEL;
  all[6].mesh.tag = TAG;
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    StictionBuild *build = new_build(*state);
    add_gum(build);
    stiction_part_set_mesh(stiction_build_add_body(build, "tet", NULL), &all[i].mesh);
    stiction_part_set_number(stiction_build_settings(build, "time"), "duration", 1);
    wrong(*state, build, all[i].message);
  }
}

static void parts_tell_what_they_have(void **state) {
  StictionBuild *build = tet_build(*state);
  StictionPart *root = stiction_build_root(build);
  StictionPart *gum = stiction_part_object(stiction_part_object(root, "materials"), "gum");
  assert_int_equal(stiction_part_count(gum), 3);
  assert_string_equal(stiction_part_key(gum, 1), "poisson");
  assert_null(stiction_part_key(gum, 3));
  assert_null(stiction_part_key(gum, -1));
  assert_string_equal(stiction_part_json(gum, "young"), "\"1 MPa\"");
  assert_string_equal(stiction_part_json(root, "time"), "{ \"duration\": \"20 ms\" }");
  assert_string_equal(stiction_part_json(stiction_build_settings(build, "time"), NULL),
                      "{ \"duration\": \"20 ms\" }");
  assert_null(stiction_part_json(root, "gravity"));
  assert_null(stiction_part_json(NULL, NULL));
  assert_int_equal(stiction_part_count(NULL), 0);
  assert_null(stiction_part_key(NULL, 0));
  stiction_build_free(build);
}

// Forms say the same as their JSON.
static void forms_are_short_for_json(void **state) {
  static const double TIME[] = {0, 1}, LOAD[] = {0, -5}, AXIS[] = {0, 0, 1};
  static const int VERTICES[] = {3};
  StictionBuild *build = new_build(*state);
  StictionPart *box = stiction_build_add_body(build, "box", NULL);
  stiction_part_set_number(stiction_part_set_shape(box, "box"), "size_x", 0.1);
  stiction_part_add_rotation(box, AXIS, 0.5);
  StictionPart *load = stiction_build_add_load(build, "tip", "box");
  stiction_part_choose_vertices(load, 1, VERTICES);
  stiction_part_set_curve(load, "pressure", 2, TIME, LOAD);
  StictionPart *arm = stiction_build_add_boundary(build, "arm", "box");
  stiction_part_set_vector(stiction_part_add_motion_key(arm, 1), "translate", 0, 0, 0.2);
  stiction_build_add_friction(build, "gum", NULL, 0.3);
  stiction_part_set_boolean(stiction_build_settings(build, "output"), "stress", true);
  stiction_build_add_force(build, "drag");
  assert_string_equal(
      stiction_build_text(build),
      "{\n"
      "  \"bodies\": {\n"
      "    \"box\": {\n"
      "      \"shape\": { \"type\": \"box\", \"size_x\": 0.1 },\n"
      "      \"rotate\": [{ \"axis\": [0, 0, 1], \"angle\": 0.5 }]\n"
      "    }\n"
      "  },\n"
      "  \"loads\": {\n"
      "    \"tip\": {\n"
      "      \"body\": \"box\",\n"
      "      \"region\": { \"vertices\": [3] },\n"
      "      \"pressure\": [{ \"time\": 0, \"value\": 0 }, { \"time\": 1, \"value\": -5 }]\n"
      "    }\n"
      "  },\n"
      "  \"boundaries\": {\n"
      "    \"arm\": { \"body\": \"box\", \"motion\": { \"keys\": [{ \"time\": 1, \"translate\": "
      "[0, "
      "0, 0.2] }] } }\n"
      "  },\n"
      "  \"friction\": [{ \"between\": [\"gum\", \"any\"], \"dynamic\": 0.3 }],\n"
      "  \"output\": { \"stress\": true },\n"
      "  \"forces\": [{ \"type\": \"drag\" }]\n"
      "}\n");
  stiction_build_free(build);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bodies_come_from_arrays),
      cmocka_unit_test(built_scenes_run_into_folders),
      cmocka_unit_test(written_scenes_are_read_back),
      cmocka_unit_test(scenes_that_were_read_can_be_changed),
      cmocka_unit_test(mistakes_are_told_as_those_in_files),
      cmocka_unit_test(calls_that_make_no_sense_are_told),
      cmocka_unit_test(parts_that_are_gone_are_told),
      cmocka_unit_test(nothing_is_made_of_null),
      cmocka_unit_test(wrong_arrays_are_told),
      cmocka_unit_test(parts_tell_what_they_have),
      cmocka_unit_test(forms_are_short_for_json),
  };
  return cmocka_run_group_tests(tests, open_session, close_session);
}
