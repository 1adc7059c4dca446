// VTU files made to fill the memory: small ones whose compressed arrays are huge, or whose pieces
// share an array. They are refused before they are unpacked.
#include "base/memory.h"
#include "base/text.h"
#include "mesh/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <zlib.h>

#include <cmocka.h>

enum { BLOCK = 1 << 20 };

static void put(StText *text, uint64_t number) {
  st_text_add_bytes(text, &number, sizeof number); // the machine is little-endian
}

// Zeros as VTK stores them: a header, then the same zlib block over and over.
static void add_zeros(StText *text, size_t size) {
  static unsigned char zero[BLOCK], packed[BLOCK];
  size_t blocks = size / BLOCK, last = size % BLOCK;
  uLongf full = sizeof packed, rest = sizeof packed;
  assert_true(last > 0);
  put(text, blocks + 1), put(text, BLOCK), put(text, last);
  assert_int_equal(compress2(packed, &rest, zero, last, 9), Z_OK);
  assert_int_equal(compress2(packed, &full, zero, BLOCK, 9), Z_OK);
  for (size_t i = 0; i < blocks; i++)
    put(text, full);
  put(text, rest);
  for (size_t i = 0; i < blocks; i++)
    st_text_add_bytes(text, packed, full);
  assert_int_equal(compress2(packed, &rest, zero, last, 9), Z_OK);
  st_text_add_bytes(text, packed, rest);
}

#define HEAD                                                                                       \
  "<VTKFile type=\"UnstructuredGrid\" byte_order=\"LittleEndian\" header_type=\"UInt64\" "         \
  "compressor=\"vtkZLibDataCompressor\"><UnstructuredGrid>"
#define TAIL "</UnstructuredGrid><AppendedData encoding=\"raw\">_"

static void add_piece(StText *text, size_t points) {
  st_text_add(text,
              "<Piece NumberOfPoints=\"%zu\" NumberOfCells=\"0\"><Points><DataArray "
              "type=\"Float64\" NumberOfComponents=\"3\" format=\"appended\" offset=\"0\"/>"
              "</Points></Piece>",
              points);
}

static long peak(void) { // kB
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

// At most the room that every file has (64 MB), a hundred times the file, and copies of these.
static void refuse(StText *file, const char *words) {
  assert_false(file->failed);
  assert_true(file->length < 2 << 20);
  StMesh *mesh = NULL;
  StError error = {0};
  long before = peak();
  assert_int_equal(st_mesh_parse("bomb.vtu", file->data, file->length, NULL, &mesh, &error),
                   ST_BAD_INPUT);
  if (!strstr(error.text, words))
    fail_msg("%s", error.text);
  assert_true(peak() - before < 600 << 10);
  st_text_free(file);
}

static void points_of_one_array(void **state) {
  (void)state;
  StText file = {0};
  st_text_add(&file, HEAD);
  add_piece(&file, 40000000);
  st_text_add(&file, TAIL);
  add_zeros(&file, 40000000 * (size_t)24);
  refuse(&file, "too much for a file of");
}

static void pieces_that_share_an_array(void **state) {
  (void)state;
  StText file = {0};
  st_text_add(&file, HEAD);
  for (int i = 0; i < 2000; i++)
    add_piece(&file, 100000);
  st_text_add(&file, TAIL);
  add_zeros(&file, 100000 * (size_t)24);
  refuse(&file, "too much for a file of");
}

// Every zero byte would be an empty name, sixteen bytes each.
static void names_without_end(void **state) {
  (void)state;
  StText file = {0};
  st_text_add(&file, HEAD "<FieldData><Array type=\"String\" Name=\"LabelNames\" "
                          "format=\"appended\" offset=\"0\"/></FieldData>" TAIL);
  add_zeros(&file, ((size_t)900 << 20) + 1);
  refuse(&file, "bytes where at most 1048576 are allowed");
}

// A count that the data do not bear out.
static void counts_that_lie(void **state) {
  (void)state;
  StText file = {0};
  st_text_add(&file, HEAD);
  add_piece(&file, 1000);
  st_text_add(&file, TAIL);
  add_zeros(&file, ((size_t)900 << 20) + 1);
  refuse(&file, "bytes where 24000 are needed");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_that_lie),
      cmocka_unit_test(names_without_end),
      cmocka_unit_test(pieces_that_share_an_array),
      cmocka_unit_test(points_of_one_array),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
