// Describes a mesh in lines of text.
#include "app/mesh_summary.h"

#include "base/memory.h"
#include "mesh/check.h"
#include "mesh/closed.h"

#include <math.h>

typedef struct LabelCounts {
  int tets, triangles, vertices;
} LabelCounts;

static void count_labels(const StMesh *mesh, LabelCounts *count) {
  for (int t = 0; t < mesh->tet_count; t++)
    if (mesh->tet_label[t] >= 0)
      count[mesh->tet_label[t]].tets++;
  for (int t = 0; t < mesh->triangle_count; t++)
    if (mesh->triangle_label[t] >= 0)
      count[mesh->triangle_label[t]].triangles++;
  for (int t = 0; t < mesh->tag_count; t++)
    count[mesh->tag[2 * t + 1]].vertices++;
}

static void add_count(StText *text, int count, const char *what) {
  if (count > 0)
    st_text_add(text, "  %d %s", count, what);
}

static StStatus add_labels(const StMesh *mesh, StText *text, StError *error) {
  ST_FREE LabelCounts *count = ST_NEW(LabelCounts, mesh->label_count);
  ST_TRY_MEMORY(count, error);
  count_labels(mesh, count);
  for (int i = 0; i < mesh->label_count; i++) {
    st_text_add(text, "%-14s %-10s", i == 0 ? "labels" : "", mesh->label_name[i]);
    add_count(text, count[i].tets, "tets");
    add_count(text, count[i].triangles, "triangles");
    add_count(text, count[i].vertices, "vertices");
    st_text_add(text, "\n");
  }
  return ST_OK;
}

static void add_tets(const StMesh *mesh, const StMeshReport *report, StText *text) {
  st_text_add(text, "%-14s %.6g m^3\n", "volume", report->volume);
  st_text_add(text, "%-14s %d triangles", "boundary", report->boundary_triangle_count);
  if (mesh->triangle_count == 0) // otherwise the area is that of the free-standing triangles
    st_text_add(text, ", %.6g m^2", report->area);
  st_text_add(text, "\n");
  st_text_add(text, "%-14s worst %.3g at tet %d (1: regular)\n", "quality", report->worst_quality,
              report->worst_tet);
  st_text_add(text, "%-14s %.1f to %.1f degrees between faces of tets (regular: 70.5)\n", "angles",
              report->smallest_angle, report->largest_angle);
}

static void add_triangles(const StMeshReport *report, StText *text) {
  st_text_add(text, "%-14s %.6g m^2\n", "area", report->area);
  st_text_add(text, "%-14s worst %.3g at triangle %d (1: equilateral)\n", "quality",
              report->worst_triangle_quality, report->worst_triangle);
  st_text_add(text, "%-14s %s\n", "orientation",
              !report->oriented             ? "neighbours disagree"
              : !report->closed             ? "consistent"
              : report->enclosed_volume < 0 ? "consistent, inside out"
                                            : "consistent, outward");
  if (report->closed)
    st_text_add(text, "%-14s yes, around %.6g m^3\n", "closed", fabs(report->enclosed_volume));
  else
    st_text_add(text, "%-14s no\n", "closed");
}

static StStatus add_crowded(const StMesh *mesh, const StMeshReport *report, StText *text,
                            StError *error) {
  if (report->crowded_edges == 0)
    return ST_OK;
  st_text_add(text, "%-14s %d %s more than two triangles: ", "not manifold", report->crowded_edges,
              report->crowded_edges == 1 ? "edge has" : "edges have");
  ST_TRY(st_surface_name_crowded(mesh->position, mesh->vertex_count, mesh->triangle,
                                 mesh->triangle_count, text, error));
  st_text_add(text, "\n");
  return ST_OK;
}

static void add_extent(const StMeshReport *report, StText *text) {
  const double *low = report->low, *high = report->high;
  st_text_add(text, "%-14s x %.6g to %.6g, y %.6g to %.6g, z %.6g to %.6g m\n", "extent", low[0],
              high[0], low[1], high[1], low[2], high[2]);
  st_text_add(text, "%-14s %.6g to %.6g m\n", "edges", report->shortest_edge, report->longest_edge);
  st_text_add(text, "%-14s %d\n", "components", report->component_count);
}

StStatus st_mesh_summary(const StMesh *mesh, StText *text, StError *error) {
  StMeshReport report;
  ST_TRY(st_mesh_report(mesh, &report, error));
  st_text_add(text, "%-14s %d\n%-14s %d\n%-14s %d\n", "vertices", mesh->vertex_count, "tets",
              mesh->tet_count, "triangles", mesh->triangle_count);
  add_extent(&report, text);
  if (mesh->tet_count > 0)
    add_tets(mesh, &report, text);
  if (mesh->triangle_count > 0)
    add_triangles(&report, text);
  ST_TRY(add_crowded(mesh, &report, text, error));
  ST_TRY(add_labels(mesh, text, error));
  return text->failed ? st_fail_memory(error) : ST_OK;
}
