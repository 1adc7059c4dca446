// Checkpoints come back bit for bit, and every kind of damage has its own message.
#include "output/checkpoint.h"

#include "output/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <hdf5.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <zlib.h>

enum { VERTICES = 7, FRAMES = 3, ROWS = 12, HEADER = 512 };

static double *numbers(int count, double seed) {
  double *value = malloc((size_t)count * sizeof(double));
  for (int i = 0; i < count; i++)
    value[i] = sin(seed + i) * pow(10, (i * 37) % 31 - 15);
  return value;
}

static StCheckpoint sample(int vertices) {
  StCheckpoint checkpoint = {
      .step = 123456789012,
      .frame = FRAMES - 1,
      .time = 0.1 + 0.2,
      .h = 1.0 / 3,
      .h_previous = 5e-324,
      .steps_since_cut = 4,
      .total_newton = 1L << 40,
      .total_linear = 99,
      .total_retries = 2,
      .wall_seconds = 12.5,
      .processor_seconds = 11.25,
      .vertex_count = vertices,
      .position = numbers(3 * vertices, 1),
      .velocity = numbers(3 * vertices, 2),
      .position_previous = numbers(3 * vertices, 3),
      .velocity_previous = numbers(3 * vertices, 4),
      .solved = numbers(3 * vertices, 7),
      .force = numbers(3 * vertices, 5),
      .extra_size = 5,
      .extra = malloc(5),
  };
  memcpy(checkpoint.extra, "a\0b\377c", 5);
  checkpoint.position[0] = -0.0;
  return checkpoint;
}

static StWritten sample_written(void) {
  StWritten written = {.scene_crc = 0xdeadbeef,
                       .history_rows = ROWS,
                       .history_crc = malloc(ROWS * sizeof(uint32_t)),
                       .frame_count = FRAMES,
                       .frame_time = numbers(FRAMES, 6)};
  for (uint32_t i = 0; i < ROWS; i++)
    written.history_crc[i] = 0xffffffffu / (i + 1);
  return written;
}

static void write_sample(const char *path) {
  StCheckpoint checkpoint = sample(VERTICES);
  StWritten written = sample_written();
  StError error = {0};
  assert_int_equal(st_checkpoint_write(path, &checkpoint, &written, &error), ST_OK);
  st_checkpoint_free(&checkpoint);
  st_written_free(&written);
}

static void check_equal(const StCheckpoint *a, const StCheckpoint *b) {
  size_t size = (size_t)a->vertex_count * 3 * sizeof(double);
  assert_int_equal(a->step, b->step);
  assert_int_equal(a->frame, b->frame);
  assert_memory_equal(&a->time, &b->time, sizeof(double));
  assert_memory_equal(&a->h, &b->h, sizeof(double));
  assert_memory_equal(&a->h_previous, &b->h_previous, sizeof(double));
  assert_int_equal(a->steps_since_cut, b->steps_since_cut);
  assert_int_equal(a->total_newton, b->total_newton);
  assert_int_equal(a->total_linear, b->total_linear);
  assert_int_equal(a->total_retries, b->total_retries);
  assert_memory_equal(&a->wall_seconds, &b->wall_seconds, sizeof(double));
  assert_memory_equal(&a->processor_seconds, &b->processor_seconds, sizeof(double));
  assert_int_equal(a->vertex_count, b->vertex_count);
  assert_memory_equal(a->position, b->position, size);
  assert_memory_equal(a->velocity, b->velocity, size);
  assert_memory_equal(a->position_previous, b->position_previous, size);
  assert_memory_equal(a->velocity_previous, b->velocity_previous, size);
  assert_memory_equal(a->solved, b->solved, size);
  assert_memory_equal(a->force, b->force, size);
  assert_int_equal(a->extra_size, b->extra_size);
  assert_memory_equal(a->extra, b->extra, a->extra_size);
}

