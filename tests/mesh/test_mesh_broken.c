// Broken mesh files: each with the message a user sees, to the letter.
#include "base/file.h"
#include "base/memory.h"
#include "mesh/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct Broken {
  const char *name, *content, *message;
} Broken;

#define MSH2 "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define MSH4 "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define NODES2 "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
#define VTK "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\n"
#define POINTS4 "POINTS 4 float\n0 0 0 1 0 0 0 1 0 0 0 1\n"
#define VTU "<VTKFile type=\"UnstructuredGrid\" byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n"
#define PIECE VTU "<Piece NumberOfPoints=\"3\" NumberOfCells=\"1\">\n"
#define POINTS3                                                                                    \
  "<Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">\n"               \
  "0 0 0 1 0 0 0 1 0</DataArray></Points>\n"
#define ARRAY(type, name, text)                                                                    \
  "<DataArray type=\"" type "\" Name=\"" name "\" format=\"ascii\">" text "</DataArray>\n"

static const Broken broken[] = {
    {"ball.xyz", "v 0 0 0\n",
     "ball.xyz: unknown mesh format; known extensions are .msh, .vtk, .vtu, .vtkhdf, .obj "
     "and .stl"},
    {"ball", "v 0 0 0\n",
     "ball: unknown mesh format; known extensions are .msh, .vtk, .vtu, .vtkhdf, .obj "
     "and .stl"},
    {"ball.obj", "", "ball.obj: the file is empty"},
    {"ball.vtk", "<VTKFile type=\"UnstructuredGrid\">\n",
     "ball.vtk: the content is that of a .vtu file: rename it"},
    {"ball.stl", "$MeshFormat\n", "ball.stl: the content is that of a .msh file: rename it"},
    // Gmsh
    {"ball.msh", "$NOD\n1\n",
     "ball.msh:1: a Gmsh file begins with $MeshFormat (version 2 and later)"},
    {"ball.msh", "$MeshFormat\n3 0 8\n",
     "ball.msh:2: version 3 of the format is not supported; 2.2, 4.0 and 4.1 are"},
    {"ball.msh", "$MeshFormat\n2.2 2 8\n",
     "ball.msh:2: the kind, 0 for text and 1 for binary, must be from 0 to 1, not 2"},
    {"ball.msh", "$MeshFormat\n2.2 0 4\n",
     "ball.msh:2: numbers of 4 bytes are not supported, only those of 8"},
    {"ball.msh", "$MeshFormat\n2.2 0 8\n$Nodes\n",
     "ball.msh:3: found '$Nodes' instead of $EndMeshFormat"},
    {"ball.msh", MSH2 "nodes\n", "ball.msh:4: found 'nodes' instead of a section such as $Nodes"},
    {"ball.msh", MSH2 "$Comments\nno end\n",
     "ball.msh:4: the section $Comments is not closed by $EndComments"},
    {"ball.msh", MSH2 "$PhysicalNames\n1\n3 1 body\n",
     "ball.msh:6: the name of a group must be in quotes"},
    {"ball.msh", MSH2 "$Nodes\n2\n1 0 0 0\n2 1 zero 0\n",
     "ball.msh:7: found 'zero' instead of a coordinate"},
    {"ball.msh", MSH2 "$Nodes\n2\n1 0 0 0\n1 1 0 0\n", "ball.msh:7: node 1 occurs a second time"},
    {"ball.msh", MSH2 "$Nodes\n-2\n",
     "ball.msh:5: the number of nodes must be from 0 to 400000000, not -2"},
    {"ball.msh", MSH2 "$Nodes\n3\n1 0 0 0\n2 1 0 0\n",
     "ball.msh:8: the file ends where a node number should be"},
    {"ball.msh", MSH2 "$Nodes\n1\n1 0 0 0\n2 1 0 0\n$EndNodes\n",
     "ball.msh:7: found '2' instead of $EndNodes"},
    {"ball.msh", MSH2 NODES2 "$Elements\n1\n1 5 0 1 2 3 4 1 2 3 4\n$EndElements\n",
     "ball.msh:13: element type 5 (hexahedron) cannot be simulated: only tetrahedra and triangles "
     "can"},
    {"ball.msh", MSH2 NODES2 "$Elements\n1\n1 99 0 1 2 3 4\n$EndElements\n",
     "ball.msh:13: element type 99 is not known"},
    {"ball.msh", MSH2 NODES2 "$Elements\n1\n1 4 0 1 2 3 9\n$EndElements\n",
     "ball.msh:13: an element refers to node 9, which is not among the 4 nodes"},
    {"ball.msh", MSH2 "$Elements\n1\n1 4 0 1 2 3 4\n$EndElements\n",
     "ball.msh:6: an element refers to node 1, which is not among the 0 nodes"},
    {"ball.msh", MSH4 "$Nodes\n1 999999 1 999999\n3 1 0 999999\n1\n2\n",
     "ball.msh:6: the number of nodes is given as 999999, but only 5 bytes follow"},
    {"ball.msh", MSH4 "$Nodes\n1 1 1 1\n7 1 0 1\n1\n0 0 0\n$EndNodes\n",
     "ball.msh:6: a dimension must be from 0 to 3, not 7"},
    {"ball.msh", MSH2 NODES2,
     "ball.msh: holds no tetrahedra and no triangles: there is nothing to simulate"},
    {"ball.msh", MSH2 NODES2 "$Elements\n1\n1 4 0 1 2 3 3\n$EndElements\n",
     "ball.msh: tet 0 has vertex 2 twice: its corners must differ (counted from 0)"},
    {"ball.msh", MSH2 NODES2 "$Elements\n2\n1 4 0 1 2 3 4\n2 4 0 2 1 4 3\n$EndElements\n",
     "ball.msh: tets 0 and 1 have the same vertices (counted from 0)"},
    {"flat.msh",
     MSH2 "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 1 1 0\n$EndNodes\n"
          "$Elements\n1\n1 4 0 1 2 3 4\n$EndElements\n",
     "flat.msh: tet 0 (vertices 0, 1, 2, 3) is flat: six times its volume must be at least 1e-09 "
     "of its longest edge cubed (counted from 0)"},
    {"star.msh",
     MSH2 "$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 0 0 2\n6 0 0 -1\n$EndNodes\n"
          "$Elements\n3\n1 4 0 1 2 3 4\n2 4 0 1 2 3 5\n3 4 0 1 3 2 6\n$EndElements\n",
     "star.msh: tets 0, 1 and 2 share one face (vertices 0, 1, 2): two at most can (counted from "
     "0)"},
    {"nan.msh",
     MSH2 "$Nodes\n5\n1 0 0 0\n2 nan 0 0\n3 0 inf 0\n4 0 0 1\n5 0 0 1e999\n$EndNodes\n"
          "$Elements\n1\n1 4 0 1 2 3 4\n$EndElements\n",
     "nan.msh: vertex 1 is at (nan, 0, 0): every coordinate must be finite (counted from 0; 2 more "
     "like it)"},
    // Legacy VTK
    {"ball.vtk", "vtk file\n",
     "ball.vtk:1: a legacy VTK file begins with '# vtk DataFile Version 3.0' or so"},
    {"ball.vtk", "# vtk DataFile Version 9.0\nt\nASCII\n",
     "ball.vtk:1: version 9 of the format is not supported; 1.0 … 5.1 are"},
    {"ball.vtk", "# vtk DataFile Version 3.0\nt\nTEXT\n",
     "ball.vtk:3: found 'TEXT' instead of ASCII or BINARY"},
    {"ball.vtk", "# vtk DataFile Version 3.0\nt\nASCII\nDATASET STRUCTURED_POINTS\n",
     "ball.vtk:4: dataset 'STRUCTURED_POINTS' cannot be simulated; UNSTRUCTURED_GRID and POLYDATA "
     "can"},
    {"ball.vtk", VTK "POINTS 4 quad\n",
     "ball.vtk:5: found 'quad' instead of a number type, such as float or int"},
    {"ball.vtk", VTK "POINTS 400 float\n0 0 0\n",
     "ball.vtk:5: 1200 numbers should follow, but the file ends after 7 bytes"},
    {"ball.vtk", VTK "POINTS 2 float\n0 0 0 1 0 x\n",
     "ball.vtk:6: found 'x' instead of a coordinate"},
    {"ball.vtk", VTK POINTS4 POINTS4, "ball.vtk:7: POINTS occur a second time"},
    {"ball.vtk", VTK POINTS4 "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 2\n10 10\n",
     "ball.vtk:9: 2 cell types are announced, but the number of cells is 1"},
    {"ball.vtk", VTK POINTS4 "CELLS 1 5\n5 0 1 2 3\n",
     "ball.vtk:8: cell 0 goes past the 5 numbers announced for the cells"},
    {"ball.vtk", VTK POINTS4 "CELLS 1 6\n4 0 1 2 3 0\n",
     "ball.vtk:8: the cells take 5 numbers, but 6 were announced"},
    {"ball.vtk", VTK POINTS4 "CELLS 1 5\n4 0 1 2 4\nCELL_TYPES 1\n10\n",
     "ball.vtk: cell 0 (counted from 0) refers to point 4, but the 4 points are numbered from 0"},
    {"ball.vtk", VTK POINTS4 "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n12\n",
     "ball.vtk: cell 0 (counted from 0) has VTK type 12: only tetrahedra and triangles (types 10 "
     "and 5, also polygons) can be simulated"},
    {"ball.vtk", VTK POINTS4 "CELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n10\n",
     "ball.vtk: cell 0 (counted from 0) has VTK type 10 and so needs 4 points, not 3"},
    {"ball.vtk", VTK POINTS4 "CELL_DATA 3\n",
     "ball.vtk:7: data are announced for 3 cells, but there are 0"},
    {"ball.vtk",
     VTK POINTS4 "CELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n5\nCELL_DATA 1\nSCALARS label int\n7\n"
                 "CELLS 1 4\n3 1 2 3\n",
     "ball.vtk:14: cells must come before their labels"},
    {"ball.vtk", VTK POINTS4 "SURFACE 3\n",
     "ball.vtk:7: found 'SURFACE' instead of a keyword such as POINTS or CELLS"},
    {"ball.vtk",
     "# vtk DataFile Version 5.1\nt\nASCII\nDATASET POLYDATA\n" POINTS4
     "POLYGONS 3 6\nOFFSETS vtktypeint64\n0 4 3\nCONNECTIVITY vtktypeint64\n0 1 2 0 2 3\n",
     "ball.vtk:11: offset 2 is 3: offsets must not fall and end at the 6 numbers of the "
     "connectivity"},
    {"ball.vtk", "# vtk DataFile Version 3.0\nt\nBINARY\nDATASET POLYDATA\nPOINTS 2 float\nabcdefg",
     "ball.vtk: byte 68: 6 numbers should follow, but the file ends after 7 bytes"},
    // VTU
    {"ball.vtu", "<?xml version=\"1.0\"?>\n",
     "ball.vtu:2: a VTU file needs the tag <VTKFile type=\"UnstructuredGrid\">"},
    {"ball.vtu", "<VTKFile type=\"PolyData\">\n",
     "ball.vtu:1: a VTKFile of type 'PolyData' cannot be read, UnstructuredGrid can"},
    {"ball.vtu", "<VTKFile type=\"UnstructuredGrid\" compressor=\"vtkLZ4DataCompressor\">\n",
     "ball.vtu:1: compressor 'vtkLZ4DataCompressor' is not known: write the file with "
     "vtkZLibDataCompressor or uncompressed"},
    {"ball.vtu", VTU "<Piece NumberOfPoints=\"-1\" NumberOfCells=\"1\">\n",
     "ball.vtu:3: NumberOfPoints=\"-1\" must be a number in 0 … 400000000"},
    {"ball.vtu", VTU "<Piece NumberOfPoints=3>\n",
     "ball.vtu:3: the value of an attribute must be in quotes"},
    {"ball.vtu", VTU "<Piece NumberOfPoints=\"3\"\n",
     "ball.vtu:3: the tag <Piece is not closed by >"},
    {"ball.vtu", VTU "<!-- never closed\n", "ball.vtu:3: a comment or declaration is not closed"},
    {"ball.vtu", PIECE POINTS3 "</Piece>\n",
     "ball.vtu:3: the piece has no array 'offsets' in <Cells>"},
    {"ball.vtu", PIECE "<Points><DataArray type=\"Float64\" format=\"ascii\">0</DataArray>",
     "ball.vtu:4: points need NumberOfComponents=\"3\", not 1"},
    {"ball.vtu",
     PIECE "<Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" "
           "format=\"ascii\">0 0 0 1 0 0 0 1 0 5</DataArray>",
     "ball.vtu:4: '5' follows the 9 numbers that the array must hold"},
    {"ball.vtu",
     PIECE "<Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" "
           "format=\"xml\">0 0 0</DataArray>",
     "ball.vtu:4: format=\"xml\" must be ascii, binary or appended"},
    {"ball.vtu",
     PIECE "<Points>\n<DataArray type=\"Float64\" NumberOfComponents=\"3\" "
           "format=\"binary\">SAAAAA!!</DataArray>",
     "ball.vtu:5: the data of the array are cut off, or not encoded as announced"},
    {"ball.vtu",
     PIECE "<Points>\n<DataArray type=\"Float64\" NumberOfComponents=\"3\" "
           "format=\"binary\">BAAAAAAAAAA=</DataArray>",
     "ball.vtu:5: the array holds 4 bytes where 72 are needed"},
    {"ball.vtu",
     PIECE "<Points>\n<DataArray type=\"Float64\" NumberOfComponents=\"3\" "
           "format=\"appended\" offset=\"7\"/></Points>",
     "ball.vtu:5: offset 7 lies past the 0 bytes of appended data"},
    {"ball.vtu",
     PIECE POINTS3 "<Cells>" ARRAY("Int32", "offsets", "3") ARRAY("Int32", "connectivity", "0 1 7")
         ARRAY("UInt8", "types", "5") "</Cells>",
     "ball.vtu: cell 0 (counted from 0) refers to point 7, but the 3 points are numbered from 0"},
    {"ball.vtu", PIECE POINTS3 "<Cells>" ARRAY("Int32", "offsets", "-3"),
     "ball.vtu:6: the last offset is -3: it must be the number of point numbers in the "
     "connectivity"},
    {"ball.vtu",
     PIECE POINTS3 "<Cells>" ARRAY("Int32", "offsets", "2000000000")
         ARRAY("Int32", "connectivity", "0 1 2"),
     "ball.vtu:7: the array 'connectivity' must hold 2000000000 numbers, for which its 5 bytes are "
     "too few"},
    {"bomb.vtu",
     "<VTKFile type=\"UnstructuredGrid\" compressor=\"vtkZLibDataCompressor\">\n"
     "<Piece NumberOfPoints=\"1000000\" NumberOfCells=\"1\">\n<Points>\n"
     "<DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"binary\">"
     // one block of 24000000 bytes in 4 compressed ones
     "AQAAAAA2bgEANm4BBAAAAHicAwA=</DataArray>",
     "bomb.vtu:4: the array claims 24000000 bytes out of 4 compressed ones, which is more than "
     "zlib can do"},
    // OBJ
    {"ball.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n",
     "ball.obj: holds no tetrahedra and no triangles: there is nothing to simulate"},
    {"ball.obj", "v 0 0\n", "ball.obj:1: a vertex needs three coordinates, this one has 2"},
    {"ball.obj", "v 0 0 up\n", "ball.obj:1: found 'up' instead of a coordinate"},
    {"ball.obj", "v 0 0 0\nv 1 0 0\nf 1 2\n",
     "ball.obj:3: a face needs three corners at least, this one has 2"},
    {"ball.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n\nf 1 2 4\n",
     "ball.obj:5: a face refers to vertex 4, but 3 vertices stand above it, counted from 1 (or -1 "
     "for the last)"},
    {"ball.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n",
     "ball.obj:4: a face refers to vertex 0, but 3 vertices stand above it, counted from 1 (or -1 "
     "for the last)"},
    {"ball.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -1 -2 -4\n",
     "ball.obj:4: a face refers to vertex -4, but 3 vertices stand above it, counted from 1 (or -1 "
     "for the last)"},
    {"ball.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf a/1 2 3\n",
     "ball.obj:4: found 'a/1' instead of a vertex number"},
    {"ball.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 2\nf 2 2 1\n",
     "ball.obj: triangle 0 has vertex 1 twice: its corners must differ (counted from 0; 1 more "
     "like it)"},
    {"line.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n",
     "line.obj: triangle 0 (vertices 0, 1, 2) is degenerate: twice its area must be at least 1e-09 "
     "of its longest edge squared (counted from 0)"},
    {"twice.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 3 2 1\n",
     "twice.obj: triangles 0 and 1 have the same vertices (counted from 0)"},
    // STL
    {"ball.stl", "not an STL file",
     "ball.stl: byte 0: an STL file begins with 'solid' or with 84 bytes of header"},
    {"ball.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0\nendloop\n",
     "ball.stl:6: found 'endloop' instead of a coordinate"},
    {"ball.stl", "solid a\nfacet\n", "ball.stl:3: the file ends where normal should be"},
    {"ball.stl", "solid a\nface normal 0 0 1\n",
     "ball.stl:2: found 'face' instead of facet or endsolid"},
    {"ball.stl", "solid a\n", "ball.stl:2: the file ends where facet or endsolid should be"},
    {"ball.stl", "solid a\nendsolid a\n",
     "ball.stl: holds no tetrahedra and no triangles: there is nothing to simulate"},
    {"ball.stl", "solid a\nendsolid a\nfacet\n", "ball.stl:3: found 'facet' instead of solid"},
    {"ball.stl",
     "0123456789012345678901234567890123456789012345678901234567890123456789012345678."
     "\x7f\x01\x01\x01rest",
     "ball.stl: byte 80: 16843135 triangles are announced, which take 842156834 bytes, but the "
     "file has 88: it is truncated or not STL"},
};

