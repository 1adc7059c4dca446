// `stiction mesh fill`: from a surface to tets.
#pragma once

// argv[0] is "fill". Returns an exit code.
int st_mesh_fill_run(int argc, char **argv);