static void test_round_trip(void **state) {
  (void)state;
  const char *path = scratch("round.h5");
  write_sample(path);
  StCheckpoint expected = sample(VERTICES), got;
  StWritten expected_written = sample_written(), written;
  StError error = {0};
  assert_int_equal(st_checkpoint_read(path, &got, &written, &error), ST_OK);
  check_equal(&expected, &got);
  assert_int_equal(written.scene_crc, 0xdeadbeef);
  assert_int_equal(written.history_rows, ROWS);
  assert_memory_equal(written.history_crc, expected_written.history_crc, ROWS * sizeof(uint32_t));
  assert_int_equal(written.frame_count, FRAMES);
  assert_memory_equal(written.frame_time, expected_written.frame_time, FRAMES * sizeof(double));
  st_checkpoint_free(&got);
  st_checkpoint_free(&expected);
  st_written_free(&written);
  st_written_free(&expected_written);
}

// Angles of half a million hinges are more than the state of the vertices beside them.
static void test_extra_may_be_large(void **state) {
  (void)state;
  const char *path = scratch("extra.h5");
  StCheckpoint checkpoint = sample(1), got;
  StWritten written = sample_written(), got_written;
  StError error = {0};
  free(checkpoint.extra);
  checkpoint.extra_size = 500000 * sizeof(double);
  checkpoint.extra = (char *)numbers(500000, 7);
  assert_int_equal(st_checkpoint_write(path, &checkpoint, &written, &error), ST_OK);
  assert_int_equal(st_checkpoint_read(path, &got, &got_written, &error), ST_OK);
  check_equal(&checkpoint, &got);
  st_checkpoint_free(&got);
  st_checkpoint_free(&checkpoint);
  st_written_free(&written);
  st_written_free(&got_written);
}

static void test_same_state_same_file(void **state) {
  (void)state;
  write_sample(scratch("one.h5"));
  write_sample(scratch("two.h5"));
  size_t one_size, two_size;
  char *one = scratch_read(scratch("one.h5"), &one_size);
  char *two = scratch_read(scratch("two.h5"), &two_size);
  assert_int_equal(one_size, two_size);
  assert_memory_equal(one, two, one_size);
  free(one);
  free(two);
}

static void test_other_tools_can_read(void **state) {
  (void)state;
  const char *path = scratch("tools.h5");
  write_sample(path);
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  assert_true(file >= 0);
  hid_t set = H5Dopen2(file, "position", H5P_DEFAULT);
  double position[VERTICES * 3];
  assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, position) >= 0);
  StCheckpoint expected = sample(VERTICES);
  assert_memory_equal(position, expected.position, sizeof position);
  st_checkpoint_free(&expected);
  H5Dclose(set);
  H5Fclose(file);
}

// Reads and compares the message behind the file's path.
static void expect_message(const char *path, const char *message) {
  StCheckpoint checkpoint;
  StWritten written;
  StError error = {0};
  assert_int_equal(st_checkpoint_read(path, &checkpoint, &written, &error), ST_BAD_INPUT);
  assert_memory_equal(error.text, path, strlen(path));
  assert_string_equal(error.text + strlen(path), message);
  assert_null(checkpoint.position);
  assert_null(written.frame_time);
}

static void put(const char *path, const void *data, size_t size) {
  assert_int_equal(st_file_write(path, data, size, NULL), ST_OK);
}

static void test_truncated(void **state) {
  (void)state;
  size_t size;
  write_sample(scratch("whole.h5"));
  char *data = scratch_read(scratch("whole.h5"), &size);
  const char *path = scratch("cut.h5");
  char message[128];
  snprintf(message, sizeof message, ": damaged (1000 bytes instead of %zu)", size);
  put(path, data, 1000);
  expect_message(path, message);
  put(path, data, 100);
  expect_message(path, ": damaged (cut off after 100 bytes)");
  put(path, data, 0);
  expect_message(path, ": not a Stiction checkpoint");
  free(data);
}

