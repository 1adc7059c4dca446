// The default thickness of contact by primitives.
#include "scene/contact_rule.h"
#include "scene/tunables.h"

// How far the softer of two bodies gives under the smaller of their weights; 0 for sheets and where
// nothing has weight.
static double give_of(const StBodyScale *body, int a, int b) {
  const StBodyScale *p = &body[a], *q = &body[b >= 0 ? b : a];
  double compliance = fmax(p->softness / p->size, q->softness / q->size);
  double give = compliance * fmin(p->weight, q->weight) * fmin(p->size, q->size);
  return isfinite(give) ? give : 0;
}

static void limit(StContactDesc *contact, StThicknessChoice *choice, StThicknessChoice by,
                  double value) {
  if (choice->reason != ST_THICKNESS_GIVEN && !(value < contact->thickness))
    return;
  contact->thickness = value;
  *choice = by;
}

static void choose(const StBodyScale *body, double way, StContactDesc *contact,
                   StThicknessChoice *choice) {
  const int pair[2] = {contact->collider, contact->body};
  int small = pair[1] >= 0 && body[pair[1]].size < body[pair[0]].size ? pair[1] : pair[0];
  double least = st_scene_tunables.thickness_size * body[small].size;
  double give = way > 0 ? 0 : st_scene_tunables.thickness_give * give_of(body, pair[0], pair[1]);
  limit(contact, choice,
        (StThicknessChoice){ST_THICKNESS_SIZE, small, st_scene_tunables.thickness_size}, least);
  if (give > least) {
    *choice = (StThicknessChoice){ST_THICKNESS_GIVE, small, st_scene_tunables.thickness_give};
    contact->thickness = give;
  }
  for (int k = 0; k < 2 && pair[k] >= 0; k++) {
    const StBodyScale *of = &body[pair[k]];
    limit(contact, choice,
          (StThicknessChoice){ST_THICKNESS_EDGE, pair[k], st_scene_tunables.thickness_edge},
          st_scene_tunables.thickness_edge * of->edge);
    limit(contact, choice,
          (StThicknessChoice){ST_THICKNESS_WALL, pair[k], st_scene_tunables.thickness_wall},
          st_scene_tunables.thickness_wall * of->wall);
  }
  if (way > 0)
    limit(contact, choice,
          (StThicknessChoice){ST_THICKNESS_WAY, small, st_scene_tunables.thickness_way},
          st_scene_tunables.thickness_way * way);
}

// How far apart a body keeps what is on both sides of it: by how thick it is, and cloth by its
// contact with both, which carries its load at half the thickness or more.
static double room_of(const StBodyScale *body, int index) {
  if (!body[index].sheet)
    return body[index].wall;
  StContactDesc alone = {.collider = index, .body = -1};
  StThicknessChoice choice = {0};
  choose(body, 0, &alone, &choice);
  return alone.thickness;
}

static void enter_slight(StSlight *slight, int body, double room) {
  int at = slight->count < ST_SLIGHTEST ? slight->count++ : ST_SLIGHTEST - 1;
  if (at == ST_SLIGHTEST - 1 && slight->body[at] >= 0 && !(room < slight->room[at]))
    return;
  for (; at > 0 && room < slight->room[at - 1]; at--) {
    slight->body[at] = slight->body[at - 1];
    slight->room[at] = slight->room[at - 1];
  }
  slight->body[at] = body;
  slight->room[at] = room;
}

// A body between two others has to carry one of them: they must not press on each other through
// it. Bodies that touch nothing do not count.
void st_contact_find_slight(StSceneRule *rule) {
  rule->slight = (StSlight){.body = {-1, -1, -1}};
  for (int b = 0; b < rule->plan.body_count; b++)
    if (rule->partners[b] & (ST_PARTNER_BODIES | ST_PARTNER_OBSTACLES))
      enter_slight(&rule->slight, b, room_of(rule->body, b));
}

static void limit_beside(const StSlight *slight, StContactDesc *contact,
                         StThicknessChoice *choice) {
  for (int i = 0; i < slight->count; i++)
    if (slight->body[i] != contact->collider && slight->body[i] != contact->body) {
      limit(contact, choice, (StThicknessChoice){ST_THICKNESS_ROOM, slight->body[i], 1},
            slight->room[i]);
      return;
    }
}

static double self_limit(const StBodyScale *body) {
  return st_scene_tunables.thickness_edge * body->edge;
}

void st_contact_warn_of_selves(const StReader *reader, const StSceneRule *rule) {
  for (int b = 0; b < rule->plan.body_count; b++) {
    StPairValues given;
    double most = self_limit(&rule->body[b]);
    if (st_pair_plan_find(&rule->plan, b, b, &given) && given.thickness > most)
      st_log(reader->log, ST_WARNING,
             "%s: contact.thickness is %.4g m; \"%.60s\" on itself takes %.4g m, %g of its median "
             "edge",
             reader->name, given.thickness, reader->description->body[b].name, most,
             st_scene_tunables.thickness_edge);
  }
}

// Contact must not fill the play of what moves between walls, and neighbours on one skin must not
// be close enough to touch.
void st_contact_thickness(const StSceneRule *rule, StContactDesc *contact, const StPairExtra *extra,
                          StContactChoice *choice) {
  const StThicknessChoice by_play = {ST_THICKNESS_PLAY, contact->collider,
                                     st_scene_tunables.thickness_play};
  bool itself = contact->body == contact->collider;
  if (!(contact->thickness > 0)) {
    choose(rule->body, extra->squeeze.way, contact, &choice->thin);
    limit_beside(&rule->slight, contact, &choice->thin);
    limit(contact, &choice->thin, by_play, st_scene_tunables.thickness_play * extra->play);
  }
  if (itself)
    contact->thickness = fmin(contact->thickness, self_limit(&rule->body[contact->body]));
}

double st_contact_most_thickness(const StSceneRule *rule) {
  double most = 0, compliance = 0;
  for (int b = 0; b < rule->plan.body_count; b++)
    if (isfinite(rule->body[b].softness))
      compliance = fmax(compliance, rule->body[b].softness / rule->body[b].size);
  for (int b = 0; b < rule->plan.body_count; b++) {
    const StBodyScale *body = &rule->body[b];
    double give = st_scene_tunables.thickness_give * compliance * body->weight * body->size;
    double own = fmin(st_scene_tunables.thickness_edge * body->edge,
                      st_scene_tunables.thickness_wall * body->wall);
    most = fmax(most, fmin(own, fmax(st_scene_tunables.thickness_size * body->size, give)));
  }
  for (int i = 0; i < rule->plan.entry_count; i++)
    most = fmax(most, rule->plan.entry[i].thickness);
  return fmax(most, rule->plan.rest.thickness);
}
