// VTU: a file per frame with a list of them, as the run itself writes them.
#include "base/memory.h"
#include "output/run_folder.h"
#include "output/series.h"
#include "show/export_grid.h"

#include <stdlib.h>
#include <unistd.h>

static char *frame_path(const StExportJob *job, int index) {
  char name[ST_FRAME_NAME_SIZE];
  st_frame_name(ST_FRAMES_VTU, index, name);
  return st_run_folder_file(job->path, name);
}

static StStatus write_frame(const StExportJob *job, int index, const StVtu *content,
                            StError *error) {
  ST_FREE char *path = frame_path(job, index);
  ST_TRY_MEMORY(path, error);
  return st_vtu_write(path, content, error);
}

static void drop_rest(const StExportJob *job) {
  bool dropped = true;
  for (int i = job->frame_count; dropped; i++) {
    char *path = frame_path(job, i);
    dropped = path && unlink(path) == 0;
    free(path);
  }
}

static StStatus write_vtu(StExportJob *job, StError *error) {
  ST_TRY(st_export_frames_folder(job, error));
  ST_TRY(st_export_frames(job, write_frame, error));
  drop_rest(job);
  return st_export_series(job, "vtu", error);
}

const StExportFormat st_export_vtu = {
    .name = "vtu",
    .summary = "fields on cells, a file per frame and a list of them: ParaView, VTK",
    .folder = true,
    .volume = true,
    .fields = true,
    .write = write_vtu,
};
