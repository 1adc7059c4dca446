// Skins: all points, edges and triangles that contact by primitives can involve, of bodies and of
// rigid obstacles. Vertices are numbered as *places*: first the piece's, then those of obstacles. A
// cylinder is replaced by a circumscribed prism. Half-spaces have no skin: contact/core/obstacle.h
// has their distance in closed form.
#pragma once

#include "model/piece.h"

enum { ST_SKINS_AT_ONCE = 64 }; // skins per task of a thread

typedef struct StSkin {
  int body, obstacle; // one of them is -1
  double radius;      // m, around all features of a sphere or a capsule; otherwise 0
  bool curved;        // its flat faces approximate a curved surface: all edges between them count
  bool closed;        // every edge has two triangles
  bool whole;         // every vertex is known on this rank
  double grain;       // m², its area per point
  double rim_grain;   // m², the same of the points that are not amid flat faces
  double area;        // m², of its points
  // Its features, consecutive in the arrays of all skins.
  int first_point, point_count;
  int first_edge, edge_count;
  int first_triangle, triangle_count;
} StSkin;

typedef struct StSkins {
  const StDescription *description;
  StCrew *crew;     // the piece's
  int owned_count;  // places below are this rank's vertices, …
  int vertex_count; // … those from here on are rigid
  int place_count;
  double *rest;   // [place_count][3] at rest, in the world
  int *point;     // [place_count] the point at this place; -1: none
  int *around;    // [place_count + 1] where a place's neighbours along edges begin in …
  int *neighbour; // … this list; sorted for each place

  int skin_count;
  StSkin *skin;      // of bodies, then of obstacles
  double most_reach; // m, over all contacts of the description
  // With a list of contacts: the index of the one between two skins; -1: none. NULL: with a rule.
  int *law; // [skin_count][skin_count], symmetric

  // Areas, counts and fans are those of the whole skin, even if a rank knows only part of it.
  int point_count;
  int *point_place, *point_skin;
  double *point_area; // m², at rest, see contact/barrier/facing_area.h
  int *fan_start;     // [point_count + 1] where the triangles around a point begin in …
  int *fan;           // … this list, those known here
  bool *point_flat;   // amid a flat face of what does not bend, see st_skins_flatten

  int edge_count;
  int *edge_place;     // [edge_count][2]
  int *edge_skin;      // [edge_count]
  double *edge_area;   // m², a third of its triangles' at rest
  double *edge_length; // m, at rest
  int *edge_triangle;  // [edge_count][2] the first two known on this rank; -1: none
  int *edge_adjacent;  // [edge_count] number of triangles; 0: edge of a capsule

  int triangle_count;
  int *triangle_place; // [triangle_count][3]
  int *triangle_edge;  // [triangle_count][3] from corner i to the next
  int *triangle_skin;  // [triangle_count]
} StSkins;

// Creates the skins of all bodies that some contact names, and of such obstacles with edges or a
// radius. A body that this rank knows only in part has contacts with obstacles alone, with that
// part.
StStatus st_skins_create(const StDescription *description, const StPiece *piece, StSkins **skins,
                         StError *error);
void st_skins_destroy(StSkins *skins); // NULL is fine

// The skin of an obstacle; -1: none.
int st_skins_of_obstacle(const StSkins *skins, int obstacle);

// Fills the rows of rigid places in arrays [place_count][3]. velocity may be NULL.
void st_skins_place_rigid(const StSkins *skins, double time, double *position, double *velocity);

// Sharpness of edges, from the angle between their triangles: 0 where flat, 1 from 20° on, convex
// or concave. Edges without exactly two triangles are sharp. On curved skins, all edges that are
// not flat are sharp too, because an edge that crosses such a surface has contact with it there and
// nowhere else. position: of local vertices, [vertex_count][3]. sharpness: [edge_count].
void st_skins_sharpen(const StSkins *skins, const double *position, double *sharpness);

// Marks the points of obstacles and rigid bodies that lie inside flat faces, by the sharpness of
// edges at rest. Over a plane no triangle is lower than its lowest corner, so the points of another
// skin already press wherever these could. If these pressed as well, they would push a sliding
// body to and fro, because their number below it changes.
void st_skins_flatten(StSkins *skins, const double *sharpness);

// Whether the flat faces of a skin leave it to the points of another one to press: those of
// obstacles always, those of a rigid body if the other one is smaller, so that it rests on the face
// with the same points wherever it is.
bool st_skins_yields(const StSkins *skins, int skin, int other);

// The pair (model/contact_pairs.h) of two skins, or of a skin with itself; -1: they have no
// contact.
int st_skins_law(const StSkins *skins, int a, int b);

// Activation distance of two skins with a pair, without radii; and the sum of their radii.
double st_skins_reach(const StSkins *skins, int a, int b);
double st_skins_radii(const StSkins *skins, int a, int b);

// Whether two places of a skin are the same, neighbours, or share a neighbour.
bool st_skins_within_two_rings(const StSkins *skins, int a, int b);
