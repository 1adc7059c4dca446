# Problems around a run must not break it: nobody reads its messages, memory is limited,
# the history was damaged, another run was killed while it prepared its folder.
. "$STICTION_SOURCE/tests/app/tools.sh"

scene bar.json 0.1
expect 0 "$stiction" run bar.json --out whole --quiet

same_as_whole() {
  for frame in 00000 00003 00005; do
    cmp "whole/frames/frame_$frame.vtu" "$1/frames/frame_$frame.vtu"
  done
  says "$1/summary.json" '"finished"'
}

# --- Nobody reads.
{
  sleep 0.2 # until the reader is gone
  code=0
  "$stiction" run bar.json --out piped 2>stderr.txt || code=$?
  echo $code >code.txt
} | true
[ "$(cat code.txt)" -eq 0 ] || { cat stderr.txt; fail "a closed pipe ended the run"; }
says stderr.txt "standard output could not be written: Broken pipe"
same_as_whole piped

code=0
"$stiction" run bar.json --out closed >&- 2>stderr.txt || code=$?
[ $code -eq 0 ] || { cat stderr.txt; fail "a closed standard output ended the run"; }
says stderr.txt "standard output could not be written: Bad file descriptor"
same_as_whole closed
[ "$(cat closed/.lock)" = "$(uname -n)" ] || fail "messages went into a file"

code=0
"$stiction" run bar.json --out full >/dev/full 2>stderr.txt || code=$?
[ $code -eq 0 ] || fail "a full standard output ended the run"
same_as_whole full
code=0
"$stiction" list >/dev/full 2>stderr.txt || code=$?
[ $code -eq 3 ] || fail "a list that nobody got is no success"

"$stiction" run bar.json --out silent >&- 2>&- || fail "a run without standard streams failed"
same_as_whole silent

# --- Memory is limited: an answer, in time, whatever the limit. 127: not even the libraries fit.
told=
for limit in $(seq 100000 20000 400000); do
  code=0
  (
    ulimit -v "$limit"
    exec timeout -k 5 100 "$stiction" run bar.json --out limited --overwrite --quiet
  ) >stdout.txt 2>stderr.txt || code=$?
  case $code in
  0 | 3 | 127) ;;
  *) cat stderr.txt; fail "with $limit kB the run ended with $code" ;;
  esac
  [ $code -ne 3 ] || says stderr.txt "out of memory"
  ! grep -q OpenBLAS stderr.txt || told=yes
  [ $code -ne 0 ] || break
done
[ $code -eq 0 ] || fail "400 MB were not enough"
[ -n "$told" ] || ! ldd "$stiction" | grep -q openblas || fail "nobody asked for OpenBLAS's buffer"

# --- check says what run says, also of numbers that only fail together.
sed 's/"200 kPa"/1e308/' bar.json >huge.json
expect 2 "$stiction" run huge.json --out huge
cp stderr.txt run.txt
expect 2 "$stiction" check huge.json
cmp stderr.txt run.txt || fail "check and run disagree"
[ ! -e huge ] || fail "a folder was made"

# --- A damaged history is reported with its line, and nothing is touched.
cp -r whole damaged
sed -i '5s/0/1/' damaged/history.csv
ls -lR --full-time damaged >before.txt
expect 2 "$stiction" resume damaged
says stderr.txt "damaged/history.csv: damaged (line 5 has changed)"
ls -lR --full-time damaged | cmp - before.txt || fail "the damaged run was touched"
mv damaged/history.csv elsewhere.csv
expect 0 "$stiction" resume damaged
says stderr.txt "damaged/history.csv: is missing; the history begins here"

# --- So is a damaged table of contacts.
sed 's|"materials"|"obstacles": {"floor": {"shape": {"type": "half_space"}, "translate": [0, 0, -1]}}, "materials"|' bar.json >floor.json
expect 0 "$stiction" run floor.json --out touched --quiet
cp touched/contacts.csv good.csv
sed -i '1s/step/Step/' touched/contacts.csv
ls -lR --full-time touched >before.txt
expect 2 "$stiction" resume touched
says stderr.txt "touched/contacts.csv: damaged (rows up to here have changed)"
ls -lR --full-time touched | cmp - before.txt || fail "the damaged run was touched"
cp good.csv touched/contacts.csv
expect 0 "$stiction" resume touched

# --- A run that was killed while it prepared its folder blocks nobody.
mkdir -p begun/frames
cp bar.json begun/scene.json
cp whole/run.json begun/run.json.tmp
expect 2 "$stiction" resume begun
says stderr.txt "holds no run to resume"
expect 0 "$stiction" run bar.json --out begun --quiet
same_as_whole begun
[ ! -e begun/run.json.tmp ] || fail "temporary files are left"
