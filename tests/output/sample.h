// A small description and its report for the tests of writers: two bodies, one of tets with a
// triangle, one of triangles alone, a volume and a bearing, made without the scene reader.
#ifndef TESTS_OUTPUT_SAMPLE_H
#define TESTS_OUTPUT_SAMPLE_H

#include "model/description.h"
#include "step/record.h"

#include <math.h>
#include <string.h>

typedef struct Sample {
  StDescription description;
  StMaterialDesc material[4];
  StBodyDesc body[2];
  StLabelMaterial label_material[2]; // one for either body
  StVolumeDesc volume;
  StBearingDesc bearing;
} Sample;

// Two tets that share a face, the second with a label that has a material of its own, and a
// triangle that sticks out.
static inline StMesh *sample_tets(void) {
  StMesh *mesh = st_mesh_create(5, 2, 1);
  const double position[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1};
  const int tet[8] = {0, 1, 2, 3, 1, 2, 3, 4}, triangle[3] = {0, 1, 4};
  memcpy(mesh->position, position, sizeof position);
  memcpy(mesh->tet, tet, sizeof tet);
  memcpy(mesh->triangle, triangle, sizeof triangle);
  mesh->triangle_label[0] = -1;
  mesh->tet_label[0] = -1;
  mesh->tet_label[1] = st_mesh_label(mesh, "tip");
  return mesh;
}

// Two triangles, the second with a label that has a material of its own.
static inline StMesh *sample_sheet(void) {
  StMesh *mesh = st_mesh_create(4, 0, 2);
  const double position[12] = {0, 0, 2, 1, 0, 2, 1, 1, 2, 0, 1, 2};
  const int triangle[6] = {0, 1, 2, 0, 2, 3};
  memcpy(mesh->position, position, sizeof position);
  memcpy(mesh->triangle, triangle, sizeof triangle);
  mesh->triangle_label[0] = -1;
  mesh->triangle_label[1] = st_mesh_label(mesh, "hem");
  return mesh;
}

static inline void sample_begin(Sample *sample) {
  *sample = (Sample){0};
  sample->material[0] = (StMaterialDesc){.name = "soft", .density = 1000};
  sample->material[1] = (StMaterialDesc){.name = "hard", .density = 2000};
  sample->material[2] = (StMaterialDesc){.name = "cloth", .shell = true, .density = 0.3};
  sample->material[3] = (StMaterialDesc){.name = "seam", .shell = true, .density = 0.6};
  sample->label_material[0] = (StLabelMaterial){0, 1};
  sample->label_material[1] = (StLabelMaterial){0, 3};
  sample->body[0] = (StBodyDesc){.name = "kite",
                                 .mesh = sample_tets(),
                                 .shell = 2,
                                 .label_material_count = 1,
                                 .label_material = &sample->label_material[0]};
  sample->body[1] = (StBodyDesc){.name = "sheet",
                                 .mesh = sample_sheet(),
                                 .shell = 2,
                                 .label_material_count = 1,
                                 .label_material = &sample->label_material[1]};
  sample->volume = (StVolumeDesc){.name = "air, \"hot\"",
                                  .model = {.name = "ideal_gas"},
                                  .rest_volume = 0.25,
                                  .outside_pressure = 101325};
  sample->bearing = (StBearingDesc){.name = "hub"};
  sample->description = (StDescription){
      .title = "two \"bodies\"",
      .material_count = 4,
      .material = sample->material,
      .body_count = 2,
      .body = sample->body,
      .volume_count = 1,
      .volume = &sample->volume,
      .bearing_count = 1,
      .bearing = &sample->bearing,
      .time = {.duration = 1, .step = 0.05, .frame_rate = 10, .smallest_step = 1e-6},
      .integrator = "be",
      .solver = {.kind = ST_SOLVER_DIRECT},
      .output = {.stress = true, .forces = true},
  };
}

static inline void sample_end(Sample *sample) {
  st_mesh_destroy(sample->body[0].mesh);
  st_mesh_destroy(sample->body[1].mesh);
}

