// The server as a browser sees it: over a socket, with the reply for each path.
#include "show/serve.h"
#include "show/view_server.h"
#include "support/small_run.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <cmocka.h>

static StViewServer viewer;
static int port, listener;
static pthread_t thread;
static volatile sig_atomic_t stop;
static StStatus outcome;

static void *serve(void *nothing) {
  outcome = st_serve(listener, st_view_server_answer, &viewer, &stop, NULL);
  return nothing;
}

static char folder[512];

static int begin(void **state) {
  StError error = {0};
  if (small_run_begin(state) != 0)
    return -1;
  snprintf(folder, sizeof folder, "%s", scratch("run"));
  if (st_view_server_create((const char *const[]){folder}, 1, 1, false, NULL, &viewer, &error) !=
          ST_OK ||
      st_serve_open(&port, &listener, &error) != ST_OK)
    return -1;
  return pthread_create(&thread, NULL, serve, NULL);
}

static int end(void **state) {
  stop = 1;
  pthread_join(thread, NULL);
  st_view_server_close(&viewer);
  return small_run_end(state) == 0 && outcome == ST_OK ? 0 : -1;
}

static int connect_to(uint32_t address) {
  struct sockaddr_in place = {
      .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(address)};
  int opened = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(opened, (struct sockaddr *)&place, sizeof place) == 0)
    return opened;
  close(opened);
  return -1;
}

// Sends the text and gathers what comes until the other end closes; st_text_free it.
static StText exchange(const char *text) {
  int opened = connect_to(INADDR_LOOPBACK);
  assert_true(opened >= 0);
  assert_int_equal(send(opened, text, strlen(text), MSG_NOSIGNAL), strlen(text));
  StText answer = {0};
  char part[4096];
  for (ssize_t got; (got = recv(opened, part, sizeof part, 0)) > 0;)
    st_text_add_bytes(&answer, part, (size_t)got);
  close(opened);
  return answer;
}

// Returns the status; *body: where the content begins.
static int get(const char *path, StText *answer, const char **body) {
  char text[256];
  snprintf(text, sizeof text, "GET /%s%s HTTP/1.1\r\nHost: localhost\r\n\r\n", viewer.token, path);
  *answer = exchange(text);
  assert_true(answer->length > 12);
  *body = strstr(answer->data, "\r\n\r\n") + 4;
  return atoi(answer->data + strlen("HTTP/1.1 "));
}

static void expect(const char *path, int status, const char *part) {
  StText answer;
  const char *body;
  int got = get(path, &answer, &body);
  if (got != status || !strstr(answer.data, part))
    fail_msg("%s: %d %s", path, got, body);
  st_text_free(&answer);
}

static void paths_have_answers(void **state) {
  (void)state;
  expect("/0/run", 200, "\"bodies\": [\"block\", \"sheet\"]");
  expect("/0/run", 200, "\"state\": \"finished\"");
  expect("/0/run", 200, "Content-Type: application/json");
  expect("/0/block/surface", 200, "Content-Type: application/octet-stream");
  expect("/0/block/history", 200, "X-Content-Type-Options: nosniff");
  expect("/0/block/inside", 200, "Content-Length: ");
  expect("/0/block/obstacle-1", 200, "Content-Length: ");
  expect("/", 200, "Content-Type: text/html");
  expect("/0/block/obstacle-2", 404, "there is no block");
  expect("/0/block/obstacle--1", 404, "there is no block");
  expect("/0/block/held", 200, "Content-Length: ");
  expect("/0/frame/5/position", 404, "there is no frame");
  expect("/0/frame/-1/position", 404, "there is no frame");
  expect("/0/frame/1x/position", 404, "there is no frame");
  expect("/0/frame/1", 404, "there is no frame");
  expect("/0/frame/1/", 404, "frames have no field ''");
  expect("/0/frame/1/heat", 404, "frames have no field 'heat'");
  expect("/runs", 200, "{\"count\":1}");
  expect("/run", 404, "there is nothing at /run");
  expect("/1/run", 404, "there is nothing at /1/run");
  expect("/0/", 404, "there is nothing at");
  expect("/0", 404, "there is nothing at");
  expect("/scene.json", 404, "there is nothing at /scene.json");
  expect("/frames/frame_00000.vtu", 404, "there is nothing at");
  expect("/../run.json", 400, "Bad Request");
}

