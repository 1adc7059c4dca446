// Units that suit the size of the values: 0.0003 m reads better as 0.3 mm.
#pragma once

typedef struct StPlotUnit {
  const char *shown; // "cm³", as shown in a picture
  double size;       // in SI
} StPlotUnit;

// For values of magnitude up to `most`, in an SI unit as history.csv spells it: the largest unit
// that is not larger than `most`, or else the smallest.
StPlotUnit st_plot_unit(const char *si, double most);
