// Gmsh meshes: MSH 2.x, 4.0 and 4.1, text and binary. Physical groups are labels: of elements for
// volumes and free surfaces, otherwise tags of their vertices. Three functions (whole, size, real)
// read numbers from text or binary, so each section has one implementation.
#include "mesh/reader.h"

#include "base/memory.h"
#include "mesh/msh_type.h"

#include <stdio.h>
#include <string.h>

// Every element tags its vertices with every group: this limit keeps the work proportional to the
// file size.
enum { GROUP_MAX = 64 };

typedef struct Key { // of an entity or a physical group
  int32_t dimension, number;
} Key;

typedef struct Entity {
  size_t first, count; // its groups in Msh.physical
} Entity;

typedef struct Msh {
  StScan *scan;
  StBuilder *builder;
  bool swap;
  int version;   // 20 … 22, 40, 41
  StTable node;  // uint64_t number in the file: index is the vertex
  StTable group; // Key of a physical group: index is the label until names are given
  size_t name_capacity;
  StSpan *group_name; // [group.count] length 0: none
  StTable entity;     // Key: index into entities
  size_t entity_capacity, physical_count, physical_capacity;
  Entity *entities;
  int *physical; // groups
  size_t curved; // elements of higher order
} Msh;

// Consumes `size` bytes of a binary section; NULL, with the error set, if too few are left.
static const char *take(Msh *msh, const char *what, size_t size) {
  StScan *scan = msh->scan;
  scan->mark = scan->at;
  if (size > st_scan_left(scan)) {
    st_scan_fail(msh->scan, "the file ends where %s should be", what);
    return NULL;
  }
  scan->at += size;
  return scan->mark;
}

static StStatus check_range(const Msh *msh, const char *what, int64_t low, int64_t high,
                            int64_t value) {
  if (value >= low && value <= high)
    return ST_OK;
  return st_scan_fail(msh->scan, "%s must be from %lld to %lld, not %lld", what, (long long)low,
                      (long long)high, (long long)value);
}

// An int or, in `size` 8 bytes, a size_t of the file.
static StStatus read_integer(Msh *msh, const char *what, size_t size, int64_t low, int64_t high,
                             int64_t *value) {
  if (!msh->scan->binary)
    return st_scan_integer(msh->scan, what, low, high, value);
  const char *bytes = take(msh, what, size);
  if (!bytes)
    return ST_BAD_INPUT;
  *value =
      size == 4 ? (int32_t)st_bytes_u32(bytes, msh->swap) : (int64_t)st_bytes_u64(bytes, msh->swap);
  return check_range(msh, what, low, high, *value);
}

static StStatus read_whole(Msh *msh, const char *what, int64_t low, int64_t high, int64_t *value) {
  return read_integer(msh, what, 4, low, high, value);
}

static StStatus read_size(Msh *msh, const char *what, int64_t low, int64_t high, int64_t *value) {
  return read_integer(msh, what, 8, low, high, value);
}

static StStatus read_real(Msh *msh, const char *what, double *value) {
  if (!msh->scan->binary)
    return st_scan_real(msh->scan, what, value);
  const char *bytes = take(msh, what, 8);
  if (!bytes)
    return ST_BAD_INPUT;
  *value = st_bytes_f64(bytes, msh->swap);
  return ST_OK;
}

// How many items follow; each takes at least this many bytes in binary and in text.
static StStatus read_count(Msh *msh, const char *what, size_t binary_size, size_t text_size,
                           int64_t *count) {
  ST_TRY(read_size(msh, what, 0, ST_MESH_LIMIT, count));
  size_t left = st_scan_left(msh->scan);
  if ((uint64_t)*count * (msh->scan->binary ? binary_size : text_size) > left + 1)
    return st_scan_fail(msh->scan, "%s is given as %lld, but only %zu bytes follow", what,
                        (long long)*count, left);
  return ST_OK;
}

