// The kind of a body. The triangles of a rigid body and those in a cage are its surface, not a
// shell.
#pragma once

#include "model/description.h"

// Whether its triangles are its surface.
bool st_body_has_surface(const StBodyDesc *body);

// Whether a body has an inside: tets, or a surface that is closed.
bool st_body_is_solid(const StBodyDesc *body);

// Triangles that are elements of a shell.
int st_body_shell_count(const StBodyDesc *body);

// Vertices of a body without the carriers of its surface, which come last.
int st_body_vertex_count(const StBodyDesc *body);

// Has the tets of the mesh's cage carry its surface.
StStatus st_body_enter_cage(StBodyDesc *body, StError *error);
