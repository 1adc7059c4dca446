// A number over time, from keys: linear between them, constant before the first and after the last.
#ifndef ST_MODEL_CURVE_H
#define ST_MODEL_CURVE_H

typedef struct StCurve {
  int key_count;
  double *time;  // [key_count] strictly increasing, seconds
  double *value; // [key_count]
} StCurve;

void st_curve_free(StCurve *curve); // frees the arrays, not the struct

double st_curve_at(const StCurve *curve, double time, double fallback); // fallback: without keys

#endif
