// Writes the list of frames.
#include "output/series.h"

#include "base/file.h"
#include "base/text.h"

#include <stdio.h>

void st_frame_name(int frame, char name[ST_FRAME_NAME_SIZE]) {
  snprintf(name, ST_FRAME_NAME_SIZE, "frames/frame_%05d.vtu", frame);
}

StStatus st_series_write(const char *path, const double *frame_time, int frame_count,
                         StError *error) {
  StText text = {0};
  st_text_add(&text, "<?xml version=\"1.0\"?>\n"
                     "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
                     "  <Collection>\n");
  for (int i = 0; i < frame_count; i++) {
    char name[ST_FRAME_NAME_SIZE];
    st_frame_name(i, name);
    st_text_add(&text, "    <DataSet timestep=\"%.17g\" part=\"0\" file=\"%s\"/>\n", frame_time[i],
                name);
  }
  st_text_add(&text, "  </Collection>\n</VTKFile>\n");
  StStatus status =
      text.failed ? st_fail_memory(error) : st_file_write(path, text.data, text.length, error);
  st_text_free(&text);
  return status;
}