static int group_of(Msh *msh, int dimension, int64_t number) {
  Key key = {dimension, (int32_t)number};
  int group = st_table_add(&msh->group, &key, sizeof key);
  size_t before = msh->name_capacity;
  if (group < 0 ||
      !st_grow((void **)&msh->group_name, &msh->name_capacity, msh->group.count, sizeof(StSpan)))
    return -1;
  for (size_t i = before; i < msh->name_capacity; i++)
    msh->group_name[i] = (StSpan){"", 0};
  return group;
}

// Skips past $EndName.
static StStatus end_section(Msh *msh, const char *name) {
  char end[40];
  StSpan word;
  snprintf(end, sizeof end, "$End%s", name + 1);
  if (st_scan_word(msh->scan, &word) && st_span_is(word, end))
    return ST_OK;
  if (!word.length)
    return st_scan_fail(msh->scan, "the file ends where %s should be", end);
  return st_scan_fail(msh->scan, "found '%s' instead of %s", st_quote(word).text, end);
}

static StStatus read_format(Msh *msh) {
  StScan *scan = msh->scan;
  StSpan word;
  double version;
  int64_t kind, size;
  if (!st_scan_word(scan, &word) || !st_span_is(word, "$MeshFormat"))
    return st_scan_fail(scan, "a Gmsh file begins with $MeshFormat (version 2 and later)");
  ST_TRY(st_scan_real(scan, "the version of the format", &version));
  if (!(version >= 2 && version < 2.3) && version != 4.0 && version != 4.1)
    return st_scan_fail(scan, "version %g of the format is not supported; 2.2, 4.0 and 4.1 are",
                        version);
  msh->version = (int)(10 * version + 0.5);
  ST_TRY(st_scan_integer(scan, "the kind, 0 for text and 1 for binary,", 0, 1, &kind));
  ST_TRY(st_scan_integer(scan, "the size of a number", 0, INT32_MAX, &size));
  if (size != 8)
    return st_scan_fail(scan, "numbers of %lld bytes are not supported, only those of 8",
                        (long long)size);
  if (kind) {
    st_scan_next_line(scan);
    msh->scan->binary = true;
    const char *bytes = take(msh, "the number 1 that tells the byte order", 4);
    if (!bytes)
      return ST_BAD_INPUT;
    msh->swap = st_bytes_u32(bytes, false) != 1;
    if (st_bytes_u32(bytes, msh->swap) != 1)
      return st_scan_fail(msh->scan, "the number 1 that tells the byte order should be here");
  }
  return end_section(msh, "$MeshFormat");
}

// dimension number "name", as text in all files
static StStatus read_names(Msh *msh) {
  StScan *scan = msh->scan;
  int64_t count, dimension, number;
  ST_TRY(st_scan_integer(scan, "the number of names", 0, ST_MESH_LIMIT, &count));
  for (int64_t i = 0; i < count; i++) {
    ST_TRY(st_scan_integer(scan, "a dimension", 0, 3, &dimension));
    ST_TRY(st_scan_integer(scan, "the number of a group", INT32_MIN, INT32_MAX, &number));
    StSpan name = st_scan_rest_of_line(scan);
    if (name.length < 2 || name.at[0] != '"' || name.at[name.length - 1] != '"')
      return st_scan_fail(scan, "the name of a group must be in quotes");
    int group = group_of(msh, (int)dimension, number);
    if (group < 0)
      return st_fail_memory(scan->error);
    msh->group_name[group] = (StSpan){name.at + 1, name.length - 2};
  }
  return ST_OK;
}

static StStatus read_entity_groups(Msh *msh, int dimension, Entity *entity) {
  int64_t count, number;
  entity->first = msh->physical_count;
  ST_TRY(read_size(msh, "the number of groups of an entity", 0, GROUP_MAX, &count));
  for (int64_t i = 0; i < count; i++) {
    ST_TRY(read_whole(msh, "the number of a group", -INT32_MAX, INT32_MAX, &number));
    int group = group_of(msh, dimension, number < 0 ? -number : number); // negative: reversed
    if (group < 0 || !st_grow((void **)&msh->physical, &msh->physical_capacity,
                              msh->physical_count + 1, sizeof(int)))
      return st_fail_memory(msh->scan->error);
    msh->physical[msh->physical_count++] = group;
  }
  entity->count = msh->physical_count - entity->first;
  return ST_OK;
}

