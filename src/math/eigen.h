// Eigenvalues and eigenvectors of symmetric 3×3 matrices.
#ifndef ST_MATH_EIGEN_H
#define ST_MATH_EIGEN_H

// The columns of `vector`, an orthogonal matrix, belong to the values, in no particular order.
void mat3_eigen(const double matrix[9], double value[3], double vector[9]);

#endif
