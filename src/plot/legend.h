// The names of a panel's series: beside it, or inside in the emptiest corner.
#pragma once

#include "plot/panel.h"

enum { ST_PLOT_MARK = 3 }; // radius of a dot

// Width in pixels of a legend beside the panel; 0: none there.
double st_legend_width(StCanvas *canvas, const StPlot *plot);

void st_legend_draw(StCanvas *canvas, const StPanel *panel);
