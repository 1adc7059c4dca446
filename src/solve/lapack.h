// What is called of BLAS and LAPACK, in Fortran's manner: matrices in columns, all by address.
#ifndef ST_SOLVE_LAPACK_H
#define ST_SOLVE_LAPACK_H

extern void dgesv_(const int *, const int *, double *, const int *, int *, double *, const int *,
                   int *);
extern void dgetrf_(const int *, const int *, double *, const int *, int *, int *);
extern void dlaswp_(const int *, double *, const int *, const int *, const int *, const int *,
                    const int *);
extern void dtrsm_(const char *, const char *, const char *, const char *, const int *, const int *,
                   const double *, const double *, const int *, double *, const int *);
extern void dgemm_(const char *, const char *, const int *, const int *, const int *,
                   const double *, const double *, const int *, const double *, const int *,
                   const double *, double *, const int *);
extern void dgemv_(const char *, const int *, const int *, const double *, const double *,
                   const int *, const double *, const int *, const double *, double *, const int *);
extern void dtrsv_(const char *, const char *, const char *, const int *, const double *,
                   const int *, double *, const int *);

#endif
