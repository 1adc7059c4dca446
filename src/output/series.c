// Writes the list of frames, and reads it.
#include "output/series.h"

#include "base/file.h"
#include "base/json.h"
#include "base/json_text.h"
#include "base/memory.h"
#include "base/text.h"
#include "mesh/xml.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char OWN_PREFIX[] = "frames/frame";

static const char *frame_ending(StFrameFormat format) {
  return format == ST_FRAMES_VTKHDF ? "vtkhdf" : "vtu";
}

void st_frame_name(StFrameFormat format, int frame, char name[ST_FRAME_NAME_SIZE]) {
  snprintf(name, ST_FRAME_NAME_SIZE, "%s_%05d.%s", OWN_PREFIX, frame, frame_ending(format));
}

const char *st_series_ending(StFrameFormat format) {
  return format == ST_FRAMES_VTKHDF ? ".vtkhdf.series" : ".pvd";
}

StFrameFormat st_series_format(const char *name) {
  return st_text_ends_in(name, st_series_ending(ST_FRAMES_VTKHDF)) ? ST_FRAMES_VTKHDF
                                                                   : ST_FRAMES_VTU;
}

static void list_pvd(StText *text, const char *prefix, const char *ending, const double *frame_time,
                     int frame_count) {
  st_text_add(text, "<?xml version=\"1.0\"?>\n"
                    "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
                    "  <Collection>\n");
  for (int i = 0; i < frame_count; i++)
    st_text_add(text, "    <DataSet timestep=\"%.17g\" part=\"0\" file=\"%s_%05d.%s\"/>\n",
                frame_time[i], prefix, i, ending);
  st_text_add(text, "  </Collection>\n</VTKFile>\n");
}

static void list_vtkhdf(StText *text, const char *prefix, const double *frame_time,
                        int frame_count) {
  StJsonOut out = st_json_begin(text, '{', 2);
  st_json_string(&out, "file-series-version", "1.0");
  StJsonOut files = st_json_lines(&out, "files", '[');
  for (int i = 0; i < frame_count; i++) {
    ST_FREE char *name = st_format("%s_%05d.vtkhdf", prefix, i);
    StJsonOut file = st_json_line(&files, NULL, '{');
    st_json_string(&file, "name", name);
    st_json_number(&file, "time", frame_time[i]);
    st_json_end(&file);
    text->failed |= !name;
  }
  st_json_end(&files);
  st_json_end(&out);
  st_text_add(text, "\n");
}

StStatus st_series_write_as(const char *path, const char *prefix, const char *ending,
                            const double *frame_time, int frame_count, StError *error) {
  ST_FINALLY(st_text_free) StText text = {0};
  if (st_series_format(path) == ST_FRAMES_VTKHDF)
    list_vtkhdf(&text, prefix, frame_time, frame_count);
  else
    list_pvd(&text, prefix, ending, frame_time, frame_count);
  return text.failed ? st_fail_memory(error) : st_file_write(path, text.data, text.length, error);
}

StStatus st_series_write(const char *path, const double *frame_time, int frame_count,
                         StError *error) {
  return st_series_write_as(path, OWN_PREFIX, frame_ending(st_series_format(path)), frame_time,
                            frame_count, error);
}

static StStatus take_time(StScan *scan, const StXmlTag *tag, double **time, size_t *capacity,
                          int *count) {
  StSpan word = st_xml_attribute(tag, "timestep");
  double value;
  if (!st_span_real(word, &value))
    return st_scan_fail(scan, "timestep=\"%s\" must be a number", st_quote(word).text);
  ST_TRY_MEMORY(st_grow((void **)time, capacity, (size_t)*count + 1, sizeof(double)), scan->error);
  (*time)[(*count)++] = value;
  return ST_OK;
}

static StStatus parse_pvd(StScan *scan, double **time, int *count) {
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

static StStatus read_pvd(const char *path, double **time, int *count, StError *error) {
  ST_FREE char *data = NULL;
  size_t size;
  ST_TRY(st_file_read(path, &data, &size, error));
  StScan scan = st_scan_begin(path, data, size, NULL, error);
  return parse_pvd(&scan, time, count);
}

static StStatus take_times(const char *path, const StJson *files, double **time, int *count,
                           StError *error) {
  if (!files || files->kind != ST_JSON_LIST)
    return st_fail(error, ST_BAD_INPUT, "%s: has no list \"files\"", path);
  ST_TRY_MEMORY(*time = ST_NEW(double, files->child_count), error);
  for (const StJson *file = files->child; file; file = file->next) {
    double value = file->kind == ST_JSON_OBJECT ? st_json_get_number(file, "time") : NAN;
    if (isnan(value))
      return st_fail(error, ST_BAD_INPUT, "%s: file %d has no time", path, *count);
    (*time)[(*count)++] = value;
  }
  return ST_OK;
}

static StStatus read_vtkhdf(const char *path, double **time, int *count, StError *error) {
  ST_FINALLY(st_json_destroy_at) StJsonDocument *document = NULL;
  ST_TRY(st_json_read_own(path, &document, error));
  const StJson *root = st_json_root(document);
  const StJson *files = root->kind == ST_JSON_OBJECT ? st_json_get(root, "files") : NULL;
  return take_times(path, files, time, count, error);
}

StStatus st_series_read(const char *path, double **frame_time, int *frame_count, StError *error) {
  double *time = NULL;
  int count = 0;
  StStatus status = st_series_format(path) == ST_FRAMES_VTKHDF
                        ? read_vtkhdf(path, &time, &count, error)
                        : read_pvd(path, &time, &count, error);
  if (status != ST_OK) {
    free(time);
    return status;
  }
  *frame_time = time;
  *frame_count = count;
  return ST_OK;
}
