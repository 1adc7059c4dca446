// Eigenvalues and eigenvectors of symmetric 3×3 matrices.
#pragma once

// The columns of `vector`, an orthogonal matrix, belong to the values, in no particular order.
void mat3_eigen(const double matrix[9], double value[3], double vector[9]);
