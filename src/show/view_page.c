// Inserts the data of runs, as text, between head and tail of the page that viewer/build.js made.
#include "show/view_page.h"

#include "base/file.h"
#include "base/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

// Written by viewer/build.js; empty if the program was built without Node.js.
extern const unsigned char st_view_page_bytes[];
extern const size_t st_view_page_size;

static const char MARK[] = "<!--stiction-data-->";

StStatus st_view_page_check(StError *error) {
  if (st_view_page_size > 0)
    return ST_OK;
  return st_fail(error, ST_BAD_INPUT,
                 "this program was built without the viewer, which needs Node.js 18 or later and "
                 "npm (in Debian the packages nodejs and npm) and, once, a network to fetch "
                 "three.js: with these, build it again (make build)");
}

void st_view_page_plain(StText *page) {
  st_text_add_bytes(page, st_view_page_bytes, st_view_page_size);
}

static void add_base64(StText *text, const unsigned char *bytes, size_t size) {
  static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  char line[4096];
  size_t filled = 0;
  for (size_t i = 0; i < size; i += 3) {
    size_t left = size - i;
    uint32_t word = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                    (left > 2 ? bytes[i + 2] : 0);
    for (int k = 0; k < 4; k++)
      line[filled++] = (size_t)k <= left ? digit[word >> (18 - 6 * k) & 63] : '=';
    if (filled == sizeof line || left <= 3) {
      st_text_add_bytes(text, line, filled);
      filled = 0;
    }
  }
}

// A block that browsers keep as text and do not interpret.
static void add_block(StText *page, int number, const char *name, const StText *bytes) {
  st_text_add(page, "<script type=\"text/plain\" id=\"data-%d-%s\">", number, name);
  add_base64(page, (const unsigned char *)bytes->data, bytes->length);
  st_text_add(page, "</script>\n");
}

// Names come from the user: nothing in them may close the element around them.
static void add_json(StText *page, int number, const char *json) {
  st_text_add(page, "<script type=\"application/json\" id=\"data-%d-run\">", number);
  for (size_t plain; *json; json += plain) {
    plain = strcspn(json, "<");
    st_text_add_bytes(page, json, plain);
    if (json[plain] == '<') {
      st_text_add(page, "\\u003c");
      plain++;
    }
  }
  st_text_add(page, "</script>\n");
}

// One of the page's runs.
typedef struct Entry {
  const StViewRun *run;
  int number;
} Entry;

static StStatus add_run_block(const Entry *entry, const char *name, StText *page, StError *error) {
  ST_FINALLY(st_text_free) StText bytes = {0};
  ST_TRY(st_view_run_block(entry->run, name, &bytes, error));
  add_block(page, entry->number, name, &bytes);
  return ST_OK;
}

static StStatus add_group(const Entry *entry, const StViewPack *pack, int index, int group,
                          StText *headers, StText *page, StError *error) {
  ST_FINALLY(st_text_free) StText bytes = {0};
  ST_TRY(st_view_pack_group(pack, group, headers, &bytes, error));
  char name[64];
  snprintf(name, sizeof name, "pack-%d-%s", index, st_view_pack_name(pack, group));
  add_block(page, entry->number, name, &bytes);
  return ST_OK;
}

// Frames that are packed together: their number among the packs, and which they are.
typedef struct Bundle {
  int index, first, count;
} Bundle;

static StStatus add_pack(const Entry *entry, StViewPack *pack, Bundle bundle, StText *headers,
                         StText *page, StError *error) {
  const StViewRun *run = entry->run;
  st_view_pack_empty(pack);
  for (int i = bundle.first; i < bundle.first + bundle.count; i++)
    ST_TRY(st_view_pack_add(pack, &run->recording, st_view_run_frame(run, i), true, error));
  st_text_add(headers, "%s{\"first\":%d,\"count\":%d,\"groups\":{", bundle.index ? "," : "[",
              bundle.first, bundle.count);
  for (int g = 0; st_view_pack_name(pack, g); g++) {
    st_text_add(headers, "%s", g ? "," : "");
    ST_TRY(add_group(entry, pack, bundle.index, g, headers, page, error));
  }
  st_text_add(headers, "}}");
  return ST_OK;
}

