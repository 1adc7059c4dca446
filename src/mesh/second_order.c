// Shape functions N_a = L_a (2 L_a − 1) of corners and 4 L_a L_b of edges, and the cut into parts.
#include "mesh/second_order.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "mesh/check.h"
#include "mesh/face.h"
#include "mesh/tuple.h"

#include <limits.h>
#include <string.h>

const int st_second_edge[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

// The node between two corners, or the corner itself.
static const int BETWEEN[4][4] = {{0, 4, 5, 6}, {4, 1, 7, 8}, {5, 7, 2, 9}, {6, 8, 9, 3}};

// Diagonals of the octahedron in the middle, each with the ring of the other nodes around it.
static const int DIAGONAL[3][2] = {{4, 9}, {5, 8}, {6, 7}};
static const int RING[3][4] = {{7, 5, 6, 8}, {9, 6, 4, 7}, {8, 4, 5, 9}};

void st_second_nodes(const int *part, int node[ST_SECOND_NODES]) {
  for (int a = 0; a < 4; a++)
    for (int b = a; b < 4; b++)
      node[BETWEEN[a][b]] = part[4 * a + b];
}

// VTK's edges are 0–1, 1–2, 0–2, 0–3, 1–3, 2–3.
void st_mesh_element_points(const StMesh *mesh, int element, int point[ST_SECOND_NODES]) {
  static const int order[ST_SECOND_NODES] = {0, 1, 2, 3, 4, 7, 5, 6, 8, 9};
  const int *part = mesh->tet + 4 * (size_t)st_mesh_part_count(mesh) * (size_t)element;
  int node[ST_SECOND_NODES];
  if (mesh->second_order)
    st_second_nodes(part, node);
  else
    memcpy(node, part, 4 * sizeof(int));
  for (int i = 0; i < st_mesh_node_count(mesh); i++)
    point[i] = node[mesh->second_order ? order[i] : i];
}

static int shortest_diagonal(const int node[ST_SECOND_NODES], const double *position) {
  double length[3];
  int best = 0;
  for (int d = 0; d < 3; d++) {
    double way[3];
    vec3_sub(position + 3 * (size_t)node[DIAGONAL[d][1]],
             position + 3 * (size_t)node[DIAGONAL[d][0]], way);
    length[d] = vec3_dot(way, way);
    best = length[d] < length[best] ? d : best;
  }
  return best;
}

void st_second_split(const int node[ST_SECOND_NODES], const double *position, int *part) {
  int d = shortest_diagonal(node, position);
  for (int a = 0; a < 4; a++)
    for (int b = 0; b < 4; b++)
      *part++ = node[BETWEEN[a][b]];
  for (int i = 0; i < 4; i++) {
    *part++ = node[DIAGONAL[d][0]];
    *part++ = node[DIAGONAL[d][1]];
    *part++ = node[RING[d][i]];
    *part++ = node[RING[d][(i + 1) % 4]];
  }
}

void st_second_gradients(const double L[4], double gradient[ST_SECOND_NODES][3]) {
  static const double slope[4][3] = {{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int j = 0; j < 3; j++) {
    for (int a = 0; a < 4; a++)
      gradient[a][j] = (4 * L[a] - 1) * slope[a][j];
    for (int e = 0; e < 6; e++) {
      int a = st_second_edge[e][0], b = st_second_edge[e][1];
      gradient[4 + e][j] = 4 * (L[a] * slope[b][j] + L[b] * slope[a][j]);
    }
  }
}

// All edges of all tets, those of tet t at 6 t …, with equal ones together in the order, and the
// node of each.
typedef struct Edges {
  size_t count;
  int *vertex; // [count][2] ascending
  int *order;  // [count]
  int *node;   // [count]
  int node_count;
} Edges;

static void edges_free(Edges *edges) {
  free(edges->vertex);
  free(edges->order);
  free(edges->node);
}

static StStatus list_edges(const StMesh *mesh, Edges *edges, StError *error) {
  size_t count = 6 * (size_t)mesh->tet_count;
  *edges = (Edges){count, ST_NEW(int, 2 * count), ST_NEW(int, count), ST_NEW(int, count), 0};
  ST_TRY_MEMORY(edges->vertex && edges->order && edges->node, error);
  for (size_t i = 0; i < count; i++) {
    for (int k = 0; k < 2; k++)
      edges->vertex[2 * i + (size_t)k] = mesh->tet[4 * (i / 6) + (size_t)st_second_edge[i % 6][k]];
    st_tuple_ascend(edges->vertex + 2 * i, 2);
  }
  ST_TRY(st_tuple_sort(edges->vertex, count, 2, mesh->vertex_count, edges->order, error));
  for (size_t at = 0, end; at < count; at = end, edges->node_count++) {
    end = st_tuple_run(edges->vertex, 2, edges->order, count, at);
    for (size_t k = at; k < end; k++)
      edges->node[edges->order[k]] = mesh->vertex_count + edges->node_count;
  }
  return ST_OK;
}

// Tags of the nodes on edges. Those of vertex v are start[v] … start[v + 1] - 1 in `label`.
typedef struct Tags {
  int *start, *label;
  bool *done; // [vertices and nodes]
} Tags;

static void tags_free(Tags *tags) {
  free(tags->start);
  free(tags->label);
  free(tags->done);
}

static StStatus list_tags(const StMesh *mesh, int node_count, Tags *tags, StError *error) {
  *tags = (Tags){ST_NEW(int, (size_t)mesh->vertex_count + 2), ST_NEW(int, mesh->tag_count),
                 ST_NEW(bool, mesh->vertex_count + node_count)};
  ST_TRY_MEMORY(tags->start && tags->label && tags->done, error);
  for (int i = 0; i < mesh->tag_count; i++)
    tags->start[mesh->tag[2 * i] + 2]++;
  for (int v = 0; v < mesh->vertex_count; v++)
    tags->start[v + 2] += tags->start[v + 1];
  for (int i = 0; i < mesh->tag_count; i++)
    tags->label[tags->start[mesh->tag[2 * i] + 1]++] = mesh->tag[2 * i + 1];
  return ST_OK;
}

static StStatus tag_node(const Tags *tags, const int end[2], int node, StMesh *mesh,
                         StError *error) {
  for (int i = tags->start[end[0]]; i < tags->start[end[0] + 1]; i++)
    for (int j = tags->start[end[1]]; j < tags->start[end[1] + 1]; j++)
      if (tags->label[i] == tags->label[j])
        ST_TRY(st_mesh_add_tag(mesh, node, tags->label[i], error));
  return ST_OK;
}

// An edge inside may connect two tagged vertices of the boundary.
static StStatus tag_nodes(const Edges *edges, StMesh *mesh, StError *error) {
  ST_FINALLY(tags_free) Tags tags = {0};
  ST_FREE int *face = NULL;
  int count;
  if (mesh->tag_count == 0)
    return ST_OK;
  ST_TRY(list_tags(mesh, edges->node_count, &tags, error));
  ST_TRY(st_mesh_boundary_faces(mesh, &face, &count, error));
  for (int f = 0; f < count; f++)
    for (int e = 0; e < 6; e++) {
      size_t edge = 6 * (size_t)(face[f] / 4) + (size_t)e;
      int opposite = face[f] % 4, node = edges->node[edge];
      bool beside = st_second_edge[e][0] == opposite || st_second_edge[e][1] == opposite;
      if (beside || tags.done[node])
        continue;
      tags.done[node] = true;
      ST_TRY(tag_node(&tags, edges->vertex + 2 * edge, node, mesh, error));
    }
  return ST_OK;
}

static StStatus add_nodes(const Edges *edges, StMesh *mesh, StError *error) {
  size_t count = (size_t)mesh->vertex_count + (size_t)edges->node_count;
  double *position = ST_NEW(double, 3 * count);
  ST_TRY_MEMORY(position, error);
  memcpy(position, mesh->position, 3 * (size_t)mesh->vertex_count * sizeof(double));
  for (size_t i = 0; i < edges->count; i++) {
    const int *end = edges->vertex + 2 * i;
    for (int k = 0; k < 3; k++)
      position[3 * edges->node[i] + k] =
          0.5 * (mesh->position[3 * end[0] + k] + mesh->position[3 * end[1] + k]);
  }
  free(mesh->position);
  mesh->position = position;
  mesh->vertex_count = (int)count;
  return ST_OK;
}

static StStatus split_all(const Edges *edges, StMesh *mesh, StError *error) {
  size_t count = (size_t)mesh->tet_count * ST_SECOND_PARTS;
  int *part = ST_NEW(int, 4 * count), *label = ST_NEW(int, count);
  if (!part || !label) {
    free(part);
    free(label);
    return st_fail_memory(error);
  }
  for (int t = 0; t < mesh->tet_count; t++) {
    int node[ST_SECOND_NODES];
    memcpy(node, mesh->tet + 4 * (size_t)t, 4 * sizeof(int));
    memcpy(node + 4, edges->node + 6 * (size_t)t, 6 * sizeof(int));
    st_second_split(node, mesh->position, part + 4 * ST_SECOND_PARTS * (size_t)t);
    for (int i = 0; i < ST_SECOND_PARTS; i++)
      label[ST_SECOND_PARTS * (size_t)t + (size_t)i] = mesh->tet_label[t];
  }
  free(mesh->tet);
  free(mesh->tet_label);
  mesh->tet = part;
  mesh->tet_label = label;
  mesh->tet_count = (int)count;
  mesh->second_order = true;
  st_mesh_forget_boundary(mesh);
  return ST_OK;
}

static StStatus check_count(const StMesh *mesh, StError *error) {
  int most = INT_MAX / (4 * ST_SECOND_PARTS);
  ST_CHECK(!mesh->second_order && !mesh->cage && !mesh->borrowed, error);
  if (mesh->tet_count <= most)
    return ST_OK;
  return st_fail(error, ST_BAD_INPUT, "%d tets are too many for second order: at most %d",
                 mesh->tet_count, most);
}

StStatus st_mesh_raise_order(StMesh *mesh, StError *error) {
  ST_FINALLY(edges_free) Edges edges = {0};
  ST_TRY(check_count(mesh, error));
  ST_TRY(list_edges(mesh, &edges, error));
  ST_TRY(tag_nodes(&edges, mesh, error));
  ST_TRY(add_nodes(&edges, mesh, error));
  return split_all(&edges, mesh, error);
}

static void swap(int *a, int *b) {
  int kept = *a;
  *a = *b;
  *b = kept;
}

static void turn_upright(StMesh *mesh, int *node) {
  for (int t = 0; t < mesh->tet_count; t++) {
    int *tet = mesh->tet + 4 * (size_t)t, *own = node + 6 * (size_t)t;
    if (st_tet_volume(mesh->position, tet) < 0) {
      swap(&tet[2], &tet[3]);
      swap(&own[1], &own[2]); // 0 – 2 and 0 – 3
      swap(&own[3], &own[4]); // 1 – 2 and 1 – 3
    }
  }
}

static StStatus check_shared(const Edges *edges, StError *error) {
  for (size_t k = 1; k < edges->count; k++) {
    int a = edges->order[k - 1], b = edges->order[k];
    if (st_tuple_equal(edges->vertex, 2, a, b) && edges->node[a] != edges->node[b])
      return st_fail(error, ST_BAD_INPUT,
                     "the edge from vertex %d to %d has the node %d in tet %d and %d in tet %d",
                     edges->vertex[2 * a], edges->vertex[2 * a + 1], edges->node[a], a / 6,
                     edges->node[b], b / 6);
  }
  return ST_OK;
}

StStatus st_mesh_take_nodes(StMesh *mesh, int *node, StError *error) {
  ST_FINALLY(edges_free) Edges edges = {0};
  ST_TRY(check_count(mesh, error));
  turn_upright(mesh, node);
  ST_TRY(list_edges(mesh, &edges, error));
  memcpy(edges.node, node, edges.count * sizeof(int));
  ST_TRY(check_shared(&edges, error));
  ST_TRY(tag_nodes(&edges, mesh, error));
  return split_all(&edges, mesh, error);
}
