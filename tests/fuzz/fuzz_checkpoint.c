// Checkpoints that are not what a run wrote, with a checksum that fits: arrays and numbers are left
// out, exchanged for others of another shape or type, or overwritten, as the input says. HDF5
// itself is not what is tested, so the edits leave a well-formed HDF5 file. What is read must be
// taken up by a simulation, or refused, and the simulation must then be able to take a step or to
// refuse it.
#include "output/checkpoint.h"
#include "step/simulation.h"

#include "fuzz/fuzz_run.h"

#include <hdf5.h>
#include <zlib.h>

enum { HEADER = 512, EDITS = 6, LARGEST = 64 };

static const char *const arrays[] = {"position",          "velocity",        "position_previous",
                                     "velocity_previous", "velocity_solved", "force",
                                     "frame_time",        "extra",           "history_crc"};
static const char *const numbers[] = {"step",           "frame",
                                      "time",           "h",
                                      "h_previous",     "total_linear",
                                      "total_retries",  "wall_seconds",
                                      "total_newton",   "processor_seconds",
                                      "vertex_count",   "scene_crc",
                                      "history_rows",   "frame_count",
                                      "steps_since_cut"};

static StDescription *description;
static StSimulation *simulation;
static char *original;
static size_t original_size;
static const uint8_t *input;
static size_t left;

#define PICK(list) ((list)[next() % (sizeof(list) / sizeof((list)[0]))])

static unsigned next(void) {
  if (!left)
    return 0;
  left--;
  return *input++;
}

static double number(void) {
  static const double odd[] = {0, -1, 1, 1e300, -1e300, 1e-300, 0.01, 3e9};
  unsigned which = next();
  double value = 0;
  for (size_t i = 0; which % 2 && i < sizeof value; i++)
    ((unsigned char *)&value)[i] = (unsigned char)next();
  return which % 2 ? value : odd[which / 2 % 8];
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  StCheckpoint checkpoint = {0};
  StWritten written = {0};
  StError error = {0};
  fuzz_run_begin();
  if (st_scene_load(scratch("small.json"), NULL, &description, &error) != ST_OK ||
      st_simulation_create(description, NULL, &simulation, &error) != ST_OK ||
      st_simulation_step(simulation, &error) != ST_OK ||
      st_simulation_checkpoint(simulation, &checkpoint, &error) != ST_OK ||
      st_checkpoint_write(scratch("good.h5"), &checkpoint, &written, &error) != ST_OK)
    abort();
  st_checkpoint_free(&checkpoint);
  original = scratch_read(scratch("good.h5"), &original_size);
  return 0;
}

static hid_t any_type(void) {
  const hid_t types[] = {H5T_NATIVE_DOUBLE, H5T_NATIVE_INT, H5T_NATIVE_UCHAR, H5T_NATIVE_FLOAT};
  return PICK(types);
}

// The same values for whatever type: room for the largest.
static void fill(double *value, size_t count) {
  for (size_t i = 0; i < count; i++)
    value[i] = number();
}

static void replace_array(hid_t file, const char *name) {
  static double value[LARGEST * 3];
  hsize_t size[2] = {next() % LARGEST, next() % 4};
  hid_t space = H5Screate_simple(next() % 2 ? 2 : 1, size, NULL), type = any_type();
  hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  fill(value, 8);
  if (set >= 0 && size[0] && size[1])
    H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value);
  if (set >= 0)
    H5Dclose(set);
  H5Sclose(space);
}

// Some of an array's values, which keeps its shape.
static void change_array(hid_t file, const char *name) {
  hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
  if (set < 0)
    return;
  hid_t type = H5Dget_type(set);
  size_t size = (size_t)H5Dget_storage_size(set), item = H5Tget_size(type);
  char *bytes = calloc(size + sizeof(double), 1);
  if (bytes && size && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) >= 0) {
    size_t at = (next() | next() << 8) % size / item * item;
    double value = number();
    memcpy(bytes + at, &value, sizeof value); // the room behind the array takes what is too long
    H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes);
  }
  free(bytes);
  H5Tclose(type);
  H5Dclose(set);
}

static void edit_array(hid_t file) {
  const char *name = PICK(arrays);
  unsigned what = next() % 4;
  if (what > 1) {
    change_array(file, name);
    return;
  }
  if (H5Lexists(file, name, H5P_DEFAULT) > 0)
    H5Ldelete(file, name, H5P_DEFAULT);
  if (what == 1)
    replace_array(file, name);
}

static void edit_number(hid_t file) {
  const char *name = PICK(numbers);
  if (H5Aexists(file, name) > 0)
    H5Adelete(file, name);
  if (next() % 4 == 0)
    return;
  hsize_t count = 1 + (next() % 8 == 0);
  hid_t space = H5Screate_simple(1, &count, NULL);
  hid_t attribute = H5Acreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT);
  double value[2] = {number(), 0};
  if (attribute >= 0) {
    H5Awrite(attribute, H5T_NATIVE_DOUBLE, value);
    H5Aclose(attribute);
  }
  H5Sclose(space);
}

// The file with its edits and a fresh header; free() it.
static char *edit(size_t *size) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_core(access, 1 << 16, false);
  H5Pset_file_image(access, original, original_size);
  hid_t file = H5Fopen("edited", H5F_ACC_RDWR, access);
  if (file < 0)
    abort();
  for (int i = 0; i < EDITS && left; i++)
    (next() % 2 ? edit_array : edit_number)(file);
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  ssize_t image = H5Fget_file_image(file, NULL, 0);
  char *bytes = image > 0 ? calloc(HEADER + (size_t)image, 1) : NULL;
  if (!bytes || H5Fget_file_image(file, bytes + HEADER, (size_t)image) != image)
    abort();
  H5Fclose(file);
  H5Pclose(access);
  *size = HEADER + (size_t)image;
  return bytes;
}

// As the original's, with size and checksum put right.
static void repair_header(char *bytes, size_t size) {
  const char *told = strstr(original, "size ");
  if (!told)
    abort();
  unsigned long crc = crc32(0, (const Bytef *)bytes + HEADER, (uInt)(size - HEADER));
  memcpy(bytes, original, (size_t)(told - original));
  snprintf(bytes + (told - original), 64, "size %zu\ncrc32 %08lx\n", size, crc);
}

static void use(const StCheckpoint *checkpoint) {
  StError error = {0};
  StStatus status = st_simulation_restore(simulation, checkpoint, &error);
  fuzz_check(status, &error);
  if (status != ST_OK || st_simulation_finished(simulation))
    return;
  status = st_simulation_step(simulation, &error);
  fuzz_check(status, &error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  StCheckpoint checkpoint = {0};
  StWritten written = {0};
  StError error = {0};
  size_t length;
  input = data;
  left = size;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  char *bytes = edit(&length);
  repair_header(bytes, length);
  FILE *file = fopen(scratch("edited.h5"), "wb");
  if (!file || fwrite(bytes, 1, length, file) != length || fclose(file) != 0)
    abort();
  free(bytes);
  StStatus status = st_checkpoint_read(scratch("edited.h5"), &checkpoint, &written, &error);
  fuzz_check(status, &error);
  if (status == ST_OK)
    use(&checkpoint);
  st_checkpoint_free(&checkpoint);
  st_written_free(&written);
  return 0;
}