// Others on the machine can reach the port, but do not know the address.
static void without_the_token_nothing_is_told(void **state) {
  (void)state;
  assert_int_equal(strlen(viewer.token), ST_VIEW_TOKEN_SIZE - 1);
  char almost[64];
  snprintf(almost, sizeof almost, "/%s/0/run", viewer.token);
  char *last = &almost[ST_VIEW_TOKEN_SIZE - 1];
  *last = *last == '0' ? '1' : '0';
  const char *const paths[] = {"/", "/0/run", "/0/frame/0", "//0/run", almost};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
    char text[256];
    snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", paths[i]);
    StText answer = exchange(text);
    assert_non_null(strstr(answer.data, "HTTP/1.1 404"));
    assert_null(strstr(answer.data, "bodies"));
    assert_null(strstr(answer.data, viewer.token));
    st_text_free(&answer);
  }
  StViewServer other;
  StError error = {0};
  assert_int_equal(
      st_view_server_create((const char *const[]){folder}, 1, 1, false, NULL, &other, &error),
      ST_OK);
  assert_string_not_equal(other.token, viewer.token);
  st_view_server_close(&other);
}

// What a server says to /run, without a socket in between.
static void expect_run(StViewServer *server, const char *part) {
  char path[64];
  StReply reply = {.status = 200};
  snprintf(path, sizeof path, "/%s/0/run", server->token);
  st_view_server_answer(server, path, &reply);
  assert_int_equal(reply.status, 200);
  if (!strstr(reply.body.data, part))
    fail_msg("%s is not in %s", part, reply.body.data);
  st_text_free(&reply.body);
}

static void move(const char *from, const char *to) {
  assert_int_equal(rename(from, to), 0);
}

// A folder that comes later, goes away, and comes back as that of another run.
static void runs_come_and_are_replaced(void **state) {
  (void)state;
  char later[512], mark[600], copy[600];
  snprintf(later, sizeof later, "%s", scratch("later"));
  StViewServer server;
  StError error = {0};
  assert_int_equal(
      st_view_server_create((const char *const[]){later}, 1, 1, false, NULL, &server, &error),
      ST_OK);
  expect_run(&server, "\"state\":\"waiting\"");
  expect_run(&server, "there is no run in it yet");
  move(folder, later);
  expect_run(&server, "\"generation\": 0");
  expect_run(&server, "\"generation\": 0");
  snprintf(mark, sizeof mark, "%s/run.json", later);
  snprintf(copy, sizeof copy, "%s/run.json.tmp", later);
  char *text = scratch_read(mark, NULL);
  move(mark, copy);
  expect_run(&server, "\"state\":\"waiting\"");
  FILE *file = fopen(mark, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
  free(text);
  expect_run(&server, "\"generation\": 1");
  move(copy, mark);
  st_view_server_close(&server);
  move(later, folder);
}

static StText told(StViewServer *server, const char *path) {
  char whole[64];
  StReply reply = {.status = 200};
  snprintf(whole, sizeof whole, "/%s%s", server->token, path);
  st_view_server_answer(server, whole, &reply);
  assert_int_equal(reply.status, 200);
  return reply.body;
}

// Two folders, one of which holds nothing yet: each has its own answers.
static void two_runs_are_served(void **state) {
  (void)state;
  StViewServer server;
  StError error = {0};
  const char *const both[] = {folder, "not/there"};
  assert_int_equal(st_view_server_create(both, 2, 2, true, NULL, &server, &error), ST_OK);
  static const struct {
    const char *path, *part;
  } expected[] = {{"/runs", "{\"count\":2}"},
                  {"/0/run", "\"inside_count\": 0"},
                  {"/0/run", "\"every\": 2"},
                  {"/1/run", "not/there: there is no run in it yet"}};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    StText text = told(&server, expected[i].path);
    assert_non_null(strstr(text.data, expected[i].part));
    st_text_free(&text);
  }
  st_view_server_close(&server);
}

static void frames_have_a_header(void **state) {
  (void)state;
  StText answer;
  const char *body;
  uint32_t length;
  static const char *const groups[] = {"position", "stress", "contact"};
  for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
    char path[64], start[64];
    snprintf(path, sizeof path, "/0/frame/3/%s", groups[i]);
    snprintf(start, sizeof start, "{\"first\":3,\"count\":1,\"groups\":{\"%s\":{", groups[i]);
    assert_int_equal(get(path, &answer, &body), 200);
    memcpy(&length, body, sizeof length);
    assert_true(length < answer.length);
    assert_memory_equal(body + 4, start, strlen(start));
    assert_int_equal(body[4 + length - 1], '}');
    st_text_free(&answer);
  }
}

