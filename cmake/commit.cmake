# Writes HEADER with the commit that is being built, when it has changed: summaries of runs record it.
# Called with -DSOURCE and -DHEADER at every build.
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
                OUTPUT_VARIABLE commit ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#define STICTION_COMMIT \"${commit}\"\n" @ONLY)
