// Colours that colour-blind readers can tell apart (Okabe and Ito): for lines of plots, and for
// bodies in exported files.
#pragma once

enum { ST_PALETTE_SIZE = 7 };

extern const unsigned char st_palette[ST_PALETTE_SIZE][3]; // sRGB
