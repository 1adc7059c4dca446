// Folds of cloth along a line of its vertices, by how high each stands above what it lies on.
#ifndef EXPERIMENTS_FOLDS_H
#define EXPERIMENTS_FOLDS_H

typedef struct Folds {
  int count;
  double tallest; // above the higher one of the valleys beside it; 0: there are none
} Folds;

// A fold stands out by at least `least` on both of its sides.
Folds folds_count(const double *height, int count, double least);

// How far points are from a line through others, [count][3] each: height[points]
void folds_heights(const double *point, int points, const double *line, int line_points,
                   double *height);

#endif