static void every_broken_file_gets_its_message(void **state) {
  (void)state;
  for (int i = 0; i < ST_LENGTH(broken); i++) {
    StMesh *mesh = NULL;
    StError error = {0};
    StStatus status = st_mesh_parse(broken[i].name, broken[i].content, strlen(broken[i].content),
                                    NULL, &mesh, &error);
    if (status != ST_BAD_INPUT || strcmp(error.text, broken[i].message) != 0)
      print_message("entry %d: %s\n", i, broken[i].content);
    assert_int_equal(status, ST_BAD_INPUT);
    assert_string_equal(error.text, broken[i].message);
    assert_null(mesh);
  }
}

// Types are as many as the cells before them; those of cells that follow need more room.
static void cells_follow_types(void **state) {
  (void)state;
  char data[600] = VTK POINTS4 "CELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n5\nPOLYGONS 12 48\n";
  for (int i = 0; i < 12; i++)
    strcat(data, "3 1 2 3\n");
  StMesh *mesh = NULL;
  StError error = {0};
  assert_int_equal(st_mesh_parse("a.vtk", data, strlen(data), NULL, &mesh, &error), ST_BAD_INPUT);
  assert_non_null(strstr(error.text, "triangles 1 and 2 have the same vertices")); // all were read
}

static void stl_tails_are_bounded(void **state) {
  (void)state;
  char data[84 + 50] = {0};
  StMesh *mesh = NULL;
  StError error = {0};
  data[80] = 2;
  assert_int_equal(st_mesh_parse("a.stl", data, sizeof data, NULL, &mesh, &error), ST_BAD_INPUT);
  assert_string_equal(error.text,
                      "a.stl: byte 80: 2 triangles are announced, which take 184 bytes, but the "
                      "file has 134: it is truncated or not STL");
}

