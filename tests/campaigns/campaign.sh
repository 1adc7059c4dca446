# The entry point of the campaigns, and the ones that need no numpy.
. "$STICTION_SOURCE/tests/app/tools.sh"
campaign=$STICTION_SOURCE/tests/campaigns/campaign

expect 0 "$campaign" --help
for name in random-scenes contact-cases hard-steps passages scale dense squeeze polyfem tunables; do says stdout.txt "campaign $name"; done
expect 2 "$campaign" nonsense
says stderr.txt 'there is no "nonsense"'

expect 0 "$campaign" passages --count 2 --program "$stiction" --out throws
says stdout.txt "0 of 2 passed"
expect 0 "$campaign" scale --tets 3000 --contacts 100 --bodies 4 --steps 2 --program "$stiction" --out grown
says stdout.txt "| 4 | dominoes |"
expect 0 "$campaign" dense --layers 100 --folded 500 --slabs 8 --stack 2 --one 4 --held 6 --held-rigid 6 --heap 8 --steps 2 \
  --program "$stiction" --out grown
says stdout.txt "| held-rigid 6 |"

# PolyFEM's norms: a block in free fall for one step of backward Euler moves by g h².
mkdir -p data/falls
expect 0 "$stiction" mesh make box --size_x 1 --size_y 1 --size_z 1 --cells_x 1 --cells_y 1 --cells_z 1 --out data/falls/cube.msh
cat >data/falls/cube.json <<'JSON'
{ "geometry": [ { "mesh": "cube.msh" } ], "materials": { "type": "NeoHookean", "E": 1e5, "nu": 0.3, "rho": 10 },
  "boundary_conditions": { "rhs": [0, 10, 0] }, "time": { "tend": 1, "dt": 0.1 },
  "tests": { "err_l2": 0.1, "time_steps": 1 } }
JSON
expect 0 "$campaign" polyfem --data data --program "$stiction" --out norms falls
says stdout.txt "+0.000 %"
expect 0 "$campaign" squeeze pegs --steps 2 --program "$stiction" --out squeezed
says stdout.txt "| pegs | 3840 | 2 |"
expect 2 "$campaign" squeeze nonsense
says stderr.txt 'there is no "nonsense"'
