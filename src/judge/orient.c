// Exact arithmetic with expansions: a number is kept as a sum of doubles that do not overlap, the
// smallest first, so that the last one carries the sign. Sums and products of two doubles are split
// into the rounded result and its error, which is a double again. Compiled without contraction: a
// fused multiply-add in a place not meant for it would break these identities.
#include "judge/orient.h"

#include <math.h>

// 2 components per difference: products of two have 8, a minor 16, times a difference 64, and three
// of those are added.
enum { LONGEST = 192 };

typedef struct Expansion {
  int count;
  double part[LONGEST]; // none is zero
} Expansion;

// Adds one double: goes through all parts, leaving the rounding error of the sum at each.
static void add_number(Expansion *sum, double number) {
  int kept = 0;
  for (int i = 0; i < sum->count; i++) {
    double part = sum->part[i], total = number + part, taken = total - number;
    double lost = (number - (total - taken)) + (part - taken);
    if (lost != 0)
      sum->part[kept++] = lost;
    number = total;
  }
  if (number != 0)
    sum->part[kept++] = number;
  sum->count = kept;
}

// sum += sign × a × b
static void add_product(Expansion *sum, double sign, const Expansion *a, const Expansion *b) {
  for (int i = 0; i < a->count; i++)
    for (int j = 0; j < b->count; j++) {
      double product = a->part[i] * b->part[j];
      add_number(sum, sign * fma(a->part[i], b->part[j], -product));
      add_number(sum, sign * product);
    }
}

static void set_difference(Expansion *difference, double a, double b) {
  difference->count = 0;
  add_number(difference, a);
  add_number(difference, -b);
}

static int sign_of(double value) {
  return (value > 0) - (value < 0);
}

static int orient_exactly(const double *const row[3], const double d[3]) {
  Expansion difference[3][3], minor, determinant = {.count = 0};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      set_difference(&difference[i][j], row[i][j], d[j]);
  for (int j = 0; j < 3; j++) {
    int k = (j + 1) % 3, l = (j + 2) % 3;
    minor.count = 0;
    add_product(&minor, 1, &difference[1][k], &difference[2][l]);
    add_product(&minor, -1, &difference[1][l], &difference[2][k]);
    add_product(&determinant, 1, &minor, &difference[0][j]);
  }
  return determinant.count ? sign_of(determinant.part[determinant.count - 1]) : 0;
}

bool st_orient_quick(const double a[3], const double b[3], const double c[3], const double d[3],
                     int *sign) {
  double x[3], y[3], z[3], determinant = 0, size = 0;
  for (int i = 0; i < 3; i++) {
    x[i] = a[i] - d[i];
    y[i] = b[i] - d[i];
    z[i] = c[i] - d[i];
  }
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    double one = y[j] * z[k], other = y[k] * z[j];
    determinant += x[i] * (one - other);
    size += fabs(x[i]) * (fabs(one) + fabs(other));
  }
  if (!(fabs(determinant) > ST_ORIENT_ERROR * size))
    return false;
  *sign = sign_of(determinant);
  return true;
}

int st_orient(const double a[3], const double b[3], const double c[3], const double d[3]) {
  const double *const row[3] = {a, b, c};
  int sign;
  return st_orient_quick(a, b, c, d, &sign) ? sign : orient_exactly(row, d);
}
