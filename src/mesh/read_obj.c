// Wavefront OBJ: vertices and faces. The label of a triangle is its material, else its first group,
// else its object; the others of these become tags of its vertices. All other lines are skipped.
#include "mesh/reader.h"

#include "base/memory.h"

#include <string.h>

// Every face tags its vertices with every group: this limit keeps the work proportional to the file
// size.
enum { GROUP_MAX = 16 };

typedef struct Obj {
  StScan *scan;
  StBuilder *builder;
  int material, object; // labels, -1 for none
  int group_count;
  int group[GROUP_MAX]; // labels of the current g line
  size_t corner_capacity;
  int *corner; // of the face being read
} Obj;

// A line ends at the newline unless a backslash precedes it.
static bool at_line_end(StScan *scan) {
  for (;;) {
    if (st_scan_at_line_end(scan))
      return true;
    size_t left = st_scan_left(scan);
    size_t skip = left >= 2 && memcmp(scan->at, "\\\n", 2) == 0     ? 2
                  : left >= 3 && memcmp(scan->at, "\\\r\n", 3) == 0 ? 3
                                                                    : 0;
    if (!skip)
      return false;
    scan->at += skip;
  }
}

static StStatus read_vertex(Obj *obj) {
  double position[3];
  for (int k = 0; k < 3; k++) {
    if (at_line_end(obj->scan)) {
      obj->scan->mark = obj->scan->at;
      return st_scan_fail(obj->scan, "a vertex needs three coordinates, this one has %d", k);
    }
    ST_TRY(st_scan_real(obj->scan, "a coordinate", &position[k]));
  }
  return st_builder_add_vertex(obj->builder, position, obj->scan->error);
}

// "7", "7/1", "7//3", "-1/2/3": the first number counts vertices from 1, or backwards from the last
// one.
static StStatus read_corner(Obj *obj, int *vertex) {
  StSpan word;
  int64_t number, count = (int64_t)obj->builder->vertex_count;
  st_scan_word_in_line(obj->scan, &word);
  const char *slash = memchr(word.at, '/', word.length);
  StSpan head = {word.at, slash ? (size_t)(slash - word.at) : word.length};
  if (!st_span_integer(head, &number))
    return st_scan_fail(obj->scan, "found '%s' instead of a vertex number", st_quote(word).text);
  if (number == 0 || number > count || number < -count)
    return st_scan_fail(obj->scan,
                        "a face refers to vertex %lld, but %lld vertices stand above it, counted "
                        "from 1 (or -1 for the last)",
                        (long long)number, (long long)count);
  *vertex = (int)(number > 0 ? number - 1 : count + number);
  return ST_OK;
}

static StStatus add_face(Obj *obj, size_t corners) {
  int label[2] = {obj->material, obj->object}, first = -1;
  StError *error = obj->scan->error;
  if (label[0] >= 0)
    first = label[0];
  else if (obj->group_count)
    first = obj->group[0];
  else
    first = label[1];
  ST_TRY(st_builder_add_polygon(obj->builder, corners, obj->corner, first, error));
  for (int i = 0; i < obj->group_count; i++)
    if (obj->group[i] != first)
      ST_TRY(st_builder_add_tags(obj->builder, (int)corners, obj->corner, obj->group[i], error));
  if (obj->object >= 0 && obj->object != first)
    ST_TRY(st_builder_add_tags(obj->builder, (int)corners, obj->corner, obj->object, error));
  return ST_OK;
}

static StStatus read_face(Obj *obj) {
  size_t corners = 0;
  while (!at_line_end(obj->scan)) {
    ST_TRY_MEMORY(st_grow((void **)&obj->corner, &obj->corner_capacity, corners + 1, sizeof(int)),
                  obj->scan->error);
    ST_TRY(read_corner(obj, &obj->corner[corners]));
    corners++;
  }
  obj->scan->mark = obj->scan->at;
  if (corners < 3)
    return st_scan_fail(obj->scan, "a face needs three corners at least, this one has %zu",
                        corners);
  return add_face(obj, corners);
}

static StStatus read_groups(Obj *obj) {
  StSpan name;
  obj->group_count = 0;
  while (st_scan_word_in_line(obj->scan, &name)) {
    if (obj->group_count == GROUP_MAX)
      return st_scan_fail(obj->scan, "a g line names more than %d groups", GROUP_MAX);
    int label = st_builder_label(obj->builder, name);
    if (label < 0)
      return st_fail_memory(obj->scan->error);
    obj->group[obj->group_count++] = label;
  }
  return ST_OK;
}

static StStatus read_line(Obj *obj, StSpan word) {
  if (st_span_is(word, "v"))
    ST_TRY(read_vertex(obj));
  else if (st_span_is(word, "f"))
    ST_TRY(read_face(obj));
  else if (st_span_is(word, "g"))
    ST_TRY(read_groups(obj));
  else if (st_span_is(word, "o"))
    return st_builder_label_of_line(obj->builder, obj->scan, &obj->object);
  else if (st_span_is(word, "usemtl"))
    return st_builder_label_of_line(obj->builder, obj->scan, &obj->material);
  while (word.at[0] != '#' && !at_line_end(obj->scan)) // a comment may end in a backslash
    st_scan_word_in_line(obj->scan, &word);
  st_scan_next_line(obj->scan);
  return ST_OK;
}

StStatus st_read_obj(StScan *scan, StBuilder *builder) {
  Obj obj = {.scan = scan, .builder = builder, .material = -1, .object = -1};
  StSpan word;
  StStatus status = ST_OK;
  while (status == ST_OK && st_scan_word(scan, &word))
    status = read_line(&obj, word);
  free(obj.corner);
  return status;
}
