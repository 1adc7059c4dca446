// Vertex graph of a description and its reverse Cuthill-McKee order.
#include "model/graph.h"

#include "base/memory.h"
#include "base/search.h"
#include "mesh/second_order.h"
#include "model/body.h"

#include <string.h>

typedef void Visit(void *context, const int *vertex, int count);

// Carried vertices are adjacent to their first carrier, and carriers to each other.
static void visit_carried(const StCarried *carried, int offset, Visit *visit, void *context) {
  int carrier[ST_CARRIERS], last[ST_CARRIERS] = {-1};
  for (int i = 0; i < carried->count; i++) {
    for (int k = 0; k < ST_CARRIERS; k++)
      carrier[k] = offset + carried->carrier[ST_CARRIERS * i + k];
    if (memcmp(carrier, last, sizeof carrier) != 0)
      visit(context, carrier, ST_CARRIERS);
    memcpy(last, carrier, sizeof carrier);
    int pair[2] = {offset + carried->vertex[i], carrier[0]};
    visit(context, pair, 2);
  }
}

// Visits every element of every body, with vertex numbers through all bodies.
static void for_each_element(const StDescription *description, Visit *visit, void *context) {
  int offset = 0;
  for (int b = 0; b < description->body_count; b++) {
    const StMesh *mesh = description->body[b].mesh;
    int vertex[ST_SECOND_NODES];
    int nodes = mesh->second_order ? ST_SECOND_NODES : 4;
    for (int e = 0; e < st_mesh_element_count(mesh); e++) {
      if (mesh->second_order)
        st_second_nodes(mesh->tet + 4 * ST_SECOND_PARTS * (size_t)e, vertex);
      else
        memcpy(vertex, mesh->tet + 4 * (size_t)e, 4 * sizeof(int));
      for (int i = 0; i < nodes; i++)
        vertex[i] += offset;
      visit(context, vertex, nodes);
    }
    for (int t = 0; t < st_body_shell_count(&description->body[b]); t++) {
      for (int i = 0; i < 3; i++)
        vertex[i] = offset + mesh->triangle[3 * t + i];
      visit(context, vertex, 3);
    }
    visit_carried(&description->body[b].carried, offset, visit, context);
    offset += mesh->vertex_count;
  }
}

typedef struct Fill {
  int *count; // [vertex_count + 1]: degrees with repeats, then write positions
  int *list;
} Fill;

static void count_pairs(void *context, const int *vertex, int count) {
  Fill *fill = context;
  for (int i = 0; i < count; i++)
    fill->count[vertex[i]] += count - 1;
}

static void list_pairs(void *context, const int *vertex, int count) {
  Fill *fill = context;
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++)
      if (i != j)
        fill->list[fill->count[vertex[i]]++] = vertex[j];
}

static int sort_unique(int *list, int count) {
  qsort(list, (size_t)count, sizeof(int), st_compare_ints);
  int kept = 0;
  for (int i = 0; i < count; i++)
    if (!i || list[i] != list[i - 1])
      list[kept++] = list[i];
  return kept;
}

// count[] holds degrees on entry; the graph is compacted in place as duplicates are removed.
static StStatus fill_graph(const StDescription *description, StGraph *graph, Fill *fill,
                           StError *error) {
  int n = graph->vertex_count;
  size_t total = 0;
  for (int i = 0; i < n; i++) {
    int degree = fill->count[i];
    graph->start[i] = fill->count[i] = (int)total;
    total += (size_t)degree;
  }
  graph->start[n] = (int)total;
  if (total > (size_t)1 << 30)
    return st_fail(error, ST_BAD_INPUT, "the scene has too many elements for 32-bit numbering");
  ST_TRY_MEMORY(fill->list = ST_NEW(int, total), error);
  for_each_element(description, list_pairs, fill);
  int written = 0;
  for (int i = 0; i < n; i++) {
    int *row = fill->list + graph->start[i];
    int kept = sort_unique(row, graph->start[i + 1] - graph->start[i]);
    memmove(fill->list + written, row, (size_t)kept * sizeof(int));
    graph->start[i] = written;
    written += kept;
  }
  graph->start[n] = written;
  return ST_OK;
}

StStatus st_graph_create(const StDescription *description, StGraph **result, StError *error) {
  StGraph *graph = ST_NEW(StGraph, 1);
  Fill fill = {0};
  ST_TRY_MEMORY(graph, error);
  graph->vertex_count = st_description_vertex_count(description);
  graph->start = ST_NEW(int, graph->vertex_count + 1);
  fill.count = ST_NEW(int, graph->vertex_count + 1);
  StStatus status = graph->start && fill.count ? ST_OK : st_fail_memory(error);
  if (status == ST_OK) {
    for_each_element(description, count_pairs, &fill);
    status = fill_graph(description, graph, &fill, error);
  }
  free(fill.count);
  graph->neighbor = fill.list;
  if (status != ST_OK) {
    st_graph_destroy(graph);
    return status;
  }
  *result = graph;
  return ST_OK;
}

void st_graph_destroy(StGraph *graph) {
  if (!graph)
    return;
  free(graph->start);
  free(graph->neighbor);
  free(graph);
}

static int degree(const StGraph *graph, int vertex) {
  return graph->start[vertex + 1] - graph->start[vertex];
}

// Breadth-first from root over vertices whose mark is not `mark`; returns how many were reached.
static int sweep(const StGraph *graph, int root, int *queue, int *mark, int value) {
  int head = 0, tail = 0;
  queue[tail++] = root;
  mark[root] = value;
  while (head < tail) {
    int v = queue[head++], first = tail;
    for (int k = graph->start[v]; k < graph->start[v + 1]; k++) {
      int w = graph->neighbor[k];
      if (mark[w] == value)
        continue;
      mark[w] = value;
      int place = tail++;
      // Lower degree first: insertion sort of the few new ones.
      while (place > first && degree(graph, queue[place - 1]) > degree(graph, w)) {
        queue[place] = queue[place - 1];
        place--;
      }
      queue[place] = w;
    }
  }
  return tail;
}

StStatus st_graph_order(const StGraph *graph, int *order, StError *error) {
  int n = graph->vertex_count;
  ST_FREE int *mark = ST_NEW(int, n);
  ST_TRY_MEMORY(mark, error);
  int done = 0;
  for (int root = 0; root < n; root++) {
    if (mark[root] == 3)
      continue;
    // Two sweeps find a peripheral vertex, from which levels are narrow.
    int *queue = order + done;
    int reached = sweep(graph, root, queue, mark, 1);
    reached = sweep(graph, queue[reached - 1], queue, mark, 2);
    done += sweep(graph, queue[reached - 1], queue, mark, 3);
  }
  for (int i = 0; i < n / 2; i++) {
    int kept = order[i];
    order[i] = order[n - 1 - i];
    order[n - 1 - i] = kept;
  }
  return ST_OK;
}
