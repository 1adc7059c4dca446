// VTKHDF 1.0, a static file per frame with a list of them: the version that VTK reads since 9.1;
// time steps inside of one file came later, and older programs refuse such files.
#include "base/memory.h"
#include "mesh/vtkhdf.h"
#include "output/series.h"
#include "show/export_grid.h"

static StStatus write_frame(const StExportJob *job, int index, const StVtu *content,
                            StError *error) {
  ST_FREE char *path = st_export_file(job, index, "vtkhdf");
  ST_TRY_MEMORY(path, error);
  return st_vtkhdf_write(path, content, error);
}

static StStatus write_list(StExportJob *job, StError *error) {
  StText path = {0};
  ST_FREE double *time = ST_NEW(double, job->frame_count);
  st_text_add(&path, "%s/%s.vtkhdf.series", job->path, job->name);
  StStatus status = time && !path.failed ? ST_OK : st_fail_memory(error);
  for (int i = 0; i < job->frame_count && status == ST_OK; i++)
    time[i] = st_export_time(job, i);
  if (status == ST_OK)
    status = st_series_write_vtkhdf(path.data, job->name, time, job->frame_count, error);
  job->opening = path.data;
  return status;
}

static StStatus write_vtkhdf(StExportJob *job, StError *error) {
  ST_TRY(st_export_frames(job, write_frame, error));
  st_export_drop_rest(job, "vtkhdf");
  return write_list(job, error);
}

const StExportFormat st_export_vtkhdf = {
    .name = "vtkhdf",
    .summary = "the same in HDF5, a file per frame and a list: ParaView 5.10, VTK 9.1 and later",
    .folder = true,
    .volume = true,
    .fields = true,
    .write = write_vtkhdf,
};
