// Folds of cloth along a line of its vertices, by how high each stands above what it lies on.
#ifndef ST_EXPERIMENT_FOLDS_H
#define ST_EXPERIMENT_FOLDS_H

typedef struct StFolds {
  int count;
  double tallest; // above the higher one of the valleys beside it; 0: there are none
} StFolds;

// A fold stands out by at least `least` on both of its sides.
StFolds st_folds_count(const double *height, int count, double least);

// How far points are from a line through others, [count][3] each: height[points]
void st_folds_heights(const double *point, int points, const double *line, int line_points,
                      double *height);

#endif
