// Patches swept through layers, cut into tets or triangles.
#include "mesh/sweep.h"

#include "base/memory.h"

// Corners of a cell: 0-3 below, counter-clockwise seen from above, 4-7 above them. The first tet
// joins corners of one colour, the others cut off the corners between.
static const int five_tets[5][4] = {
    {0, 2, 7, 5}, {1, 2, 0, 5}, {3, 0, 2, 7}, {4, 7, 5, 0}, {6, 5, 7, 2}};
// The six monotone paths from corner 0 to corner 6.
static const int six_tets[6][4] = {{0, 1, 2, 6}, {0, 5, 1, 6}, {0, 2, 3, 6},
                                   {0, 3, 7, 6}, {0, 7, 4, 6}, {0, 4, 5, 6}};

// Vertex numbers of one sweep: whole layers in a solid, the outside only in a surface.
typedef struct Numbering {
  const StSweep *sweep;
  bool solid;
  int first;
} Numbering;

static int layer_count(const StSweep *sweep) {
  return sweep->closed ? sweep->layers : sweep->layers + 1;
}

// A layer whose quads lie on the surface of the swept body.
static bool is_cap(const StSweep *sweep, int layer) {
  return !sweep->closed && (layer == 0 || layer == sweep->layers);
}

static int vertex_number(const Numbering *n, int base, int layer) {
  const StSweep *sweep = n->sweep;
  const StPatch *patch = sweep->patch;
  if (sweep->closed && layer == sweep->layers)
    layer = 0;
  if (n->solid && sweep->foot)
    return layer == 0 ? sweep->foot[base] : n->first + (layer - 1) * patch->vertex_count + base;
  if (n->solid)
    return n->first + layer * patch->vertex_count + base;
  int caps_before = !sweep->closed && layer > 0, loops_before = layer - caps_before;
  int start = n->first + caps_before * patch->vertex_count + loops_before * patch->rim_count;
  return start + (is_cap(sweep, layer) ? base : patch->rim_index[base]);
}

static int sweep_vertices(const StSweep *sweep, bool solid) {
  int per_layer = sweep->patch->vertex_count;
  if (solid)
    return (layer_count(sweep) - (sweep->foot ? 1 : 0)) * per_layer;
  if (sweep->closed)
    return sweep->layers * sweep->patch->rim_count;
  return sweep->layers == 0 ? per_layer
                            : 2 * per_layer + (sweep->layers - 1) * sweep->patch->rim_count;
}

static int sweep_tets(const StSweep *sweep) {
  return sweep->patch->quad_count * sweep->layers * (sweep->uniform ? 6 : 5);
}

static int sweep_triangles(const StSweep *sweep) {
  int caps = sweep->closed ? 0 : sweep->layers == 0 ? 1 : 2;
  return 2 * (caps * sweep->patch->quad_count + sweep->patch->rim_count * sweep->layers);
}

StStatus st_sweep_begin(StSweepOutput *output, StShapeFill fill, const StSweep *sweep, int count,
                        StError *error) {
  bool solid = fill == ST_SHAPE_SOLID;
  int vertices = 0, tets = 0, triangles = 0;
  for (int i = 0; i < count; i++) {
    ST_CHECK(!sweep[i].closed || sweep[i].layers % 2 == 0, error);
    vertices += sweep_vertices(&sweep[i], solid);
    tets += solid ? sweep_tets(&sweep[i]) : 0;
    triangles += solid ? 0 : sweep_triangles(&sweep[i]);
  }
  *output = (StSweepOutput){.fill = fill};
  output->mesh = st_mesh_create(vertices, tets, triangles);
  output->labels = ST_NEW(unsigned char, vertices);
  if (output->mesh && output->labels)
    return ST_OK;
  st_mesh_destroy(output->mesh);
  free(output->labels);
  return st_fail_memory(error);
}

static void place_vertices(StSweepOutput *output, const Numbering *n) {
  const StSweep *sweep = n->sweep;
  for (int layer = sweep->foot ? 1 : 0; layer < layer_count(sweep); layer++)
    for (int base = 0; base < sweep->patch->vertex_count; base++) {
      if (!n->solid && !is_cap(sweep, layer) && sweep->patch->rim_index[base] < 0)
        continue;
      int vertex = vertex_number(n, base, layer);
      double *x = output->mesh->position + 3 * (size_t)vertex;
      const int *lattice = sweep->patch->lattice + 3 * (size_t)base;
      output->labels[vertex] = (unsigned char)sweep->place(sweep->shape, lattice, layer, x);
    }
}

// Whether diagonals start here: at vertices of one colour, or always if all cells are alike.
static bool joined(const StSweep *sweep, int base, int layer) {
  const int *lattice = sweep->patch->lattice + 3 * (size_t)base;
  return sweep->uniform || (lattice[0] + lattice[1] + lattice[2] + layer + sweep->colour) % 2 == 0;
}

