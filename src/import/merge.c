// Merge patches and patches. Tested by tests/import/test_merge.c.
#include "import/merge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Values of a document that is being built may be changed.
static StJson *find(StJson *object, const char *key) {
  StJson *child = object->kind == ST_JSON_OBJECT ? object->child : NULL;
  while (child && strcmp(child->key, key) != 0)
    child = child->next;
  return child;
}

static StStatus merge_member(StJson *target, const StJson *member, StError *error) {
  StJson *old = find(target, member->key);
  if (member->kind == ST_JSON_NULL) {
    if (old)
      st_json_remove(old);
    return ST_OK;
  }
  if (!old)
    ST_TRY(st_json_append_key(target, member->key, &old, error));
  return st_json_merge(old, member, error);
}

StStatus st_json_merge(StJson *target, const StJson *patch, StError *error) {
  if (patch->kind != ST_JSON_OBJECT)
    return st_json_set_copy(target, patch, error);
  if (target->kind != ST_JSON_OBJECT)
    st_json_set_object(target);
  for (const StJson *member = patch->child; member; member = member->next)
    ST_TRY(merge_member(target, member, error));
  return ST_OK;
}

// Reads one reference token of a JSON Pointer; ~1 and ~0 stand for / and ~. Long ones are cut.
static const char *next_part(const char *path, char part[200]) {
  size_t length = 0;
  for (path++; *path && *path != '/'; path++) {
    char c = *path;
    if (c == '~' && (path[1] == '0' || path[1] == '1'))
      c = *++path == '1' ? '/' : '~';
    if (length < 199)
      part[length++] = c;
  }
  part[length] = 0;
  return path;
}

static StJson *child_named(StJson *parent, const char *part) {
  if (parent->kind == ST_JSON_OBJECT)
    return find(parent, part);
  char *end;
  long index = strtol(part, &end, 10);
  StJson *child = parent->kind == ST_JSON_LIST && *part && !*end ? parent->child : NULL;
  for (; child && index > 0; index--)
    child = child->next;
  return index == 0 ? child : NULL;
}

static StStatus apply(StJson *root, const StJson *operation, StError *error) {
  const char *op = st_json_get_text(operation, "op"), *path = st_json_get_text(operation, "path");
  const StJson *value = st_json_get(operation, "value");
  StJson *parent = root, *target = root;
  char part[200] = "";
  for (const char *at = path; at && *at == '/' && target;) {
    parent = target;
    at = next_part(at, part);
    target = child_named(parent, part);
    if (!target && *at)
      parent = NULL;
  }
  bool removes = op && strcmp(op, "remove") == 0, replaces = op && strcmp(op, "replace") == 0;
  bool adds = op && strcmp(op, "add") == 0;
  if (!path || !parent || !(removes || replaces || adds) || (!removes && !value) ||
      ((removes || replaces) && !target))
    return st_fail(error, ST_BAD_INPUT, "patch: the operation \"%s\" on \"%s\" cannot be applied",
                   op ? op : "?", path ? path : "?");
  if (removes) {
    st_json_remove(target);
    return ST_OK;
  }
  if (adds && parent->kind == ST_JSON_LIST && strcmp(part, "-") == 0)
    ST_TRY_MEMORY(target = st_json_append(parent), error);
  if (!target && parent->kind == ST_JSON_OBJECT)
    ST_TRY(st_json_append_key(parent, part, &target, error));
  if (!target || (adds && parent->kind == ST_JSON_LIST && strcmp(part, "-") != 0))
    return st_fail(error, ST_BAD_INPUT, "patch: items can only be added at the end (\"%s\")", path);
  return st_json_set_copy(target, value, error);
}

StStatus st_json_patch(StJson *root, const StJson *operations, StError *error) {
  for (const StJson *operation = operations->child; operation; operation = operation->next)
    ST_TRY(apply(root, operation, error));
  return ST_OK;
}
