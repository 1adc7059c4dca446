// STL, text and binary: loose triangles, whose equal corners are merged. Solids are labels.
#include "mesh/reader.h"

enum { HEADER = 84, FACET = 50, COUNT_AT = 80 };

typedef struct Stl {
  StScan *scan;
  StBuilder *builder;
  StTable corner; // positions seen
  int label;      // of the solid being read
  size_t facet_count;
  size_t collapsed; // triangles whose corners coincide
} Stl;

static StStatus add_corner(Stl *stl, const double given[3], int *vertex) {
  double position[3];
  for (int k = 0; k < 3; k++)
    position[k] = given[k] + 0.0; // -0 becomes 0: equal numbers, equal bytes
  *vertex = st_table_add(&stl->corner, position, sizeof position);
  if (*vertex < 0)
    return st_fail_memory(stl->scan->error);
  if ((size_t)*vertex < stl->builder->vertex_count)
    return ST_OK;
  return st_builder_add_vertex(stl->builder, position, stl->scan->error);
}

static StStatus add_facet(Stl *stl, double corner[3][3]) {
  int vertex[3];
  for (int i = 0; i < 3; i++)
    ST_TRY(add_corner(stl, corner[i], &vertex[i]));
  stl->facet_count++;
  if (vertex[0] == vertex[1] || vertex[1] == vertex[2] || vertex[2] == vertex[0]) {
    stl->collapsed++;
    return ST_OK;
  }
  return st_builder_add(stl->builder, 3, vertex, stl->label, stl->scan->error);
}

static StStatus read_text_facet(Stl *stl) {
  StScan *scan = stl->scan;
  double corner[3][3], normal;
  ST_TRY(st_scan_expect(scan, "normal"));
  for (int k = 0; k < 3; k++)
    ST_TRY(st_scan_real(scan, "a component of the normal", &normal));
  ST_TRY(st_scan_expect(scan, "outer"));
  ST_TRY(st_scan_expect(scan, "loop"));
  for (int i = 0; i < 3; i++) {
    ST_TRY(st_scan_expect(scan, "vertex"));
    for (int k = 0; k < 3; k++)
      ST_TRY(st_scan_real(scan, "a coordinate", &corner[i][k]));
  }
  ST_TRY(st_scan_expect(scan, "endloop"));
  ST_TRY(st_scan_expect(scan, "endfacet"));
  return add_facet(stl, corner);
}

static StStatus read_text(Stl *stl) {
  StScan *scan = stl->scan;
  StSpan word;
  bool inside = false;
  while (st_scan_word(scan, &word)) {
    if (!inside && st_span_is(word, "solid")) {
      inside = true;
      ST_TRY(st_builder_label_of_line(stl->builder, scan, &stl->label));
    } else if (inside && st_span_is(word, "endsolid")) {
      inside = false;
      st_scan_next_line(scan);
    } else if (inside && st_span_is(word, "facet")) {
      ST_TRY(read_text_facet(stl));
    } else {
      return st_scan_fail(scan, "found '%s' instead of %s", st_quote(word).text,
                          inside ? "facet or endsolid" : "solid");
    }
  }
  if (inside)
    return st_scan_fail(scan, "the file ends where facet or endsolid should be");
  return ST_OK;
}

static StStatus read_binary(Stl *stl, uint32_t count) {
  StScan *scan = stl->scan;
  bool swap = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__; // STL is little-endian everywhere
  scan->at = scan->start + HEADER;
  for (uint32_t f = 0; f < count; f++, scan->at += FACET) {
    double corner[3][3];
    for (int i = 0; i < 9; i++) // the first three floats are the normal
      corner[i / 3][i % 3] = (double)st_bytes_f32(scan->at + 12 + 4 * i, swap);
    ST_TRY(add_facet(stl, corner));
  }
  return ST_OK;
}

static StStatus read_either(Stl *stl) {
  StScan *scan = stl->scan;
  size_t size = st_scan_left(scan);
  bool swap = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
  uint32_t count = size >= HEADER ? st_bytes_u32(scan->start + COUNT_AT, swap) : 0;
  uint64_t needed = HEADER + (uint64_t)FACET * count;
  // Binary files may begin with "solid" too; only their size distinguishes them from text.
  if (size >= HEADER && size == needed)
    return read_binary(stl, count);
  st_scan_skip_space(scan);
  if (st_span_starts((StSpan){scan->at, st_scan_left(scan)}, "solid"))
    return read_text(stl);
  scan->mark = scan->start + (size < HEADER ? 0 : COUNT_AT);
  scan->binary = true;
  if (size < HEADER)
    return st_scan_fail(scan, "an STL file begins with 'solid' or with %d bytes of header", HEADER);
  if (size < needed)
    return st_scan_fail(scan,
                        "%u triangles are announced, which take %llu bytes, but the file has %zu: "
                        "it is truncated or not STL",
                        count, (unsigned long long)needed, size);
  st_log(scan->log, ST_WARNING, "%s: %llu bytes after the last triangle were ignored", scan->name,
         (unsigned long long)(size - needed));
  return read_binary(stl, count);
}

StStatus st_read_stl(StScan *scan, StBuilder *builder) {
  Stl stl = {.scan = scan, .builder = builder, .label = -1};
  StStatus status = read_either(&stl);
  st_table_free(&stl.corner);
  if (status == ST_OK && stl.collapsed)
    st_log(scan->log, ST_WARNING, "%s: %zu of %zu triangles have equal corners and were left out",
           scan->name, stl.collapsed, stl.facet_count);
  return status;
}