static inline StReport sample_report(long step) {
  double t = 0.05 * (double)step;
  return (StReport){.step = step,
                    .time = t,
                    .h = step ? 0.05 : 0,
                    .newton_iterations = step ? 3 : 0,
                    .linear_iterations = step ? 4 : 0,
                    .residual_evaluations = step ? 6 : 0,
                    .retries = step == 2,
                    .residual = 1e-9 / 3,
                    .seconds = 0.25,
                    .kinetic_energy = sin(t + 1) / 7,
                    .force_count = 3,
                    .force_name = {"elastic", "damping", "gravity"},
                    .force_energy = {0.1 + t, NAN, -3 * t},
                    .total_energy = 0.1 + t - 3 * t + sin(t + 1) / 7,
                    .momentum = {1, 2, 3},
                    .angular_momentum = {4, 5, 6},
                    .centre_of_mass = {7, 8, 9},
                    .volume = 1.0 / 3};
}

// The same run with an ideal gas that is squeezed, and a hub that turns; until the next call.
static inline StReport sample_filled_report(long step) {
  static StVolumeReport zone[2];
  static StBearingReport bearing;
  double volume = 0.25 - 0.1 * sin(0.2 * (double)step);
  zone[0] = (StVolumeReport){"air, \"hot\"", volume, 0.25 * 101325 / volume};
  zone[1] = (StVolumeReport){"oil", 1e-3 / 3 + 1e-9 * (double)step, 1e7 / 3};
  bearing = (StBearingReport){"hub", 0.7 * (double)step, 14, -2.0 / 3};
  StReport report = sample_report(step);
  report.zone_count = 2;
  report.zone = zone;
  report.bearing_count = 1;
  report.bearing = &bearing;
  return report;
}

// The same run with the kite on a floor and the sheet on the kite.
static inline StReport sample_contact_report(long step) {
  static const StContactRecord record = {.cone_violation = -1e-16,
                                         .friction_power = -0.25,
                                         .pair_net_force = 1e-15,
                                         .normal_force_error = 0.5,
                                         .creep_speed = 2e-5,
                                         .held_displacement = 3e-6,
                                         .sticking_speed = 1e-4,
                                         .stiffness_growth = 4,
                                         .repeats = 7,
                                         .deepest_gap = 1e-5,
                                         .deepest_time = 0.15,
                                         .deepest_vertex = 6};
  static const StPairReport pair[2] = {{.name = "kite|floor",
                                        .touching = 4,
                                        .sticking = 3,
                                        .normal_force = 8,
                                        .friction = {1, 2, 3}},
                                       {.name = "she,et|ki\"te", .normal_force = 0.1}};
  StReport report = sample_report(step);
  report.pair_count = 2;
  report.pair = pair;
  report.record = &record;
  report.contact = (StContactReport){.touching = 4,
                                     .sticking = 3,
                                     .normal_force = 8.1,
                                     .friction_force = 3.75,
                                     .cone_violation = -0.125,
                                     .friction_power = -0.5,
                                     .pair_net_force = 1e-15,
                                     .normal_force_error = 0.25,
                                     .deepest_gap = 2e-5,
                                     .deepest_vertex = 2,
                                     .creep_speed = 1e-5,
                                     .sticking_speed = 1e-4,
                                     .held_displacement = 2e-6,
                                     .stiffness_growth = 2,
                                     .repeats = 1};
  return report;
}

// The same run with what a judge may find.
static inline StReport sample_judged_report(long step) {
  static const StJudgeRecord judged = {.starts = 1,
                                       .steps = 12,
                                       .found = 4,
                                       .kind = {[ST_FOUND_CROSSING] = {3, 12, 0.2, 0.1, 0, 1, -1},
                                                [ST_FOUND_INVERTED] = {1, 1, 0.3, 0.3, 0, -1, -1}}};
  StReport report = sample_contact_report(step);
  report.judged = &judged;
  report.judge.checked = step != 1;
  report.judge.found.kind[ST_FOUND_CROSSING].count = 7;
  report.judge.found.kind[ST_FOUND_INVERTED].count = step;
  return report;
}

#endif
