// `stiction mesh fill`: from a surface to tets.
#ifndef ST_APP_MESH_FILL_H
#define ST_APP_MESH_FILL_H

// argv[0] is "fill". Returns an exit code.
int st_mesh_fill_run(int argc, char **argv);

#endif
