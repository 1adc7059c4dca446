// Defaults of contact, from the scene's own size, weight and stiffness, so that the same scene at
// another size (lengths × s, moduli × s, times × √s) behaves the same to round-off.
#include "scene/parts.h"
#include "scene/stack.h"

#include "base/memory.h"
#include "contact/barrier.h"
#include "contact/contacts.h"
#include "contact/facing_area.h"
#include "math/vec3.h"
#include "mesh/cage.h"
#include "model/body.h"

#include <stdio.h>
#include <string.h>

// δ is small compared with the smaller of two bodies, because the gap is visible. Cloth moves fast
// for its weight, and a body below it would pass a thinner layer in one step.
static const double THICKNESS_PART = 1e-3, SHEET_THICKNESS_PART = 2.5e-3;
// … and small compared with how thick they are: piles of plates have many gaps.
static const double WALL_PART = 0.02;
// κ carries the load at half of δ, so that resting things neither float at its rim nor come near
// zero. Of bodies that give less than that themselves, joints would give more than all the rest,
// and arches fall that should stand: there the gap is wider, as long as a barrier is easy to solve.
static const double REST_GAP = 0.5, WIDEST_REST_GAP = 0.8;
static const double STIFFNESS_PART = 1e-4, SHEET_LAYERS = 10;
// A rigid body does not flatten where it touches: a ball rests on a few vertices.
static const double STANDING = 3;
// Contact bears more than it is made for: a barrier ten times as much at a tenth of its thickness,
// a smooth surface four times at the end of its. What stands on a body counts from there on: stacks
// of a few equal bodies are no reason for stiffer contact.
static const double SPARE = 10, SMOOTH_SPARE = 4;
static const double STICKING_PART = 1e-4, STRIBECK_MULTIPLE = 10;

// With primitives, contact must not reach past the neighbours of the touching feature, or
// neighbours would touch at rest.
static const double EDGE_PART = 0.25;

enum { PAIRS_REPORTED = 10 };

typedef struct BodyScale {
  double size;     // m, the diagonal of its bounding box
  double edge;     // with primitives: the median edge of its skin, m; otherwise infinite
  double wall;     // with primitives: how thick it is, m; infinite for sheets
  double pressure; // that its contacts should carry, Pa
  double pointed;  // the same for a body that rests on a few vertices, if it does not give; or 0
  double hardness; // Pa/m, to press in a vertex; infinite for rigid bodies, 0 for sheets
  double stacked;  // the same below it, for all that stands on it
  double softness; // how far a pressure shortens it, m/Pa; infinite for sheets
  double share;    // factor of κ per area: 1, or a vertex's mean area
  bool sheet;      // cloth or a shell
  char source[80]; // where that pressure comes from
} BodyScale;

// Smallest and largest of the chosen values.
typedef struct Spread {
  int count;
  double low, high;
  int largest; // the body with the largest one
} Spread;

static void widen(Spread *spread, double value, int body) {
  if (spread->count == 0 || value > spread->high) {
    spread->high = value;
    spread->largest = body;
  }
  spread->low = spread->count == 0 ? value : fmin(spread->low, value);
  spread->count++;
}

static double body_diagonal(const StMesh *mesh) {
  double low[3], high[3], diagonal[3];
  for (int k = 0; k < 3; k++)
    low[k] = high[k] = mesh->position[k];
  for (int i = 0; i < 3 * st_mesh_own_count(mesh); i++) {
    low[i % 3] = fmin(low[i % 3], mesh->position[i]);
    high[i % 3] = fmax(high[i % 3], mesh->position[i]);
  }
  vec3_sub(high, low, diagonal);
  return vec3_length(diagonal);
}

static void take_larger(BodyScale *scale, double pressure, const char *format, double factor) {
  if (!(pressure > scale->pressure))
    return;
  scale->pressure = pressure;
  snprintf(scale->source, sizeof scale->source, format, factor);
}

