// Energies U of a volume V, with dU/dV and d²U/dV². A kernel header (math/scalar.h).

static void ST_KERNEL(quadratic)(const StFilling *filling, scalar V, scalar slope[3]) {
  double k = 1 / (filling->rest_volume * filling->compressibility);
  double extra = filling->pressure - filling->outside_pressure;
  scalar growth = V - filling->rest_volume;
  slope[0] = (0.5 * k * growth - extra) * growth;
  slope[1] = k * growth - extra;
  slope[2] = s_number(k);
}

static void ST_KERNEL(ideal_gas)(const StFilling *filling, scalar V, scalar slope[3]) {
  double P0 = filling->outside_pressure, V0 = filling->rest_volume;
  double PV = filling->pressure * V0;
  slope[0] = P0 * (V - V0) - PV * s_log(V / V0);
  slope[1] = P0 - PV / V;
  slope[2] = PV / (V * V);
}

static void ST_KERNEL(nearly_incompressible)(const StFilling *filling, scalar V, scalar slope[3]) {
  double V0 = filling->rest_volume, K = 1 / filling->compressibility;
  double extra = filling->pressure - filling->outside_pressure;
  scalar L = s_log(V / V0);
  slope[0] = K * (V0 - V * (1.0 - L)) - extra * (V - V0);
  slope[1] = K * L - extra;
  slope[2] = K / V;
}

static void ST_KERNEL(prescribed)(const StFilling *filling, scalar V, scalar slope[3]) {
  double extra = filling->pressure - filling->outside_pressure;
  slope[0] = -extra * (V - filling->rest_volume);
  slope[1] = s_number(-extra);
  slope[2] = s_number(0);
}