// The extra data of a partitioned entity: its parent and the partitions.
static StStatus skip_partition(Msh *msh) {
  int64_t count, ignored;
  ST_TRY(read_whole(msh, "the dimension of a parent", INT32_MIN, INT32_MAX, &ignored));
  ST_TRY(read_whole(msh, "the number of a parent", INT32_MIN, INT32_MAX, &ignored));
  ST_TRY(read_count(msh, "the number of partitions", 4, 2, &count));
  for (int64_t i = 0; i < count; i++)
    ST_TRY(read_whole(msh, "a partition", INT32_MIN, INT32_MAX, &ignored));
  return ST_OK;
}

static StStatus read_entity(Msh *msh, int dimension, bool partitioned) {
  int64_t number, bounds, ignored;
  double box;
  ST_TRY(read_whole(msh, "the number of an entity", INT32_MIN, INT32_MAX, &number));
  if (partitioned)
    ST_TRY(skip_partition(msh));
  int box_size = dimension == 0 && msh->version == 41 ? 3 : 6;
  for (int i = 0; i < box_size; i++)
    ST_TRY(read_real(msh, "a coordinate", &box));
  Key key = {dimension, (int32_t)number};
  int index = st_table_add(&msh->entity, &key, sizeof key);
  if (index < 0 ||
      !st_grow((void **)&msh->entities, &msh->entity_capacity, msh->entity.count, sizeof(Entity)))
    return st_fail_memory(msh->scan->error);
  ST_TRY(read_entity_groups(msh, dimension, &msh->entities[index]));
  if (dimension == 0)
    return ST_OK;
  ST_TRY(read_count(msh, "the number of bounding entities", 4, 2, &bounds));
  for (int64_t i = 0; i < bounds; i++)
    ST_TRY(read_whole(msh, "a bounding entity", INT32_MIN, INT32_MAX, &ignored));
  return ST_OK;
}

static StStatus read_all_entities(Msh *msh, bool partitioned) {
  int64_t count[4];
  for (int dimension = 0; dimension < 4; dimension++)
    ST_TRY(read_size(msh, "the number of entities", 0, ST_MESH_LIMIT, &count[dimension]));
  for (int dimension = 0; dimension < 4; dimension++)
    for (int64_t i = 0; i < count[dimension]; i++)
      ST_TRY(read_entity(msh, dimension, partitioned));
  return ST_OK;
}

static StStatus read_entities(Msh *msh) {
  return read_all_entities(msh, false);
}

static StStatus read_partitioned_entities(Msh *msh) {
  int64_t partitions, ghosts, ignored;
  ST_TRY(read_size(msh, "the number of partitions", 0, INT32_MAX, &partitions));
  ST_TRY(read_count(msh, "the number of ghost entities", 8, 4, &ghosts));
  for (int64_t i = 0; i < 2 * ghosts; i++)
    ST_TRY(read_whole(msh, "a ghost entity", INT32_MIN, INT32_MAX, &ignored));
  return read_all_entities(msh, true);
}

static StStatus add_node(Msh *msh, int64_t number) {
  size_t before = msh->node.count;
  if (st_table_add(&msh->node, &number, sizeof number) < 0)
    return st_fail_memory(msh->scan->error);
  if (msh->node.count == before)
    return st_scan_fail(msh->scan, "node %lld occurs a second time", (long long)number);
  return ST_OK;
}

static StStatus read_position(Msh *msh, int parameters) {
  double position[3], ignored;
  for (int k = 0; k < 3; k++)
    ST_TRY(read_real(msh, "a coordinate", &position[k]));
  for (int k = 0; k < parameters; k++)
    ST_TRY(read_real(msh, "a parameter", &ignored));
  return st_builder_add_vertex(msh->builder, position, msh->scan->error);
}

