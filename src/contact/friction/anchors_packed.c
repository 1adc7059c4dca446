// Anchors as bytes, in the description's numbering. Tested by tests/contact/test_anchors.c.
#include "contact/friction/anchors.h"

#include "base/memory.h"
#include "contact/core/contacts.h"
#include "math/vec3.h"
#include "model/contact_pairs.h"

#include <string.h>

// One packed anchor; its places follow.
typedef struct Packed {
  StAnchorKey key;
  double normal[3], stiffness, point[3];
  int sign, count;
} Packed;

typedef struct PackedPlace {
  int64_t vertex;
  double weight;
} PackedPlace;

static size_t packed_size(int places) {
  return sizeof(Packed) + (size_t)places * sizeof(PackedPlace);
}

static char *pack_one(const StAnchors *anchors, const StAnchor *anchor, const StContacts *contacts,
                      char *to) {
  Packed packed;
  memset(&packed, 0, sizeof packed); // padding zeroed: equal anchors give equal bytes
  packed.key.pair = anchor->key.pair;
  packed.key.a = anchor->key.a;
  packed.key.b = anchor->key.b;
  vec3_copy(anchor->normal, packed.normal);
  vec3_copy(anchor->point, packed.point);
  packed.stiffness = anchor->stiffness;
  packed.sign = anchor->sign;
  packed.count = anchor->count;
  memcpy(to, &packed, sizeof packed);
  to += sizeof packed;
  for (size_t k = anchor->first; k < anchor->first + (size_t)anchor->count; k++) {
    PackedPlace place = {contacts->piece->vertex_id[anchors->place[k]], anchors->weight[k]};
    memcpy(to, &place, sizeof place);
    to += sizeof place;
  }
  return to;
}

char *st_anchors_pack(const StAnchors *anchors, const StContacts *contacts, size_t *size) {
  *size = 0;
  for (int i = 0; i < anchors->count; i++)
    *size += anchors->item[i].owned ? packed_size(anchors->item[i].count) : 0;
  char *bytes = ST_NEW(char, *size), *next = bytes;
  for (int i = 0; bytes && i < anchors->count; i++)
    if (anchors->item[i].owned)
      next = pack_one(anchors, &anchors->item[i], contacts, next);
  return bytes;
}

// Position of a packed anchor.
typedef struct Record {
  StAnchorKey key;
  const char *bytes;
  size_t size;
} Record;

static int compare_records(const void *a, const void *b) {
  const Record *one = a, *other = b;
  int order = st_anchor_key_compare(&one->key, &other->key);
  return order != 0 ? order : (one->bytes > other->bytes) - (one->bytes < other->bytes);
}

bool st_anchors_sort_packed(char *bytes, size_t size) {
  size_t count = 0;
  Record *record = ST_NEW(Record, size / sizeof(Packed) + 1);
  char *copy = ST_NEW(char, size);
  bool good = record && copy;
  if (good && size > 0)
    memcpy(copy, bytes, size);
  for (size_t at = 0; good && at < size; count++) {
    Packed packed;
    memcpy(&packed, copy + at, sizeof packed);
    record[count] = (Record){packed.key, copy + at, packed_size(packed.count)};
    at += record[count].size;
  }
  if (count > 0)
    qsort(record, count, sizeof *record, compare_records);
  for (size_t i = 0; good && i < count; i++) {
    memcpy(bytes, record[i].bytes, record[i].size);
    bytes += record[i].size;
  }
  free(record);
  free(copy);
  return good;
}

static bool rename_one(char *bytes, Packed *packed, const StAnchorNames *names) {
  bool good = names->key(names->context, &packed->key);
  memcpy(bytes, packed, sizeof *packed);
  for (char *at = bytes + sizeof *packed; good && at < bytes + packed_size(packed->count);
       at += sizeof(PackedPlace)) {
    PackedPlace place;
    memcpy(&place, at, sizeof place);
    place.vertex = names->vertex(names->context, place.vertex);
    memcpy(at, &place, sizeof place);
    good = place.vertex >= 0;
  }
  return good;
}

