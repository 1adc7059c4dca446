// Rigid bodies of a system: what carries them, and their strain.
#pragma once

#include "step/record.h"
#include "step/system.h"

// Carriers of the rigid bodies that are this rank's, [*count][ST_CARRIERS]; free() them.
StStatus st_rigidity_find_frames(const StSystem *system, int **frame, int *count, StError *error);

// A run reports strains above this.
#define ST_RIGID_STRAIN 1e-6

// Fills the report's part of it. Collective.
void st_rigidity_measure(const StSystem *system, const StPoint *at, StReport *report);

// Takes a committed step into the record.
void st_rigidity_count(StRigidRecord *record, const StReport *report);

// What a user should know of it; empty: nothing.
void st_rigidity_words(const StDescription *description, const StRigidRecord *record, char *text,
                       size_t size);