// Pressure due to its weight (or, without gravity, its motion). A solid carries a column of itself.
// A sheet carries little more than itself where it lies flat, but several times that where it hangs
// over an edge; tension presses only where it curves.
static void measure_makeup(const StBodyMakeup *makeup, const StSceneScale *scene,
                           BodyScale *scale) {
  double size = scale->size;
  bool pulled = scene->pull > 0;
  double pull = pulled ? scene->pull : scene->motion * scene->motion / size;
  take_larger(scale, makeup->density * pull * size, pulled ? "ρgL" : "ρv²", 0);
  take_larger(scale, SHEET_LAYERS * makeup->area_density * pull,
              pulled ? "%g times the weight per area" : "%g times ρv²/L by area", SHEET_LAYERS);
}

// The modulus of a rigid body is as large as the solver can bear and says nothing of its loads. In
// free fall it presses as it is pushed, and if nothing is known of that, as it does on meeting
// another at the speed with which it crosses its own size in the run. κ grows where that is not
// enough.
static void measure_push(const StDescription *description, const StBodyMakeup *makeup,
                         const StSceneScale *scene, BodyScale *scale) {
  double size = scale->size, speed = size / description->time.duration;
  if (scene->pull > 0)
    return;
  take_larger(scale, scene->force / (size * size), "F/L² with the strongest load or joint F", 0);
  take_larger(scale, scene->pressure, "the strongest pressure", 0);
  if (scale->pressure == 0)
    take_larger(scale, makeup->density * speed * speed, "ρ(L/T)² with the duration T", 0);
}

static void measure_stiffness(const StBodyMakeup *makeup, BodyScale *scale) {
  take_larger(scale, STIFFNESS_PART * makeup->young, "%g of Young's modulus", STIFFNESS_PART);
  take_larger(scale, STIFFNESS_PART * makeup->tension / scale->size,
              "%g of Young's modulus in N/m, over L", STIFFNESS_PART);
}

// An inflated body presses with its inner pressure, but with no more than its skin can hold: a
// bubble of the body's size stretched to twice its size. (The given pressure is that at the rest
// volume, and falls as the skin expands.)
static void measure_filling(const StDescription *description, const StBodyDesc *body,
                            const StBodyMakeup *makeup, BodyScale *scale) {
  double most = makeup->young + 4 * makeup->tension / scale->size;
  for (int i = 0; i < description->volume_count; i++) {
    const StVolumeDesc *volume = &description->volume[i];
    if (st_scene_vertex(description, volume->triangle[0]).body != body)
      continue;
    double over = st_curve_largest_value(&volume->pressure, description->time.duration) -
                  volume->outside_pressure;
    take_larger(scale, fmin(over, most), over < most ? "overpressure" : "what the skin can hold",
                0);
  }
}

// κ of smooth surfaces includes a fraction of the stiffness from the start. The barrier of
// primitives is unbounded, and a κ far above the load makes it hard to solve: stiffness counts only
// if no load is known.
static void measure_pressure(const StDescription *description, const StBodyDesc *body,
                             const StSceneScale *scene, BodyScale *scale) {
  bool primitives = description->contact_settings.method == ST_CONTACT_PRIMITIVES;
  StBodyMakeup makeup;
  st_scene_body_makeup(description, body, &makeup);
  measure_makeup(&makeup, scene, scale);
  scale->softness = body->rigid ? 0 : makeup.young > 0 ? scale->size / makeup.young : INFINITY;
  if (body->rigid || (primitives && scale->sheet))
    measure_push(description, &makeup, scene, scale);
  if (body->rigid)
    return;
  if (!primitives)
    measure_stiffness(&makeup, scale);
  measure_filling(description, body, &makeup, scale);
  if (scale->pressure == 0)
    measure_stiffness(&makeup, scale);
}

static int add_corner(int vertex, bool *seen) {
  bool fresh = !seen[vertex];
  seen[vertex] = true;
  return fresh;
}

