// Elements in the order of their tags; a stack of open ones is in their parents.
// Tested by tests/import/test_xml_tree.c.
#include "import/xml_tree.h"

#include "base/file.h"
#include "base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 64 << 20 };

void st_xml_tree_free(StXmlTree *tree) {
  free(tree->node);
  free(tree->text);
  *tree = (StXmlTree){0};
}

static int line_of(const StScan *scan, const char *at) {
  int line = 1;
  for (const char *c = scan->start; c < at; c++)
    line += *c == '\n';
  return line;
}

static StStatus add(StXmlTree *tree, const StScan *scan, const StXmlTag *tag, int parent,
                    int *number) {
  int n = *number = tree->count;
  ST_TRY_MEMORY(st_grow((void **)&tree->node, &tree->capacity, (size_t)n + 1, sizeof *tree->node),
                scan->error);
  int *link = parent >= 0 ? &tree->node[parent].child : NULL;
  while (link && *link >= 0)
    link = &tree->node[*link].next;
  if (link)
    *link = n;
  tree->node[n] = (StXmlNode){
      .tag = *tag, .line = line_of(scan, tag->name.at), .parent = parent, .next = -1, .child = -1};
  tree->count++;
  return ST_OK;
}

static bool same_name(const StXmlTag *a, const StXmlTag *b) {
  return a->name.length == b->name.length && memcmp(a->name.at, b->name.at, a->name.length) == 0;
}

static StStatus build(StScan *scan, StXmlTree *tree) {
  int open = -1, number;
  for (bool found;;) {
    StXmlTag tag = {0};
    ST_TRY(st_xml_next(scan, &tag, &found));
    if (!found)
      break;
    if (open < 0 && tree->count > 0)
      return st_scan_fail(scan, "there is more than one element at the top");
    if (!tag.closing) {
      ST_TRY(add(tree, scan, &tag, open, &number));
      open = tag.empty ? open : number;
      continue;
    }
    if (open < 0 || !same_name(&tree->node[open].tag, &tag))
      return st_scan_fail(scan, "</%s> closes no open element", st_quote(tag.name).text);
    open = tree->node[open].parent;
  }
  if (tree->count == 0)
    return st_scan_fail(scan, "there is no element");
  return open < 0 ? ST_OK
                  : st_scan_fail(scan, "the file ends within <%s>",
                                 st_quote(tree->node[open].tag.name).text);
}

StStatus st_xml_tree_read(const char *path, StXmlTree *tree, StError *error) {
  size_t size;
  *tree = (StXmlTree){0};
  ST_TRY(st_file_read_most(path, SIZE, &tree->text, &size, error));
  StScan scan = st_scan_begin(path, tree->text, size, NULL, error);
  StStatus status = build(&scan, tree);
  if (status != ST_OK)
    st_xml_tree_free(tree);
  return status;
}

static int first_of(const StXmlTree *tree, int node, const char *name) {
  while (node >= 0 && !st_span_is(tree->node[node].tag.name, name))
    node = tree->node[node].next;
  return node;
}

int st_xml_child(const StXmlTree *tree, int node, const char *name) {
  return node < 0 ? -1 : first_of(tree, tree->node[node].child, name);
}

int st_xml_next_child(const StXmlTree *tree, int node, const char *name) {
  return first_of(tree, tree->node[node].next, name);
}

int st_xml_numbers(const StXmlTree *tree, int node, const char *attribute, double *number,
                   int most) {
  StSpan span = node < 0 ? (StSpan){0} : st_xml_attribute(&tree->node[node].tag, attribute);
  const char *at = span.at, *end = span.length > 0 ? span.at + span.length : at;
  int count = 0;
  while (at < end && count < most) {
    while (at < end && isspace((unsigned char)*at))
      at++;
    const char *first = at;
    while (at < end && !isspace((unsigned char)*at))
      at++;
    if (at == first || !st_span_real((StSpan){first, (size_t)(at - first)}, &number[count]))
      break;
    count++;
  }
  return count;
}

char *st_xml_text(const StXmlTree *tree, int node, const char *attribute) {
  StSpan span = node < 0 ? (StSpan){0} : st_xml_attribute(&tree->node[node].tag, attribute);
  return span.length > 0 ? st_format("%.*s", (int)span.length, span.at) : NULL;
}
