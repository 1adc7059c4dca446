// Every scene of examples/, rebuilt value by value through the builder, and again from the text
// that the builder writes: each takes its first steps to the same bits.
#include "api/rebuild.h"
#include "api/session.h"
#include "base/file.h"
#include "support/spared.h"

#include <dirent.h>

#define EXAMPLES TEST_DATA "/../../examples"

// What calls and text make of a scene is there with its first step. Optimised, more of them say
// that nothing else comes to light later.
enum { STEPS = SPARED > 1 ? 1 : 3 };

static StictionBuild *rebuild_file(Stiction *session, const char *path) {
  char *text = NULL;
  size_t size;
  assert_int_equal(st_file_read(path, &text, &size, NULL), ST_OK);
  StictionBuild *build = rebuild(text);
  assert_non_null(build);
  must(session, stiction_build_set_folder(build, EXAMPLES));
  free(text);
  return build;
}

typedef struct Result {
  int count; // of numbers
  double *number;
} Result;

// Positions, then velocities. Frees the scene.
static Result take_steps(Stiction *session, StictionScene *scene) {
  StictionSimulation *simulation = start(session, scene);
  go_on(session, simulation, STEPS);
  int half = 3 * stiction_simulation_vertex_count(simulation);
  Result result = {2 * half, malloc(2 * (size_t)half * sizeof(double))};
  assert_non_null(result.number);
  memcpy(result.number, stiction_simulation_positions(simulation), (size_t)half * sizeof(double));
  memcpy(result.number + half, stiction_simulation_velocities(simulation),
         (size_t)half * sizeof(double));
  finish(scene, simulation);
  return result;
}

static void same(const char *path, const char *what, Result wanted, Result got) {
  assert_int_equal(wanted.count, got.count);
  if (memcmp(wanted.number, got.number, (size_t)wanted.count * sizeof(double)) != 0)
    fail_msg("%s: %s comes to something else", path, what);
  free(got.number);
}

static void compare(Stiction *session, const char *path) {
  StictionScene *loaded = NULL, *built = NULL, *written = NULL;
  StictionBuild *build = rebuild_file(session, path);
  must(session, stiction_scene_load(session, path, &loaded));
  must(session, stiction_scene_build(session, build, &built));
  must(session, stiction_scene_parse(session, stiction_build_text(build), EXAMPLES, &written));
  stiction_build_free(build);
  Result wanted = take_steps(session, loaded);
  same(path, "the scene built by calls", wanted, take_steps(session, built));
  same(path, "the scene as it was written", wanted, take_steps(session, written));
  free(wanted.number);
}

static bool is_scene(const char *name) {
  const char *ending = strrchr(name, '.');
  return ending && strcmp(ending, ".json") == 0;
}

static void examples_come_to_the_same_bits(void **state) {
  DIR *folder = opendir(EXAMPLES);
  assert_non_null(folder);
  int count = 0;
  for (struct dirent *entry; (entry = readdir(folder));) {
    char path[2000];
    if (!is_scene(entry->d_name))
      continue;
    snprintf(path, sizeof path, EXAMPLES "/%s", entry->d_name);
    compare(*state, path);
    count++;
  }
  closedir(folder);
  assert_true(count >= 20); // the folder was found
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(examples_come_to_the_same_bits)};
  return cmocka_run_group_tests(tests, open_session, close_session);
}
