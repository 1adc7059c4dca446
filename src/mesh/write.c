// One function per format.
#include "mesh/write.h"

#include "base/file.h"
#include "base/memory.h"
#include "mesh/check.h"
#include "mesh/second_order.h"
#include "mesh/vtkhdf.h"
#include "math/vec3.h"

#include <string.h>
#include <strings.h>

// Cells of all VTK formats: tets, triangles, then one single point for every tag.
typedef struct Cells {
  int tet_count; // elements, each with
  int nodes;     // so many points
  int *tet;      // [tet_count][nodes]
  int *start;    // [tet_count + 1] where each begins
  int *label;    // of all cells
  int *vertex;   // of the single points
} Cells;

static void cells_free(Cells *cells) {
  free(cells->tet);
  free(cells->start);
  free(cells->label);
  free(cells->vertex);
}

static StStatus list_cells(const StMesh *mesh, Cells *cells, StError *error) {
  int tets = st_mesh_element_count(mesh), nodes = st_mesh_node_count(mesh);
  int elements = tets + mesh->triangle_count;
  *cells = (Cells){tets,
                   nodes,
                   ST_NEW(int, (size_t)tets *(size_t)nodes),
                   ST_NEW(int, (size_t)tets + 1),
                   ST_NEW(int, (size_t)elements + (size_t)mesh->tag_count),
                   ST_NEW(int, mesh->tag_count)};
  ST_TRY_MEMORY(cells->tet && cells->start && cells->label && cells->vertex, error);
  for (int i = 0; i < tets; i++) {
    int point[ST_SECOND_NODES];
    st_mesh_element_points(mesh, i, point);
    memcpy(cells->tet + (size_t)nodes * (size_t)i, point, (size_t)nodes * sizeof(int));
    cells->start[i + 1] = nodes * (i + 1);
    cells->label[i] = mesh->tet_label[i * st_mesh_part_count(mesh)];
  }
  for (int i = 0; i < mesh->triangle_count; i++)
    cells->label[tets + i] = mesh->triangle_label[i];
  for (int i = 0; i < mesh->tag_count; i++) {
    cells->vertex[i] = mesh->tag[2 * i];
    cells->label[elements + i] = mesh->tag[2 * i + 1];
  }
  return ST_OK;
}

// Writes the arrays of a format.
typedef StStatus (*GridWriter)(const StVtu *content, StText *text, StError *error);

static StStatus format_grid(const StMesh *mesh, GridWriter write, StText *text, StError *error) {
  ST_FINALLY(cells_free) Cells cells = {0};
  ST_TRY(list_cells(mesh, &cells, error));
  StVtuArray label = {"label", 1, ST_VTU_INT32, NULL, cells.label};
  StVtu vtu = {.point_count = mesh->vertex_count,
               .position = mesh->position,
               .tet_count = cells.tet_count,
               .tet = cells.tet,
               .tet_start = cells.start,
               .triangle_count = mesh->triangle_count,
               .triangle = mesh->triangle,
               .vertex_count = mesh->tag_count,
               .vertex = cells.vertex,
               .cell_array_count = mesh->label_count ? 1 : 0,
               .cell_array = &label,
               .label_count = mesh->label_count,
               .label_name = mesh->label_name};
  return write(&vtu, text, error);
}

static StStatus format_vtu(const StMesh *mesh, StText *text, StError *error) {
  return format_grid(mesh, st_vtu_build, text, error);
}

static StStatus add_vtkhdf(const StVtu *content, StText *text, StError *error) {
  ST_FREE char *bytes = NULL;
  size_t size;
  ST_TRY(st_vtkhdf_build(content, &bytes, &size, error));
  st_text_add_bytes(text, bytes, size);
  return ST_OK;
}

static StStatus format_vtkhdf(const StMesh *mesh, StText *text, StError *error) {
  return format_grid(mesh, add_vtkhdf, text, error);
}

static void add_position(StText *text, const char *before, const double *x) {
  st_text_add(text, "%s%.17g %.17g %.17g\n", before, x[0], x[1], x[2]);
}

// Keeps a name on its line, whatever characters another format allowed in it.
static void add_in_line(StText *text, const char *name) {
  for (; *name; name++)
    st_text_add_bytes(text, (unsigned char)*name < 32 ? "_" : name, 1);
}

// Names in legacy VTK files have their spaces and special characters written as %20.
static void add_coded(StText *text, const char *name) {
  for (; *name; name++)
    if (*name > 32 && *name < 127 && *name != '%' && *name != '"')
      st_text_add_bytes(text, name, 1);
    else
      st_text_add(text, "%%%02X", (unsigned char)*name);
  st_text_add(text, "\n");
}