static void test_every_flipped_bit_is_found(void **state) {
  (void)state;
  size_t size;
  write_sample(scratch("good.h5"));
  char *data = scratch_read(scratch("good.h5"), &size);
  const char *path = scratch("flipped.h5");
  for (size_t place = 0; place < size; place += place < 120 ? 1 : 97) {
    // Behind the header's text lie zeros that carry nothing.
    if (place > 70 && place < 512)
      continue;
    data[place] ^= (char)(1 << (place % 8));
    put(path, data, size);
    StCheckpoint checkpoint;
    StWritten written;
    StStatus status = st_checkpoint_read(path, &checkpoint, &written, NULL);
    data[place] ^= (char)(1 << (place % 8));
    bool harmless = place < 512 && status == ST_OK; // a blank turned into another, a leading zero
    if (status == ST_OK) {
      st_checkpoint_free(&checkpoint);
      st_written_free(&written);
    }
    if (!harmless)
      assert_int_equal(status, ST_BAD_INPUT);
  }
  free(data);
}

static void test_checksum_message(void **state) {
  (void)state;
  size_t size;
  write_sample(scratch("sum.h5"));
  char *data = scratch_read(scratch("sum.h5"), &size);
  char *told = strstr(data, "crc32 ");
  assert_non_null(told);
  char good[9] = {0};
  memcpy(good, told + 6, 8);
  memcpy(told + 6, "00000000", 8);
  const char *path = scratch("wrong_sum.h5");
  put(path, data, size);
  char message[128];
  snprintf(message, sizeof message, ": damaged (checksum %s instead of 00000000)", good);
  expect_message(path, message);
  free(data);
}

// Makes size and checksum fit what somebody has changed.
static void repair(const char *path) {
  size_t size;
  char *data = scratch_read(path, &size), header[HEADER] = "";
  uLong crc = crc32_z(0, (const Bytef *)data + HEADER, size - HEADER);
  snprintf(header, sizeof header, "Stiction checkpoint\nformat 9\nsize %zu\ncrc32 %08lx\n", size,
           crc);
  memcpy(data, header, HEADER);
  put(path, data, size);
  free(data);
}

// A writer that forgets something, or a hand: the checksum is right, the content is not.
static void test_missing_content(void **state) {
  (void)state;
  static const char *const sets[] = {
      "position", "velocity",    "position_previous", "velocity_previous", "velocity_solved",
      "force",    "history_crc", "frame_time",        "program",           "extra"};
  static const char *const attributes[] = {"step", "h", "vertex_count", "history_rows"};
  const char *path = scratch("missing.h5");
  for (int i = 0; i < 13; i++) {
    const char *name = i < 9 ? sets[i] : attributes[i - 9];
    write_sample(path);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true((i < 9 ? H5Ldelete(file, name, H5P_DEFAULT) : H5Adelete(file, name)) >= 0);
    H5Fclose(file);
    repair(path);
    char message[128];
    snprintf(message, sizeof message, ": damaged (%s is missing or malformed)", name);
    expect_message(path, message);
  }
}

static void write_attribute(const char *path, const char *name, hid_t type, const void *value) {
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  hid_t attribute = H5Aopen(file, name, H5P_DEFAULT);
  assert_true(H5Awrite(attribute, type, value) >= 0);
  H5Aclose(attribute);
  H5Fclose(file);
  repair(path);
}

static void test_senseless_numbers(void **state) {
  (void)state;
  static const struct {
    const char *name;
    double value;
  } wrong[] = {
      {"step", -1},       {"time", NAN},        {"time", -1},         {"h", 0},
      {"h", INFINITY},    {"vertex_count", -1}, {"history_rows", -3}, {"frame_count", 1000},
      {"h_previous", NAN}};
  const char *path = scratch("senseless.h5");
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    write_sample(path);
    write_attribute(path, wrong[i].name, H5T_NATIVE_DOUBLE, &wrong[i].value);
    char message[128];
    snprintf(message, sizeof message, ": damaged (%s is missing or malformed)", wrong[i].name);
    expect_message(path, message);
  }
  write_sample(path);
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  hid_t set = H5Dopen2(file, "velocity", H5P_DEFAULT);
  double velocity[3 * VERTICES] = {[5] = NAN};
  assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, velocity) >= 0);
  H5Dclose(set);
  H5Fclose(file);
  repair(path);
  expect_message(path, ": damaged (velocity is missing or malformed)");
}

