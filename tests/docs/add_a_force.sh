#!/usr/bin/env bash
# docs/add-a-force.md: its blocks are those of the force it tells of, which is known to nothing but
# the list, and its scene runs with that force.
source "$(dirname "$0")/../app/tools.sh"
page=$STICTION_SOURCE/docs/add-a-force.md
force=$STICTION_SOURCE/src/force
command -v node >/dev/null || { echo "node is not here"; exit 77; }
node "$STICTION_SOURCE/tests/docs/excerpts.js" "$page" 7 "$force/drag.c" "$force/drag_kernel.h"

(cd "$STICTION_SOURCE/src" && grep -rl st_force_drag . | sort) >known.txt
printf './force/%s\n' drag.c list.c list.h | diff - known.txt ||
  fail "the force is known elsewhere than the page says"

node "$STICTION_SOURCE/tests/docs/blocks.js" "$page" blocks
expect 0 "$stiction" run blocks/flag.json --out flag
says stdout.txt "Done: 0.1 s of motion"
expect 0 "$stiction" list forces
says stdout.txt "wind_x"

# The wind bears the flag, which otherwise falls.
height() {
  awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^"?centre_of_mass_z/) c = i }
           END { print $c }' "$1/history.csv"
}
sed '/"forces"/d' blocks/flag.json >calm.json
expect 0 "$stiction" run calm.json --out calm
awk -v wind="$(height flag)" -v calm="$(height calm)" \
  'BEGIN { exit !(calm < -0.01 && wind > calm / 2) }' ||
  fail "the flag is at $(height flag) m with wind and at $(height calm) m without"
