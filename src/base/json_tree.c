// Values of a JSON document, allocated in chunks so that they never move.
#include "base/json_tree.h"

#include "base/memory.h"

#include <string.h>

enum { CHUNK = 128 };

struct StJsonChunk {
  StJsonChunk *next;
  int used;
  StJson node[CHUNK];
};

static StJson *new_node(StJsonDocument *document) {
  StJsonChunk *chunk = document->chunk;
  if (!chunk || chunk->used == CHUNK) {
    chunk = ST_NEW(StJsonChunk, 1);
    if (!chunk)
      return NULL;
    chunk->next = document->chunk;
    document->chunk = chunk;
  }
  StJson *node = &chunk->node[chunk->used++];
  *node = (StJson){.document = document, .place = ST_JSON_NOWHERE, .key_place = ST_JSON_NOWHERE};
  return node;
}

StStatus st_json_create(StJsonDocument **document, StError *error) {
  StJsonDocument *made = ST_NEW(StJsonDocument, 1);
  if (made)
    made->root = new_node(made);
  if (!made || !made->root) {
    free(made);
    return st_fail_memory(error);
  }
  *document = made;
  return ST_OK;
}

static void drop_content(StJson *node) {
  if (node->owns_text)
    free((char *)node->text);
  free((double *)node->array);
  node->text = NULL;
  node->array = NULL;
  node->owns_text = false;
}

void st_json_destroy(StJsonDocument *document) {
  if (!document)
    return;
  while (document->chunk) {
    StJsonChunk *chunk = document->chunk;
    for (int i = 0; i < chunk->used; i++) {
      drop_content(&chunk->node[i]);
      if (chunk->node[i].owns_key)
        free((char *)chunk->node[i].key);
    }
    document->chunk = chunk->next;
    free(chunk);
  }
  free(document->source);
  free(document->mark);
  free(document->strings);
  free(document);
}

const StJson *st_json_root(const StJsonDocument *document) {
  return document->root;
}

StJson *st_json_top(StJsonDocument *document) {
  return document->root;
}

StJson *st_json_append(StJson *parent) {
  StJson *child = new_node(parent->document);
  if (!child)
    return NULL;
  child->parent = parent;
  child->index = parent->child_count++;
  *(parent->last ? &parent->last->next : &parent->child) = child;
  parent->last = child;
  return child;
}

StStatus st_json_append_key(StJson *object, const char *key, StJson **child, StError *error) {
  char *copy = st_copy_string(key);
  *child = copy ? st_json_append(object) : NULL;
  if (!*child) {
    free(copy);
    return st_fail_memory(error);
  }
  (*child)->key = copy;
  (*child)->owns_key = true;
  return ST_OK;
}

int st_json_depth(const StJson *value) {
  int depth = 0;
  while ((value = value->parent))
    depth++;
  return depth;
}

static void mark_removed(StJson *node) {
  node->removed = true;
  for (StJson *child = node->child; child; child = child->next)
    mark_removed(child);
}

// Resets to null; keeps the place in the tree but not in the text.
static void clear(StJson *node) {
  for (StJson *child = node->child; child; child = child->next)
    mark_removed(child);
  drop_content(node);
  node->child = node->last = NULL;
  node->child_count = 0;
  node->kind = ST_JSON_NULL;
  node->place = node->key_place = ST_JSON_NOWHERE;
}

void st_json_set_list(StJson *value) {
  clear(value);
  value->kind = ST_JSON_LIST;
}

void st_json_set_object(StJson *value) {
  clear(value);
  value->kind = ST_JSON_OBJECT;
}

void st_json_set_number(StJson *value, double number) {
  clear(value);
  value->kind = ST_JSON_NUMBER;
  value->number = number;
}

void st_json_set_boolean(StJson *value, bool truth) {
  clear(value);
  value->kind = ST_JSON_BOOLEAN;
  value->truth = truth;
}

StStatus st_json_set_text(StJson *value, const char *text, StError *error) {
  char *copy = st_copy_string(text);
  ST_TRY_MEMORY(copy, error);
  clear(value);
  value->kind = ST_JSON_STRING;
  value->text = copy;
  value->owns_text = true;
  return ST_OK;
}

static StStatus add_numbers(StJson *list, int count, const double *array, StError *error) {
  for (int i = 0; i < count; i++) {
    StJson *item = st_json_append(list);
    ST_TRY_MEMORY(item, error);
    st_json_set_number(item, array[i]);
  }
  return ST_OK;
}

StStatus st_json_set_numbers(StJson *value, int count, const double *array, StError *error) {
  if (count < ST_JSON_PACKED) {
    st_json_set_list(value);
    return add_numbers(value, count, array, error);
  }
  double *copy = ST_ROOM(double, count);
  ST_TRY_MEMORY(copy, error);
  memcpy(copy, array, (size_t)count * sizeof *copy);
  clear(value);
  value->kind = ST_JSON_NUMBERS;
  value->child_count = count;
  value->array = copy;
  return ST_OK;
}

static StStatus copy_children(StJson *value, const StJson *from, StError *error) {
  for (const StJson *child = from->child; child; child = child->next) {
    StJson *copy = NULL;
    if (child->key)
      ST_TRY(st_json_append_key(value, child->key, &copy, error));
    else if (!(copy = st_json_append(value)))
      return st_fail_memory(error);
    ST_TRY(st_json_set_copy(copy, child, error));
  }
  return ST_OK;
}

StStatus st_json_set_copy(StJson *value, const StJson *from, StError *error) {
  switch (from->kind) {
  case ST_JSON_NULL: clear(value); return ST_OK;
  case ST_JSON_BOOLEAN: st_json_set_boolean(value, from->truth); return ST_OK;
  case ST_JSON_NUMBER: st_json_set_number(value, from->number); return ST_OK;
  case ST_JSON_STRING: return st_json_set_text(value, from->text, error);
  case ST_JSON_NUMBERS: return st_json_set_numbers(value, from->child_count, from->array, error);
  case ST_JSON_LIST: st_json_set_list(value); break;
  case ST_JSON_OBJECT: st_json_set_object(value); break;
  }
  return copy_children(value, from, error);
}

void st_json_remove(StJson *value) {
  StJson *parent = value->parent, *before = NULL;
  for (StJson *child = parent->child; child != value; child = child->next)
    before = child;
  *(before ? &before->next : &parent->child) = value->next;
  if (parent->last == value)
    parent->last = before;
  parent->child_count--;
  for (StJson *child = value->next; child; child = child->next)
    child->index--;
  mark_removed(value);
}
