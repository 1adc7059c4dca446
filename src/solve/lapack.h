// What is called of BLAS and LAPACK, in Fortran's manner: matrices in columns, all by address.
#pragma once

extern void dgesv_(const int *, const int *, double *, const int *, int *, double *, const int *,
                   int *);
extern void dgeev_(const char *, const char *, const int *, double *, const int *, double *,
                   double *, double *, const int *, double *, const int *, double *, const int *,
                   int *);
extern void dgesvd_(const char *, const char *, const int *, const int *, double *, const int *,
                    double *, double *, const int *, double *, const int *, double *, const int *,
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
extern void sgetrf_(const int *, const int *, float *, const int *, int *, int *);
extern void slaswp_(const int *, float *, const int *, const int *, const int *, const int *,
                    const int *);
extern void strsm_(const char *, const char *, const char *, const char *, const int *, const int *,
                   const float *, const float *, const int *, float *, const int *);
extern void sgemm_(const char *, const char *, const int *, const int *, const int *, const float *,
                   const float *, const int *, const float *, const int *, const float *, float *,
                   const int *);
extern void sgemv_(const char *, const int *, const int *, const float *, const float *,
                   const int *, const float *, const int *, const float *, float *, const int *);
extern void strsv_(const char *, const char *, const char *, const int *, const float *,
                   const int *, float *, const int *);
