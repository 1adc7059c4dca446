#!/usr/bin/env bash
# Pages about the code: every source file and every function they name exists, architecture.md stays
# short, and the blocks of C on how to add things are excerpts of the sources.
source "$(dirname "$0")/../app/tools.sh"
docs=$STICTION_SOURCE/docs
src=$STICTION_SOURCE/src
pages=("$docs"/{architecture,add-a-force,add-an-integrator,add-a-contact-law}.md "$docs"/notebook/*.md)

size=$(wc -c <"$docs/architecture.md")
[ "$size" -le 15360 ] || fail "docs/architecture.md has $size bytes: details belong into docs/notebook"

find "$src" "$STICTION_SOURCE/include/stiction" -name '*.[ch]' -exec cat {} + >sources.txt
count=0
for page in "${pages[@]}"; do
  while read -r path; do
    count=$((count + 1))
    [ -f "$src/$path" ] || [ -f "$STICTION_SOURCE/$path" ] || fail "$page names $path, which is not there"
  done < <(grep -oE '\b[a-z]+(/[a-z_]+)+\.[ch]\b' "$page" | sort -u)
  while read -r name; do
    count=$((count + 1))
    grep -qw "$name" sources.txt || fail "$page names $name, which is not there"
  done < <(grep -oE '\b(st_[a-z_]+[a-z]|St[A-Z][A-Za-z]+|ST_[A-Z_]+[A-Z])\b' "$page" | grep -v '_$' | sort -u)
done
[ "$count" -ge 200 ] || fail "only $count names were found"

command -v node >/dev/null || { echo "node is not here"; exit 77; }
excerpts=$STICTION_SOURCE/tests/docs/excerpts.js
node "$excerpts" "$docs/add-an-integrator.md" 2 "$src"/step/integrator.[ch]
node "$excerpts" "$docs/add-a-contact-law.md" 4 "$src"/contact/{barrier/barrier,friction/friction}_kernel.h \
  "$src"/contact/core/{contacts,primitive_method}.c
