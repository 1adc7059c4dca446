# The mesh command: makes every shape, reads back what it wrote, refuses nonsense.
. "$STICTION_SOURCE/tests/app/tools.sh"

for shape in box sphere hollow_ball cylinder capsule tube torus sheet bowl hollow_box; do
  for fill in solid surface; do
    expect 0 "$stiction" mesh make $shape --$fill
    cp stdout.txt described.txt
    expect 0 "$stiction" mesh make $shape --$fill -o $shape-$fill.vtu
    says stdout.txt "written to $shape-$fill.vtu"
    expect 0 "$stiction" mesh inspect $shape-$fill.vtu
    diff described.txt stdout.txt || fail "$shape as $fill reads back otherwise"
    [ ! -s stderr.txt ] || fail "$shape as $fill reads back with warnings"
  done
done

# described TEXT ARGUMENTS…: what make says
described() {
  local text=$1
  shift
  expect 0 "$stiction" mesh make "$@"
  says stdout.txt "$text"
}
described "extent         x -0.02 to 0.02" sphere --radius 2cm --edge 5mm
described "extent         x -0.12 to 0.12" torus --major-radius=10cm --minor_radius 2cm --surface
described "tets           10" box --size_x 2 --cells_x 2 --cells_y 1 --cells_z 1
described "volume         0.05 m^3" sheet --solid --pattern uniform
described "closed         no" sheet

expect 0 "$stiction" mesh convert box-solid.vtu copy.vtu
cmp box-solid.vtu copy.vtu
expect 0 "$stiction" mesh inspect box-solid.vtu
cp stdout.txt described.txt
for ending in msh vtk; do
  expect 0 "$stiction" mesh convert box-solid.vtu box.$ending
  expect 0 "$stiction" mesh inspect box.$ending
  diff described.txt stdout.txt || fail "$ending loses something"
done
for ending in obj stl; do
  expect 0 "$stiction" mesh convert sphere-surface.vtu sphere.$ending
  expect 0 "$stiction" mesh inspect sphere.$ending
  says stdout.txt "closed         yes, around 0.5148"
  says stdout.txt "consistent, outward"
done

# refused TEXT ARGUMENTS…
refused() {
  local text=$1
  shift
  expect 2 "$stiction" mesh "$@"
  says stderr.txt "$text"
  [ ! -s stdout.txt ] || fail "mesh $* prints and fails"
}
refused "there is no shape 'sphre'; did you mean 'sphere'?" make sphre
refused "there is no shape 'qqqqqqqqqq'; there are box, sphere" make qqqqqqqqqq
refused "there is no option --raduis; did you mean --radius?" make sphere --raduis 1
refused "--radius: \"2kg\" is a mass; a length is needed" make sphere --radius 2kg
refused "radius is -1 m; it must be finite and more than 0 m" make sphere --radius -1
refused "--cells: 'two' is not a whole number" make sphere --cells two
refused "--pattern: there is no 'unifrom'; did you mean 'uniform'?" make sheet --pattern unifrom
refused "cannot be combined" make box --solid --surface
refused "at most 50 million are made" make box --edge 1um
refused "--radius needs a value" make sphere --radius
refused "'twice' is an unexpected argument" make sphere twice
refused "make needs a shape" make
refused "one of make, fill, inspect, convert is needed"
refused "'melt' is none of make, fill, inspect, convert" melt
refused "inspect needs a file" inspect
refused "convert needs two files" convert one.msh
refused "missing.vtu" inspect missing.vtu
refused "ball.xyz" make sphere -o ball.xyz
expect 3 "$stiction" mesh make sphere -o none/ball.vtu
says stderr.txt "none/ball.vtu"

# A mesh that no scene takes is described all the same, with every kind of defect.
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 2 0 0\nf 1 2 3\nf 1 2 4\nf 3 2 1\nf 1 1 3\n' >defects.obj
expect 2 "$stiction" mesh inspect defects.obj
says stdout.txt "triangles      4"
says stdout.txt "extent         x 0 to 2, y 0 to 1, z 0 to 0 m"
says stdout.txt "defects        defects.obj: triangle 3 has vertex 0 twice"
says stdout.txt "               defects.obj: triangle 1 (vertices 0, 1, 3) is degenerate"
says stdout.txt "               defects.obj: triangles 0 and 2 have the same vertices"
says stderr.txt "defects.obj: scenes refuse this mesh because of its defects"
refused "defects.obj: triangle 3 has vertex 0 twice" convert defects.obj other.obj