static void add_vtk_cells(const StMesh *mesh, const Cells *own, StText *text) {
  size_t tets = (size_t)own->tet_count, nodes = (size_t)own->nodes;
  size_t triangles = (size_t)mesh->triangle_count;
  size_t tags = (size_t)mesh->tag_count, cells = tets + triangles + tags;
  st_text_add(text, "CELLS %zu %zu\n", cells, (1 + nodes) * tets + 4 * triangles + 2 * tags);
  for (size_t i = 0; i < tets; i++) {
    st_text_add(text, "%zu", nodes);
    for (size_t k = 0; k < nodes; k++)
      st_text_add(text, " %d", own->tet[nodes * i + k]);
    st_text_add(text, "\n");
  }
  for (size_t i = 0; i < triangles; i++) {
    const int *v = mesh->triangle + 3 * i;
    st_text_add(text, "3 %d %d %d\n", v[0], v[1], v[2]);
  }
  for (size_t i = 0; i < tags; i++)
    st_text_add(text, "1 %d\n", mesh->tag[2 * i]);
  st_text_add(text, "CELL_TYPES %zu\n", cells);
  for (size_t i = 0; i < cells; i++)
    st_text_add(text, "%d\n", i >= tets ? (i < tets + triangles ? 5 : 1) : nodes == 4 ? 10 : 24);
}

static StStatus format_vtk(const StMesh *mesh, StText *text, StError *error) {
  ST_FINALLY(cells_free) Cells cells = {0};
  ST_TRY(list_cells(mesh, &cells, error));
  st_text_add(text, "# vtk DataFile Version 3.0\nmesh\nASCII\nDATASET UNSTRUCTURED_GRID\n");
  if (mesh->label_count)
    st_text_add(text, "FIELD FieldData 1\nLabelNames 1 %d string\n", mesh->label_count);
  for (int i = 0; i < mesh->label_count; i++)
    add_coded(text, mesh->label_name[i]);
  st_text_add(text, "POINTS %d double\n", mesh->vertex_count);
  for (int v = 0; v < mesh->vertex_count; v++)
    add_position(text, "", mesh->position + 3 * v);
  add_vtk_cells(mesh, &cells, text);
  int count = cells.tet_count + mesh->triangle_count + mesh->tag_count;
  if (mesh->label_count)
    st_text_add(text, "CELL_DATA %d\nSCALARS label int 1\nLOOKUP_TABLE default\n", count);
  for (int i = 0; i < count && mesh->label_count; i++)
    st_text_add(text, "%d\n", cells.label[i]);
  return ST_OK;
}

static void mark_labels(const int *label, int count, int stride, bool *used) {
  for (int i = 0; i < count; i++)
    if (label[stride * i] >= 0)
      used[label[stride * i]] = true;
}

// A label is a physical group of every dimension that uses it; an unused one becomes a volume.
static StStatus add_msh_names(const StMesh *mesh, StText *text, StError *error) {
  int count = mesh->label_count, names = 0;
  ST_FREE bool *used = ST_NEW(bool, 4 * (size_t)count);
  ST_TRY_MEMORY(used, error);
  mark_labels(mesh->tet_label, mesh->tet_count, 1, used + 3 * count);
  mark_labels(mesh->triangle_label, mesh->triangle_count, 1, used + 2 * count);
  if (mesh->tag_count)
    mark_labels(mesh->tag + 1, mesh->tag_count, 2, used);
  for (int i = 0; i < count; i++) {
    used[3 * count + i] |= !used[i] && !used[2 * count + i];
    names += used[i] + used[2 * count + i] + used[3 * count + i];
  }
  st_text_add(text, "$PhysicalNames\n%d\n", names);
  for (int i = 0; i < count; i++)
    for (int dimension = 3; dimension >= 0; dimension--)
      if (used[dimension * count + i]) {
        st_text_add(text, "%d %d \"", dimension, i + 1);
        add_in_line(text, mesh->label_name[i]);
        st_text_add(text, "\"\n");
      }
  st_text_add(text, "$EndPhysicalNames\n");
  return ST_OK;
}

static void add_msh_element(StText *text, int number, int type, int label, const int *vertex,
                            int count) {
  st_text_add(text, "%d %d 2 %d %d", number, type, label + 1, label + 1);
  for (int i = 0; i < count; i++)
    st_text_add(text, " %d", vertex[i] + 1);
  st_text_add(text, "\n");
}

// Gmsh has the last two nodes of VTK's quadratic tetrahedron the other way round.
static void add_msh_tets(const StMesh *mesh, int *number, StText *text) {
  int point[ST_SECOND_NODES];
  for (int i = 0; i < st_mesh_element_count(mesh); i++) {
    st_mesh_element_points(mesh, i, point);
    if (mesh->second_order) {
      int kept = point[8];
      point[8] = point[9];
      point[9] = kept;
    }
    add_msh_element(text, (*number)++, mesh->second_order ? 11 : 4,
                    mesh->tet_label[i * st_mesh_part_count(mesh)], point, st_mesh_node_count(mesh));
  }
}

