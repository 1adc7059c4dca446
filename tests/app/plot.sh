# Plots of a run and of two in comparison, as a user makes them.
. "$STICTION_SOURCE/tests/app/tools.sh"
scene bar.json 0.2
scene bar2.json 0.2 bdf2
expect 0 "$stiction" run bar.json --out first
expect 0 "$stiction" run bar2.json --out second

expect 0 "$stiction" plot first
says stdout.txt "written to first/plot.svg"
says first/plot.svg "energy ("
says first/plot.svg "height of the centre of mass ("
says first/plot.svg "time (s)"
lacks first/plot.svg nan
/usr/bin/python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' first/plot.svg

# Both runs are named, and their lines differ.
expect 0 "$stiction" plot first --compare second --of energy,height --out both.svg
says both.svg ", first, second"
says both.svg stroke-dasharray
/usr/bin/python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' both.svg

# A column by its name, and a picture of dots.
expect 0 "$stiction" plot first second --of momentum_z,newton --out both.png
/usr/bin/python3 - both.png <<'PY'
import sys
import vtk
reader = vtk.vtkPNGReader()
reader.SetFileName(sys.argv[1])
reader.Update()
image = reader.GetOutput()
assert image.GetDimensions()[0] > 1500, image.GetDimensions()
assert image.GetScalarRange() == (0.0, 255.0), image.GetScalarRange()
PY

expect 0 "$stiction" plot first --list
says stdout.txt "kinetic_energy (J)"
says stdout.txt "  height "
lacks stdout.txt "  pressure "
expect 2 "$stiction" plot first --of heigth
says stderr.txt "did you mean 'height'?"
expect 0 "$stiction" plot first --of height --over kinetic_energy --out over.svg
expect 2 "$stiction" plot first --over kinetic_energi
says stderr.txt "--over kinetic_energi: history.csv has no such column; did you mean 'kinetic_energy'?"
expect 2 "$stiction" plot first --of pressure
says stderr.txt "this run has no pressure to plot"
expect 2 "$stiction" plot first --out plot.pdf
says stderr.txt "must end in .svg or .png"
expect 2 "$stiction" plot first --of ,
says stderr.txt "--of needs a name"
expect 0 "$stiction" plot first --of height --out new/folder/height.svg
[ -s new/folder/height.svg ] || fail "no picture in a folder that was missing"
expect 2 "$stiction" plot first first first first first
expect 2 "$stiction" plot
expect 2 "$stiction" plot .
says stderr.txt "there are runs in ./first, ./second"
expect 0 "$stiction" help plot
says stdout.txt "*energy"
