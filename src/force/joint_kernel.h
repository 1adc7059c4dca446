// Forces of a joint on the points of its ends: y and v are [8][3], the first end's four points,
// then the other's. A kernel header (math/scalar.h); needs math/vec3_kernel.h and Law of
// force/joint.c.

// A pull along the line between the first points of both ends.
static inline void ST_KERNEL(pull)(const Law *law, scalar y[8][3], scalar v[8][3],
                                   scalar force[8][3]) {
  scalar d[3], rate[3];
  for (int k = 0; k < 3; k++) {
    d[k] = y[0][k] - y[4][k];
    rate[k] = v[0][k] - v[4][k];
  }
  scalar square = ST_KERNEL(dot)(d, d);
  if (!(s_real(square) > 0))
    return;
  scalar length = s_sqrt(square);
  scalar tension = law->damps ? law->damping * ST_KERNEL(dot)(d, rate) / length
                              : law->stiffness * (length - law->rest);
  for (int k = 0; k < 3; k++) {
    force[0][k] -= tension * d[k] / length;
    force[4][k] += tension * d[k] / length;
  }
}

// The first `count` points of both ends are one.
static inline void ST_KERNEL(tie)(const Law *law, int count, scalar y[8][3], scalar force[8][3]) {
  for (int p = 0; p < count; p++)
    for (int k = 0; k < 3; k++) {
      scalar f = law->stiffness * (y[4 + p][k] - y[p][k]);
      force[p][k] += f;
      force[4 + p][k] -= f;
    }
}

// The other end's axis, of length 1; its length is returned.
static inline scalar ST_KERNEL(find_axis)(scalar y[8][3], scalar axis[3]) {
  scalar square = s_number(0);
  for (int k = 0; k < 3; k++) {
    axis[k] = y[5][k] - y[4][k];
    square += axis[k] * axis[k];
  }
  scalar length = s_sqrt(square);
  for (int k = 0; k < 3; k++)
    axis[k] = axis[k] / length;
  return length;
}

// Signed distance of a value beyond the limits; 0 between them.
static inline scalar ST_KERNEL(beyond)(const Law *law, scalar value) {
  if (s_real(value) > law->upper)
    return value - law->upper;
  return s_real(value) < law->lower ? value - law->lower : s_number(0);
}

// All points stay beside each other, across the other end's axis: with δ the difference of two and
// δ⊥ its part across, the energy ½k Σ|δ⊥|².
static inline void ST_KERNEL(guide)(const Law *law, scalar y[8][3], scalar force[8][3]) {
  scalar axis[3], length = ST_KERNEL(find_axis)(y, axis);
  for (int p = 0; p < 4; p++) {
    scalar d[3] = {y[p][0] - y[4 + p][0], y[p][1] - y[4 + p][1], y[p][2] - y[4 + p][2]};
    scalar along = ST_KERNEL(dot)(axis, d);
    for (int k = 0; k < 3; k++) {
      scalar f = law->stiffness * (d[k] - along * axis[k]), tilt = f * along / length;
      force[p][k] -= f;
      force[4 + p][k] += f;
      force[5][k] += tilt; // which turns the axis
      force[4][k] -= tilt;
    }
  }
}

// Stop of a slider: energy ½k b², with b the distance of the first point beyond its limits.
static inline void ST_KERNEL(stop_slide)(const Law *law, scalar y[8][3], scalar force[8][3]) {
  scalar axis[3], length = ST_KERNEL(find_axis)(y, axis);
  scalar d[3] = {y[0][0] - y[4][0], y[0][1] - y[4][1], y[0][2] - y[4][2]};
  scalar along = ST_KERNEL(dot)(axis, d), pull = law->stiffness * ST_KERNEL(beyond)(law, along);
  for (int k = 0; k < 3; k++) {
    scalar tilt = pull * (d[k] - along * axis[k]) / length;
    force[0][k] -= pull * axis[k];
    force[4][k] += pull * axis[k] + tilt;
    force[5][k] -= tilt;
  }
}

