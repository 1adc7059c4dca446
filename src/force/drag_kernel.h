// Drag on a panel. A kernel header (math/scalar.h); needs mesh/volume_kernel.h and Panel of
// force/drag.c.

// On each corner of the panel: a third of the whole. With N twice the area along the normal and u
// the velocity against the stream, (n·u)|n·u| A n = (N·u)|N·u| N/2|N|². A panel without area has
// none, nor does one that the stream meets at right angles have a drag along it.
static inline void ST_KERNEL(panel_force)(const Panel *panel, const double wind[3],
                                          const scalar *position, const scalar *velocity,
                                          scalar force[3]) {
  scalar normal[3], u[3], along[3];
  ST_KERNEL(triangle_normal)(position, panel->corner, normal);
  for (int k = 0; k < 3; k++) {
    scalar sum = s_number(0);
    for (int c = 0; c < 3; c++)
      sum += velocity[3 * (size_t)panel->corner[c] + (size_t)k];
    u[k] = sum / 3.0 - wind[k];
  }
  scalar across = ST_KERNEL(dot)(normal, u), square = ST_KERNEL(dot)(normal, normal);
  bool flat = !(s_real(square) > 0);
  for (int k = 0; k < 3; k++) {
    force[k] =
        flat ? s_number(0) : -panel->strength / 3 * across * s_abs(across) / square * normal[k];
    along[k] = flat ? s_number(0) : u[k] - across / square * normal[k];
  }
  scalar speed = ST_KERNEL(dot)(along, along);
  if (panel->along == 0 || !(s_real(speed) > 0))
    return;
  for (int k = 0; k < 3; k++)
    force[k] -= panel->along / 3 * s_sqrt(speed) * s_sqrt(square) * along[k];
}
