// Parses a request.
#include "show/serve_request.h"

#include "base/memory.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

bool st_request_complete(const char *text, size_t size) {
  return memmem(text, size, "\r\n\r\n", 4) != NULL;
}

// Part of the request.
typedef struct Span {
  const char *start;
  size_t size;
} Span;

// Splits off the part before the mark; false if the mark is missing.
static bool cut(Span *rest, const char *mark, Span *before) {
  const char *found = memmem(rest->start, rest->size, mark, strlen(mark));
  if (!found)
    return false;
  *before = (Span){rest->start, (size_t)(found - rest->start)};
  rest->start = found + strlen(mark);
  rest->size -= before->size + strlen(mark);
  return true;
}

static bool is(Span span, const char *word) {
  return span.size == strlen(word) && strncasecmp(span.start, word, span.size) == 0;
}

static Span trim(Span span) {
  while (span.size && (*span.start == ' ' || *span.start == '\t'))
    span.start++, span.size--;
  while (span.size && strchr(" \t", span.start[span.size - 1]))
    span.size--;
  return span;
}

// Any port is accepted: a tunnel from another machine may change it.
static bool is_loopback(Span host) {
  static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};
  Span name = host;
  while (name.size && isdigit((unsigned char)name.start[name.size - 1]))
    name.size--;
  bool port = name.size && name.size < host.size && name.start[name.size - 1] == ':';
  name.size = port ? name.size - 1 : host.size;
  for (int i = 0; i < ST_LENGTH(names); i++)
    if (is(name, names[i]))
      return true;
  return false;
}

static bool host_is_ours(Span rest) {
  Span line, name;
  int hosts = 0;
  bool ours = false;
  while (cut(&rest, "\r\n", &line) && line.size)
    if (cut(&line, ":", &name) && is(name, "Host")) {
      ours = is_loopback(trim(line));
      hosts++;
    }
  return hosts == 1 && ours;
}

static int take_path(Span target, char path[ST_PATH_SIZE]) {
  const char *query = memchr(target.start, '?', target.size);
  if (query)
    target.size = (size_t)(query - target.start);
  if (target.size >= ST_PATH_SIZE)
    return 414;
  if (!target.size || target.start[0] != '/')
    return 400;
  for (size_t i = 0; i < target.size; i++)
    if (!isalnum((unsigned char)target.start[i]) && !memchr("/-._", target.start[i], 4))
      return 400;
  memcpy(path, target.start, target.size);
  path[target.size] = 0;
  return strstr(path, "..") ? 400 : 200;
}

int st_request_parse(const char *text, size_t size, char path[ST_PATH_SIZE]) {
  Span rest = {text, size}, line, method, target;
  if (!cut(&rest, "\r\n", &line) || !cut(&line, " ", &method) || !cut(&line, " ", &target) ||
      line.size < 5 || strncmp(line.start, "HTTP/", 5) != 0)
    return 400;
  if (!host_is_ours(rest))
    return 403;
  return is(method, "GET") ? take_path(target, path) : 405;
}

const char *st_status_phrase(int status) {
  switch (status) {
  case 200: return "OK";
  case 400: return "Bad Request";
  case 403: return "Forbidden";
  case 404: return "Not Found";
  case 405: return "Method Not Allowed";
  case 408: return "Request Timeout";
  case 414: return "URI Too Long";
  case 431: return "Request Header Fields Too Large";
  }
  return "Internal Server Error";
}
