// The names of a panel's series: beside it, or inside in the corner where the least is drawn.
#ifndef ST_PLOT_LEGEND_H
#define ST_PLOT_LEGEND_H

#include "plot/panel.h"

enum { ST_PLOT_MARK = 3 }; // radius of a dot

// Pixels that a legend beside the panel takes; 0: it has none there.
double st_legend_width(StCanvas *canvas, const StPlot *plot);

void st_legend_draw(StCanvas *canvas, const StPanel *panel);

#endif
