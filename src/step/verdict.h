// What the judge checked in a run and what it found, as text.
#ifndef ST_STEP_VERDICT_H
#define ST_STEP_VERDICT_H

#include "model/description.h"
#include "step/record.h"

enum { ST_VERDICT_SIZE = 2048 };

// contact: what contact itself says of its gaps follows; NULL where nothing can touch.
void st_verdict_words(const StDescription *description, const StJudgeRecord *judged,
                      const StContactRecord *contact, char *text, size_t size);

// "rod|box": whose finding was the first of its kind; a body alone, or with another or an obstacle.
void st_verdict_pair(const StDescription *description, const StFindingRecord *finding, char *text,
                     size_t size);

#endif
