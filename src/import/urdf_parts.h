// Types and functions shared by the files of the import of robots.
#pragma once

#include "base/json_text.h"
#include "import/urdf.h"
#include "import/xml_tree.h"
#include "mesh/mesh.h"

// From coordinates of a frame to those of the world, or of another frame.
typedef struct StUrdfPose {
  double matrix[9], place[3];
} StUrdfPose;

typedef enum StUrdfShape {
  ST_URDF_BOX,
  ST_URDF_CYLINDER,
  ST_URDF_SPHERE,
  ST_URDF_MESH
} StUrdfShape;

typedef struct StUrdfGeometry {
  StUrdfShape shape;
  StUrdfPose pose; // in the link's frame
  double size[3];  // of a box; radius and length; scale of a mesh
  char *mesh;      // path
  int link;
} StUrdfGeometry;

typedef struct StUrdfLink {
  char *name;
  StUrdfPose world;   // at rest
  int body;           // the link whose body it belongs to: itself, or one above it
  int joint;          // the one to the link above; -1: the root
  double mass;        // 0: not given
  double centre[3];   // of mass, in the world
  double inertia[9];  // about it, along the world's axes
  bool has_geometry;  // …
  bool body_has_some; // of the body that has this number
} StUrdfLink;

typedef struct StUrdfJoint {
  char *name, *type;
  int node; // of the tree
  int parent, child;
  double axis[3]; // in the child's frame
} StUrdfJoint;

typedef struct StUrdf {
  const char *path, *folder; // of the robot's file, and the folder of the new scene
  const StLog *log;
  StText *notes;
  StXmlTree tree;
  StUrdfLink *link;
  StUrdfJoint *joint;
  StUrdfGeometry *geometry;
  size_t link_capacity, joint_capacity, geometry_capacity;
  int link_count, joint_count, geometry_count;
} StUrdf;

// urdf_read.c
StStatus st_urdf_read(StUrdf *urdf, StError *error);
void st_urdf_free(StUrdf *urdf);
StStatus st_urdf_fail(const StUrdf *urdf, int node, StError *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// urdf_body.c
StStatus st_urdf_write_bodies(StUrdf *urdf, StJsonOut *out, StError *error);

// x = pose(y): to the frame that the pose leads to.
void st_urdf_pose_apply(const StUrdfPose *pose, const double y[3], double x[3]);
StUrdfPose st_urdf_pose_chain(const StUrdfPose *first, const StUrdfPose *then); // then ∘ first
void st_urdf_pose_turn_matrix(const StUrdfPose *pose, const double m[9],
                              double turned[9]); // R m Rᵀ
