# VTK itself reads the frames of a run and the mesh of a shape, and finds the expected contents.
. "$STICTION_SOURCE/tests/app/tools.sh"
check() { /usr/bin/python3 "$STICTION_SOURCE/tests/mesh/read_with_vtk.py" "$@"; }

scene bar.json 0.2
expect 0 "$stiction" run bar.json --out run
check run/frames/frame_00010.vtu points=81 tets=160 triangles=0 time=0.2 \
  point_array=velocity:3:float point_array=force_solid:3:float cell_array=stress:6:float
check run/frames/frame_00000.vtu points=81 volume=0.004 time=0

# The frames that the list names are the ones that are there.
grep -o 'file="[^"]*"' run/bar.pvd | cut -d'"' -f2 >listed.txt
(cd run && ls frames/*.vtu) | cmp - listed.txt || fail "the list of frames is wrong"

expect 0 "$stiction" mesh make box --size_x 2 --size_y 1 --size_z 1 --edge 0.5 -o box.vtu
check box.vtu volume=2
