// One frame of a run with its fields by name: those that it holds, and those that follow from them
// (field/field.h), which come instead of stored ones of the same name. The list is available once
// it is open; numbers are unpacked or computed on demand.
#pragma once

#include "mesh/grid_file.h"
#include "replay/recording.h"

typedef struct StFrameFields StFrameFields;

StStatus st_frame_fields_open(const StRecording *recording, int frame, StFrameFields **fields,
                              StError *error);
void st_frame_fields_close(StFrameFields *fields); // NULL is fine

double st_frame_fields_time(const StFrameFields *fields); // s

int st_frame_fields_count(const StFrameFields *fields);
const StGridArray *st_frame_fields_at(const StFrameFields *fields, int index);

// Names of the values 0, 1 … of the field "label", NULL-terminated.
char *const *st_frame_fields_labels(const StFrameFields *fields);

// NULL if the frame has no such field.
const StGridArray *st_frame_fields_find(const StFrameFields *fields, const char *name);

// ST_BAD_INPUT, with the names that there are, if it has no such field.
StStatus st_frame_fields_need(const StFrameFields *fields, const char *name,
                              const StGridArray **field, StError *error);

const char *st_frame_fields_unit(const StFrameFields *fields, const StGridArray *field); // "": none

// [vertices or cells][components], free() it. Integers are returned as doubles, exactly. Cells are
// tets, of elements of second order their parts, and triangles.
StStatus st_frame_fields_read(const StFrameFields *fields, const StGridArray *field, double **value,
                              StError *error);

// The same as the file has them: cells are elements.
StStatus st_frame_fields_read_elements(const StFrameFields *fields, const StGridArray *field,
                                       double **value, StError *error);

StStatus st_frame_fields_position(const StFrameFields *fields, double **position,
                                  StError *error); // [vertices][3], free() it
