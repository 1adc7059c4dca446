// Short forms for what the scenes of all experiments have, on top of stiction/build.h. Numbers are
// SI; mistakes show when the case is run.
#ifndef EXPERIMENTS_SCENE_H
#define EXPERIMENTS_SCENE_H

#include <stiction/build.h>

static inline void set(StictionPart *part, const char *key, double value) {
  stiction_part_set_number(part, key, value);
}

static inline void set_text(StictionPart *part, const char *key, const char *text) {
  stiction_part_set_text(part, key, text);
}

static inline void set_vector(StictionPart *part, const char *key, double x, double y, double z) {
  stiction_part_set_vector(part, key, x, y, z);
}

// A scene with this title; text as printf has it.
StictionBuild *scene_begin(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Duration, step and time between frames, s. No stress and no forces are written.
void scene_set_time(StictionBuild *build, double duration, double step, double between_frames);

void scene_set(StictionBuild *build, const char *key, const char *word); // "integrator" …
void scene_set_gravity(StictionBuild *build, double value);              // m/s² downwards

// The settings of contact by smooth surfaces, which is the paper's.
StictionPart *scene_smooth_contact(StictionBuild *build);

// Friction that holds by velocity, as the paper's.
StictionPart *scene_add_friction(StictionBuild *build, const char *material, const char *other,
                                 double dynamic);

StictionPart *scene_add_material(StictionBuild *build, const char *name, double young,
                                 double poisson, double density);

// A rotation about "x", "y" or "z", rad.
void set_rotation(StictionPart *part, char axis, double angle);

#endif
