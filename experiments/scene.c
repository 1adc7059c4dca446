// What the scenes of all experiments have.
#include "scene.h"

#include "common.h"

#include <stdarg.h>
#include <stdio.h>

StictionBuild *scene_begin(const char *format, ...) {
  StictionBuild *build = NULL;
  char title[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(title, sizeof title, format, arguments);
  va_end(arguments);
  stiction_build_create(&build);
  set_text(stiction_build_root(build), "title", title);
  return build;
}

void scene_set_time(StictionBuild *build, double duration, double step, double between_frames) {
  StictionPart *time = stiction_build_settings(build, "time");
  set(time, "duration", duration);
  set(time, "step", step);
  set(time, "frame_rate", 1 / between_frames);
  StictionPart *output = stiction_build_settings(build, "output");
  set_text(output, "frames", "vtu"); // other cases may start from them, by their names
  stiction_part_set_boolean(output, "stress", false);
  stiction_part_set_boolean(output, "forces", false);
}

void scene_set(StictionBuild *build, const char *key, const char *word) {
  set_text(stiction_build_root(build), key, word);
}

void scene_set_gravity(StictionBuild *build, double value) {
  set(stiction_build_root(build), "gravity", value);
}

StictionPart *scene_smooth_contact(StictionBuild *build) {
  StictionPart *contact = stiction_build_settings(build, "contact");
  set_text(contact, "method", "smooth");
  return contact;
}

StictionPart *scene_add_friction(StictionBuild *build, const char *material, const char *other,
                                 double dynamic) {
  StictionPart *friction = stiction_build_add_friction(build, material, other, dynamic);
  set_text(friction, "stick", "velocity");
  return friction;
}

StictionPart *scene_add_material(StictionBuild *build, const char *name, double young,
                                 double poisson, double density) {
  StictionPart *material = stiction_build_add_material(build, name, NULL);
  set(material, "young", young);
  set(material, "poisson", poisson);
  set(material, "density", density);
  return material;
}

void set_rotation(StictionPart *part, char axis, double angle) {
  const double direction[3] = {axis == 'x', axis == 'y', axis == 'z'};
  stiction_part_add_rotation(part, direction, angle);
}