static StStatus mean_vertex_area(const StReader *reader, const StMesh *mesh, double *mean) {
  int *triangle = NULL, count = 0, corners = 0;
  double area = 0;
  ST_TRY(st_contacts_skin(mesh, &triangle, &count, reader->error));
  bool *seen = ST_NEW(bool, mesh->vertex_count);
  for (int i = 0; seen && i < 3 * count; i++)
    corners += add_corner(triangle[i], seen);
  for (int i = 0; i < count; i++)
    area += st_triangle_area(mesh->position, triangle + 3 * i);
  bool failed = !seen;
  free(seen);
  free(triangle);
  *mean = area / fmax(corners, 1);
  return failed ? st_fail_memory(reader->error) : ST_OK;
}

// What a vertex of the skin presses with, on average.
static StStatus mean_facing_area(const StReader *reader, const StMesh *mesh, double *mean) {
  int *triangle = NULL, count = 0, corners = 0;
  double *area = ST_NEW(double, mesh->vertex_count), sum = 0;
  StStatus status = area ? ST_OK : st_fail_memory(reader->error);
  if (status == ST_OK)
    status = st_contacts_skin(mesh, &triangle, &count, reader->error);
  if (status == ST_OK)
    status =
        st_facing_areas(mesh->position, triangle, count, mesh->vertex_count, area, reader->error);
  for (int v = 0; v < mesh->vertex_count && status == ST_OK; v++) {
    sum += area[v];
    corners += area[v] > 0;
  }
  free(triangle);
  free(area);
  *mean = sum / fmax(corners, 1);
  return status;
}

static StStatus measure_standing(const StReader *reader, const StBodyDesc *body,
                                 const StSceneScale *scene, BodyScale *scale) {
  StBodyMakeup makeup;
  double area, size = scale->size, mass = st_body_mass(reader->description, body);
  double force = mass * scene->pull;
  if (scene->pull == 0)
    force = fmax(mass * scene->motion * scene->motion / size,
                 fmax(scene->force, scene->pressure * size * size));
  bool primitives = reader->description->contact_settings.method == ST_CONTACT_PRIMITIVES;
  ST_TRY((primitives ? mean_facing_area : mean_vertex_area)(reader, body->mesh, &area));
  scale->pointed = force / (STANDING * area);
  st_scene_body_makeup(reader->description, body, &makeup);
  scale->hardness = body->rigid ? INFINITY : makeup.young / sqrt(area);
  return ST_OK;
}

static StStatus expect_good(const StReader *reader, const char *what, double value) {
  if (value > 0 && isfinite(value))
    return ST_OK;
  return st_reader_fail(reader, st_json_root(reader->document),
                        "%s comes out as %g from the scene's scale; please set it", what, value);
}

typedef struct Chosen {
  Spread thickness, stiffness, pressure, rest;
  int slight; // the body that limits the thickness of others; -1: none does
} Chosen;

// The bodies that keep others least apart when they lie between them, the least first. Two of a
// pair do not lie between themselves, so three are enough.
enum { SLIGHTEST = 3 };
typedef struct Slight {
  int count;
  int body[SLIGHTEST];
  double room[SLIGHTEST]; // m
} Slight;

// The body of the two that presses more; -1 is an obstacle.
static int heavier(const BodyScale *body, int a, int b) {
  return b >= 0 && body[b].pressure > body[a].pressure ? b : a;
}

// The body of the two whose vertices press more.
static int pointed(const BodyScale *body, int a, int b) {
  return b >= 0 && body[b].pointed > body[a].pointed ? b : a;
}

// What two bodies press with where one stands on a few vertices: no more than what dents the softer
// one by as much as contact gives. No body stands on itself.
static double pointed_pressure(const BodyScale *body, int a, int b, double thickness) {
  if (a == b)
    return 0;
  double hardness = b < 0 ? body[a].hardness : fmin(body[a].hardness, body[b].hardness);
  return fmin(body[pointed(body, a, b)].pointed, (1 - WIDEST_REST_GAP) * thickness * hardness);
}

