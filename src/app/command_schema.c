// `stiction schema`: the JSON Schema of scenes, or the reference made from the same tables.
#include "app/command.h"
#include "app/options.h"
#include "base/memory.h"
#include "scene/scene.h"

static int run_schema(int argc, char **argv) {
  bool reference = false;
  const StArgument option[] = {{.name = "reference", .flag = &reference}};
  int operands;
  StError error;
  if (st_options_parse(argc, argv, option, 1, NULL, 0, &operands, &error) != ST_OK)
    return st_command_misused("schema", "%s", error.text);
  ST_FINALLY(st_text_free) StText text = {0};
  if (reference)
    st_scene_reference(&text);
  else
    st_scene_schema(&text);
  return st_command_print(&text);
}

const StCommand st_command_schema = {
    .name = "schema",
    .summary = "print the JSON Schema of scenes, for editors",
    .usage =
        "Usage: stiction schema [--reference]\n"
        "\n"
        "Prints the JSON Schema of scenes. Editors use it to complete keys and mark mistakes.\n"
        "\n"
        "Options:\n"
        "  --reference   print the scene reference in Markdown instead (docs/scene.md)\n"
        "\n"
        "Examples:\n"
        "  stiction schema > scene.schema.json\n"
        "  stiction schema --reference > docs/scene.md\n",
    .run = run_schema,
};