char *st_anchors_rename(const char *bytes, size_t *size, const StAnchorNames *names) {
  char *copy = ST_NEW(char, *size);
  size_t used = 0;
  for (size_t at = 0; copy && at < *size;) {
    Packed packed;
    memcpy(&packed, bytes + at, sizeof packed);
    size_t length = packed_size(packed.count);
    memcpy(copy + used, bytes + at, length);
    if (rename_one(copy + used, &packed, names))
      used += length;
    at += length;
  }
  if (copy && !st_anchors_sort_packed(copy, used)) {
    free(copy);
    copy = NULL;
  }
  *size = used;
  return copy;
}

static bool is_finite(const double *numbers, int count) {
  for (int i = 0; i < count; i++)
    if (!isfinite(numbers[i]))
      return false;
  return true;
}

// Bytes from a file can be anything.
static bool is_sane(const Packed *packed, const StContacts *contacts, size_t left) {
  int vertices = st_description_vertex_count(contacts->description);
  StContactDesc law;
  if (!st_pair_find(contacts->description, packed->key.pair, &law) || packed->count < 0 ||
      packed->count > vertices || packed_size(packed->count) > left)
    return false;
  bool on_body = law.body >= 0;
  bool sided = on_body ? packed->sign == 0 : packed->sign == 1 || packed->sign == -1;
  return sided && is_finite(packed->normal, 3) && is_finite(packed->point, 3) &&
         packed->stiffness > 0 && isfinite(packed->stiffness);
}

static StStatus unpack_one(const char *bytes, const Packed *packed, const StContacts *contacts,
                           const int *local, StAnchors *to) {
  int vertices = st_description_vertex_count(contacts->description);
  bool known = true;
  size_t used = to->used;
  StAnchor *anchor = st_anchors_add(to, packed->count);
  if (!anchor)
    return ST_SYSTEM_FAULT;
  anchor->key = packed->key;
  anchor->stiffness = packed->stiffness;
  anchor->sign = packed->sign;
  vec3_copy(packed->normal, anchor->normal);
  vec3_copy(packed->point, anchor->point);
  for (size_t k = 0; k < (size_t)packed->count; k++) {
    PackedPlace place;
    memcpy(&place, bytes + k * sizeof place, sizeof place);
    if (place.vertex < 0 || place.vertex >= vertices || !isfinite(place.weight))
      return ST_BAD_INPUT;
    to->place[anchor->first + k] = local[place.vertex];
    to->weight[anchor->first + k] = place.weight;
    known = known && local[place.vertex] >= 0;
  }
  // As for a contact: owned if the first vertex is ours.
  anchor->owned =
      packed->count > 0 && known && to->place[anchor->first] < contacts->piece->owned_count;
  if (!known) {
    to->count--;
    to->used = used;
  }
  return ST_OK;
}

static StStatus unpack_all(const char *bytes, size_t size, const StContacts *contacts,
                           const int *local, StAnchors *to) {
  for (size_t at = 0; at < size;) {
    Packed packed;
    if (size - at < sizeof packed)
      return ST_BAD_INPUT;
    memcpy(&packed, bytes + at, sizeof packed);
    if (!is_sane(&packed, contacts, size - at))
      return ST_BAD_INPUT;
    ST_TRY(unpack_one(bytes + at + sizeof packed, &packed, contacts, local, to));
    int last = to->count - 1;
    if (last > 0 && st_anchor_key_compare(&to->item[last - 1].key, &to->item[last].key) > 0)
      return ST_BAD_INPUT;
    at += packed_size(packed.count);
  }
  return ST_OK;
}

StStatus st_anchors_unpack(const char *bytes, size_t size, const StContacts *contacts,
                           StAnchors *to) {
  int *local =
      st_piece_find_vertices(contacts->piece, st_description_vertex_count(contacts->description));
  StStatus status = local ? unpack_all(bytes, size, contacts, local, to) : ST_SYSTEM_FAULT;
  free(local);
  return status;
}
