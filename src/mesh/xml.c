// Tags and attributes.
#include "mesh/xml.h"

#include <string.h>

static bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == ':' || c == '.';
}

static StSpan read_name(StScan *scan) {
  const char *first = scan->at;
  while (scan->at < scan->end && is_name_char(*scan->at))
    scan->at++;
  return (StSpan){first, (size_t)(scan->at - first)};
}

// Skips past the text; at the end of the file returns false.
static bool skip_past(StScan *scan, const char *text) {
  const char *found = memmem(scan->at, st_scan_left(scan), text, strlen(text));
  scan->at = found ? found + strlen(text) : scan->end;
  return found != NULL;
}

static StStatus read_value(StScan *scan, StSpan *value) {
  st_scan_skip_space(scan);
  if (scan->at == scan->end || *scan->at != '=')
    return st_scan_fail(scan, "an attribute needs a value: name=\"value\"");
  scan->at++;
  st_scan_skip_space(scan);
  char quote = scan->at < scan->end ? *scan->at : 0;
  if (quote != '"' && quote != '\'')
    return st_scan_fail(scan, "the value of an attribute must be in quotes");
  const char *first = ++scan->at;
  const char *last = memchr(first, quote, st_scan_left(scan));
  if (!last)
    return st_scan_fail(scan, "the value of an attribute has no closing quote");
  *value = (StSpan){first, (size_t)(last - first)};
  scan->at = last + 1;
  return ST_OK;
}

static StStatus read_attributes(StScan *scan, StXmlTag *tag) {
  for (;;) {
    st_scan_skip_space(scan);
    if (scan->at == scan->end)
      return st_scan_fail(scan, "the tag <%s is not closed by >", st_quote(tag->name).text);
    if (*scan->at == '>') {
      scan->at++;
      return ST_OK;
    }
    if (*scan->at == '/' && st_scan_left(scan) > 1 && scan->at[1] == '>') {
      scan->at += 2;
      tag->empty = true;
      return ST_OK;
    }
    StXmlAttribute attribute = {.name = read_name(scan)};
    if (!attribute.name.length)
      return st_scan_fail(scan, "the tag <%s contains something that is not an attribute",
                          st_quote(tag->name).text);
    ST_TRY(read_value(scan, &attribute.value));
    if (tag->attribute_count == ST_XML_ATTRIBUTE_MAX)
      return st_scan_fail(scan, "the tag <%s has more than %d attributes", st_quote(tag->name).text,
                          ST_XML_ATTRIBUTE_MAX);
    tag->attribute[tag->attribute_count++] = attribute;
  }
}

StStatus st_xml_next(StScan *scan, StXmlTag *tag, bool *found) {
  while ((*found = skip_past(scan, "<"))) {
    scan->mark = scan->at - 1;
    StSpan rest = {scan->at, st_scan_left(scan)};
    bool whole = true;
    if (st_span_starts(rest, "!--"))
      whole = skip_past(scan, "-->");
    else if (st_span_starts(rest, "?") || st_span_starts(rest, "!"))
      whole = skip_past(scan, ">");
    else
      break;
    if (!whole)
      return st_scan_fail(scan, "a comment or declaration is not closed");
  }
  if (!*found)
    return ST_OK;
  *tag = (StXmlTag){0};
  tag->closing = scan->at < scan->end && *scan->at == '/';
  scan->at += tag->closing;
  tag->name = read_name(scan);
  if (!tag->name.length)
    return st_scan_fail(scan, "a tag needs a name after <");
  return read_attributes(scan, tag);
}

StSpan st_xml_attribute(const StXmlTag *tag, const char *name) {
  for (int i = 0; i < tag->attribute_count; i++)
    if (st_span_is(tag->attribute[i].name, name))
      return tag->attribute[i].value;
  return (StSpan){"", 0};
}

void st_xml_add_escaped(StText *text, const char *name) {
  for (; *name; name++)
    switch (*name) {
    case '&': st_text_add(text, "&amp;"); break;
    case '<': st_text_add(text, "&lt;"); break;
    case '>': st_text_add(text, "&gt;"); break;
    case '"': st_text_add(text, "&quot;"); break;
    default: st_text_add_bytes(text, name, 1);
    }
}
