// Writes the list of frames, and reads it.
#include "output/series.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "mesh/xml.h"

#include <stdio.h>

void st_frame_name(int frame, char name[ST_FRAME_NAME_SIZE]) {
  snprintf(name, ST_FRAME_NAME_SIZE, "frames/frame_%05d.vtu", frame);
}

StStatus st_series_write(const char *path, const char *ending, const double *frame_time,
                         int frame_count, StError *error) {
  StText text = {0};
  st_text_add(&text, "<?xml version=\"1.0\"?>\n"
                     "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
                     "  <Collection>\n");
  for (int i = 0; i < frame_count; i++)
    st_text_add(&text,
                "    <DataSet timestep=\"%.17g\" part=\"0\" file=\"frames/frame_%05d.%s\"/>\n",
                frame_time[i], i, ending);
  st_text_add(&text, "  </Collection>\n</VTKFile>\n");
  StStatus status =
      text.failed ? st_fail_memory(error) : st_file_write(path, text.data, text.length, error);
  st_text_free(&text);
  return status;
}

static StStatus take_time(StScan *scan, const StXmlTag *tag, double **time, size_t *capacity,
                          int *count) {
  StSpan word = st_xml_attribute(tag, "timestep");
  double value;
  if (!st_span_real(word, &value))
    return st_scan_fail(scan, "timestep=\"%s\" must be a number", st_quote(word).text);
  if (!st_grow((void **)time, capacity, (size_t)*count + 1, sizeof(double)))
    return st_fail_memory(scan->error);
  (*time)[(*count)++] = value;
  return ST_OK;
}

static StStatus parse(StScan *scan, double **time, int *count) {
  size_t capacity = 0;
  StXmlTag tag;
  for (bool found = true;;) {
    ST_TRY(st_xml_next(scan, &tag, &found));
    if (!found)
      return ST_OK;
    if (!tag.closing && st_span_is(tag.name, "DataSet"))
      ST_TRY(take_time(scan, &tag, time, &capacity, count));
  }
}

StStatus st_series_read(const char *path, double **frame_time, int *frame_count, StError *error) {
  char *data = NULL;
  size_t size;
  double *time = NULL;
  int count = 0;
  ST_TRY(st_file_read(path, &data, &size, error));
  StScan scan = st_scan_begin(path, data, size, NULL, error);
  StStatus status = parse(&scan, &time, &count);
  free(data);
  if (status != ST_OK) {
    free(time);
    return status;
  }
  *frame_time = time;
  *frame_count = count;
  return ST_OK;
}
