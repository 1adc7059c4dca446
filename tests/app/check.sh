# check tells what would be simulated and writes nothing.
. "$STICTION_SOURCE/tests/app/tools.sh"

scene bar.json 1
ls >before.txt
expect 0 "$stiction" check bar.json
rm -f stderr.txt
cp stdout.txt ../check.txt
rm stdout.txt
ls >after.txt
grep -v after.txt after.txt | cmp - before.txt || fail "check wrote files"
mv ../check.txt stdout.txt

says stdout.txt "100 steps of at most 10 ms, 51 frames"
says stdout.txt "4 kg, volume 0.004 m^3"
says stdout.txt "x -0.2 to 0.2, y -0.05 to 0.05, z -0.05 to 0.05 m"
says stdout.txt "neo_hookean, young 200000 Pa, poisson 0.4"
says stdout.txt "lambda 2.8571e+05 Pa, mu 71429 Pa"
says stdout.txt "pressure waves at 20.7 m/s"
says stdout.txt "worst quality"
grep -qE 'wall +9 vertices, x y z held' stdout.txt || fail "boundary not described"
says stdout.txt "Gravity          (0, 0, -9.81) m/s^2"
says stdout.txt "Defaults chosen"
says stdout.txt "Integrator       be"

expect 0 "$stiction" check bar.json --quiet
[ ! -s stdout.txt ] || fail "--quiet printed"

cat >touch.json <<'END'
{
  "materials": {"rubber": {"young": "1 MPa", "poisson": 0.4}},
  "bodies": {"cube": {"shape": {"type": "box", "edge": 0.5}}},
  "obstacles": {
    "floor": {"shape": {"type": "half_space"}, "material": "ice", "translate": [0, 0, -1]},
    "peg": {"shape": {"type": "sphere", "radius": "10 cm"}, "motion": {"velocity": [1, 0, 0]}}
  },
  "friction": [
    {"between": ["rubber", "ice"], "dynamic": 0.1, "static": 0.2, "sticking_speed": "1 mm/s"}
  ],
  "contact": {"friction": "lagged", "friction_iterations": 3},
  "time": {"duration": 1}
}
END
expect 0 "$stiction" check touch.json
says stdout.txt "half_space at (0, 0, -1) m, made of ice"
says stdout.txt "sphere, radius 0.1 m at (0, 0, 0) m, moved by 2 keys"
says stdout.txt "Contact, friction lagged 3 times"
says stdout.txt "cube on floor: from 0.001732 m, 1.308e+07 Pa/m, friction 0.1 (static 0.2"
says stdout.txt "cube on peg: from 0.001732 m, 1.308e+07 Pa/m, no friction"
says stdout.txt 'contact.stiffness = 1.308e+07 Pa/m: carries 1.699e+04 Pa (ρgL of "cube")'
says stderr.txt "no row of the friction table fits rubber on no material; they slide freely"

for example in "$STICTION_SOURCE"/examples/*.json; do
  expect 0 "$stiction" check "$example"
done
