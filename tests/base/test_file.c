// Reading whole files: anything that is not a plain file, or too large, is rejected at once with a
// message.
#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <cmocka.h>

static void refused(const char *path, const char *words) {
  char *data = NULL;
  size_t size;
  StError error = {0};
  assert_int_equal(st_file_read(path, &data, &size, &error), ST_BAD_INPUT);
  assert_null(data);
  assert_int_equal(strncmp(error.text, path, strlen(path)), 0);
  assert_string_equal(error.text + strlen(path), words);
}

static void only_plain_files_are_read(void **state) {
  (void)state;
  refused(".", ": is a folder, a file is needed");
  refused("/dev/zero", ": is a device, a file is needed");
  refused("/dev/null", ": is a device, a file is needed");
  unlink("pipe"), unlink("socket");
  assert_int_equal(mkfifo("pipe", 0600), 0);
  refused("pipe", ": is a pipe, a file is needed");
  struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
  int opened = socket(AF_UNIX, SOCK_STREAM, 0);
  assert_int_equal(bind(opened, (struct sockaddr *)&address, sizeof address), 0);
  refused("socket", ": is a socket, a file is needed");
  close(opened);
  refused("nowhere", ": cannot be read: No such file or directory");
}

static void sizes_are_bounded(void **state) {
  (void)state;
  enum { MOST = 3 << 20 };
  char *data = NULL, *text = calloc(1, MOST + 1);
  size_t size;
  StError error = {0};
  assert_non_null(text);
  assert_int_equal(st_file_write("large", text, MOST, &error), ST_OK);
  assert_int_equal(st_file_read_most("large", MOST, &data, &size, &error), ST_OK);
  assert_int_equal(size, MOST);
  free(data);
  data = NULL;
  assert_int_equal(st_file_write("large", text, MOST + 1, &error), ST_OK);
  assert_int_equal(st_file_read_most("large", MOST, &data, &size, &error), ST_BAD_INPUT);
  assert_string_equal(error.text, "large: is larger than 3 MB, the maximum");
  assert_null(data);
  free(text);
}

// Files in /proc report size 0, but have content.
static void told_sizes_are_not_believed(void **state) {
  (void)state;
  char *data = NULL;
  size_t size = 0;
  StError error = {0};
  assert_int_equal(st_file_read("/proc/self/status", &data, &size, &error), ST_OK);
  assert_true(size > 0 && data[size] == 0);
  free(data);
  assert_int_equal(st_file_read_most("/proc/self/status", 10, &data, &size, &error), ST_BAD_INPUT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(only_plain_files_are_read),
      cmocka_unit_test(sizes_are_bounded),
      cmocka_unit_test(told_sizes_are_not_believed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
