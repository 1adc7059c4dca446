// VTU: a file per frame with a list of them, as the run itself writes them.
#include "base/file.h"
#include "base/memory.h"
#include "output/run_folder.h"
#include "output/series.h"
#include "show/export_grid.h"

#include <unistd.h>

static char *frame_path(const StExportJob *job, int index) {
  char name[ST_FRAME_NAME_SIZE];
  st_frame_name(index, name);
  return st_run_folder_file(job->path, name);
}

static StStatus write_frame(const StExportJob *job, int index, const StVtu *content,
                            StError *error) {
  char *path = frame_path(job, index);
  StStatus status = path ? st_vtu_write(path, content, error) : st_fail_memory(error);
  free(path);
  return status;
}

static void drop_rest(const StExportJob *job) {
  bool dropped = true;
  for (int i = job->frame_count; dropped; i++) {
    char *path = frame_path(job, i);
    dropped = path && unlink(path) == 0;
    free(path);
  }
}

static StStatus write_list(StExportJob *job, StError *error) {
  StText path = {0};
  double *time = ST_NEW(double, job->frame_count);
  st_text_add(&path, "%s/%s.pvd", job->path, job->name);
  StStatus status = time && !path.failed ? ST_OK : st_fail_memory(error);
  for (int i = 0; i < job->frame_count && status == ST_OK; i++)
    time[i] = st_export_time(job, i);
  if (status == ST_OK)
    status = st_series_write(path.data, time, job->frame_count, error);
  free(time);
  job->opening = path.data;
  return status;
}

static StStatus write_vtu(StExportJob *job, StError *error) {
  char *frames = st_run_folder_file(job->path, "frames");
  StStatus status = frames ? st_folder_create(frames, error) : st_fail_memory(error);
  free(frames);
  ST_TRY(status);
  ST_TRY(st_export_frames(job, write_frame, error));
  drop_rest(job);
  return write_list(job, error);
}

const StExportFormat st_export_vtu = {
    .name = "vtu",
    .summary = "fields on cells, a file per frame and a list of them: ParaView, VTK",
    .folder = true,
    .volume = true,
    .fields = true,
    .write = write_vtu,
};
