# Scenes of PolyFEM become scenes that run, and what is lost is listed.
. "$STICTION_SOURCE/tests/app/tools.sh"

mkdir meshes sub
expect 0 "$stiction" mesh make box --size_x 1 --size_y 1 --size_z 1 --cells_x 2 --cells_y 2 --cells_z 2 --out meshes/cube.msh
expect 0 "$stiction" mesh make sheet --width 1 --length 1 --cells_x 1 --cells_y 1 --out meshes/plane.obj

cat >sub/common.json <<'JSON'
{ "contact": { "enabled": true, "dhat": 0.002 }, "solver": {}, "time": { "tend": 9, "dt": 0.02 } }
JSON
cat >sub/base.json <<'JSON'
{
  "common": "common.json",
  "geometry": [
    { "mesh": "../meshes/cube.msh", "volume_selection": 1,
      "transformation": { "translation": [0, 0.511, 0], "rotation": [90, 0, 90], "rotation_mode": "zyx" } },
    { "mesh": "../meshes/cube.msh", "volume_selection": 2,
      "surface_selection": [
        { "id": 5, "axis": "-x", "position": 0.01, "relative": true },
        { "id": 6, "axis": 1, "position": 4.45 }
      ],
      "transformation": { "scale": [1, 0.5, 0.5], "translation": [4, 3, 0] } },
    { "type": "mesh_array", "mesh": "../meshes/cube.msh", "volume_selection": 1,
      "array": { "offset": 1.5, "relative": true, "size": [2, 1, 2] },
      "transformation": { "dimensions": [0.5, 0.5, 0.5], "translation": [-4, 2, 0] } },
    { "mesh": "../meshes/plane.obj", "is_obstacle": true, "surface_selection": 1000,
      "transformation": { "rotation": [-90, 0, 0], "dimensions": [20, 20, 0] } },
    { "mesh": "../meshes/cube.msh", "is_obstacle": true, "surface_selection": 1001,
      "transformation": { "translation": [0, -3, 7] } },
    { "type": "ground", "height": -9, "is_obstacle": true }
  ],
  "boundary_conditions": {
    "rhs": [0, "2 * 4.905", 0],
    "dirichlet_boundary": [
      { "id": 5, "value": [0, 0, 0] },
      { "id": 6, "value": [0, "0.2*(1-cos(pi*t))", 0], "dimension": [true, true, false] }
    ],
    "neumann_boundary": [ { "id": 6, "value": [0, 0, "10 * t"] } ],
    "obstacle_displacements": [
      { "id": 1001, "value": [
        "rotate_2D_x(x - 0.25, y + 3, pi * t / 2) - (x - 0.25)",
        "rotate_2D_y(x - 0.25, y + 3, pi * t / 2) - (y + 3)", 0 ] }
    ]
  },
  "contact": { "friction_coefficient": 0.3, "epsv": 1e-3 },
  "initial_conditions": { "velocity": [ { "id": 1, "value": [0.5, 0, 0] } ] },
  "materials": [
    { "id": 1, "type": "NeoHookean", "E": 1e6, "nu": 0.4, "rho": 1000 },
    { "id": 2, "type": "SaintVenant", "lambda": 4e5, "mu": 4e5, "rho": "2 * 600" }
  ],
  "output": { "paraview": { "skip_frame": 5 } }
}
JSON
cat >sub/scene.json <<'JSON'
{ "common": "base.json", "time": { "tend": 0.2, "integrator": "BDF2" },
  "patch": [ { "op": "replace", "path": "/materials/0/E", "value": 2e6 },
             { "op": "add", "path": "/space", "value": { "discr_order": [ { "id": 2, "order": 2 } ] } } ] }
JSON

