// A formula in the time t, such as "5 mm * sin(2*pi*50 Hz*t)": its value and its exact rate of
// change.
#ifndef ST_BASE_EXPRESSION_H
#define ST_BASE_EXPRESSION_H

#include "base/unit.h"

typedef struct StExpression StExpression;

// Whether a text is meant as a formula rather than as a quantity: it has t, pi or a function in it.
bool st_expression_is_meant(const char *text);

// Where units occur, all dimensions must agree and t is a time; without any unit everything is a
// number in SI units and t counts seconds. The error's text quotes the formula and names neither
// file nor key.
StStatus st_expression_parse(const char *text, StDimension dimension, StExpression **expression,
                             StError *error);
void st_expression_destroy(StExpression *expression);

// Value and rate of change (which may be NULL) at time t; not finite where the formula has none.
double st_expression_at(const StExpression *expression, double t, double *rate);

#endif