// Two bodies press as the heavier does. But a body's weight rarely rests on the cloth around it,
// and cloth that carries it stiffens its contact by itself: hence a value between the two scales.
static double pair_pressure(const BodyScale *body, int a, int b) {
  if (b >= 0 && body[a].sheet != body[b].sheet)
    return sqrt(body[a].pressure * body[b].pressure);
  return body[heavier(body, a, b)].pressure;
}

// The body of the two that stands on the other, or on an obstacle; -1: none is known to.
static int upper(const StStackScale *stack, int a, int b) {
  if (b < 0 || st_stack_stands_on(stack, a, b))
    return a;
  return st_stack_stands_on(stack, b, a) ? b : -1;
}

// A pressure, and the body that has it.
typedef struct Press {
  double pressure;
  int by;
} Press;

static Press bulk_of(const StStackScale *stack, const BodyScale *body, int a, int b) {
  int over = upper(stack, a, b), under = over == a ? b : a;
  double pressure = pair_pressure(body, a, b);
  if (over >= 0 && under >= 0 && body[under].sheet && body[under].stacked > body[over].stacked)
    over = under; // what stands on cloth is all that presses on it there
  if (over >= 0 && body[over].stacked > pressure)
    return (Press){body[over].stacked, over};
  return (Press){pressure, heavier(body, a, b)};
}

static double pair_thickness(const BodyScale *body, int a, int b) {
  bool primitives = isfinite(body[a].edge);
  bool sheet = b >= 0 && (body[a].sheet || body[b].sheet) && !primitives;
  double size = b >= 0 ? fmin(body[a].size, body[b].size) : body[a].size;
  double edge = b >= 0 ? fmin(body[a].edge, body[b].edge) : body[a].edge;
  double wall = b >= 0 ? fmin(body[a].wall, body[b].wall) : body[a].wall;
  return fmin(fmin((sheet ? SHEET_THICKNESS_PART : THICKNESS_PART) * size, EDGE_PART * edge),
              WALL_PART * wall);
}

// How far apart a body keeps what is on both sides of it: by how thick it is, and cloth by its
// contact with both, which carries its load at half the thickness or more.
static double room_of(const BodyScale *body, int index) {
  return body[index].sheet ? pair_thickness(body, index, -1) : body[index].wall;
}

static void enter_slight(Slight *slight, int body, double room) {
  int at = slight->count < SLIGHTEST ? slight->count++ : SLIGHTEST - 1;
  if (at == SLIGHTEST - 1 && slight->body[at] >= 0 && !(room < slight->room[at]))
    return;
  for (; at > 0 && room < slight->room[at - 1]; at--) {
    slight->body[at] = slight->body[at - 1];
    slight->room[at] = slight->room[at - 1];
  }
  slight->body[at] = body;
  slight->room[at] = room;
}

// What lies between two bodies has to carry one of them: they must not press on each other through
// it. Bodies that touch nothing do not count.
static StStatus find_slight(const StReader *reader, const BodyScale *body, Slight *slight) {
  const StDescription *description = reader->description;
  bool *touches = ST_NEW(bool, description->body_count);
  if (!touches)
    return st_fail_memory(reader->error);
  *slight = (Slight){.body = {-1, -1, -1}};
  for (int i = 0; i < description->contact_count; i++) {
    const StContactDesc *contact = &description->contact[i];
    touches[contact->collider] = touches[contact->collider] || contact->body != contact->collider;
    if (contact->body >= 0 && contact->body != contact->collider)
      touches[contact->body] = true;
  }
  for (int b = 0; b < description->body_count; b++)
    if (touches[b])
      enter_slight(slight, b, room_of(body, b));
  free(touches);
  return ST_OK;
}