static StStatus read_nodes2(Msh *msh) {
  int64_t count, number;
  ST_TRY(st_scan_integer(msh->scan, "the number of nodes", 0, ST_MESH_LIMIT, &count));
  if (msh->scan->binary)
    st_scan_next_line(msh->scan);
  for (int64_t i = 0; i < count; i++) {
    ST_TRY(read_whole(msh, "a node number", 0, INT32_MAX, &number));
    ST_TRY(add_node(msh, number));
    ST_TRY(read_position(msh, 0));
  }
  return ST_OK;
}

// The entity of a block of nodes or elements: in 4.0 its number comes first.
static StStatus read_block_entity(Msh *msh, Key *entity) {
  int64_t first, second;
  bool new = msh->version == 41;
  ST_TRY(read_whole(msh, new ? "a dimension" : "the number of an entity", new ? 0 : INT32_MIN,
                    new ? 3 : INT32_MAX, &first));
  ST_TRY(read_whole(msh, new ? "the number of an entity" : "a dimension", new ? INT32_MIN : 0,
                    new ? INT32_MAX : 3, &second));
  *entity = (Key){(int32_t)(new ? first : second), (int32_t)(new ? second : first)};
  return ST_OK;
}

// In 4.1 all numbers come first, then all positions; in 4.0 each node has its own line.
static StStatus read_node_block(Msh *msh) {
  int64_t parametric, count, number;
  bool new = msh->version == 41;
  Key entity;
  ST_TRY(read_block_entity(msh, &entity));
  ST_TRY(read_whole(msh, "0 or 1 for parametric nodes", 0, 1, &parametric));
  ST_TRY(read_count(msh, "the number of nodes", 28, 8, &count));
  int parameters = parametric ? entity.dimension : 0;
  for (int64_t i = 0; i < count && new; i++) {
    ST_TRY(read_size(msh, "a node number", 0, INT64_MAX, &number));
    ST_TRY(add_node(msh, number));
  }
  for (int64_t i = 0; i < count; i++) {
    if (!new) {
      ST_TRY(read_whole(msh, "a node number", 0, INT32_MAX, &number));
      ST_TRY(add_node(msh, number));
    }
    ST_TRY(read_position(msh, parameters));
  }
  return ST_OK;
}

// The numbers ahead of the blocks: blocks, items and, in 4.1, the least and the largest number.
static StStatus read_block_header(Msh *msh, int64_t *blocks) {
  int64_t ignored;
  ST_TRY(read_size(msh, "the number of blocks", 0, ST_MESH_LIMIT, blocks));
  for (int i = 0; i < (msh->version == 41 ? 3 : 1); i++)
    ST_TRY(read_size(msh, "a count", 0, INT64_MAX, &ignored));
  return ST_OK;
}

static StStatus read_nodes(Msh *msh) {
  int64_t blocks;
  if (msh->version < 40)
    return read_nodes2(msh);
  ST_TRY(read_block_header(msh, &blocks));
  for (int64_t i = 0; i < blocks; i++)
    ST_TRY(read_node_block(msh));
  return ST_OK;
}

static StStatus find_type(const Msh *msh, int64_t number, const StMshType **type) {
  if (!(*type = st_msh_type(number)))
    return st_scan_fail(msh->scan, "element type %lld is not known", (long long)number);
  if (!(*type)->corner_count)
    return st_scan_fail(
        msh->scan, "element type %lld (%s) cannot be simulated: only tetrahedra and triangles can",
        (long long)number, (*type)->name);
  return ST_OK;
}

// The nodes of one element; the first group is its label, further ones tag its vertices.
static StStatus read_element(Msh *msh, const StMshType *type, const int *group,
                             size_t group_count) {
  StError *error = msh->scan->error;
  int vertex[ST_MSH_NODE_MAX], corners = type->corner_count;
  for (int i = 0; i < type->node_count; i++) {
    int64_t number;
    ST_TRY(msh->version == 41 ? read_size(msh, "a node number", 0, INT64_MAX, &number)
                              : read_whole(msh, "a node number", 0, INT32_MAX, &number));
    vertex[i] = st_table_find(&msh->node, &number, sizeof number);
    if (vertex[i] < 0)
      return st_scan_fail(msh->scan,
                          "an element refers to node %lld, which is not among the %zu nodes",
                          (long long)number, msh->node.count);
  }
  msh->curved += type->node_count > corners;
  int label = group_count ? group[0] : -1;
  if (type == st_msh_type(ST_MSH_SECOND_ORDER)) {
    const int node[] = {vertex[0], vertex[1], vertex[2], vertex[3], vertex[4],
                        vertex[6], vertex[7], vertex[5], vertex[9], vertex[8]};
    ST_TRY(st_builder_add_second_order(msh->builder, node, label, error));
  } else {
    ST_TRY(type->dimension == 2
               ? st_builder_add_polygon(msh->builder, (size_t)corners, vertex, label, error)
               : st_builder_add(msh->builder, corners, vertex, label, error));
  }
  for (size_t i = 1; i < group_count; i++)
    ST_TRY(st_builder_add_tags(msh->builder, corners, vertex, group[i], error));
  return ST_OK;
}