// The angle from the other end to the first about the other's axis, of the rotation that fits best
// two arms u, w of each across the axis: tan φ = s/c with s = d·Σ w × u, c = Σ w⊥·u⊥. And its
// slopes.
static inline scalar ST_KERNEL(find_angle)(scalar y[8][3], scalar slope[8][3]) {
  scalar d[3], by_d_s[3] = {s_number(0)}, by_d_c[3] = {s_number(0)}, s = s_number(0), c = s;
  scalar by_s[8][3] = {{s_number(0)}}, by_c[8][3] = {{s_number(0)}};
  scalar length = ST_KERNEL(find_axis)(y, d);
  for (int p = 2; p < 4; p++) {
    scalar u[3], w[3], turn[3], du[3], dw[3];
    for (int k = 0; k < 3; k++) {
      u[k] = y[p][k] - y[0][k];
      w[k] = y[4 + p][k] - y[4][k];
    }
    ST_KERNEL(cross)(w, u, turn);
    ST_KERNEL(cross)(d, w, du);
    ST_KERNEL(cross)(u, d, dw);
    scalar along_u = ST_KERNEL(dot)(d, u), along_w = ST_KERNEL(dot)(d, w);
    s += ST_KERNEL(dot)(d, turn);
    c += ST_KERNEL(dot)(w, u) - along_u * along_w;
    for (int k = 0; k < 3; k++) {
      by_s[p][k] += du[k], by_s[0][k] -= du[k];
      by_s[4 + p][k] += dw[k], by_s[4][k] -= dw[k];
      scalar cu = w[k] - along_w * d[k], cw = u[k] - along_u * d[k];
      by_c[p][k] += cu, by_c[0][k] -= cu;
      by_c[4 + p][k] += cw, by_c[4][k] -= cw;
      by_d_s[k] += turn[k];
      by_d_c[k] -= along_u * w[k] + along_w * u[k];
    }
  }
  scalar square = s * s + c * c, of_s = ST_KERNEL(dot)(d, by_d_s), of_c = ST_KERNEL(dot)(d, by_d_c);
  for (int k = 0; k < 3; k++) {
    scalar ts = (by_d_s[k] - of_s * d[k]) / length, tc = (by_d_c[k] - of_c * d[k]) / length;
    by_s[5][k] += ts, by_s[4][k] -= ts;
    by_c[5][k] += tc, by_c[4][k] -= tc;
  }
  for (int p = 0; p < 8; p++)
    for (int k = 0; k < 3; k++)
      slope[p][k] = (c * by_s[p][k] - s * by_c[p][k]) / square;
  return s_atan2(s, c);
}

// A torque on that angle.
static inline void ST_KERNEL(turn)(const Law *law, scalar y[8][3], scalar v[8][3],
                                   scalar force[8][3]) {
  scalar slope[8][3], speed = s_number(0), torque = s_number(0);
  scalar angle = ST_KERNEL(find_angle)(y, slope) + law->turns;
  for (int p = 0; p < 8; p++)
    speed += ST_KERNEL(dot)(slope[p], v[p]);
  if (law->kind == ST_JOINT_STOP) {
    torque -= law->stiffness * ST_KERNEL(beyond)(law, angle);
  } else if (law->kind == ST_JOINT_TORSION) {
    scalar spring = law->stiffness * (angle - law->rest), part = spring / law->most;
    torque = law->damps ? -law->damping * speed : -spring / s_sqrt(1 + part * part);
  } else if (law->slip > 0) {
    scalar lag = (law->speed - speed) / law->slip;
    torque = law->torque * lag / s_sqrt(1 + lag * lag);
  } else {
    torque += law->torque;
  }
  for (int p = 0; p < 8; p++)
    for (int k = 0; k < 3; k++)
      force[p][k] += torque * slope[p][k];
}

static inline void ST_KERNEL(joint_force)(const Law *law, scalar y[8][3], scalar v[8][3],
                                          scalar force[8][3]) {
  for (int p = 0; p < 8; p++)
    for (int k = 0; k < 3; k++)
      force[p][k] = s_number(0);
  switch (law->kind) {
  case ST_JOINT_SPRING:
  case ST_JOINT_DISTANCE: ST_KERNEL(pull)(law, y, v, force); break;
  case ST_JOINT_BALL: ST_KERNEL(tie)(law, 1, y, force); break;
  case ST_JOINT_HINGE: ST_KERNEL(tie)(law, 2, y, force); break;
  case ST_JOINT_WELD: ST_KERNEL(tie)(law, 4, y, force); break;
  case ST_JOINT_SLIDER:
    ST_KERNEL(guide)(law, y, force);
    ST_KERNEL(stop_slide)(law, y, force);
    break;
  case ST_JOINT_STOP:
  case ST_JOINT_TORSION:
  case ST_JOINT_MOTOR: ST_KERNEL(turn)(law, y, v, force); break;
  }
}
