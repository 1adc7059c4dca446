// The verdict of the independent check on a run, as text: what it examined, and what it found.
#pragma once

#include "model/description.h"
#include "step/record.h"

enum { ST_VERDICT_SIZE = 2048 };

// contact: contact's own statement about its gaps, appended; NULL if nothing can touch.
void st_verdict_words(const StDescription *description, const StJudgeRecord *judged,
                      const StContactRecord *contact, char *text, size_t size);

// "rod|box": the bodies of the first finding of its kind; a body alone, or with another or an
// obstacle.
void st_verdict_pair(const StDescription *description, const StFindingRecord *finding, char *text,
                     size_t size);
