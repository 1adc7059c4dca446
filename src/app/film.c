// Controls the browser over a pair of pipes (its DevTools protocol: JSON terminated by a zero
// byte): opens the page, lets its script film the run, receives the film as base64.
#include "app/film.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const BROWSERS[] = {"chromium", "chromium-browser", "google-chrome",
                                       "google-chrome-stable", "microsoft-edge"};

typedef struct Browser {
  pid_t process;
  int in, out; // to and from the browser
  StText received;
} Browser;

bool st_film_has_type(const char *out) {
  return st_text_ends_in(out, ".webm") || st_text_ends_in(out, ".mp4");
}

static bool is_in_path(const char *program) {
  const char *path = getenv("PATH");
  for (const char *at = path ? path : ""; *at;) {
    size_t length = strcspn(at, ":");
    char file[1024];
    snprintf(file, sizeof file, "%.*s/%s", (int)length, at, program);
    if (access(file, X_OK) == 0)
      return true;
    at += length + (at[length] == ':');
  }
  return false;
}

StStatus st_film_find_browser(const char **program, StError *error) {
  for (int i = 0; i < ST_LENGTH(BROWSERS); i++)
    if (is_in_path(*program = BROWSERS[i]))
      return ST_OK;
  return st_fail(
      error, ST_BAD_INPUT,
      "--video needs a browser (chromium, google-chrome or microsoft-edge), and there is "
      "none in PATH: install one (in Debian the package chromium), or open the page "
      "elsewhere and press V");
}

StStatus st_film_enter(char folder[64], StError *error) {
  snprintf(folder, 64, "/tmp/stiction-film-XXXXXX");
  if (!mkdtemp(folder))
    return st_fail(error, ST_SYSTEM_FAULT, "%s: cannot be made: %s", folder, strerror(errno));
  return ST_OK;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *where) {
  (void)about, (void)kind, (void)where;
  remove(path);
  return 0;
}

