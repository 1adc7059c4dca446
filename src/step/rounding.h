// Another rounding of the same state: how much a result changes shows the effect of round-off.
#pragma once

// Moves a vertex' coordinates by up to a unit in the last place of the largest, since forces mix
// them. `part` distinguishes positions from velocities.
void st_round_differently(double x[3], int vertex, int part);