static void strangers_are_turned_away(void **state) {
  (void)state;
  StText answer = exchange("GET /run HTTP/1.1\r\nHost: example.org\r\n\r\n");
  assert_non_null(strstr(answer.data, "HTTP/1.1 403"));
  assert_null(strstr(answer.data, "bodies"));
  st_text_free(&answer);
  answer = exchange("DELETE /run HTTP/1.1\r\nHost: localhost\r\n\r\n");
  assert_non_null(strstr(answer.data, "HTTP/1.1 405"));
  st_text_free(&answer);
}

static void endless_requests_end(void **state) {
  (void)state;
  char text[9000];
  memset(text, 'a', sizeof text - 1);
  text[sizeof text - 1] = 0;
  StText answer = exchange(text);
  if (answer.length)
    assert_non_null(strstr(answer.data, "HTTP/1.1 431"));
  st_text_free(&answer);
}

// A silent client does not block others.
static void the_silent_hold_up_nobody(void **state) {
  (void)state;
  int silent = connect_to(INADDR_LOOPBACK);
  assert_true(silent >= 0);
  expect("/0/run", 200, "bodies");
  close(silent);
}

enum { CROWD = 100 }; // three times as many as the server has places for

// Each has sent part of a request and keeps its slot; one more client is still served.
static void the_slow_keep_nobody_out(void **state) {
  (void)state;
  int slow[CROWD];
  for (int i = 0; i < CROWD; i++) {
    slow[i] = connect_to(INADDR_LOOPBACK);
    assert_true(slow[i] >= 0);
    assert_int_equal(send(slow[i], "GET /ru", 7, MSG_NOSIGNAL), 7);
  }
  expect("/0/run", 200, "bodies");
  for (int i = 0; i < CROWD; i++)
    close(slow[i]);
}

// The same for clients that ask and never read.
static void those_who_do_not_read_keep_nobody_out(void **state) {
  (void)state;
  char ask[256];
  snprintf(ask, sizeof ask, "GET /%s/ HTTP/1.1\r\nHost: localhost\r\n\r\n", viewer.token);
  int deaf[CROWD];
  for (int i = 0; i < CROWD; i++) {
    deaf[i] = connect_to(INADDR_LOOPBACK);
    assert_true(deaf[i] >= 0);
    assert_int_equal(send(deaf[i], ask, strlen(ask), MSG_NOSIGNAL), strlen(ask));
  }
  expect("/0/run", 200, "bodies");
  for (int i = 0; i < CROWD; i++)
    close(deaf[i]);
}

// An occasional byte is not a request: after some seconds the server says so and closes. The minute
// allowed here is for slow machines.
static void trickling_requests_end(void **state) {
  (void)state;
  int opened = connect_to(INADDR_LOOPBACK);
  assert_true(opened >= 0);
  char answer[512] = {0};
  ssize_t got = -1;
  for (int i = 0; i < 600 && got < 0; i++) {
    send(opened, "G", 1, MSG_NOSIGNAL);
    usleep(100000);
    got = recv(opened, answer, sizeof answer - 1, MSG_DONTWAIT);
  }
  assert_true(got >= 0);
  if (got > 0)
    assert_non_null(strstr(answer, "408 Request Timeout"));
  close(opened);
}

// 127.0.0.2 is this machine too, but not where the server listens.
static void only_loopback_listens(void **state) {
  (void)state;
  assert_int_equal(connect_to(0x7f000002), -1);
}

static void a_taken_port_is_named(void **state) {
  (void)state;
  int other = port, second = -1;
  StError error = {0};
  assert_int_equal(st_serve_open(&other, &second, &error), ST_BAD_INPUT);
  assert_non_null(strstr(error.text, "choose another"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(paths_have_answers),
      cmocka_unit_test(two_runs_are_served),
      cmocka_unit_test(frames_have_a_header),
      cmocka_unit_test(without_the_token_nothing_is_told),
      cmocka_unit_test(runs_come_and_are_replaced),
      cmocka_unit_test(strangers_are_turned_away),
      cmocka_unit_test(endless_requests_end),
      cmocka_unit_test(the_silent_hold_up_nobody),
      cmocka_unit_test(only_loopback_listens),
      cmocka_unit_test(a_taken_port_is_named),
      cmocka_unit_test(the_slow_keep_nobody_out),
      cmocka_unit_test(those_who_do_not_read_keep_nobody_out),
      cmocka_unit_test(trickling_requests_end),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
