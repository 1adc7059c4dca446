#!/usr/bin/env bash
# Commands in the docs: every shell block is valid shell, every command and option of
# stiction in it exists, every example it names is there, and the tutorial's scenes are sound.
source "$(dirname "$0")/../app/tools.sh"
here=$STICTION_SOURCE/tests/docs
command -v node >/dev/null || { echo "node is not here"; exit 77; }

# check_line FILE WORDS…: one call of the program, without its redirections and comments.
check_line() {
  local file=$1 command=$2 word
  shift 2
  [ -e "help/$command" ] || "$stiction" help "$command" >"help/$command" 2>&1 ||
    fail "$file: there is no command '$command'"
  for word in "$@"; do
    case $command:$word in
    mesh:--*) ;; # parameters of shapes
    *:--*) says "help/$command" "$word" ;;
    *:examples/*) [ -e "$STICTION_SOURCE/$word" ] || fail "$file: there is no $word" ;;
    esac
  done
}

lines=0
mkdir help
for file in "$STICTION_SOURCE"/{README.md,docs/*.md,examples/*.md}; do
  name=$(basename "$file" .md)
  node "$here/blocks.js" "$file" "blocks/$name"
  for block in "blocks/$name"/*.sh; do
    [ -e "$block" ] || continue
    bash -n "$block" 2>stderr.txt || {
      cat "$block" stderr.txt >&2
      fail "a block of $file is no shell"
    }
    while read -r -a words; do
      lines=$((lines + 1))
      check_line "$file" "${words[@]}"
    done < <(sed -nE 's/[ ]+#.*//; s/.*build\/stiction ([a-z]+)/\1/p' "$block")
  done
done
[ "$lines" -ge 30 ] || fail "only $lines calls of stiction were found"

cd blocks/tutorial
for scene in cube floor lift; do
  "$stiction" check --quiet "$scene.json" || fail "$scene.json of the tutorial is not sound"
done
expect 2 "$stiction" check wood.json
says "$(ls ./*.text | sed -n 3p)" "$(cat stderr.txt)"
"$stiction" check cube.json >stdout.txt
while read -r line; do
  [ "$line" = "…" ] || says stdout.txt "$line"
done <"$(ls ./*.text | sed -n 1p)"

# The fall that the tutorial reads from its history, by the command that it gives.
"$stiction" run --quiet cube.json
bash "$(grep -l 'cut -d' ./*.sh)" >fall.txt
paste -d, "$(grep -l '^time \[s\],centre' ./*.text)" fall.txt >both.txt
awk -F, 'NR == 1 && $2 != $4 { exit 1 } NR == 2 { exit !(($2 - $4) ^ 2 < 1e-18) }' both.txt ||
  fail "the tutorial's fall is another one: $(cat both.txt)"

# The force of a jaw that it reads from the lift.
"$stiction" run --quiet lift.json
told=$(sed -nE 's/^\| `normal\(cube.*` \| ([0-9.]+) N \|$/\1/p' "$STICTION_SOURCE/docs/tutorial.md")
awk -F, -v told="$told" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "normal(cube|left) [N]") column = i }
  END { print $column; exit !(column && ($column / told - 1) ^ 2 < 0.005 ^ 2) }' out/lift/history.csv >normal.txt ||
  fail "the tutorial's jaw presses with $told N, not with $(cat normal.txt) N"

# What the tutorial of statics reads from the ends of its runs.
cd ../statics
for scene in beam pad; do
  "$stiction" run --quiet "$scene.json"
  "$stiction" plot "out/$scene" --of 'reaction_z(*)' --over 'z(*)' --out "$scene.svg" 2>stderr.txt && fail "a pattern is no column"
done
end_of() { # RUN COLUMN VALUE: is it in the last line, to the digits given
  awk -F, -v name="$2" -v told="$3" 'NR == 1 { for (i = 1; i <= NF; i++) if (index($i, name " [") == 1) column = i }
    END { print $column; exit !(column && ($column / told - 1) ^ 2 < 0.001 ^ 2) }' "out/$1/history.csv" >value.txt ||
    fail "$2 of $1 is $(cat value.txt), not $3"
}
told=$(sed -nE 's/^\| `([^`]*)` \| (-?[0-9.]+) (N|m) \|$/\1 \2/p' "$STICTION_SOURCE/docs/statics.md")
[ "$(wc -l <<<"$told")" -eq 4 ] || fail "the tutorial of statics tells other values: $told"
while read -r column value; do
  case $column in *wall*|*tip*) end_of beam "$column" "$value" ;; *) end_of pad "$column" "$value" ;; esac
done <<<"$told"
