// 3-vectors of `scalar`. A kernel header (math/scalar.h): no include guard, one inclusion for each
// kind of number.

static inline scalar ST_KERNEL(dot)(const scalar a[3], const scalar b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void ST_KERNEL(cross)(const scalar a[3], const scalar b[3], scalar out[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline void ST_KERNEL(scale)(scalar s, const scalar a[3], scalar out[3]) {
  for (int i = 0; i < 3; i++)
    out[i] = s * a[i];
}
