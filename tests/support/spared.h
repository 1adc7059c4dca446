// Sanitized code runs several times slower, and is there to find bad memory and undefined
// arithmetic, which the same lines show at the first visit, or never. Of thousands of random
// trials, or columns of a matrix, a sanitized test takes one in SPARED; optimised ones take all.
// Odd and no multiple of three, so that all coordinates, and what alternates, are still among them.
#ifndef TESTS_SUPPORT_SPARED_H
#define TESTS_SUPPORT_SPARED_H

#ifdef __SANITIZE_ADDRESS__
enum { SPARED = 7 };
#else
enum { SPARED = 1 };
#endif

#endif