static double thickness_beside(const Slight *slight, double thickness, int a, int b, int *limit) {
  for (int i = 0; i < slight->count; i++)
    if (slight->body[i] != a && slight->body[i] != b) {
      if (!(slight->room[i] < thickness))
        return thickness;
      *limit = slight->body[i];
      return slight->room[i];
    }
  return thickness;
}

// Neighbours on one skin must not be close enough to touch.
static void limit_self(const StReader *reader, const BodyScale *body, StContactDesc *contact) {
  double most = EDGE_PART * body[contact->collider].edge;
  if (contact->body != contact->collider || !(contact->thickness > most))
    return;
  st_log(reader->log, ST_WARNING,
         "%s: contact.thickness is %.4g m; \"%.60s\" on itself takes %.4g m, %g of its median edge",
         reader->name, contact->thickness, reader->description->body[contact->collider].name, most,
         EDGE_PART);
  contact->thickness = most;
}

// The part of the thickness that remains under this pressure.
static double rest_gap(const StContactSettings *settings, const BodyScale *body,
                       const StContactDesc *contact, double pressure) {
  double softness = body[contact->collider].softness;
  if (settings->method != ST_CONTACT_PRIMITIVES)
    return REST_GAP;
  if (contact->body >= 0)
    softness = fmax(softness, body[contact->body].softness);
  return fmin(fmax(1 - softness * pressure / contact->thickness, REST_GAP), WIDEST_REST_GAP);
}

// κ for that.
static double stiffness_for(const StContactSettings *settings, double pressure, double thickness,
                            double rest) {
  double depth = (1 - rest) * thickness;
  if (settings->method == ST_CONTACT_PRIMITIVES)
    return -pressure / st_barrier_curve(rest).slope;
  return pressure * thickness / (3 * depth * depth);
}

static StStatus scale_contact(StReader *reader, const StStackScale *stack, const BodyScale *body,
                              const Slight *slight, StContactDesc *contact, Chosen *chosen) {
  const StContactSettings *settings = &reader->description->contact_settings;
  int a = contact->collider, b = contact->body, heavy = heavier(body, a, b);
  if (!(contact->thickness > 0)) {
    contact->thickness =
        thickness_beside(slight, pair_thickness(body, a, b), a, b, &chosen->slight);
    ST_TRY(expect_good(reader, "contact.thickness", contact->thickness));
    widen(&chosen->thickness, contact->thickness, a);
  }
  limit_self(reader, body, contact);
  bool given = contact->stiffness > 0;
  if (!given) {
    Press press = bulk_of(stack, body, a, b);
    double rest = rest_gap(settings, body, contact, press.pressure);
    double points = pointed_pressure(body, a, b, contact->thickness);
    if (points > press.pressure)
      press = (Press){points, pointed(body, a, b)};
    contact->stiffness = stiffness_for(settings, press.pressure, contact->thickness, rest);
    widen(&chosen->rest, rest, a);
    widen(&chosen->pressure, press.pressure, press.by);
  }
  contact->stiffness *= body[a].share;
  ST_TRY(expect_good(reader, "contact.stiffness", contact->stiffness));
  if (!given)
    widen(&chosen->stiffness, contact->stiffness, heavy);
  return ST_OK;
}

static void print_range(const Spread *spread, char *text, size_t size) {
  if (spread->high - spread->low <= 1e-9 * spread->high)
    snprintf(text, size, "%.4g", spread->high);
  else
    snprintf(text, size, "%.4g to %.4g", spread->low, spread->high);
}

static StStatus note(StReader *reader, const char *key, const Spread *spread, const char *unit,
                     const char *reason) {
  char range[80], value[100];
  print_range(spread, range, sizeof range);
  snprintf(value, sizeof value, "%s %s", range, unit);
  return st_description_add_note(reader->description, key, value, reason, reader->error);
}