// *reached: how many frames were added before the page exceeded `most` bytes; at least one pack.
static StStatus add_packs(const Entry *entry, size_t most, StText *headers, StText *page,
                          int *reached, StError *error) {
  const StViewRun *run = entry->run;
  int frames = st_view_run_frames(run), index = 0;
  int each = st_view_pack_frames(&run->surface, &run->fields);
  ST_FINALLY(st_view_pack_free) StViewPack pack = {0};
  ST_TRY(st_view_pack_create(&run->surface, &run->fields, each, &pack, error));
  StStatus status = ST_OK;
  *reached = 0;
  while (*reached < frames && (*reached == 0 || page->length <= most) && status == ST_OK) {
    int count = frames - *reached < each ? frames - *reached : each;
    status = add_pack(entry, &pack, (Bundle){index++, *reached, count}, headers, page, error);
    *reached += count;
  }
  st_text_add(headers, "]");
  return status;
}

static StStatus add_parts(const Entry *entry, const char *headers, StText *page, StError *error) {
  ST_TRY(add_run_block(entry, "surface", page, error));
  ST_TRY(add_run_block(entry, "inside", page, error));
  ST_TRY(add_run_block(entry, "history", page, error));
  ST_TRY(add_run_block(entry, "held", page, error));
  for (int i = 0; i < entry->run->recording.description->obstacle_count; i++) {
    char name[32];
    snprintf(name, sizeof name, "obstacle-%d", i);
    ST_TRY(add_run_block(entry, name, page, error));
  }
  ST_FINALLY(st_text_free) StText json = {0};
  ST_TRY(st_view_run_describe(entry->run, headers, &json, error));
  add_json(page, entry->number, json.data);
  return ST_OK;
}

static StStatus add_run(const Entry *entry, size_t most, StText *page, int *reached,
                        StError *error) {
  ST_FINALLY(st_text_free) StText headers = {0};
  ST_TRY(add_packs(entry, most, &headers, page, reached, error));
  if (headers.failed)
    return st_fail_memory(error);
  return add_parts(entry, headers.data, page, error);
}

// One attempt with the current settings. *reached: frames that fitted, over all runs.
static StStatus build(const StViewRun *run, int run_count, size_t most, StText *page, int *reached,
                      StError *error) {
  const char *start = (const char *)st_view_page_bytes;
  const char *mark = memmem(start, st_view_page_size, MARK, sizeof MARK - 1);
  ST_CHECK(mark, error);
  size_t head = (size_t)(mark - start), tail = head + sizeof MARK - 1;
  StStatus status = ST_OK;
  *reached = 0;
  st_text_add_bytes(page, start, head);
  for (int i = 0; i < run_count && status == ST_OK; i++) {
    int own = 0;
    status = add_run(&(Entry){&run[i], i}, most, page, &own, error);
    *reached += own;
  }
  st_text_add_bytes(page, start + tail, st_view_page_size - tail);
  return status == ST_OK && page->failed ? st_fail_memory(error) : status;
}

static int frames_of(const StViewRun *run, int run_count) {
  int frames = 0;
  for (int i = 0; i < run_count; i++)
    frames += st_view_run_frames(&run[i]);
  return frames;
}

// Makes the next attempt smaller: without the interior of bodies, or with fewer frames.
static StStatus shrink(StViewRun *run, int run_count, size_t most, int reached, const StLog *log,
                       StError *error) {
  int frames = frames_of(run, run_count), tets = 0;
  for (int i = 0; i < run_count; i++)
    tets += run[i].surface.tet_count;
  for (int i = 0; i < run_count && tets > 0; i++)
    ST_TRY(st_view_run_drop_interior(&run[i], error));
  if (tets > 0) {
    st_log(
        log, ST_WARNING,
        "with what is inside of bodies the page would have more than %zu MB: it is left out, and "
        "bodies that are cut look hollow (--serve shows it)",
        most >> 20);
    return ST_OK;
  }
  for (int i = 0; i < run_count; i++)
    run[i].every *= 1 + frames / reached;
  st_log(log, ST_WARNING,
         "%d frames would make a page of more than %zu MB: one in %d is shown (--every chooses, "
         "--serve shows all)",
         frames, most >> 20, run->every);
  return ST_OK;
}

StStatus st_view_page_write(StViewRun *run, int run_count, const char *path, size_t most,
                            const StLog *log, StError *error) {
  for (;;) {
    StText page = {0};
    int reached = 0, frames = frames_of(run, run_count);
    size_t room = frames > 2 * run_count ? most : SIZE_MAX;
    StStatus status = build(run, run_count, room, &page, &reached, error);
    bool full = status == ST_OK && page.length > room;
    if (status == ST_OK && !full)
      status = st_folder_create_above(path, error);
    if (status == ST_OK && !full)
      status = st_file_write(path, page.data, page.length, error);
    st_text_free(&page);
    if (!full)
      return status;
    ST_TRY(shrink(run, run_count, most, reached, log, error));
  }
}
