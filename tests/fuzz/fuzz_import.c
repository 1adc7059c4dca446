// Any bytes as a robot (URDF, if they begin with '<') or a scene of PolyFEM: imported or refused.
#include "import/polyfem.h"
#include "import/urdf.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char folder[] = "/tmp/fuzz-import-XXXXXX";

static void path_of(const char *name, char path[80]) {
  snprintf(path, 80, "%s/%s", folder, name);
}

static void write_file(const char *name, const void *data, size_t size) {
  char path[80];
  path_of(name, path);
  FILE *file = fopen(path, "wb");
  if (file && size > 0)
    fwrite(data, 1, size, file);
  if (file)
    fclose(file);
}

static void remove_folder(void) {
  static const char *const NAME[] = {"fuzz-import.msh", "scene.json", "robot.urdf"};
  char path[80];
  for (int i = 0; i < 3; i++) {
    path_of(NAME[i], path);
    unlink(path);
  }
  rmdir(folder);
}

// What inputs may name as a mesh: one tetrahedron, whose faces enclose it.
static void begin(void) {
  static const char MSH[] = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n"
                            "3 0 1 0\n4 0 0 1\n$EndNodes\n$Elements\n1\n1 4 2 0 1 1 2 3 4\n"
                            "$EndElements\n";
  static bool begun;
  if (begun)
    return;
  begun = true;
  if (!mkdtemp(folder))
    abort();
  atexit(remove_folder);
  write_file("fuzz-import.msh", MSH, sizeof MSH - 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  StText scene = {0}, notes = {0};
  StError error;
  bool robot = size > 0 && data[0] == '<';
  const char *name = robot ? "robot.urdf" : "scene.json";
  char path[80];
  begin();
  write_file(name, data, size);
  path_of(name, path);
  (robot ? st_urdf_import : st_polyfem_import)(path, folder, NULL, &scene, &notes, &error);
  st_text_free(&scene);
  st_text_free(&notes);
  return 0;
}
