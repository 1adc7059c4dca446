// A formula in the time t, such as "5 mm * sin(2*pi*50 Hz*t)": its value and its exact rate of
// change.
#pragma once

#include "base/unit.h"

typedef struct StExpression StExpression;

// Whether a text is a formula rather than a quantity: it contains t, pi or a function.
bool st_expression_is_formula(const char *text);

// If units occur, all dimensions must agree and t is a time; without units everything is a number
// in SI units and t is in seconds. The error text quotes the formula, but names neither file nor
// key.
StStatus st_expression_parse(const char *text, StDimension dimension, StExpression **expression,
                             StError *error);
void st_expression_destroy(StExpression *expression);

// Value and rate of change (may be NULL) at time t; not finite where undefined.
double st_expression_at(const StExpression *expression, double t, double *rate);