static void test_other_version(void **state) {
  (void)state;
  const char *path = scratch("newer.h5");
  size_t size;
  write_sample(path);
  char *data = scratch_read(path, &size);
  strstr(data, "format 9")[7] = '8';
  put(path, data, size);
  expect_message(path, ": has format 8, this version of Stiction reads format 9; resume with the "
                       "version that wrote it");
  free(data);
}

static void test_foreign_files(void **state) {
  (void)state;
  const char *path = scratch("foreign.h5");
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(file);
  expect_message(path, ": an HDF5 file of another program, not a Stiction checkpoint");
  put(path, "hello, world\n", 13);
  expect_message(path, ": not a Stiction checkpoint");
  unlink(path);
  expect_message(path, ": cannot be read: No such file or directory");
}

static void test_full_disk_keeps_the_old_file(void **state) {
  (void)state;
  const char *path = scratch("kept.h5");
  write_sample(path);
  signal(SIGXFSZ, SIG_IGN);
  struct rlimit old, small = {4096, RLIM_INFINITY};
  getrlimit(RLIMIT_FSIZE, &old);
  small.rlim_max = old.rlim_max;
  setrlimit(RLIMIT_FSIZE, &small);
  StCheckpoint checkpoint = sample(5000);
  StWritten written = sample_written();
  StError error = {0};
  StStatus status = st_checkpoint_write(path, &checkpoint, &written, &error);
  setrlimit(RLIMIT_FSIZE, &old);
  assert_int_equal(status, ST_SYSTEM_FAULT);
  assert_string_equal(error.text + strlen(path), ": cannot be written: File too large");
  st_checkpoint_free(&checkpoint);
  st_written_free(&written);
  StCheckpoint got;
  assert_int_equal(st_checkpoint_read(path, &got, &written, &error), ST_OK);
  assert_int_equal(got.vertex_count, VERTICES);
  assert_false(st_file_exists(scratch("kept.h5.tmp")));
  st_checkpoint_free(&got);
  st_written_free(&written);
}

static void write_for_ever(const char *path) {
  for (int i = 1;; i++) {
    StCheckpoint checkpoint = sample(2000 + i % 2000);
    StWritten written = sample_written();
    st_checkpoint_write(path, &checkpoint, &written, NULL);
    st_checkpoint_free(&checkpoint);
    st_written_free(&written);
  }
}

static void test_killed_while_writing(void **state) {
  (void)state;
  const char *path = scratch("killed.h5");
  write_sample(path);
  for (int round = 0; round < 30; round++) {
    pid_t child = fork();
    if (child == 0)
      write_for_ever(path);
    usleep((useconds_t)(1000 + 1700 * round));
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    StCheckpoint got;
    StWritten written;
    StError error = {0};
    assert_int_equal(st_checkpoint_read(path, &got, &written, &error), ST_OK);
    st_checkpoint_free(&got);
    st_written_free(&written);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_round_trip),
      cmocka_unit_test(test_extra_may_be_large),
      cmocka_unit_test(test_same_state_same_file),
      cmocka_unit_test(test_other_tools_can_read),
      cmocka_unit_test(test_truncated),
      cmocka_unit_test(test_every_flipped_bit_is_found),
      cmocka_unit_test(test_checksum_message),
      cmocka_unit_test(test_missing_content),
      cmocka_unit_test(test_senseless_numbers),
      cmocka_unit_test(test_other_version),
      cmocka_unit_test(test_foreign_files),
      cmocka_unit_test(test_full_disk_keeps_the_old_file),
      cmocka_unit_test(test_killed_while_writing),
  };
  return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