// The tags of a version 2 element: the first one is the group, 0 for none.
static StStatus read_element2(Msh *msh, const StMshType *type, int64_t tag_count) {
  int64_t tag;
  int group = -1;
  for (int64_t i = 0; i < tag_count; i++) {
    ST_TRY(read_whole(msh, "a tag of an element", -INT32_MAX, INT32_MAX, &tag));
    if (i == 0 && tag && (group = group_of(msh, type->dimension, tag < 0 ? -tag : tag)) < 0)
      return st_fail_memory(msh->scan->error);
  }
  return read_element(msh, type, &group, group >= 0);
}

static StStatus read_text_elements2(Msh *msh, int64_t count) {
  int64_t number, kind, tags;
  for (int64_t i = 0; i < count; i++) {
    const StMshType *type = NULL;
    ST_TRY(read_whole(msh, "an element number", 0, INT32_MAX, &number));
    ST_TRY(read_whole(msh, "an element type", 0, INT32_MAX, &kind));
    ST_TRY(find_type(msh, kind, &type));
    ST_TRY(read_whole(msh, "the number of tags", 0, INT32_MAX, &tags));
    ST_TRY(read_element2(msh, type, tags));
  }
  return ST_OK;
}

static StStatus read_binary_elements2(Msh *msh, int64_t count) {
  int64_t number, kind, block, tags;
  st_scan_next_line(msh->scan);
  for (int64_t done = 0; done < count; done += block) {
    const StMshType *type = NULL;
    ST_TRY(read_whole(msh, "an element type", 0, INT32_MAX, &kind));
    ST_TRY(find_type(msh, kind, &type));
    ST_TRY(read_whole(msh, "the number of elements in a block", 1, count - done, &block));
    ST_TRY(read_whole(msh, "the number of tags", 0, INT32_MAX, &tags));
    for (int64_t i = 0; i < block; i++) {
      ST_TRY(read_whole(msh, "an element number", 0, INT32_MAX, &number));
      ST_TRY(read_element2(msh, type, tags));
    }
  }
  return ST_OK;
}

static StStatus read_element_block(Msh *msh) {
  int64_t kind, count, number;
  bool new = msh->version == 41;
  const StMshType *type = NULL;
  Key entity;
  ST_TRY(read_block_entity(msh, &entity));
  ST_TRY(read_whole(msh, "an element type", 0, INT32_MAX, &kind));
  ST_TRY(find_type(msh, kind, &type));
  ST_TRY(read_count(msh, "the number of elements", 8, 4, &count));
  int index = st_table_find(&msh->entity, &entity, sizeof entity);
  size_t group_count = index >= 0 ? msh->entities[index].count : 0;
  const int *group = group_count ? &msh->physical[msh->entities[index].first] : NULL;
  for (int64_t i = 0; i < count; i++) {
    ST_TRY(new ? read_size(msh, "an element number", 0, INT64_MAX, &number)
               : read_whole(msh, "an element number", 0, INT32_MAX, &number));
    ST_TRY(read_element(msh, type, group, group_count));
  }
  return ST_OK;
}

