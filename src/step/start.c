// Where bodies are and how they move at time zero.
#include "step/start.h"

#include "math/vec3.h"

#include <string.h>

// Adds an element's mass, spread evenly over its corners, to the sums.
static void add_element(const double *position, const int *vertex, int corners, double mass,
                        double moment[3], double *total) {
  *total += mass;
  for (int i = 0; i < corners; i++)
    vec3_add_scaled(mass / corners, position + 3 * vertex[i], moment);
}

// first: number of the body's first vertex.
static void find_centre(const StDescription *description, const StBodyDesc *body, int first,
                        double centre[3]) {
  const StMesh *mesh = body->mesh;
  const double *position = description->start ? description->start + 3 * first : mesh->position;
  double total = 0, moment[3] = {0};
  for (int t = 0; t < mesh->tet_count; t++) {
    const int *tet = mesh->tet + 4 * t;
    double density = description->material[st_body_tet_material(body, t)].density;
    add_element(position, tet, 4, density * st_tet_volume(mesh->position, tet), moment, &total);
  }
  for (int t = 0; t < mesh->triangle_count; t++) {
    const int *triangle = mesh->triangle + 3 * t;
    double density = description->material[st_body_triangle_material(body, t)].density;
    add_element(position, triangle, 3, density * st_triangle_area(mesh->position, triangle), moment,
                &total);
  }
  for (int c = 0; c < 3; c++)
    centre[c] = total > 0 ? moment[c] / total : 0;
}

static int first_vertex(const StDescription *description, int body) {
  int first = 0;
  for (int b = 0; b < body; b++)
    first += description->body[b].mesh->vertex_count;
  return first;
}

void st_start(const StDescription *description, const StPiece *piece, const StBoundary *boundary,
              StState *state) {
  memcpy(state->position, piece->rest, (size_t)state->size * sizeof(double));
  for (int i = 0; i < piece->owned_count && description->start; i++)
    vec3_copy(description->start + 3 * piece->vertex_id[i], state->position + 3 * i);
  int last = -1;
  double centre[3] = {0};
  for (int i = 0; i < piece->owned_count; i++) {
    const StBodyDesc *body = &description->body[piece->body[i]];
    if (piece->body[i] != last)
      find_centre(description, body, first_vertex(description, piece->body[i]), centre);
    last = piece->body[i];
    double arm[3], spin[3];
    vec3_sub(state->position + 3 * i, centre, arm);
    vec3_cross(body->angular_velocity, arm, spin);
    for (int c = 0; c < 3; c++)
      state->velocity[3 * i + c] = body->velocity[c] + spin[c];
  }
  st_boundary_apply(boundary, 0, 0, state->position, state->velocity);
}
