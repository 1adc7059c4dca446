// Scenes written in C: as st_text_add, but ' stands for ", which would have to be escaped in every
// key. Comments of scenes therefore do without apostrophes.
#ifndef ST_EXPERIMENT_SCENE_TEXT_H
#define ST_EXPERIMENT_SCENE_TEXT_H

#include "base/text.h"

void st_scene_text(StText *scene, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