static void explain_thickness(const StDescription *description, const Chosen *chosen, char *reason,
                              size_t size) {
  const char *name = description->body[chosen->thickness.largest].name;
  const char *slight = chosen->slight >= 0 ? description->body[chosen->slight].name : NULL;
  if (description->contact_settings.method == ST_CONTACT_PRIMITIVES)
    snprintf(reason, size,
             "%g of the size of each pair's smaller body (\"%.60s\"), and at most %g of the median "
             "edge of either and %g of how thick they are: a gap too small to be seen%s%.60s%s",
             THICKNESS_PART, name, EDGE_PART, WALL_PART, slight ? ", and for \"" : "",
             slight ? slight : "", slight ? "\" to carry what lies on it" : "");
  else
    snprintf(reason, size,
             "%g of the diagonal of each pair's smaller body (\"%.60s\"), or %g between bodies "
             "where one is a sheet: a gap too small to be seen",
             THICKNESS_PART, name, SHEET_THICKNESS_PART);
}

// Where the largest pressure comes from.
static void explain_pressure(const StDescription *description, const BodyScale *body,
                             const Chosen *chosen, char *text, size_t size) {
  int by = chosen->pressure.largest;
  double pressure = chosen->pressure.high;
  const char *name = description->body[by].name;
  if (pressure == body[by].stacked)
    snprintf(text, size, "\"%.60s\" with what stands on it", name);
  else if (pressure == body[by].pointed)
    snprintf(text, size, "\"%.60s\" on %g of its vertices", name, STANDING);
  else if (pressure > body[by].pressure)
    snprintf(text, size, "\"%.60s\" on a few of its vertices, which give", name);
  else
    snprintf(text, size, "%s%s of \"%.60s\"",
             pressure == body[by].pressure ? "" : "the geometric mean of the sheet's and ",
             body[by].source, name);
}

static void explain_stiffness(const StDescription *description, const BodyScale *body,
                              const Chosen *chosen, char *reason, size_t size) {
  char rest[60], source[200];
  print_range(&chosen->rest, rest, sizeof rest);
  explain_pressure(description, body, chosen, source, sizeof source);
  snprintf(reason, size, "carries %s%.4g Pa (%s) at %s of the thickness",
           chosen->pressure.low < chosen->pressure.high ? "up to " : "", chosen->pressure.high,
           source, rest);
}

static StStatus add_notes(StReader *reader, const BodyScale *body, const Chosen *chosen) {
  char reason[400];
  const StDescription *description = reader->description;
  if (chosen->thickness.count > 0) {
    explain_thickness(description, chosen, reason, sizeof reason);
    ST_TRY(note(reader, "contact.thickness", &chosen->thickness, "m", reason));
  }
  if (chosen->stiffness.count == 0)
    return ST_OK;
  explain_stiffness(description, body, chosen, reason, sizeof reason);
  return note(reader, "contact.stiffness", &chosen->stiffness,
              st_contact_stiffness_unit(&description->contact_settings), reason);
}

static StStatus measure_body(StReader *reader, const StBodyDesc *body, const StSceneScale *scene,
                             BodyScale *scale) {
  const StDescription *description = reader->description;
  scale->sheet = !st_body_is_solid(body);
  scale->share = 1;
  scale->edge = scale->wall = INFINITY;
  if (description->contact_settings.method == ST_CONTACT_PRIMITIVES) {
    scale->size = st_scene_body_size(body->mesh);
    ST_TRY(st_scene_median_edge(reader, body->mesh, &scale->edge));
    if (!scale->sheet)
      ST_TRY(st_contacts_wall(body->mesh, &scale->wall, reader->error));
  } else {
    scale->size = body_diagonal(body->mesh);
  }
  measure_pressure(description, body, scene, scale);
  bool primitives = description->contact_settings.method == ST_CONTACT_PRIMITIVES;
  if (body->rigid || (primitives && !scale->sheet))
    ST_TRY(measure_standing(reader, body, scene, scale));
  if (!description->contact_settings.area_weighted)
    ST_TRY(mean_vertex_area(reader, body->mesh, &scale->share));
  return ST_OK;
}

