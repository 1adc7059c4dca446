// Any bytes as a robot (URDF, if they begin with '<') or a scene of PolyFEM: imported or refused.
#include "import/polyfem.h"
#include "import/urdf.h"

#include <stdint.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void write_file(const char *name, const void *data, size_t size) {
  FILE *file = fopen(name, "wb");
  if (file && size > 0)
    fwrite(data, 1, size, file);
  if (file)
    fclose(file);
}

// What inputs may name as a mesh: one tetrahedron, whose faces enclose it.
static void write_mesh(void) {
  static const char MSH[] = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n"
                            "3 0 1 0\n4 0 0 1\n$EndNodes\n$Elements\n1\n1 4 2 0 1 1 2 3 4\n"
                            "$EndElements\n";
  static bool written;
  if (!written)
    write_file("fuzz-import.msh", MSH, sizeof MSH - 1);
  written = true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  StText scene = {0}, notes = {0};
  StError error;
  bool robot = size > 0 && data[0] == '<';
  const char *name = robot ? "fuzz-import.urdf" : "fuzz-import.json";
  write_mesh();
  write_file(name, data, size);
  (robot ? st_urdf_import : st_polyfem_import)(name, "", NULL, &scene, &notes, &error);
  st_text_free(&scene);
  st_text_free(&notes);
  return 0;
}
