// OBJ: the surface in a file per frame; bodies are distinguished by material names.
#include "show/export_job.h"

#include "base/memory.h"
#include "mesh/write.h"

static StStatus write_frame(const StExportJob *job, int index, StMesh *mesh, StError *error) {
  free(mesh->position);
  mesh->position = NULL;
  ST_TRY(st_export_positions(job, index, &mesh->position, error));
  ST_FREE char *path = st_export_file(job, job->name, index, "obj");
  ST_TRY_MEMORY(path, error);
  return st_mesh_write(path, mesh, error);
}

static StStatus write_obj(StExportJob *job, StError *error) {
  ST_FINALLY(st_mesh_destroy_at) StMesh *mesh = NULL;
  ST_TRY(st_export_mesh(job, &mesh, error));
  for (int i = 0; i < job->frame_count; i++)
    ST_TRY(write_frame(job, i, mesh, error));
  st_export_drop_rest(job, job->name, "obj");
  return ST_OK;
}

const StExportFormat st_export_obj = {
    .name = "obj",
    .summary = "surface, a text file per frame: read by nearly everything",
    .folder = true,
    .write = write_obj,
};
