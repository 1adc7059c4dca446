// The default thickness of contact by primitives.
#include "scene/contact_scale.h"

#include "base/memory.h"
#include "scene/clearance.h"

// The thickness is ST_THICKNESS_PART of the smaller body's size, or this part of how far the softer
// body gives under its weight, ρgL²/E, if that is more: a thinner barrier costs iterations and
// cannot be seen. With a third, a cube rests as far above the floor as its weight shortens it,
// ρgh²/(2E) with L² = 3h².
static const double GIVE_PART = 1.0 / 3;

// Upper limits, as parts. Of how thick bodies are: piles of plates have many gaps.
static const double WALL_PART = 0.02;
// Of the median edge: contact must not reach past the neighbours of the touching feature, or
// neighbours would touch at rest.
static const double EDGE_PART = 0.25;
// Of how far prescribed motion squeezes bodies: a gap of half the thickness is a part of that way,
// and changes the force by 1 % (Hertz: 1.5 %). There the thickness does not grow with how far
// bodies give, either.
static const double WAY_PART = 0.02;
// Of the play between two opposite sides: a body that touches one of them is then free of the
// other.
static const double PLAY_PART = 0.5;

// The bodies that keep others least apart when they lie between them, the least first. Two of a
// pair do not lie between themselves, so three are enough.
enum { SLIGHTEST = 3 };
typedef struct Slight {
  int count;
  int body[SLIGHTEST];
  double room[SLIGHTEST]; // m
} Slight;

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
  double least = ST_THICKNESS_PART * body[small].size;
  double give = way > 0 ? 0 : GIVE_PART * give_of(body, pair[0], pair[1]);
  limit(contact, choice, (StThicknessChoice){ST_THICKNESS_SIZE, small, ST_THICKNESS_PART}, least);
  if (give > least) {
    *choice = (StThicknessChoice){ST_THICKNESS_GIVE, small, GIVE_PART};
    contact->thickness = give;
  }
  for (int k = 0; k < 2 && pair[k] >= 0; k++) {
    const StBodyScale *of = &body[pair[k]];
    limit(contact, choice, (StThicknessChoice){ST_THICKNESS_EDGE, pair[k], EDGE_PART},
          EDGE_PART * of->edge);
    limit(contact, choice, (StThicknessChoice){ST_THICKNESS_WALL, pair[k], WALL_PART},
          WALL_PART * of->wall);
  }
  if (way > 0)
    limit(contact, choice, (StThicknessChoice){ST_THICKNESS_WAY, small, WAY_PART}, WAY_PART * way);
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

// A body between two others has to carry one of them: they must not press on each other through
// it. Bodies that touch nothing do not count.
static StStatus find_slight(const StReader *reader, const StBodyScale *body, Slight *slight) {
  const StDescription *description = reader->description;
  ST_FREE bool *touches = ST_NEW(bool, description->body_count);
  ST_TRY_MEMORY(touches, reader->error);
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
  return ST_OK;
}

static void limit_beside(const Slight *slight, StContactDesc *contact, StThicknessChoice *choice) {
  for (int i = 0; i < slight->count; i++)
    if (slight->body[i] != contact->collider && slight->body[i] != contact->body) {
      limit(contact, choice, (StThicknessChoice){ST_THICKNESS_ROOM, slight->body[i], 1},
            slight->room[i]);
      return;
    }
}

// Neighbours on one skin must not be close enough to touch.
static void limit_self(const StReader *reader, const StBodyScale *body, StContactDesc *contact) {
  double most = EDGE_PART * body[contact->collider].edge;
  if (contact->body != contact->collider || !(contact->thickness > most))
    return;
  st_log(reader->log, ST_WARNING,
         "%s: contact.thickness is %.4g m; \"%.60s\" on itself takes %.4g m, %g of its median edge",
         reader->name, contact->thickness, reader->description->body[contact->collider].name, most,
         EDGE_PART);
  contact->thickness = most;
}

// Contact must not fill the play of what moves between walls.
static StStatus limit_by_play(StReader *reader, StContactChoice *choice) {
  StDescription *description = reader->description;
  ST_FREE double *play = ST_NEW(double, description->contact_count);
  ST_TRY_MEMORY(play, reader->error);
  ST_TRY(st_clearance_measure(reader, play));
  for (int i = 0; i < description->contact_count; i++) {
    StContactDesc *contact = &description->contact[i];
    StThicknessChoice by = {ST_THICKNESS_PLAY, contact->collider, PLAY_PART};
    if (choice[i].thin.reason != ST_THICKNESS_GIVEN)
      limit(contact, &choice[i].thin, by, PLAY_PART * play[i]);
  }
  return ST_OK;
}

StStatus st_contact_scale_thickness(StReader *reader, const StBodyScale *body,
                                    StContactChoice *choice) {
  StDescription *description = reader->description;
  Slight slight = {0};
  bool chosen = false;
  ST_TRY(find_slight(reader, body, &slight));
  for (int i = 0; i < description->contact_count; i++) {
    StContactDesc *contact = &description->contact[i];
    if (!(contact->thickness > 0)) {
      choose(body, choice[i].squeeze.way, contact, &choice[i].thin);
      limit_beside(&slight, contact, &choice[i].thin);
      ST_TRY(st_contact_expect_good(reader, "contact.thickness", contact->thickness));
      chosen = chosen || contact->body != contact->collider;
    }
    limit_self(reader, body, contact);
  }
  return chosen ? limit_by_play(reader, choice) : ST_OK;
}