expect 0 "$stiction" import sub/scene.json --out made/scene.json
says stderr.txt "not carried over:"
says stderr.txt "contact.epsv"
scene=made/scene.json
says $scene '"mesh": "../meshes/cube.msh"'
says $scene '"material 1": { "law": "neo_hookean", "density": 1000, "young": 2000000, "poisson": 0.4 }'
says $scene '"material 2": { "law": "stvk", "density": 1200, "young": 1000000, "poisson": 0.25 }'
says $scene '"rotate": [{ "axis": [0, 0, 1], "angle": "90 deg" }, { "axis": [1, 0, 0], "angle": "90 deg" }]'
says $scene '"gravity": [0, -9.81, 0]'
says $scene '"cube-6"'
says $scene '"translate": [-3.25, 2, 0.75]' # the last copy of the array
says $scene '"order": 2'
says $scene '"hold": ["x", "y"]'
says $scene '"motion": { "translate": [0, "0.2*(1-cos(pi*t))", 0] }'
says $scene '"traction": [0, 0, "10 * t"]'
says $scene '"axis": [0, 0, 1], "centre": [0.25'
says $scene '"spin": 1.570796326794'
says $scene '"type": "half_space", "point": [0, -9, 0], "normal": [0, 1, 0]'
says $scene '"friction": [{ "between": "any", "dynamic": 0.3 }]'
says $scene '"contact": { "thickness": 0.002 }'
says $scene '"time": { "duration": 0.2, "step": 0.02, "frame_rate": 10 }'
says $scene '"integrator": "bdf2"'
expect 0 "$stiction" check $scene
says stdout.txt "25 vertices, x y z held" # the end of a bar of 2 × 2 cells, with the nodes on edges
expect 0 "$stiction" run $scene --out run --quiet --strict

# Without "time" a scene is static: a cube is pulled to its place along the path of loads.
cat >sub/static.json <<'JSON'
{ "geometry": [ { "mesh": "../meshes/cube.msh", "surface_selection": [
    { "id": 1, "axis": "-y", "position": -0.49 }, { "id": 2, "axis": "y", "position": 0.49 } ] } ],
  "boundary_conditions": { "dirichlet_boundary": [ { "id": 1, "value": [0, 0, 0] }, { "id": 2, "value": [0, 0.1, 0] } ] },
  "materials": { "type": "NeoHookean", "E": 1e5, "nu": 0.3, "rho": 1000 } }
JSON
expect 0 "$stiction" import sub/static.json --out made/static.json
says made/static.json '"analysis": "static"'
expect 0 "$stiction" run made/static.json --out still --quiet --strict
python3 - <<'PYTHON'
import csv
row = list(csv.DictReader(open("still/history.csv")))[-1]
pull = [float(value) for key, value in row.items() if key.startswith("reaction_y(")]
assert len(pull) == 2 and abs(sum(pull)) < 1e-6 * abs(pull[0]), pull  # nothing else acts
assert 1e4 < max(pull) < 1.3e4, pull  # E A strain, and what the held ends add
PYTHON

# Without --out the scene goes to standard output.
expect 0 "$stiction" import sub/scene.json
says stdout.txt '"mesh": "meshes/cube.msh"'

# What cannot be imported: the file, the key, and why.
printf '{ "geometry": [ { "mesh": "none.msh" } ], "time": { "tend": 1, "dt": 0.1 } }' >bad.json
expect 2 "$stiction" import bad.json
says stderr.txt "bad.json: geometry[0].mesh: none.msh"
printf '{ "geometry": [ { "mesh": "meshes/plane.obj" } ], "time": { "tend": 1, "dt": 0.1 } }' >bad.json
expect 2 "$stiction" import bad.json
says stderr.txt "has no tetrahedra"
printf '{ "geometry": [ { "mesh": "meshes/cube.msh" } ], "time": { "dt": 0.1 } }' >bad.json
expect 2 "$stiction" import bad.json
says stderr.txt "time: two of"
printf '{ "common": "bad.json", "geometry": [] }' >bad.json
expect 2 "$stiction" import bad.json
says stderr.txt "leads to more than"
printf '{ "geometry": [ { "mesh": "meshes/cube.msh" } ' >bad.json
expect 2 "$stiction" import bad.json
says stderr.txt "bad.json:1:"
expect 2 "$stiction" import
expect 3 "$stiction" import sub/scene.json --out sub/scene.json/there.json