static StStatus format_msh(const StMesh *mesh, StText *text, StError *error) {
  st_text_add(text, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n");
  if (mesh->label_count)
    ST_TRY(add_msh_names(mesh, text, error));
  st_text_add(text, "$Nodes\n%d\n", mesh->vertex_count);
  for (int v = 0; v < mesh->vertex_count; v++) {
    st_text_add(text, "%d ", v + 1);
    add_position(text, "", mesh->position + 3 * v);
  }
  int number = 1;
  st_text_add(text, "$EndNodes\n$Elements\n%d\n",
              st_mesh_element_count(mesh) + mesh->triangle_count + mesh->tag_count);
  add_msh_tets(mesh, &number, text);
  for (int i = 0; i < mesh->triangle_count; i++)
    add_msh_element(text, number++, 2, mesh->triangle_label[i], mesh->triangle + 3 * i, 3);
  for (int i = 0; i < mesh->tag_count; i++)
    add_msh_element(text, number++, 15, mesh->tag[2 * i + 1], mesh->tag + 2 * i, 1);
  st_text_add(text, "$EndElements\n");
  return ST_OK;
}

// Leaves out vertices without triangles (those inside a body); number[v] counts from 1.
static void add_obj_vertices(const StMesh *mesh, const int *skin, int skin_count, StText *text,
                             int *number) {
  for (int i = 0; i < 3 * skin_count; i++)
    number[skin[i]] = 1;
  for (int i = 0; i < 3 * mesh->triangle_count; i++)
    number[mesh->triangle[i]] = 1;
  int count = 0;
  for (int v = 0; v < mesh->vertex_count; v++) {
    if (!number[v])
      continue;
    number[v] = ++count;
    add_position(text, "v ", mesh->position + 3 * v);
  }
}

static void add_obj_face(StText *text, const int *vertex, const int *number) {
  st_text_add(text, "f %d %d %d\n", number[vertex[0]], number[vertex[1]], number[vertex[2]]);
}

// Unlike a group name, a material name may contain spaces, so labels survive a round trip.
static StStatus format_obj(const StMesh *mesh, StText *text, StError *error) {
  int *skin, skin_count, label = -1;
  ST_TRY(st_mesh_boundary(mesh, &skin, &skin_count, error));
  int *number = ST_NEW(int, mesh->vertex_count);
  if (number) {
    add_obj_vertices(mesh, skin, skin_count, text, number);
    for (int i = 0; i < skin_count; i++)
      add_obj_face(text, skin + 3 * i, number);
    for (int i = 0; i < mesh->triangle_count; i++) {
      if (mesh->triangle_label[i] != label) {
        label = mesh->triangle_label[i];
        st_text_add(text, "usemtl ");
        add_in_line(text, label >= 0 ? mesh->label_name[label] : "");
        st_text_add(text, "\n");
      }
      add_obj_face(text, mesh->triangle + 3 * i, number);
    }
  }
  free(skin);
  free(number);
  return number ? ST_OK : st_fail_memory(error);
}

static void add_facet(const StMesh *mesh, const int *triangle, StText *text) {
  const double *x0 = mesh->position + 3 * triangle[0];
  double a[3], b[3], normal[3];
  vec3_sub(mesh->position + 3 * triangle[1], x0, a);
  vec3_sub(mesh->position + 3 * triangle[2], x0, b);
  vec3_cross(a, b, normal);
  double length = vec3_length(normal);
  for (int k = 0; k < 3; k++)
    st_text_add_f32(text, length > 0 ? normal[k] / length : 0, false);
  for (int i = 0; i < 9; i++)
    st_text_add_f32(text, mesh->position[3 * triangle[i / 3] + i % 3], false);
  st_text_add_bytes(text, "\0", 2);
}

static StStatus format_stl(const StMesh *mesh, StText *text, StError *error) {
  int *skin, skin_count;
  ST_TRY(st_mesh_boundary(mesh, &skin, &skin_count, error));
  static const char header[80] = "binary STL";
  st_text_add_bytes(text, header, sizeof header);
  st_text_add_u32(text, (uint32_t)skin_count + (uint32_t)mesh->triangle_count, false);
  for (int i = 0; i < skin_count; i++)
    add_facet(mesh, skin + 3 * i, text);
  for (int i = 0; i < mesh->triangle_count; i++)
    add_facet(mesh, mesh->triangle + 3 * i, text);
  free(skin);
  return ST_OK;
}

StStatus st_mesh_format(const char *name, const StMesh *mesh, StText *text, StError *error) {
  static const struct {
    const char *ending;
    StStatus (*format)(const StMesh *mesh, StText *text, StError *error);
  } formats[] = {{".vtu", format_vtu}, {".vtkhdf", format_vtkhdf}, {".vtk", format_vtk},
                 {".msh", format_msh}, {".obj", format_obj},       {".stl", format_stl}};
  const char *ending = strrchr(name, '.');
  for (int i = 0; i < ST_LENGTH(formats) && ending; i++) {
    if (strcasecmp(ending, formats[i].ending) != 0)
      continue;
    ST_TRY(formats[i].format(mesh, text, error));
    return text->failed ? st_fail_memory(error) : ST_OK;
  }
  return st_fail(error, ST_BAD_INPUT,
                 "%s: unknown mesh format; known extensions are .vtu, .vtkhdf, .vtk, .msh, .obj "
                 "and .stl",
                 name);
}

StStatus st_mesh_write(const char *path, const StMesh *mesh, StError *error) {
  ST_FINALLY(st_text_free) StText text = {0};
  ST_TRY(st_mesh_format(path, mesh, &text, error));
  return st_file_write(path, text.data, text.length, error);
}
