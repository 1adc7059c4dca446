// How the pressure inside a closed space depends on its volume: energy W(V) and its first two
// derivatives, each model a const descriptor. The absolute pressure inside is P₀ − dW/dV in every
// model.
#pragma once

#include "base/param.h"
#include "math/scalar.h"

// Input of a model at one instant, SI.
typedef struct StFilling {
  double rest_volume;      // V₀
  double outside_pressure; // P₀, absolute
  double pressure;         // P, absolute, inside at the rest volume
  double compressibility;  // κ_v, 1/Pa; unused by models without one
} StFilling;

// One kernel source yields both kinds of numbers (math/scalar.h). slope: [0] W, J; [1] dW/dV, Pa;
// [2] d²W/dV², Pa/m³.
typedef struct StVolumeModel {
  const char *name;
  const char *summary; // one sentence with the energy
  const StParam *param;
  int param_count;
  bool by_volume; // pressure depends on volume, so a rest volume is needed
  bool barrier;   // energy is infinite for V <= 0, where the functions below are undefined
  void (*slopes)(const StFilling *filling, double V, double slope[3]);
  void (*slopes_complex)(const StFilling *filling, StDual V, StDual slope[3]);
} StVolumeModel;

extern const StVolumeModel *const st_volume_models[]; // NULL-terminated; the first is the default

const StVolumeModel *st_volume_model_find(const char *name); // NULL: no such model