static void measure_stack(const StDescription *description, const StStackScale *stack, int index,
                          BodyScale *scale) {
  bool primitives = description->contact_settings.method == ST_CONTACT_PRIMITIVES;
  double layers = st_stack_layers(stack, index);
  double pointed = isinf(scale->hardness) ? scale->pointed : 0;
  if (layers > (primitives ? SPARE : SMOOTH_SPARE))
    scale->stacked = layers * fmax(scale->pressure, pointed);
}

static StStatus scale_all(StReader *reader, const StSceneScale *scene, const StStackScale *stack,
                          BodyScale *body) {
  StDescription *description = reader->description;
  Chosen chosen = {.slight = -1};
  Slight slight = {0};
  for (int i = 0; i < description->body_count; i++) {
    ST_TRY(measure_body(reader, &description->body[i], scene, &body[i]));
    measure_stack(description, stack, i, &body[i]);
  }
  if (description->contact_settings.method == ST_CONTACT_PRIMITIVES)
    ST_TRY(find_slight(reader, body, &slight));
  for (int i = 0; i < description->contact_count; i++)
    ST_TRY(scale_contact(reader, stack, body, &slight, &description->contact[i], &chosen));
  return add_notes(reader, body, &chosen);
}

static const char *surface_material(const StDescription *description,
                                    const StContactDesc *contact) {
  if (contact->obstacle >= 0)
    return description->obstacle[contact->obstacle].material;
  return description->material[st_scene_body_material(&description->body[contact->body])].name;
}

// Pairs of materials without a matching row, each reported once, up to a limit.
typedef struct Frictionless {
  int count;
  const char *name[PAIRS_REPORTED][2];
} Frictionless;

static bool is_reported(const Frictionless *reported, const char *a, const char *b) {
  for (int i = 0; i < reported->count; i++) {
    const char *const *name = reported->name[i];
    if ((strcmp(name[0], a) == 0 && strcmp(name[1], b) == 0) ||
        (strcmp(name[0], b) == 0 && strcmp(name[1], a) == 0))
      return true;
  }
  return reported->count == PAIRS_REPORTED;
}

static StStatus warn_frictionless(StReader *reader, bool has_table, const char *a, const char *b,
                                  Frictionless *reported) {
  char key[200];
  b = b ? b : "no material";
  if (is_reported(reported, a, b))
    return ST_OK;
  reported->name[reported->count][0] = a;
  reported->name[reported->count++][1] = b;
  snprintf(key, sizeof key, "friction of %.60s on %.60s", a, b);
  if (has_table)
    st_log(reader->log, ST_WARNING,
           "%s: no row of the friction table fits %s on %s; they slide freely", reader->name, a, b);
  return st_description_add_note(reader->description, key, "0",
                                 has_table ? "no row of the friction table fits; add one, or one "
                                             "for \"any\""
                                           : "the scene has no friction table",
                                 reader->error);
}

// A body that slides freely on itself deserves a note, not a warning: few tables consider it.
static StStatus tell_self(StReader *reader, bool has_table, const char *material,
                          Frictionless *reported) {
  char key[200];
  if (is_reported(reported, material, material))
    return ST_OK;
  reported->name[reported->count][0] = reported->name[reported->count][1] = material;
  reported->count++;
  snprintf(key, sizeof key, "friction of %.60s on itself", material);
  return st_description_add_note(reader->description, key, "0",
                                 has_table ? "no row of the friction table fits"
                                           : "the scene has no friction table",
                                 reader->error);
}

