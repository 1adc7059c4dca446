// Names of the rungs.
#include "step/rung.h"

const StRungText st_rungs[ST_RUNG_COUNT] = {
    [ST_RUNG_NEWTON] = {"newton", "by Newton's method at once"},
    [ST_RUNG_DESCENT] = {"descent", "by descent with a shifted Jacobian (buckling shells)"},
    [ST_RUNG_PATIENT] = {"patient", "by Newton's method with more iterations (shells)"},
    [ST_RUNG_STEADY] = {"steady", "from the solution with friction that does not fall with speed"},
    [ST_RUNG_EASED] = {"eased", "from solutions with wider sticking speeds"},
    [ST_RUNG_SLOWER] = {"slower", "from a first guess nearer to rest"},
    [ST_RUNG_STIFFER] = {"stiffer", "with stiffer contact"},
    [ST_RUNG_RESTART] = {"restart", "by the starting method of a two-step method"},
    [ST_RUNG_DAMPED] = {"damped", "by backward Euler instead of the scene's integrator"},
    [ST_RUNG_SMALLER] = {"smaller", "by a smaller step"},
};
