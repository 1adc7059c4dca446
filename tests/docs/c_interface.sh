#!/usr/bin/env bash
# docs/c-interface.md: its blocks compile in programs and do what the page says.
source "$(dirname "$0")/../app/tools.sh"
here=$STICTION_SOURCE/tests/docs
command -v node >/dev/null || { echo "node is not here"; exit 77; }
library=$(ls "$STICTION_BUILD"/libstiction.so.*.*.*)
! nm -D "$library" | grep -q __asan_init || exit 77 # a program would need the sanitizer's library first

node "$here/blocks.js" "$STICTION_SOURCE/docs/c-interface.md" blocks
! ls blocks/*.c | grep -E '/[0-9]+\.c$' || fail "a block of C has no name, so that nothing compiles it"
for block in blocks/*.c; do
  says "$here/c_interface.c" "#include \"$(basename "$block")\""
done

cat >scene.json <<'JSON'
{
  "materials": { "rubber": { "young": "200 kPa", "poisson": 0.4, "density": 1000 } },
  "bodies": { "bar": { "shape": { "type": "box", "size_x": "20 cm", "size_y": "5 cm", "size_z": "5 cm", "edge": "5 cm" } } },
  "boundaries": { "grip": { "body": "bar", "region": { "label": "x-" } } },
  "gravity": 0,
  "time": { "duration": "50 ms", "step": "10 ms" }
}
JSON
cc -std=c17 -Wall -Wextra -Werror -I "$STICTION_SOURCE/include" -I blocks "$here/c_interface.c" \
  -L "$STICTION_BUILD" -lstiction -lm -Wl,-rpath,"$STICTION_BUILD" -o blocks_of_page
./blocks_of_page
./blocks_of_page alone
[ -s out/grasp/summary.json ] || fail "the loop recorded nothing"
[ -s out/lift/summary.json ] || fail "the run wrote nothing"
