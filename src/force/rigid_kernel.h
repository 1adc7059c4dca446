// Four carriers of a rigid body that keep their shape. A kernel header (math/scalar.h); needs
// math/tensor_kernel.h and Frame of force/rigid.c.

// A: the affine map from rest, of columns Σ (x − x₀) of carriers 1 to 3; change: AᵀA − 1.
static inline void ST_KERNEL(frame_change)(const Frame *frame, const scalar *position, scalar A[9],
                                           scalar change[9]) {
  const scalar *origin = position + 3 * (size_t)frame->carrier[0];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      scalar sum = s_number(0);
      for (int k = 0; k < 3; k++)
        sum += (position[3 * (size_t)frame->carrier[k + 1] + (size_t)i] - origin[i]) *
               frame->inverse[3 * k + j];
      A[3 * i + j] = sum;
    }
  ST_KERNEL(mat3_gram)(A, change);
  for (int k = 0; k < 9; k += 4)
    change[k] -= 1.0;
}

static inline scalar ST_KERNEL(frame_energy)(const Frame *frame, const scalar *position) {
  scalar A[9], change[9];
  ST_KERNEL(frame_change)(frame, position, A, change);
  return frame->strength * ST_KERNEL(mat3_contract)(change, change);
}

// force: [4][3], −∂E/∂x with ∂E/∂A = 4 s A (AᵀA − 1).
static inline void ST_KERNEL(frame_force)(const Frame *frame, const scalar *position,
                                          scalar force[12]) {
  scalar A[9], change[9], stress[9];
  ST_KERNEL(frame_change)(frame, position, A, change);
  ST_KERNEL(mat3_multiply)(A, change, stress);
  for (int i = 0; i < 3; i++) {
    force[i] = s_number(0);
    for (int k = 0; k < 3; k++) {
      scalar sum = s_number(0);
      for (int j = 0; j < 3; j++)
        sum += stress[3 * i + j] * frame->inverse[3 * k + j];
      force[3 * (k + 1) + i] = -4.0 * frame->strength * sum;
      force[i] -= force[3 * (k + 1) + i];
    }
  }
}
