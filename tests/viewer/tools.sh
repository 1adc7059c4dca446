# What the viewer's tests share: a run to look at, servers, and a browser that looks.
source "$(dirname "$0")/../app/tools.sh"
here=$STICTION_SOURCE/tests/viewer

servers=()

need_page() { # skips the test in a build without the viewer
  [ -s "$STICTION_BUILD/viewer/page.html" ] && return
  expect 2 "$stiction" view nowhere
  says stderr.txt "built without the viewer"
  echo "the viewer was not built"
  exit 77
}

need_browser() {
  command -v chromium >/dev/null && return
  echo "chromium is not here: the page was not looked at"
  exit 77
}

serve() { # FILE DIR…: serves runs until stop_servers; what the server says goes to FILE
  local said=$1
  shift
  "$stiction" view "$@" --serve 0 --no-open >"$said" 2>&1 &
  servers+=($!)
  trap 'kill "${servers[@]}" 2>/dev/null || true' EXIT
  for i in $(seq 1000); do
    grep -q http:// "$said" && return
    sleep 0.02
  done
  fail "the server does not say where it is"
}

address_in() { grep -o 'http://[0-9.:]*/[0-9a-f]*/' "$1"; }

stop_servers() {
  kill "${servers[@]}"
  for server in "${servers[@]}"; do
    wait "$server" || fail "a server ended with $?"
  done
  trap - EXIT
}

look() { # NAME…: one after the other, as each has a browser of its own
  ln -sfn "$STICTION_BUILD/viewer/node_modules" node_modules
  cp "$here"/*.js .
  for name in "$@"; do
    node --test "$name.test.js"
  done
}
