#!/bin/sh
# The mesh command: makes every shape, reads back what it wrote, refuses nonsense with code 2.
# Usage: test_mesh_command.sh PROGRAM
set -u
program=$1
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
failures=0

fail() {
  echo "FAILED: $*" >&2
  failures=$((failures + 1))
}

# expect CODE TEXT COMMAND...: the exit code, and a piece of what is printed
expect() {
  code=$1 text=$2
  shift 2
  output=$("$program" "$@" 2>&1)
  got=$?
  [ "$got" -eq "$code" ] || fail "$* exits with $got, not $code: $output"
  case $output in
  *"$text"*) ;;
  *) fail "$* does not say '$text' but: $output" ;;
  esac
}

for shape in box sphere hollow_ball cylinder capsule tube torus sheet; do
  for fill in solid surface; do
    file=$folder/$shape-$fill.vtu
    expect 0 "written to" mesh make $shape --$fill -o "$file"
    [ -s "$file" ] || fail "$file was not written"
    "$program" mesh make $shape --$fill >"$folder/made"
    "$program" mesh inspect "$file" >"$folder/read"
    cmp -s "$folder/made" "$folder/read" ||
      fail "$shape as $fill reads back otherwise: $(diff "$folder/made" "$folder/read")"
  done
done

expect 0 "extent         x -0.02 to 0.02" mesh make sphere --radius 2cm --edge 5mm
expect 0 "around 0.000" mesh make torus --major-radius=10cm --minor_radius 2cm --surface
expect 0 "tets           10" mesh make box --size_x 2 --cells_x 2 --cells_y 1 --cells_z 1
expect 0 "closed         no" mesh make sheet
expect 0 "triangles      0" mesh make sheet --solid --pattern uniform
expect 0 "written to" mesh convert "$folder/box-solid.vtu" "$folder/copy.vtu"
cmp -s "$folder/box-solid.vtu" "$folder/copy.vtu" || fail "a converted copy differs"

expect 2 "there is no shape 'sphre'; did you mean 'sphere'?" mesh make sphre
expect 2 "there is no shape 'qqqqqqqqqq'; there are box, sphere" mesh make qqqqqqqqqq
expect 2 "there is no option --raduis; did you mean --radius?" mesh make sphere --raduis 1
expect 2 "--radius: " mesh make sphere --radius 2kg
expect 2 "a length is needed" mesh make sphere --radius 2kg
expect 2 "radius is -1 m; it must be finite and more than 0 m" mesh make sphere --radius -1
expect 2 "--cells: 'two' is no whole number" mesh make sphere --cells two
expect 2 "--pattern: there is no 'unifrom'; did you mean 'uniform'?" mesh make sheet --pattern unifrom
expect 2 "exclude each other" mesh make box --solid --surface
expect 2 "at most 50 million are made" mesh make box --edge 1um
expect 2 "--radius needs a value" mesh make sphere --radius
expect 2 "make needs a shape" mesh make
expect 2 "one of make, inspect, convert is needed" mesh
expect 2 "'melt' is none of make, inspect, convert" mesh melt
expect 2 "inspect needs a file" mesh inspect
expect 2 "convert needs two files" mesh convert one.msh
expect 2 "missing.vtu" mesh inspect "$folder/missing.vtu"
expect 3 "none/ball.vtu" mesh make sphere -o "$folder/none/ball.vtu"
expect 0 "stiction mesh make sphere" mesh --help

[ $failures -eq 0 ]
