// Collects what a reader finds, in any number and order, and builds a mesh: triangles that are
// faces of tets become vertex tags, and so do further labels of an element; equal label names
// become one label.
#pragma once

#include "mesh/mesh.h"
#include "mesh/scan.h"
#include "mesh/table.h"

// Keeps 5 · count within an int: all faces of as many tets, and as many triangles, can be numbered.
enum { ST_MESH_LIMIT = 400000000 };

typedef struct StElements {
  size_t count, vertex_capacity, label_capacity;
  int *vertex; // [count][corners]
  int *label;  // [count]
} StElements;

typedef struct StBuilder {
  size_t vertex_count, position_capacity;
  double *position;
  StElements tet, triangle;
  bool second_order; // keep the nodes that tets of second order have on their edges
  size_t node_count, node_capacity;
  int *node; // [node_count][6] of the tets, in their order; not of all tets: not used
  size_t tag_count, tag_capacity;
  int *tag;      // [tag_count][2]
  StTable label; // names
} StBuilder;

StStatus st_builder_add_vertex(StBuilder *builder, const double position[3], StError *error);

// Elements by their corners: 1 point and 2 line (their vertices are tagged), 3 triangle, 4 tet;
// label -1 for none. Vertices must have been added before.
StStatus st_builder_add(StBuilder *builder, int corners, const int *vertex, int label,
                        StError *error);
// A tet of second order: its corners, and the nodes on its edges as in mesh/second_order.h.
StStatus st_builder_add_second_order(StBuilder *builder, const int *node, int label,
                                     StError *error);
// A further label of an element that has one already.
StStatus st_builder_add_tags(StBuilder *builder, int corners, const int *vertex, int label,
                             StError *error);

// A polygon as a fan of triangles; a triangle as itself.
StStatus st_builder_add_polygon(StBuilder *builder, size_t corners, const int *vertex, int label,
                                StError *error);

// Index of the label with this name; -1: out of memory.
int st_builder_label(StBuilder *builder, StSpan name);
int st_builder_number_label(StBuilder *builder, int64_t number);

// The label that the rest of the scan's line names; -1: it is empty.
StStatus st_builder_label_of_line(StBuilder *builder, StScan *scan, int *label);

// Replaces every label by map[label], for readers that learn names after elements.
void st_builder_map_labels(StBuilder *builder, const int *map);

StStatus st_builder_finish(StBuilder *builder, StMesh **mesh, StError *error);
void st_builder_free(StBuilder *builder);
