// The table of units.
#include "plot/unit.h"

#include "base/memory.h"

#include <string.h>

// Largest first within one SI unit.
static const struct {
  const char *si;
  StPlotUnit unit;
} units[] = {
    {"J", {"MJ", 1e6}},      {"J", {"kJ", 1e3}},
    {"J", {"J", 1}},         {"J", {"mJ", 1e-3}},
    {"J", {"µJ", 1e-6}},     {"J", {"nJ", 1e-9}},
    {"N", {"kN", 1e3}},      {"N", {"N", 1}},
    {"N", {"mN", 1e-3}},     {"N", {"µN", 1e-6}},
    {"Pa", {"MPa", 1e6}},    {"Pa", {"kPa", 1e3}},
    {"Pa", {"Pa", 1}},       {"W", {"kW", 1e3}},
    {"W", {"W", 1}},         {"W", {"mW", 1e-3}},
    {"W", {"µW", 1e-6}},     {"m", {"m", 1}},
    {"m", {"mm", 1e-3}},     {"m", {"µm", 1e-6}},
    {"m/s", {"m/s", 1}},     {"m/s", {"mm/s", 1e-3}},
    {"m/s", {"µm/s", 1e-6}}, {"m^3", {"m³", 1}},
    {"m^3", {"l", 1e-3}},    {"m^3", {"cm³", 1e-6}},
    {"m^3", {"mm³", 1e-9}},  {"s", {"s", 1}},
    {"s", {"ms", 1e-3}},     {"s", {"µs", 1e-6}},
    {"N m", {"kN m", 1e3}},  {"N m", {"N m", 1}},
    {"N m", {"mN m", 1e-3}}, {"kg m^2/s", {"kg m²/s", 1}},
};

StPlotUnit st_plot_unit(const char *si, double most) {
  StPlotUnit chosen = {si, 1};
  for (int i = 0; i < ST_LENGTH(units); i++) {
    if (strcmp(units[i].si, si) != 0)
      continue;
    chosen = units[i].unit;
    if (most >= chosen.size || (chosen.size == 1 && !(most > 0))) // zero stays in SI
      break;
  }
  return chosen;
}
