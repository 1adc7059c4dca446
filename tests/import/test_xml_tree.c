// Trees of XML elements: children, attributes, lines, and what is not well formed.
#include "import/xml_tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static StStatus read_text(const char *text, StXmlTree *tree, StError *error) {
  FILE *file = fopen("tree.xml", "wb");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
  return st_xml_tree_read("tree.xml", tree, error);
}

static void children_come_in_order(void **state) {
  (void)state;
  StXmlTree tree;
  StError error;
  assert_int_equal(
      read_text("<?xml version='1.0'?>\n<a x='1 2.5 -3e2'>\n<b n='first'/><!-- <b/> -->\n"
                "<c><b n='inner'/></c>text<b n='second'></b></a>\n",
                &tree, &error),
      ST_OK);
  assert_int_equal(tree.count, 5);
  int first = st_xml_child(&tree, 0, "b"), second = st_xml_next_child(&tree, first, "b");
  char *name = st_xml_text(&tree, second, "n");
  assert_string_equal(name, "second");
  free(name);
  assert_int_equal(st_xml_next_child(&tree, second, "b"), -1);
  assert_int_equal(tree.node[first].line, 3);
  assert_int_equal(tree.node[st_xml_child(&tree, st_xml_child(&tree, 0, "c"), "b")].line, 4);
  double number[4];
  assert_int_equal(st_xml_numbers(&tree, 0, "x", number, 4), 3);
  assert_true(number[1] == 2.5 && number[2] == -300);
  assert_int_equal(st_xml_numbers(&tree, 0, "x", number, 2), 2);
  assert_int_equal(st_xml_numbers(&tree, -1, "x", number, 2), 0);
  assert_null(st_xml_text(&tree, 0, "y"));
  assert_int_equal(st_xml_child(&tree, -1, "b"), -1);
  st_xml_tree_free(&tree);
}

static void what_is_not_well_formed_is_refused(void **state) {
  (void)state;
  static const char *const BAD[] = {
      "", "<a>", "</a>", "<a></b>", "<a/><b/>", "<a><b></a></b>", "<a x=1/>"};
  for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
    StXmlTree tree;
    StError error;
    assert_int_equal(read_text(BAD[i], &tree, &error), ST_BAD_INPUT);
    assert_non_null(strstr(error.text, "tree.xml"));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(children_come_in_order),
      cmocka_unit_test(what_is_not_well_formed_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
