// Results of a fit, in words and in files.
#pragma once

#include "base/text.h"
#include "fit/fit.h"

// A table: value, unit, standard error, what is special; then correlations and the misfit.
void st_fit_words(const StFit *fit, StText *text);

// The misfit: the root mean square of residuals, "0.41 mm", or of those in standard deviations.
void st_fit_misfit(const StFit *fit, double sum_of_squares, char *text, size_t size);

double st_fit_standard_error(const StFit *fit, int parameter); // NAN: there is none
double st_fit_correlation(const StFit *fit, int a, int b);     // the same

// fit.json, fit.csv, fit.svg, and fitted.json, the scene with the values.
StStatus st_fit_write(const StFit *fit, const char *folder, StError *error);
