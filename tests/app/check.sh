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

for example in "$STICTION_SOURCE"/examples/*.json; do
  expect 0 "$stiction" check "$example"
done
