# The experiment command: lists, explains, checks settings, runs, keeps finished cases, reports.
. "$STICTION_SOURCE/tests/app/tools.sh"

expect 0 "$stiction" experiment list
for name in friction-curves volume-energy block-slide point-contact; do
  grep -qx -- "$name" stdout.txt || fail "$name is not listed"
done
expect 0 "$stiction" experiment list block-slide
says stdout.txt "The paper:"
says stdout.txt "shortest_step"
says stdout.txt "With --size paper: duration = 50"
expect 0 "$stiction" experiment block-slide --help
says stdout.txt "shortest_step"
expect 0 "$stiction" experiment --help
says stdout.txt "Usage: stiction experiment list"

# Wrong arguments get a message, and nothing is written.
expect 2 "$stiction" experiment
says stderr.txt "the name of an experiment is needed"
expect 2 "$stiction" experiment block-slid
says stderr.txt "there is no experiment 'block-slid'; did you mean 'block-slide'?"
expect 2 "$stiction" experiment block-slide --size huge
says stderr.txt "there is no size 'huge'; there are small, paper"
expect 2 "$stiction" experiment block-slide --set durtion=3
says stderr.txt "there is no parameter 'durtion'; did you mean 'duration'?"
expect 2 "$stiction" experiment block-slide --set duration
says stderr.txt "--set takes key=value, not 'duration'"
expect 2 "$stiction" experiment block-slide --set duration='3 m'
says stderr.txt "--set duration:"
expect 2 "$stiction" experiment block-slide --set most_lags=30
says stderr.txt "--set most_lags: 30 is out of range: >= 0, <= 20"
expect 2 "$stiction" experiment block-slide --set cold_trapezoidal=maybe
says stderr.txt "'maybe' is neither true nor false"
expect 2 "$stiction" experiment report
says stderr.txt "the folders of experiments are needed"
expect 2 "$stiction" experiment report nowhere
says stderr.txt "nowhere/summary.md"
[ ! -e experiments ] || fail "something was written"

# A curve needs no simulation; its folder has a name of its own.
expect 0 "$stiction" experiment friction-curves --set static=1 --set dynamic=0.1
says stdout.txt "peak of the formula"
says stdout.txt "0.975"
says experiments/friction-curves-small/summary.json '"static": "1"'
says experiments/friction-curves-small/friction_curves.svg "<svg"

# A case is a scene that can be run by hand, and is not run twice.
few=(--only 'be-settled-implicit-h0.1' --set duration='1 s' --out slide)
expect 0 "$stiction" experiment block-slide "${few[@]}"
says stdout.txt "case 2/43 be-settled-implicit-h0.1"
says stdout.txt "still moves when the run ends, after 1 s"
says stdout.txt "not run"
says stdout.txt "> 0.0964"
says slide/be-settled-implicit-h0.1/summary.json '"status": "finished"'
[ ! -e slide/be-cold-implicit-h0.1 ] || fail "a case ran that was not asked for"
expect 0 "$stiction" experiment block-slide "${few[@]}"
lacks stdout.txt "case 2/43"
expect 2 "$stiction" experiment block-slide --only be-setled --out slide
says stderr.txt 'no case of block-slide fits "be-setled"; there are be-settled-implicit-h0.1'
expect 0 "$stiction" experiment block-slide "${few[@]}" --fresh
says stdout.txt "case 2/43"
expect 0 "$stiction" check slide/be-settled-implicit-h0.1/scene.json
expect 0 "$stiction" run slide/be-settled-implicit-h0.1/scene.json --out by-hand --quiet
cmp <(cut -d, -f1-7 by-hand/history.csv) <(cut -d, -f1-7 slide/be-settled-implicit-h0.1/history.csv) ||
  fail "run by hand it is another case"
if command -v python3 >/dev/null; then
  python3 -m json.tool slide/summary.json >/dev/null || fail "summary.json does not parse"
fi

expect 0 "$stiction" experiment report slide experiments/friction-curves-small --plots --out page.md
says page.md "## block-slide"
says page.md "![distance.svg](slide/distance.svg)"
says page.md "| be | settled | implicit | > 0.096"