static StStatus read_elements(Msh *msh) {
  int64_t count;
  if (msh->version >= 40) {
    ST_TRY(read_block_header(msh, &count));
    for (int64_t i = 0; i < count; i++)
      ST_TRY(read_element_block(msh));
    return ST_OK;
  }
  ST_TRY(st_scan_integer(msh->scan, "the number of elements", 0, ST_MESH_LIMIT, &count));
  return msh->scan->binary ? read_binary_elements2(msh, count) : read_text_elements2(msh, count);
}

static StStatus skip_section(Msh *msh, StSpan name) {
  char end[64];
  StScan *scan = msh->scan;
  int length = snprintf(end, sizeof end, "$End%.*s", (int)(name.length < 50 ? name.length : 50) - 1,
                        name.at + 1);
  const char *found = memmem(scan->at, st_scan_left(scan), end, (size_t)length);
  if (!found)
    return st_scan_fail(msh->scan, "the section %s is not closed by %s", st_quote(name).text, end);
  scan->at = found + length;
  return ST_OK;
}

static StStatus read_section(Msh *msh, StSpan name) {
  static const struct {
    const char *name;
    StStatus (*read)(Msh *msh);
    bool text; // also in binary files
    int version;
  } known[] = {{"$PhysicalNames", read_names, true, 20},
               {"$Entities", read_entities, false, 40},
               {"$PartitionedEntities", read_partitioned_entities, false, 41},
               {"$Nodes", read_nodes, false, 20},
               {"$Elements", read_elements, false, 20}};
  for (int i = 0; i < ST_LENGTH(known); i++) {
    if (!st_span_is(name, known[i].name) || msh->version < known[i].version)
      continue;
    if (msh->scan->binary && !known[i].text && msh->version >= 40)
      st_scan_next_line(msh->scan);
    ST_TRY(known[i].read(msh));
    return end_section(msh, known[i].name);
  }
  return skip_section(msh, name);
}

// A group without a name is named by its number, with its dimension added if a group of higher
// dimension has the same number: "1" must not select a body and one of its faces.
static StStatus name_group(Msh *msh, size_t index, int *label) {
  static const char *const prefix[] = {"point ", "curve ", "surface "};
  const StTableKey *at = &msh->group.key[index];
  Key key, higher;
  memcpy(&key, msh->group.bytes + at->at, sizeof key);
  char text[48];
  StSpan name = msh->group_name[index];
  if (!name.length) {
    bool taken = false;
    for (higher = key, higher.dimension++; higher.dimension <= 3 && !taken; higher.dimension++)
      taken = st_table_find(&msh->group, &higher, sizeof higher) >= 0;
    int length =
        snprintf(text, sizeof text, "%s%d", taken ? prefix[key.dimension] : "", key.number);
    name = (StSpan){text, (size_t)length};
  }
  *label = st_builder_label(msh->builder, name);
  return *label < 0 ? st_fail_memory(msh->scan->error) : ST_OK;
}

static StStatus name_groups(Msh *msh) {
  ST_FREE int *label = ST_NEW(int, msh->group.count);
  ST_TRY_MEMORY(label, msh->scan->error);
  for (size_t i = 0; i < msh->group.count; i++)
    ST_TRY(name_group(msh, i, &label[i]));
  st_builder_map_labels(msh->builder, label);
  return ST_OK;
}

static StStatus read_all(Msh *msh) {
  StSpan word;
  ST_TRY(read_format(msh));
  while (st_scan_word(msh->scan, &word)) {
    if (word.at[0] != '$')
      return st_scan_fail(msh->scan, "found '%s' instead of a section such as $Nodes",
                          st_quote(word).text);
    ST_TRY(read_section(msh, word));
  }
  if (msh->curved && !msh->builder->second_order)
    st_log(msh->scan->log, ST_WARNING,
           "%s: %zu elements of higher order: only their corners are used", msh->scan->name,
           msh->curved);
  return name_groups(msh);
}

StStatus st_read_msh(StScan *scan, StBuilder *builder) {
  Msh msh = {.scan = scan, .builder = builder};
  StStatus status = read_all(&msh);
  st_table_free(&msh.node);
  st_table_free(&msh.group);
  st_table_free(&msh.entity);
  free(msh.group_name);
  free(msh.entities);
  free(msh.physical);
  return status;
}
