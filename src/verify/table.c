// Formatting rows.
#include "verify/table.h"

#include "base/json_text.h"

#include <math.h>
#include <stdio.h>

static const char *const verdict_name[] = {"pass", "FAIL", "reported"};

void st_verify_add_head(StText *text) {
  st_text_add(text, "%-13s %-10s %-8s %-43s %13s %14s %9s %7s  %s\n", "case", "contact", "friction",
              "what", "expected", "computed", "error", "allowed", "verdict");
}

// printf counts bytes; columns are counted in characters.
static int spare_bytes(const char *word) {
  int spare = 0;
  for (; *word; word++)
    spare += ((unsigned char)*word & 0xC0) == 0x80;
  return spare;
}

static void add_padded(StText *text, const char *word, int width) {
  int bytes = (width < 0 ? -1 : 1) * spare_bytes(word) + width;
  st_text_add(text, "%*s ", bytes, word);
}

static void add_value(StText *text, double value, const char *unit, int width) {
  char word[48] = "-";
  if (!isnan(value))
    snprintf(word, sizeof word, "%.5g%s%s", value, *unit ? " " : "", unit);
  add_padded(text, word, width);
}

// Relative errors in percent, bounds in their unit.
static void add_error(StText *text, double value, bool relative, int width) {
  char word[32] = "-";
  if (!isnan(value))
    snprintf(word, sizeof word, relative ? "%.2g %%" : "%.2g", relative ? 100 * value : value);
  add_padded(text, word, width);
}

void st_verify_add_line(StText *text, const StVerifyRow *row) {
  bool relative = !isnan(row->expected);
  add_padded(text, row->case_name, -13);
  add_padded(text, row->method, -10);
  add_padded(text, row->stick, -8);
  add_padded(text, row->what, -43);
  add_value(text, row->expected, row->unit, 13);
  add_value(text, row->computed, row->unit, 14);
  add_error(text, row->error, relative, 9);
  add_error(text, row->allowed, relative, 7);
  st_text_add(text, " %s\n", verdict_name[row->verdict]);
  if (row->note[0])
    st_text_add(text, "    %s\n", row->note);
}

static void add_number(StText *text, const char *key, double value) {
  st_text_add(text, ", \"%s\": ", key);
  st_json_text_add_number(text, value);
}

void st_verify_add_json(StText *text, const StVerifyRow *row) {
  st_text_add(text, "{\"case\": ");
  st_json_text_add_string(text, row->case_name);
  if (row->method[0])
    st_text_add(text, ", \"contact\": \"%s\"", row->method);
  if (row->stick[0])
    st_text_add(text, ", \"friction\": \"%s\"", row->stick);
  st_text_add(text, ", \"what\": ");
  st_json_text_add_string(text, row->what);
  st_text_add(text, ", \"unit\": ");
  st_json_text_add_string(text, row->unit);
  add_number(text, "expected", row->expected);
  add_number(text, "computed", row->computed);
  add_number(text, "error", row->error);
  add_number(text, "allowed", row->allowed);
  st_text_add(text, ", \"verdict\": \"%s\"",
              row->verdict == ST_VERIFY_FAIL ? "fail" : verdict_name[row->verdict]);
  if (row->note[0]) {
    st_text_add(text, ", \"note\": ");
    st_json_text_add_string(text, row->note);
  }
  st_text_add(text, "}");
}
