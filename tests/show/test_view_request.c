// Requests: which are accepted, and the status of the rest.
#include "base/memory.h"
#include "show/serve_request.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static int parse(const char *text, char path[ST_PATH_SIZE]) {
  path[0] = 0;
  return st_request_parse(text, strlen(text), path);
}

static void takes_what_browsers_send(void **state) {
  (void)state;
  char path[ST_PATH_SIZE];
  assert_int_equal(parse("GET / HTTP/1.1\r\nHost: 127.0.0.1:8000\r\n\r\n", path), 200);
  assert_string_equal(path, "/");
  assert_int_equal(
      parse("GET /frame/12?x=1 HTTP/1.1\r\nAccept: */*\r\nhost:  localhost \r\n\r\n", path), 200);
  assert_string_equal(path, "/frame/12");
  assert_int_equal(parse("GET /run HTTP/1.0\r\nHost: [::1]:80\r\n\r\n", path), 200);
}

static void turns_the_rest_away(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int status;
  } cases[] = {
      {"GET / HTTP/1.1\r\nHost: example.org\r\n\r\n", 403},
      {"GET / HTTP/1.1\r\nHost: 127.0.0.1.example.org\r\n\r\n", 403},
      {"GET / HTTP/1.1\r\nHost: localhost:80:80\r\n\r\n", 403},
      {"GET / HTTP/1.1\r\nHost: localhostile\r\n\r\n", 403},
      {"GET / HTTP/1.1\r\nHost: :80\r\n\r\n", 403},
      {"GET / HTTP/1.1\r\nHost:\r\n\r\n", 403},
      {"GET / HTTP/1.1\r\n\r\n", 403},
      {"GET / HTTP/1.1\r\nHost: localhost\r\nHost: example.org\r\n\r\n", 403},
      {"POST / HTTP/1.1\r\nHost: localhost\r\n\r\n", 405},
      {"GET /../secret HTTP/1.1\r\nHost: localhost\r\n\r\n", 400},
      {"GET /%2e%2e/secret HTTP/1.1\r\nHost: localhost\r\n\r\n", 400},
      {"GET http://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 400},
      {"GET /\r\nHost: localhost\r\n\r\n", 400},
      {"nonsense", 400},
      {"", 400},
  };
  char path[ST_PATH_SIZE];
  for (int i = 0; i < ST_LENGTH(cases); i++)
    if (parse(cases[i].text, path) != cases[i].status)
      fail_msg("%s: %d", cases[i].text, parse(cases[i].text, path));
}

static void long_paths_do_not_fit(void **state) {
  (void)state;
  char text[600] = "GET /", path[ST_PATH_SIZE];
  memset(text + 5, 'a', ST_PATH_SIZE);
  strcat(text, " HTTP/1.1\r\nHost: localhost\r\n\r\n");
  assert_int_equal(parse(text, path), 414);
}

static void knows_when_all_has_come(void **state) {
  (void)state;
  assert_false(st_request_complete("GET / HTTP/1.1\r\n", 16));
  assert_true(st_request_complete("GET / HTTP/1.1\r\n\r\n", 18));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(takes_what_browsers_send),
      cmocka_unit_test(turns_the_rest_away),
      cmocka_unit_test(long_paths_do_not_fit),
      cmocka_unit_test(knows_when_all_has_come),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
