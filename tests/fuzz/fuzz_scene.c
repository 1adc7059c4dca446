// Fuzzes the scene loader. Every byte sequence must give a description or one message; nothing may
// crash, leak or hang. Scenes here may not name files.
#include "scene/scene.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Large allocations fail: absurd resolutions then take the out-of-memory paths instead of minutes.
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
  return "allocator_may_return_null=1:max_allocation_size_mb=21:detect_leaks=1";
}

static void check_description(const StDescription *description) {
  int vertices = st_description_vertex_count(description);
  for (int i = 0; i < description->boundary_count; i++) {
    const StBoundaryDesc *boundary = &description->boundary[i];
    for (int k = 0; k < boundary->vertex_count; k++)
      if (boundary->vertex[k] < 0 || boundary->vertex[k] >= vertices)
        abort();
    double position[3], velocity[3];
    const double origin[3] = {0};
    for (double t = 0; t < 3; t += 0.25)
      st_motion_at(&boundary->motion, t, origin, position, velocity);
  }
  for (int i = 0; i < description->contact_count; i++) {
    const StContactDesc *contact = &description->contact[i];
    if (contact->collider < 0 || contact->collider >= description->body_count ||
        contact->body >= description->body_count ||
        contact->obstacle >= description->obstacle_count ||
        (contact->body < 0) == (contact->obstacle < 0))
      abort();
    if (contact->body == contact->collider &&
        (description->contact_settings.method != ST_CONTACT_PRIMITIVES ||
         !description->body[contact->body].self_contact))
      abort();
    if (!(contact->thickness > 0) || !(contact->stiffness > 0) ||
        !(contact->friction.sticking_speed > 0) ||
        !(contact->friction.stribeck_speed > contact->friction.sticking_speed))
      abort();
  }
  if (!(description->solver.velocity_tolerance > 0) || !(description->time.duration > 0))
    abort();
}

// One shape takes a second at most; a hundred of them would only waste time.
static bool has_many_shapes(const uint8_t *data, size_t size) {
  int count = 0;
  for (size_t i = 0; i + 7 <= size; i++)
    count += memcmp(data + i, "\"shape\"", 7) == 0;
  return count > 3;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  StDescription *description = NULL;
  StError error = {0};
  StStatus status =
      st_scene_parse("fuzz", (const char *)data, size, NULL, NULL, &description, &error);
  if ((status == ST_OK) != (description != NULL))
    abort();
  if (status == ST_BUG || (status != ST_OK && error.text[0] == 0))
    abort();
  if (description)
    check_description(description);
  st_description_destroy(description);
  return 0;
}
