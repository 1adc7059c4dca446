// Values changed by --set: where they go, what stays, and the messages for invalid ones.
#include "scene/set.h"
#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const char SCENE[] =
    "// a comment\n"
    "{\n"
    "  \"materials\": { \"part.ber\": { \"young\": \"2 MPa\" }, \"silk\": {} },\n"
    "  \"friction\": [ { \"dynamic\": 0.2 }, { \"dynamic\": 0.4 } ],\n"
    "  \"time\": { \"duration\": 1 } // the end\n"
    "}\n";

static void set(const char *assignment, const char *part) {
  char *text = st_copy_string(SCENE);
  size_t size = strlen(text);
  StError error = {0};
  if (st_scene_set("s", assignment, &text, &size, &error) != ST_OK)
    fail_msg("%s", error.text);
  assert_int_equal(size, strlen(text));
  if (!strstr(text, part) || !strstr(text, "// a comment") || !strstr(text, "// the end"))
    fail_msg("%s made %s", assignment, text);
  free(text);
}

static void refuse(const char *assignment, const char *words) {
  char *text = st_copy_string(SCENE);
  size_t size = strlen(text);
  StError error = {0};
  assert_int_equal(st_scene_set("s", assignment, &text, &size, &error), ST_BAD_INPUT);
  if (!strstr(error.text, words))
    fail_msg("%s: said %s", assignment, error.text);
  assert_string_equal(text, SCENE);
  free(text);
}

static void values_are_replaced(void **state) {
  (void)state;
  set("time.duration=2", "{ \"duration\": 2 } // the end");
  set("time.duration=20 ms", "{ \"duration\": \"20 ms\" }");
  set("friction[1].dynamic=0.5", "{ \"dynamic\": 0.2 }, { \"dynamic\": 0.5 }");
  set("friction.0.dynamic=[1, 2]", "{ \"dynamic\": [1, 2] }, {");
  set("materials.part.ber.young=3e6", "{ \"young\": 3e6 }");
  set("friction[0]={\"a\": true}", "[ {\"a\": true}, {");
  set("time.duration=say \"so\\", "\"duration\": \"say \\\"so\\\\\" }");
}

static void keys_are_added(void **state) {
  (void)state;
  set("time.step=1ms", "{\"step\": \"1ms\",  \"duration\": 1 }");
  set("materials.silk.density=3", "\"silk\": {\"density\": 3}");
  set("contact.thickness=1mm", "{\"contact\": {\"thickness\": \"1mm\"}, ");
  set("materials.new={\"young\": 1}", "{\"new\": {\"young\": 1}, ");
  set("integrator=tr", "{\"integrator\": \"tr\", ");
}

static void mistakes_are_named(void **state) {
  (void)state;
  refuse("time", "must be KEY=VALUE");
  refuse("=3", "must be KEY=VALUE");
  refuse("time.duration=", "must be KEY=VALUE");
  refuse("materials.silc.young=3",
         "there is no \"silc\" in materials; known: part.ber, silk (did you "
         "mean \"silk\"?)");
  refuse("tme.step=3", "unknown key \"tme\"");
  refuse("tme.step=3", "(did you mean \"time\"?)");
  refuse("friction[2].dynamic=3", "friction has 2 items, counted from 0; there is no item 2");
  refuse("friction.dynamic=3", "friction is a list; its items go by number");
  refuse("friction[0.dynamic=3", "friction is a list");
  refuse("time.duration.x=3", "time.duration is a number, which has no keys");
  refuse("contact.pairs[0].collider=a", "counts items of a list that is not there");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_are_replaced),
      cmocka_unit_test(keys_are_added),
      cmocka_unit_test(mistakes_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
