# On a terminal a bar is redrawn in place, in UTF-8 or ASCII, and gone at the end.
. "$STICTION_SOURCE/tests/app/tools.sh"
command -v script >/dev/null || exit 77

scene bar.json 0.5
on_terminal() { # FILE WIDTH
  script -qec "stty cols $2 && '$stiction' run bar.json --overwrite" "$1" </dev/null >/dev/null
}

TERM=xterm LC_ALL=C.UTF-8 on_terminal utf8.txt 100
says utf8.txt "$(printf '\r')"
says utf8.txt '▕'
says utf8.txt 'of 0.5 s'
says utf8.txt 'Newton'
says utf8.txt 'Done: 0.5 s of motion'

TERM=xterm LC_ALL=C on_terminal ascii.txt 60
says ascii.txt '['
lacks ascii.txt '▕'
tr '\r' '\n' <ascii.txt | sed 's/\x1b\[K//' | grep '% \[' | awk 'length > 59 { exit 1 }' ||
  fail "a line is too wide"

TERM=dumb on_terminal dumb.txt 80
lacks dumb.txt "$(printf '\033')"
