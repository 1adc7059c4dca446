// Several processes that read one scene: each makes its share of the meshes, and each machine gets
// one copy of them all. The rest of a scene is small, and every process reads it by itself.
#include "scene/parts.h"

#include "base/memory.h"
#include "base/text.h"
#include "mesh/parcel.h"
#include "solve/machine.h"
#include "solve/runtime.h"

#include <string.h>

StStatus st_scene_agree(StReader *reader, StStatus status) {
  if (!reader->together || reader->stopped)
    return status;
  status = st_runtime_agree(status, reader->error);
  reader->stopped = status != ST_OK;
  return status;
}

// Data that a process sends to all: its meshes, and the messages about them.
typedef struct Gift {
  int count;
  StMesh **mesh; // [count]
  StText said;
  int making; // index of the mesh that is being made
} Gift;

// A message about a mesh, as it is stored: this header, then the text and a 0.
typedef struct Remark {
  int mesh, level;
} Remark;

static void keep_remark(void *context, StLevel level, const char *text) {
  Gift *gift = context;
  Remark remark = {gift->making, level};
  st_text_add_bytes(&gift->said, &remark, sizeof remark);
  st_text_add_bytes(&gift->said, text, strlen(text) + 1);
}

// Passes on what was said about one mesh.
static void pass_on(const StReader *reader, int mesh, const char *at, const char *end) {
  for (Remark remark; at < end; at += strlen(at) + 1) {
    memcpy(&remark, at, sizeof remark);
    at += sizeof remark;
    if (remark.mesh == mesh)
      st_log(reader->log, (StLevel)remark.level, "%s", at);
  }
}

// Laid out as: the size of the parcel, the parcel, the remarks.
enum { HEAD = 64 };

static size_t gift_size(const Gift *gift) {
  return HEAD + st_parcel_size(gift->mesh, gift->count) + gift->said.length;
}

static void wrap(void *context, char *bytes) {
  const Gift *gift = context;
  size_t parcel = st_parcel_size(gift->mesh, gift->count), said = gift->said.length;
  memcpy(bytes, &parcel, sizeof parcel);
  memcpy(bytes + sizeof parcel, &said, sizeof said);
  st_parcel_pack(gift->mesh, gift->count, bytes + HEAD);
  if (said)
    memcpy(bytes + HEAD + parcel, gift->said.data, said);
}

// Takes the meshes of one process; made: [count] scratch.
static StStatus unwrap(StReader *reader, const StMeshMakers *makers, int rank, char *bytes,
                       StMesh **mesh, StMesh **made) {
  int count = 0;
  for (int i = 0; i < makers->count; i++)
    count += makers->rank[i] == rank;
  memset(made, 0, (size_t)makers->count * sizeof *made);
  ST_TRY(st_parcel_unpack(bytes + HEAD, count, made, reader->error));
  for (int i = 0; i < makers->count; i++)
    if (makers->rank[i] == rank)
      mesh[i] = *made++;
  return ST_OK;
}

static void pass_all_on(const StReader *reader, const StMeshMakers *makers, const char *bytes,
                        const size_t *offset) {
  for (int i = 0; i < makers->count; i++) {
    const char *from = bytes + offset[makers->rank[i]];
    size_t parcel, said;
    memcpy(&parcel, from, sizeof parcel);
    memcpy(&said, from + sizeof parcel, sizeof said);
    pass_on(reader, i, from + HEAD + parcel, from + HEAD + parcel + said);
  }
}

static StStatus exchange(StReader *reader, const StMeshMakers *makers, Gift *gift, StMesh **mesh) {
  StShared *shared = NULL;
  size_t *offset = NULL, size = gift_size(gift);
  StStatus status = st_machine_share(size, wrap, gift, &shared, &offset, reader->error);
  reader->stopped = status != ST_OK; // on every process
  ST_TRY(status);
  st_description_keep(reader->description, shared);
  for (int i = 0; i < makers->count; i++) {
    st_mesh_destroy(mesh[i]);
    mesh[i] = NULL;
  }
  st_give_back(size);
  for (int r = 0; r < st_runtime_size() && status == ST_OK; r++)
    status = unwrap(reader, makers, r, shared->bytes + offset[r], mesh, gift->mesh);
  pass_all_on(reader, makers, shared->bytes, offset);
  free(offset);
  return status;
}

static StStatus make_own(StReader *reader, const StMeshMakers *makers, Gift *gift, StMesh **mesh) {
  for (int i = 0; i < makers->count; i++) {
    if (reader->together && makers->rank[i] != st_runtime_rank())
      continue;
    gift->making = i;
    ST_TRY(makers->make(reader, makers->context, i, &mesh[i]));
    if (reader->together)
      gift->mesh[gift->count++] = mesh[i];
  }
  return gift->said.failed ? st_fail_memory(reader->error) : ST_OK;
}

StStatus st_scene_make_meshes(StReader *reader, const StMeshMakers *makers, StStatus status,
                              StMesh **mesh) {
  const StLog *log = reader->log;
  Gift gift = {.mesh = ST_NEW(StMesh *, makers->count)};
  StLog remarks = {keep_remark, &gift};
  if (status == ST_OK && !gift.mesh)
    status = st_fail_memory(reader->error);
  if (reader->together)
    reader->log = &remarks;
  if (status == ST_OK)
    status = make_own(reader, makers, &gift, mesh);
  reader->log = log;
  status = st_scene_agree(reader, status);
  if (status == ST_OK && reader->together)
    status = exchange(reader, makers, &gift, mesh);
  free(gift.mesh);
  st_text_free(&gift.said);
  return status;
}

StStatus st_scene_make_mesh(StReader *reader, StMakeMesh *make, void *context, StMesh **mesh) {
  return st_scene_make_meshes(reader, &(StMeshMakers){1, (int[]){0}, make, context}, ST_OK, mesh);
}
