# Compiles the examples of the C interface and a program that uses much of it, and runs them on one process
# and on two.
. "$STICTION_SOURCE/tests/app/tools.sh"

library=$(ls "$STICTION_BUILD"/libstiction.so.*.*.*)
! nm -D "$library" | grep -q __asan_init || exit 77 # a program would need the sanitizer's library first

for source in examples/c/drop examples/c/custom_force examples/c/slide tests/api/together; do
  cc -std=c17 -Wall -Wextra -Werror -I "$STICTION_SOURCE/include" "$STICTION_SOURCE/$source.c" \
    -L "$STICTION_BUILD" -lstiction -lm -Wl,-rpath,"$STICTION_BUILD" -o "$(basename $source)"
done

# z = 2 - g t^2/2, exact for the trapezoidal rule; heights are printed with five digits.
./drop "$STICTION_SOURCE/examples/c/drop.json" >alone.txt
awk '{ if (($3 - (2 - 9.81 * $1 * $1 / 2)) ^ 2 > 1e-9) exit 1; n++ } END { exit n != 6 }' alone.txt ||
  { cat alone.txt; fail "the ball fell wrongly"; }

# The swing is 20 cm wide, its derivative and energy are right, and energy is kept.
./custom_force "$STICTION_SOURCE/examples/c/custom_force.json" >swing.txt
awk '/derivative/ { if ($4 + 0 > 1e-8 || $7 > 1e-8) exit 1; seen++ }
     /off by at most/ { if ($5 > 1e-4) exit 1; seen++ }
     /energy [0-9]/ { sum += $(NF - 1); if (($(NF - 1) - sum / ++n) ^ 2 > 1e-11) exit 1 }
     END { exit seen != 2 || n != 10 }' swing.txt || { cat swing.txt; fail "the ball swung wrongly"; }

# What was built by calls is what the scene file says, to the bit, built or written. The second block stops
# after v^2 / 2a, a = g (0.177 cos 10° - sin 10°).
./slide >slide.txt
awk '$1 == "slides" { if ($2 < 1 || $6 < 0.1) exit 1; n++ }
     $1 == "stops" { a = 9.81 * (0.177 * 0.984808 - 0.173648); if (($2 - 0.005 / a) ^ 2 > 1e-4) exit 1; n++ }
     $1 == "holds" { if ($2 > 1e-4) exit 1; n++ }
     END { exit n != 3 }' slide.txt || { cat slide.txt; fail "the blocks slid wrongly"; }
./slide built.json
for scene in built.json "$STICTION_SOURCE/examples/slide.json"; do
  "$1" run "$scene" --quiet --set "time.duration=0.4 s" --set "title=same" --out "$(basename "$scene" .json)_out"
done
[ "$(ls built_out/frames | wc -l)" -eq 11 ] || fail "11 frames were expected"
for number in 0000 0005 0010; do
  cmp built_out/frames/*"$number".vtu slide_out/frames/*"$number".vtu || fail "frame $number differs"
done

expect 1 mpiexec -n 2 ./custom_force "$STICTION_SOURCE/examples/c/custom_force.json"
says stderr.txt 'forces are checked on one process only'

# Motion, changed states, arrays and forces from outside do not depend on the number of processes. One that
# gives up stops all.
./together >alone.txt
[ "$(wc -l <alone.txt)" -eq 10 ] || fail "10 steps were expected"
for count in 2 3; do
  mpiexec -n $count ./together >both.txt
  diff alone.txt both.txt || fail "$count processes come to something else than one"
done
expect 4 mpiexec -n 2 ./together fail
says stderr.txt '4: the program that drives obstacle "floor" failed to give a pose'

expect 1 ./drop nowhere.json
says stderr.txt "nowhere.json"
