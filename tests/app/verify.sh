# The verify command: lists, selected cases, plots, JSON, and exit codes.
. "$STICTION_SOURCE/tests/app/tools.sh"

expect 0 "$stiction" verify --list
for name in block_slide slope stopping weight curve stick_slip rolling momentum scale roll plate \
  balloon volume_energy gas coupling bearing hang drape dress hertz; do
  says stdout.txt "$name"
done

expect 0 "$stiction" verify --case weight --case curve --plots plots
says stdout.txt "peak of the curve"
says stdout.txt "62 passed, 0 failed"
for row in "primitives anchored" "primitives velocity" "smooth +anchored" "smooth +velocity"; do
  grep -qE "^curve +$row +peak" stdout.txt || fail "no row of $row"
done
grep -q '^stopping' stdout.txt && fail "a case ran that was not asked for"
says plots/friction_curve_primitives_anchored.svg "sliding speed (m/s)"
says plots/friction_curve_smooth_velocity.svg "sliding speed (m/s)"

expect 0 "$stiction" verify --case volume_energy
says stdout.txt "6 passed, 0 failed"

expect 0 "$stiction" verify --case curve --json --friction lagged --friction-iterations 2
says stdout.txt '"verdict": "pass"'
if command -v python3 >/dev/null; then
  python3 -m json.tool stdout.txt >/dev/null || fail "the JSON does not parse"
fi

expect 2 "$stiction" verify --case slop
says stderr.txt "there is no case 'slop'; did you mean 'slope'?"
expect 2 "$stiction" verify --friction dry
says stderr.txt "--friction is implicit, implicit_fixed_basis or lagged, not 'dry'"
expect 2 "$stiction" verify --friction-iterations 3
says stderr.txt "--friction-iterations needs --friction lagged"
expect 2 "$stiction" verify --friction lagged --friction-iterations 0
says stderr.txt "whole number from 1 to 1000"
expect 2 "$stiction" verify slope
says stderr.txt "'slope' is an unexpected argument"

# A failed case has its own exit code: lagged friction from a cold start slides too far.
expect 4 "$stiction" verify --case block_slide --friction lagged
says stdout.txt "FAIL"