void st_film_leave(const char *folder) {
  nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

// In the child. Browsers refuse to run their sandbox as root; software rendering is used without a
// graphics card.
static void become_browser(const char *program, const char *folder, int in, int out) {
  char profile[128];
  int nowhere = open("/dev/null", O_RDWR);
  snprintf(profile, sizeof profile, "--user-data-dir=%s/profile", folder);
  const char *argument[] = {program,
                            "--headless",
                            "--remote-debugging-pipe",
                            profile,
                            "--window-size=1280,720",
                            "--use-angle=swiftshader",
                            "--enable-unsafe-swiftshader",
                            "--no-first-run",
                            "--disable-background-networking",
                            "--disable-component-update",
                            "--mute-audio",
                            geteuid() == 0 ? "--no-sandbox" : NULL,
                            NULL};
  // Avoids 3 and 4, which the browser expects.
  in = fcntl(in, F_DUPFD, 10);
  out = fcntl(out, F_DUPFD, 10);
  dup2(in, 3);
  dup2(out, 4);
  for (int i = 0; i < 3 && nowhere >= 0; i++)
    dup2(nowhere, i);
  execvp(program, (char *const *)argument);
  _exit(127);
}

static StStatus start(const char *program, const char *folder, Browser *browser, StError *error) {
  int to[2], from[2];
  if (pipe2(to, O_CLOEXEC) != 0)
    return st_fail(error, ST_SYSTEM_FAULT, "no pipe for the browser: %s", strerror(errno));
  if (pipe2(from, O_CLOEXEC) != 0) {
    close(to[0]), close(to[1]);
    return st_fail(error, ST_SYSTEM_FAULT, "no pipe for the browser: %s", strerror(errno));
  }
  *browser = (Browser){.process = fork(), .in = to[1], .out = from[0]};
  if (browser->process == 0)
    become_browser(program, folder, to[0], from[1]);
  close(to[0]), close(from[1]);
  if (browser->process > 0)
    return ST_OK;
  close(browser->in), close(browser->out);
  return st_fail(error, ST_SYSTEM_FAULT, "the browser cannot be started: %s", strerror(errno));
}

static void stop(Browser *browser) {
  close(browser->in), close(browser->out);
  kill(browser->process, SIGTERM);
  waitpid(browser->process, NULL, 0);
  st_text_free(&browser->received);
}

// The next message, in browser->heard without its zero byte; false: the browser has exited.
static bool hear(Browser *browser) {
  char part[65536];
  st_text_free(&browser->received);
  for (;;) {
    // Reads beyond a message would lose the start of the next, but replies come only when asked;
    // events are unsolicited, and cut off at their first zero byte.
    ssize_t got = read(browser->out, part, sizeof part);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    st_text_add_bytes(&browser->received, part, (size_t)got);
    if (browser->received.failed || !part[got - 1])
      return !browser->received.failed;
  }
}

// Sends a command and waits for its reply: *reply points into browser->heard.
static StStatus ask(Browser *browser, int id, const StText *command, const char **reply,
                    StError *error) {
  char mark[32];
  snprintf(mark, sizeof mark, "{\"id\":%d,", id);
  bool sent =
      write(browser->in, command->data, command->length + 1) == (ssize_t)command->length + 1;
  while (sent && hear(browser))
    for (size_t at = 0; at < browser->received.length;
         at += strlen(browser->received.data + at) + 1)
      if (strncmp(browser->received.data + at, mark, strlen(mark)) == 0) {
        *reply = browser->received.data + at;
        return ST_OK;
      }
  return st_fail(error, ST_SYSTEM_FAULT, "the browser ended before the video was finished");
}

// The text after "key":" up to the next quote, into value[size].
static StStatus take(const char *reply, const char *key, char *value, size_t size, StError *error) {
  char mark[64];
  snprintf(mark, sizeof mark, "\"%s\":\"", key);
  const char *at = strstr(reply, mark);
  size_t length = at ? strcspn(at + strlen(mark), "\"") : size;
  if (length >= size)
    return st_fail(error, ST_SYSTEM_FAULT, "the browser did not understand: %.200s", reply);
  memcpy(value, at + strlen(mark), length);
  value[length] = 0;
  return ST_OK;
}

// Frees the command. key NULL: the reply is not looked into.
static StStatus ask_for(Browser *browser, int id, const char *key, char *value, size_t size,
                        StText *command, StError *error) {
  const char *reply = NULL;
  StStatus status =
      command->failed ? st_fail_memory(error) : ask(browser, id, command, &reply, error);
  st_text_free(command);
  return status == ST_OK && key ? take(reply, key, value, size, error) : status;
}

static void decode(const char *text, StText *bytes) {
  uint32_t word = 0;
  int bits = 0;
  for (; st_base64_digit(*text) >= 0; text++) {
    word = word << 6 | (uint32_t)st_base64_digit(*text);
    bits += 6;
    if (bits < 8)
      continue;
    bits -= 8;
    char byte = (char)(word >> bits);
    st_text_add_bytes(bytes, &byte, 1);
  }
}

// The error text of the page's script, up to the end of the line.
static StStatus fail_by_page(const char *reply, const char *out, StError *error) {
  static const char MARK[] = "\"description\":\"Error: ";
  const char *text = strstr(reply, MARK);
  text = text ? text + sizeof MARK - 1 : reply;
  return st_fail(error, ST_BAD_INPUT, "%s: no video: %.*s", out, (int)strcspn(text, "\\\""), text);
}

static StStatus keep(const char *reply, const char *out, StError *error) {
  static const char MARK[] = ";base64,";
  const char *film = strstr(reply, MARK);
  if (!film)
    return fail_by_page(reply, out, error);
  ST_FINALLY(st_text_free) StText bytes = {0};
  decode(film + sizeof MARK - 1, &bytes);
  ST_TRY(bytes.failed ? st_fail_memory(error) : st_folder_create_above(out, error));
  return st_file_write(out, bytes.data, bytes.length, error);
}

// Opens the page in a tab: *session identifies it.
static StStatus open_page(Browser *browser, const char *page, char session[128], StError *error) {
  char target[128], frame[128];
  StText command = {0};
  st_text_add(&command, "{\"id\":1,\"method\":\"Target.createTarget\",\"params\":"
                        "{\"url\":\"about:blank\"}}");
  ST_TRY(ask_for(browser, 1, "targetId", target, sizeof target, &command, error));
  st_text_add(&command,
              "{\"id\":2,\"method\":\"Target.attachToTarget\",\"params\":"
              "{\"targetId\":\"%s\",\"flatten\":true}}",
              target);
  ST_TRY(ask_for(browser, 2, "sessionId", session, 128, &command, error));
  st_text_add(
      &command,
      "{\"id\":5,\"sessionId\":\"%s\",\"method\":\"Emulation.setDeviceMetricsOverride\","
      "\"params\":{\"width\":1280,\"height\":720,\"deviceScaleFactor\":1,\"mobile\":false}}",
      session);
  ST_TRY(ask_for(browser, 5, NULL, NULL, 0, &command, error));
  st_text_add(&command,
              "{\"id\":3,\"sessionId\":\"%s\",\"method\":\"Page.navigate\",\"params\":"
              "{\"url\":\"file://%s\"}}",
              session, page);
  return ask_for(browser, 3, "frameId", frame, sizeof frame, &command, error);
}

static StStatus film(Browser *browser, const char *page, const char *out, StError *error) {
  char session[128];
  ST_FINALLY(st_text_free) StText command = {0};
  const char *reply = NULL;
  ST_TRY(open_page(browser, page, session, error));
  st_text_add(&command,
              "{\"id\":4,\"sessionId\":\"%s\",\"method\":\"Runtime.evaluate\",\"params\":"
              "{\"awaitPromise\":true,\"returnByValue\":true,\"expression\":"
              "\"(async () => { for (let i = 0; !window.viewer?.usual; i++) {"
              " if (i > 2400) throw new Error('the page does not start');"
              " await new Promise((go) => setTimeout(go, 50)); }"
              " return window.viewer.filmAlone('%s'); })()\"}}",
              session, st_text_ends_in(out, ".mp4") ? "mp4" : "webm");
  StStatus status =
      command.failed ? st_fail_memory(error) : ask(browser, 4, &command, &reply, error);
  return status == ST_OK ? keep(reply, out, error) : status;
}

StStatus st_film_record(const char *program, const char *folder, const char *page, const char *out,
                        StError *error) {
  Browser browser;
  struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
  ST_TRY(start(program, folder, &browser, error));
  sigaction(SIGPIPE, &ignore, &before); // write reports a browser that has exited
  StStatus status = film(&browser, page, out, error);
  stop(&browser);
  sigaction(SIGPIPE, &before, NULL);
  return status;
}
