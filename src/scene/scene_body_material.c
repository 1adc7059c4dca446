// The materials of a body: "material" for its tetrahedra, or for its triangles if it has nothing
// else; "shell" for triangles beside tetrahedra; "materials" for labelled parts of either.
#include "scene/parts.h"

#include "base/memory.h"
#include "model/body.h"

int st_scene_body_material(const StBodyDesc *body) {
  return body->mesh->tet_count > 0 || body->rigid ? body->material : body->shell;
}

static const char *label_name(const void *mesh, int index) {
  return ((const StMesh *)mesh)->label_name[index];
}

static bool carries(const int *element_label, int count, int label) {
  for (int i = 0; i < count; i++)
    if (element_label[i] == label)
      return true;
  return false;
}

// The label that the key names, and whether triangles have it.
static StStatus find_label(const StReader *reader, const StJson *at, const StMesh *mesh, int *label,
                           bool *shell) {
  // The label is a key, so it is looked up through a string node.
  StJson name = *at;
  name.kind = ST_JSON_STRING;
  name.text = at->key;
  name.place = at->key_place;
  ST_TRY(st_reader_find_name(reader, &name, "label", label_name, mesh, mesh->label_count, label));
  bool tets = carries(mesh->tet_label, mesh->tet_count, *label);
  *shell = carries(mesh->triangle_label, mesh->triangle_count, *label);
  if (!tets && !*shell)
    return st_reader_fail_key(reader, at,
                              "this label is on vertices or faces of tetrahedra, which "
                              "have no material");
  if (tets && *shell)
    return st_reader_fail_key(reader, at,
                              "tetrahedra and triangles have this label, and no material is for "
                              "both; give them labels of their own");
  return ST_OK;
}

static StStatus read_labels(StReader *reader, const StJson *at, StBodyDesc *desc) {
  if (!at)
    return ST_OK;
  ST_TRY_MEMORY(desc->label_material = ST_NEW(StLabelMaterial, at->child_count), reader->error);
  for (const StJson *child = at->child; child; child = child->next) {
    StLabelMaterial *entry = &desc->label_material[desc->label_material_count];
    bool shell = false;
    ST_TRY(find_label(reader, child, desc->mesh, &entry->label, &shell));
    ST_TRY(st_scene_find_material(reader, child, shell, &entry->material));
    desc->label_material_count++;
  }
  return ST_OK;
}

static StStatus read_one(StReader *reader, const StJson *body, const char *key, const StJson *at,
                         bool shell, int *material) {
  return at ? st_scene_find_material(reader, at, shell, material)
            : st_scene_only_material(reader, body, key, shell, material);
}

static StStatus read_shell(StReader *reader, const StJson *body, const StJson *at,
                           StBodyDesc *desc) {
  bool tets = desc->mesh->tet_count > 0, triangles = st_body_shell_count(desc) > 0;
  if (at && !triangles)
    return st_reader_fail_key(reader, at, "this body has no triangles, only tetrahedra");
  if (at && !tets)
    return st_reader_fail_key(reader, at,
                              "is for the triangles of a body that has tetrahedra too; this one "
                              "has triangles only, made of its \"material\"");
  if (!triangles || !tets)
    return ST_OK;
  return read_one(reader, body, "shell", at, true, &desc->shell);
}

static StStatus check_caged(const StReader *reader, const StBodyMaterials *given) {
  const StJson *wrong = given->shell ? given->shell : given->materials;
  if (!wrong)
    return ST_OK;
  return st_reader_fail_key(reader, wrong,
                            "does not apply to a body in a cage, which is made of one material");
}

StStatus st_scene_read_body_materials(StReader *reader, const StJson *body,
                                      const StBodyMaterials *given, StBodyDesc *desc) {
  bool solid = desc->mesh->tet_count > 0;
  if (desc->mesh->cage)
    ST_TRY(check_caged(reader, given));
  ST_TRY(read_one(reader, body, "material", given->material, !solid, &desc->material));
  if (!solid || desc->mesh->cage)
    desc->shell = desc->material;
  ST_TRY(read_shell(reader, body, given->shell, desc));
  return read_labels(reader, given->materials, desc);
}