// A good file cut anywhere is refused or read, never trusted beyond its end.
static void every_cut_of_every_good_file_is_survived(void **state) {
  (void)state;
  static const char *const name[] = {"two_tets-22-text.msh",
                                     "two_tets-22-binary.msh",
                                     "two_tets-41-binary.msh",
                                     "two_tets-51-binary.vtk",
                                     "two_tets-appended-zlib-64-raw-big.vtu",
                                     "sheets.stl"};
  for (int i = 0; i < ST_LENGTH(name); i++) {
    char path[512], *data;
    size_t size;
    snprintf(path, sizeof path, "%s/meshes/%s", TEST_DATA, name[i]);
    assert_int_equal(st_file_read(path, &data, &size, NULL), ST_OK);
    for (size_t cut = 0; cut < size; cut++) {
      char *copy = malloc(cut ? cut : 1); // exactly as large, so that a sanitizer sees one too far
      memcpy(copy, data, cut);
      StMesh *mesh = NULL;
      if (st_mesh_parse(name[i], copy, cut, NULL, &mesh, NULL) == ST_OK)
        st_mesh_destroy(mesh);
      free(copy);
    }
    free(data);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_broken_file_gets_its_message),
      cmocka_unit_test(cells_follow_types),
      cmocka_unit_test(stl_tails_are_bounded),
      cmocka_unit_test(every_cut_of_every_good_file_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