static void add_cell(StSweepOutput *output, const Numbering *n, const int *quad, int layer) {
  const StSweep *sweep = n->sweep;
  int turn = joined(sweep, quad[0], layer) ? 0 : 1, corner[8];
  for (int i = 0; i < 4; i++) {
    corner[i] = vertex_number(n, quad[(i + turn) % 4], layer);
    corner[4 + i] = vertex_number(n, quad[(i + turn) % 4], layer + 1);
  }
  int count = sweep->uniform ? 6 : 5;
  const int(*pattern)[4] = sweep->uniform ? six_tets : five_tets;
  for (int t = 0; t < count; t++) {
    int *tet = output->mesh->tet + 4 * (size_t)output->tets++;
    for (int i = 0; i < 4; i++)
      tet[i] = corner[pattern[t][i]];
  }
}

static void add_triangle(StSweepOutput *output, int a, int b, int c) {
  int *triangle = output->mesh->triangle + 3 * (size_t)output->triangles++;
  triangle[0] = a, triangle[1] = b, triangle[2] = c;
}

// diagonal: it starts at the first corner; else at the second.
static void add_quad(StSweepOutput *output, const int corner[4], bool diagonal) {
  int a = diagonal ? 0 : 1;
  add_triangle(output, corner[a], corner[a + 1], corner[a + 2]);
  add_triangle(output, corner[a], corner[a + 2], corner[(a + 3) % 4]);
}

static void add_cap(StSweepOutput *output, const Numbering *n, int layer, bool turned) {
  const StSweep *sweep = n->sweep;
  for (int q = 0; q < sweep->patch->quad_count; q++) {
    const int *quad = sweep->patch->quad + 4 * (size_t)q;
    int corner[4];
    for (int i = 0; i < 4; i++)
      corner[i] = vertex_number(n, quad[turned ? (4 - i) % 4 : i], layer);
    add_quad(output, corner, joined(sweep, quad[0], layer));
  }
}

static void add_side(StSweepOutput *output, const Numbering *n, int layer) {
  const StSweep *sweep = n->sweep;
  for (int e = 0; e < sweep->patch->rim_count; e++) {
    const int *rim = sweep->patch->rim + 2 * (size_t)e;
    const int corner[4] = {vertex_number(n, rim[0], layer), vertex_number(n, rim[1], layer),
                           vertex_number(n, rim[1], layer + 1),
                           vertex_number(n, rim[0], layer + 1)};
    add_quad(output, corner, joined(sweep, rim[0], layer));
  }
}

void st_sweep_run(StSweepOutput *output, const StSweep *sweep) {
  Numbering n = {sweep, output->fill == ST_SHAPE_SOLID, output->vertices};
  place_vertices(output, &n);
  if (n.solid) {
    for (int layer = 0; layer < sweep->layers; layer++)
      for (int q = 0; q < sweep->patch->quad_count; q++)
        add_cell(output, &n, sweep->patch->quad + 4 * (size_t)q, layer);
  } else {
    if (!sweep->closed && sweep->layers > 0)
      add_cap(output, &n, 0, true);
    for (int layer = 0; layer < sweep->layers; layer++)
      add_side(output, &n, layer);
    if (!sweep->closed)
      add_cap(output, &n, sweep->layers, false);
  }
  output->vertices += sweep_vertices(sweep, n.solid);
}

// A triangle has the first label that all its corners have: the face of the shape it lies on.
static void label_triangles(StSweepOutput *output, const char *const *label, const int *index) {
  StMesh *mesh = output->mesh;
  for (int t = 0; t < mesh->triangle_count; t++) {
    const int *corner = mesh->triangle + 3 * (size_t)t;
    unsigned common =
        output->labels[corner[0]] & output->labels[corner[1]] & output->labels[corner[2]];
    int b = 0;
    while (label[b] && !(common >> b & 1))
      b++;
    mesh->triangle_label[t] = label[b] ? index[b] : -1;
  }
}

// Only labels that some vertex carries become labels of the mesh.
static StStatus add_labels(StSweepOutput *output, const char *const *label, StError *error) {
  StMesh *mesh = output->mesh;
  unsigned used = 0;
  for (int v = 0; v < mesh->vertex_count; v++)
    used |= output->labels[v];
  int index[8] = {0};
  for (int b = 0; label[b]; b++)
    if (used >> b & 1 && (index[b] = st_mesh_label(mesh, label[b])) < 0)
      return st_fail_memory(error);
  for (int v = 0; v < mesh->vertex_count; v++)
    for (int b = 0; label[b]; b++)
      if (output->labels[v] >> b & 1)
        ST_TRY(st_mesh_add_tag(mesh, v, index[b], error));
  label_triangles(output, label, index);
  return ST_OK;
}

StStatus st_sweep_finish(StSweepOutput *output, const char *const *label, StMesh **mesh,
                         StError *error) {
  StStatus status = add_labels(output, label, error);
  free(output->labels);
  if (status != ST_OK)
    st_mesh_destroy(output->mesh);
  else
    *mesh = output->mesh;
  *output = (StSweepOutput){0};
  return status;
}

StStatus st_sweep_mesh(const StSweep *sweep, StShapeFill fill, const char *const *label,
                       StMesh **mesh, StError *error) {
  StSweepOutput output;
  ST_TRY(st_sweep_begin(&output, fill, sweep, 1, error));
  st_sweep_run(&output, sweep);
  return st_sweep_finish(&output, label, mesh, error);
}
