// Limits of moves by gaps, by lengths, and by what friction holds.
#include "gradient/reach.h"

#include "math/vec3.h"

#include <math.h>

// Changes of a contact: of its gap at both ends of the step, and of the way between its sides.
typedef struct Change {
  double closing, way;
} Change;

static Change find_change(const StReach *reach, const StContact *contact) {
  const StContactSet *set = reach->set;
  const int *place = st_contact_array_places(&set->now, contact);
  StGap gap = st_contact_array_gap(&set->now, contact);
  double closing[2] = {0}, way[3] = {0};
  for (int k = 0; k < contact->count; k++) {
    if (!st_contact_set_is_local(set, place[k]))
      continue;
    const double *start = reach->start + 3 * (size_t)place[k];
    const double *end = reach->end + 3 * (size_t)place[k];
    closing[0] += vec3_dot(gap.gradient + 3 * k, start);
    closing[1] += vec3_dot(gap.gradient + 3 * k, end);
    vec3_add_scaled(gap.share[k], end, way);
    vec3_add_scaled(-gap.share[k], start, way);
  }
  return (Change){fmax(fabs(closing[0]), fabs(closing[1])), vec3_length(way)};
}

// The way by which the sides of a contact may move against each other: friction turns with the
// displacement that it depends on, and has a kink where it yields. That much is left to chance.
static double find_play(const StReach *reach, const StContact *contact) {
  const StContactSet *set = reach->set;
  const StContactScratch *work = set->work;
  StFrictionPart part[2];
  double wall[3], slip[3];
  st_contact_set_friction_parts(set, contact, part);
  StContactLaw law = st_contact_set_law(set, contact, part[0]);
  st_contact_set_friction_velocities(set, contact->count,
                                     st_contact_array_places(&set->now, contact), part[0],
                                     reach->position, reach->velocity, work->real);
  st_contact_set_friction_wall(set, &set->now, contact, part[0], wall);
  double along =
      st_contact_slip(contact->count, &contact->normal_state,
                      st_contact_array_shares(&set->now, contact), work->real, wall, slip);
  double speed = vec3_length(slip), yield = law.friction->sticking_speed * set->span;
  double length = speed * set->span;
  if (law.friction->anchored) {
    StFrictionLoad load = st_contact_load(&law, &contact->normal_state, along);
    yield = fabs(st_friction_yield(law.friction, &load));
    length = speed * st_contact_set_elastic_time(set, contact);
  }
  double kink = fmax(ST_REACH_KINK * fabs(length - yield), ST_REACH_GAP * ST_REACH_KINK * yield);
  return fmin(fmax(ST_REACH_GAP * length, ST_REACH_GAP * ST_REACH_KINK * yield), kink);
}

static double limit_contact(const StReach *reach, const StContact *contact) {
  Change change = find_change(reach, contact);
  double amount = ST_REACH_GAP * contact->gap / change.closing; // infinite where nothing closes
  if (change.way > 0)
    amount = fmin(amount, fmax(find_play(reach, contact), ST_REACH_LEAST) / change.way);
  return amount;
}

double st_reach_amount(const StReach *reach) {
  double most = 0;
  for (int i = 0; i < reach->size; i++)
    most = fmax(most, fmax(fabs(reach->start[i]), fabs(reach->end[i])));
  double amount = most > 0 ? ST_REACH_LENGTH * reach->length / most : INFINITY;
  for (int t = 0; reach->set && t < reach->set->now.count; t++)
    amount = fmin(amount, limit_contact(reach, &reach->set->now.contact[t]));
  return fmin(amount, 1);
}

static double shortest(const StPiece *piece, const int *vertex, int corners) {
  double least = INFINITY;
  for (int a = 0; a < corners; a++)
    for (int b = 0; b < a; b++) {
      double edge[3];
      vec3_sub(piece->rest + 3 * (size_t)vertex[a], piece->rest + 3 * (size_t)vertex[b], edge);
      least = fmin(least, vec3_length(edge));
    }
  return least;
}

double st_reach_length(const StPiece *piece) {
  double least = INFINITY;
  for (int t = 0; t < piece->tet_count; t++)
    least = fmin(least, shortest(piece, piece->tet + 4 * (size_t)t, 4));
  for (int t = 0; t < piece->triangle_count; t++)
    least = fmin(least, shortest(piece, piece->triangle + 3 * (size_t)t, 3));
  for (int i = 0; i < piece->carried.count; i++)
    least =
        fmin(least, shortest(piece, piece->carried.carrier + ST_CARRIERS * (size_t)i, ST_CARRIERS));
  return isfinite(least) ? least : 1;
}
