// VTU, as the run itself writes it, and VTKHDF: a file per frame and a list of them. VTKHDF is of
// version 1.0, which VTK reads since 9.1; time steps inside of one file came later, and older
// programs refuse such files.
#include "base/memory.h"
#include "mesh/vtkhdf.h"
#include "output/series.h"
#include "show/export_grid.h"

static StStatus write_vtu_frame(const StExportJob *job, int index, const StVtu *content,
                                StError *error) {
  ST_FREE char *path = st_export_file(job, "frames/frame", index, "vtu");
  ST_TRY_MEMORY(path, error);
  return st_vtu_write(path, content, error);
}

static StStatus write_vtkhdf_frame(const StExportJob *job, int index, const StVtu *content,
                                   StError *error) {
  ST_FREE char *path = st_export_file(job, job->name, index, "vtkhdf");
  ST_TRY_MEMORY(path, error);
  return st_vtkhdf_write(path, content, error);
}

static StStatus write_vtu(StExportJob *job, StError *error) {
  return st_export_series(job, ".pvd", "frames/frame", "vtu", write_vtu_frame, error);
}

static StStatus write_vtkhdf(StExportJob *job, StError *error) {
  return st_export_series(job, ".vtkhdf.series", job->name, "vtkhdf", write_vtkhdf_frame, error);
}

const StExportFormat st_export_vtu = {
    .name = "vtu",
    .summary = "fields on cells, a file per frame and a list of them: ParaView, VTK",
    .folder = true,
    .volume = true,
    .fields = true,
    .write = write_vtu,
};

const StExportFormat st_export_vtkhdf = {
    .name = "vtkhdf",
    .summary = "the same in HDF5, a file per frame and a list: ParaView 5.10, VTK 9.1 and later",
    .folder = true,
    .volume = true,
    .fields = true,
    .write = write_vtkhdf,
};