static StStatus choose_speeds(StReader *reader, const StSceneScale *scene, const StFrictionRow *row,
                              StFrictionDesc *friction) {
  if (!(friction->sticking_speed > 0))
    friction->sticking_speed = STICKING_PART * scene->speed;
  if (!(friction->sticking_speed > 0) || !isfinite(friction->sticking_speed))
    return st_reader_fail(reader, row ? row->at : st_json_root(reader->document),
                          "the scene's own speed (from gravity, motions, velocities, loads, waves) "
                          "comes out as %g m/s, and with it the speed below which things stick",
                          scene->speed);
  if (!(friction->stribeck_speed > 0))
    friction->stribeck_speed = STRIBECK_MULTIPLE * friction->sticking_speed;
  if (friction->stick == ST_STICK_VELOCITY &&
      !(friction->stribeck_speed > friction->sticking_speed))
    return st_reader_fail(reader, st_json_get(row->at, "stribeck_speed"),
                          "must be more than the sticking speed (%g m/s), is %g m/s",
                          friction->sticking_speed, friction->stribeck_speed);
  return ST_OK;
}

static StStatus note_sticking(StReader *reader, const StSceneScale *scene) {
  char value[60], reason[300];
  snprintf(value, sizeof value, "%.4g m/s", STICKING_PART * scene->speed);
  snprintf(reason, sizeof reason, "%g of %s: held contacts creep more slowly than this",
           STICKING_PART, scene->reason);
  return st_description_add_note(reader->description, "friction.sticking_speed", value, reason,
                                 reader->error);
}

static StStatus note_stribeck(StReader *reader, const StSceneScale *scene) {
  char value[60], reason[300];
  snprintf(value, sizeof value, "%.4g m/s", STRIBECK_MULTIPLE * STICKING_PART * scene->speed);
  snprintf(reason, sizeof reason, "%g of %s: static friction fades early in sliding",
           STRIBECK_MULTIPLE * STICKING_PART, scene->reason);
  return st_description_add_note(reader->description, "friction.stribeck_speed", value, reason,
                                 reader->error);
}

static StStatus find_friction(StReader *reader, const StFrictionTable *table,
                              const StSceneScale *scene) {
  StDescription *description = reader->description;
  Frictionless reported = {0}, selves = {0};
  bool sticking = false, stribeck = false;
  for (int i = 0; i < description->contact_count; i++) {
    StContactDesc *contact = &description->contact[i];
    const StFrictionRow *row;
    int made_of = st_scene_body_material(&description->body[contact->collider]);
    const char *a = description->material[made_of].name;
    const char *b = surface_material(description, contact);
    ST_TRY(st_friction_table_find(reader, table, a, b, &row));
    if (row)
      contact->friction = row->friction;
    else if (contact->body == contact->collider)
      ST_TRY(tell_self(reader, table->count > 0, a, &selves));
    else
      ST_TRY(warn_frictionless(reader, table->count > 0, a, b, &reported));
    sticking = sticking || (row && row->friction.stick == ST_STICK_VELOCITY &&
                            row->friction.sticking_speed == 0);
    stribeck = stribeck ||
               (row && row->friction.stribeck_speed == 0 && !(row->friction.sticking_speed > 0) &&
                row->friction.static_coefficient > row->friction.dynamic_coefficient);
    ST_TRY(choose_speeds(reader, scene, row, &contact->friction));
  }
  if (sticking)
    ST_TRY(note_sticking(reader, scene));
  return stribeck ? note_stribeck(reader, scene) : ST_OK;
}

StStatus st_scene_choose_contact(StReader *reader, const StFrictionTable *table) {
  StSceneScale scene = {0};
  if (reader->description->contact_count == 0)
    return ST_OK;
  st_scene_scale(reader->description, &scene);
  StStackScale stack;
  ST_TRY(st_stack_measure(reader->description, &stack, reader->error));
  BodyScale *body = ST_NEW(BodyScale, reader->description->body_count);
  StStatus status = body ? scale_all(reader, &scene, &stack, body) : st_fail_memory(reader->error);
  free(body);
  st_stack_free(&stack);
  ST_TRY(status);
  return find_friction(reader, table, &scene);
}
