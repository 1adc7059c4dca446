// Point caches: PC2 and MDD, the moving vertices of a mesh that is written beside them as OBJ.
#include "show/export_job.h"

#include "base/file.h"
#include "base/memory.h"
#include "mesh/write.h"

static StStatus add_frame(const StExportJob *job, int index, bool big, StText *bytes,
                          StError *error) {
  ST_FREE double *position = NULL;
  ST_TRY(st_export_positions(job, index, &position, error));
  for (int i = 0; i < 3 * job->skin.vertex_count; i++)
    st_text_add_f32(bytes, position[i], big);
  return ST_OK;
}

// The mesh that the cache animates, in its first frame.
static StStatus write_mesh(const StExportJob *job, StError *error) {
  ST_FINALLY(st_mesh_destroy_at) StMesh *mesh = NULL;
  ST_FREE char *path = st_export_beside(job->path, "obj");
  ST_TRY_MEMORY(path, error);
  ST_TRY(st_export_mesh(job, &mesh, error));
  free(mesh->position);
  mesh->position = NULL;
  ST_TRY(st_export_positions(job, 0, &mesh->position, error));
  return st_mesh_write(path, mesh, error);
}

static StStatus write_cache(const StExportJob *job, StText *bytes, bool big, StError *error) {
  StStatus status = ST_OK;
  for (int i = 0; i < job->frame_count && status == ST_OK; i++)
    status = add_frame(job, i, big, bytes, error);
  if (status == ST_OK)
    status = bytes->failed ? st_fail_memory(error)
                           : st_file_write(job->path, bytes->data, bytes->length, error);
  st_text_free(bytes);
  return status == ST_OK ? write_mesh(job, error) : status;
}

// Version 1; samples are one animation frame apart, the first at frame 0.
static StStatus write_pc2(StExportJob *job, StError *error) {
  StText bytes = {0};
  st_text_add_bytes(&bytes, "POINTCACHE2", 12);
  st_text_add_u32(&bytes, 1, false);
  st_text_add_u32(&bytes, (unsigned)job->skin.vertex_count, false);
  st_text_add_f32(&bytes, 0, false);
  st_text_add_f32(&bytes, 1, false);
  st_text_add_u32(&bytes, (unsigned)job->frame_count, false);
  return write_cache(job, &bytes, false, error);
}

// Big-endian; times in seconds from the first frame on.
static StStatus write_mdd(StExportJob *job, StError *error) {
  StText bytes = {0};
  st_text_add_u32(&bytes, (unsigned)job->frame_count, true);
  st_text_add_u32(&bytes, (unsigned)job->skin.vertex_count, true);
  for (int i = 0; i < job->frame_count; i++)
    st_text_add_f32(&bytes, st_export_time(job, i) - st_export_time(job, 0), true);
  return write_cache(job, &bytes, true, error);
}

const StExportFormat st_export_pc2 = {
    .name = "pc2",
    .summary = "point cache, and an OBJ beside it that it moves: Blender, 3ds Max",
    .write = write_pc2,
};

const StExportFormat st_export_mdd = {
    .name = "mdd",
    .summary = "point cache, and an OBJ beside it that it moves: Blender, Houdini, LightWave",
    .write = write_mdd,
};
