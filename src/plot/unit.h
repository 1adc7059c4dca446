// Units that suit the size of what is plotted: 0.0003 m reads better as 0.3 mm.
#ifndef ST_PLOT_UNIT_H
#define ST_PLOT_UNIT_H

typedef struct StPlotUnit {
  const char *shown; // "cm³", as it stands in a picture
  double size;       // in SI
} StPlotUnit;

// For values whose largest magnitude is `most`, given in an SI unit as history.csv spells it: the
// largest unit of which there is one at least, or else the smallest there is.
StPlotUnit st_plot_unit(const char *si, double most);

#endif
