# Numbers of a scene from measured positions: friction and speed of a slide, stiffness of a bar that sags.
. "$STICTION_SOURCE/tests/app/tools.sh"

cat >slide.json <<'JSON'
{
  "materials": { "wood": { "law": "rigid", "density": 600 } },
  "bodies": {
    "block": {
      "shape": { "type": "box", "size_x": 0.3, "size_y": 0.2, "size_z": 0.1, "edge": 0.1 },
      "material": "wood", "translate": [0, 0, 0.0531], "velocity": ["1 m/s", 0, 0]
    }
  },
  "obstacles": { "floor": { "shape": { "type": "half_space" }, "material": "plank" } },
  "friction": [{ "between": ["wood", "plank"], "dynamic": 0.5 }],
  "contact": { "thickness": 0.003 },
  "integrator": "bdf2",
  "probes": { "mark": { "body": "block", "region": "all" } },
  "time": { "duration": 0.5, "step": 0.005 }
}
JSON

# take COLUMN FOLDER: that column of its history over time.
take() {
  awk -F, -v wanted="$1" 'NR == 1 { for (i = 1; i <= NF; i++) { if ($i == "time [s]") t = i
                                    if ($i == wanted " [m]") c = i }; print "time," wanted; next }
                          { print $t "," $c }' "$2/history.csv"
}
# number FILE KEY NAME: of a parameter in fit.json.
number() { grep -F "\"key\": \"$2\"" "$1" | sed "s/.*\"$3\": \([^,}]*\).*/\1/"; }
# within VALUE TRUE TOLERANCE WHAT
within() {
  awk -v a="$1" -v b="$2" -v t="$3" 'BEGIN { d = a - b; exit !(d * d <= t * t) }' || fail "$4 is $1, not $2 ± $3"
}
mu=friction.0.dynamic speed=bodies.block.velocity.0 young=materials.rubber.young

# It stops after 0.39 s.
expect 0 "$stiction" run slide.json --set $mu=0.31 --set $speed=1.2 --out slid --quiet
take 'x(mark)' slid >track.csv
expect 0 "$stiction" fit slide.json --to track.csv --parameter $mu=0.01..1 --parameter $speed --out exact
says stdout.txt 'iteration 1: misfit'
says stdout.txt "correlation of $mu and $speed: 0.9"
within "$(number exact/fit.json $mu value)" 0.31 0.00031 "friction"
within "$(number exact/fit.json $speed value)" 1.2 0.0012 "the speed"
says exact/fit.json '"converged": true'
says exact/fit.json "\"unit\": \"m/s\""
grep -q 'velocity": \["1\.[12][0-9]* m/s", 0, 0\]' exact/fitted.json || fail "fitted.json lacks the speed"
[ "$(head -1 exact/fit.csv)" = 'time [s],measured x(mark) [m],simulated x(mark) [m]' ] || fail "the head of fit.csv is otherwise"
[ "$(wc -l <exact/fit.csv)" -eq "$(wc -l <track.csv)" ] || fail "fit.csv lacks rows"
grep -q '<svg' exact/fit.svg || fail "there is no plot"

# The fitted scene moves as measured, and is where a fit ends that starts there.
expect 0 "$stiction" fit exact/fitted.json --to track.csv --parameter $mu --out again --quiet
[ ! -s stdout.txt ] || fail "--quiet prints"

# Noise of 1 % of the way, in millimetres: within two standard errors, of the size that is known.
awk -F, 'function uniform() { seed = seed * 16807 % 2147483647; return seed / 2147483647 }
         BEGIN { seed = 1 } NR == 1 { print "time [ms],x(mark) [mm]"; next }
         { printf "%.9g,%.9g\n", 1000 * $1,
           1000 * $2 + 2.4 * sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform()) }' track.csv >noisy.csv
for sigma in "" "--sigma=2.4 mm"; do
  expect 0 "$stiction" fit slide.json --to noisy.csv --parameter $mu --parameter $speed --out noisy ${sigma:+"$sigma"}
  for one in "$mu 0.31" "$speed 1.2"; do
    key=${one% *} error=$(number noisy/fit.json "${one% *}" standard_error)
    within "$(number noisy/fit.json "$key" value)" "${one#* }" "$(awk -v e="$error" 'BEGIN { print 2 * e }')" "$key"
    within "$error" 0 0.006 "the standard error of $key"
  done
done

# Measurements between steps, some of them missing, with deviations of their own. In free flight, y = 0.2 t.
sed 's/"half_space" }/"half_space" }, "translate": [0, 0, -9]/; s/, 0, 0\]/, "1 m\/s", 0]/' slide.json >fall.json
awk 'BEGIN { print "time,y(mark),sigma,z(mark),sigma(z(mark))"
             for (t = 0.0123; t < 0.3; t += 0.0231) printf "%.17g,%.17g,0.001,,0.002\n", t, 0.2 * t }' >fall.csv
expect 0 "$stiction" fit fall.json --to fall.csv --parameter bodies.block.velocity.1 --out fall
within "$(number fall/fit.json bodies.block.velocity.1 value)" 0.2 1e-9 "the speed of free flight"
# Analytic: σ / √Σt²
within "$(number fall/fit.json bodies.block.velocity.1 standard_error)" \
  "$(awk -F, 'NR > 1 { s += $1 * $1 } END { print 0.001 / sqrt(s) }' fall.csv)" 1e-8 "its standard error"

# A bar that sags, and what cannot be told apart: only the ratio of stiffness and density matters.
scene bar.json 0.2 bdf2
sed -i 's/"time"/"probes": { "tip": { "body": "bar", "region": { "label": "x+" } } },\n  "time"/' bar.json
expect 0 "$stiction" run bar.json --set "$young=300 kPa" --out bent --quiet
take 'z(tip)' bent >tip.csv
expect 0 "$stiction" fit bar.json --to tip.csv --parameter "$young=0.1 MPa..1 MPa" --out bar
within "$(number bar/fit.json $young value)" 300000 300 "Young's modulus"
says bar/fit.json '"unit": "Pa"'
expect 0 "$stiction" fit bar.json --to tip.csv --parameter $young=..250kPa --out bound
says bound/fit.json '"value": 250000'
says stdout.txt "at its bound"
expect 4 "$stiction" fit bar.json --to tip.csv --parameter $young --parameter materials.rubber.density --out both
says stderr.txt "$young is not determined by what was measured"
says both/fit.json '"standard_error": null'
expect 4 "$stiction" fit slide.json --to track.csv --parameter bodies.block.translate.1 --out none
says stderr.txt "bodies.block.translate.1 has no effect on what was measured"
expect 4 "$stiction" fit slide.json --to track.csv --parameter $mu --parameter $speed --iterations 1 --out short
says stderr.txt "not converged after 1 iterations: --iterations allows more"

# What is wrong, and what would be right.
refused() { # TEXT ARGUMENTS…
  local text=$1
  shift
  expect 2 "$stiction" fit "$@" --out refused
  says stderr.txt "$text"
  [ ! -e refused ] || fail "something was written"
}
table() { printf "$1" >table.csv; }
refused "a scene is needed"
refused "--to MEASURED.csv is missing" slide.json
refused "--parameter KEY is missing" slide.json --to track.csv
refused "none.csv: cannot be read" slide.json --to none.csv --parameter $mu
refused 'did you mean "dynamic"?' slide.json --to track.csv --parameter friction.0.dynamc
refused "is there twice" slide.json --to track.csv --parameter $mu --parameter $mu
refused "which say how to compute" slide.json --to track.csv --parameter time.step
refused "bounds are LOW..HIGH" slide.json --to track.csv --parameter $mu=0.3
refused "the lower bound must be below" slide.json --to track.csv --parameter $mu=0.3..0.1
refused "a speed is needed" slide.json --to track.csv --parameter "$speed=1 mm.."
refused "a length is needed" slide.json --to track.csv --parameter $mu --sigma 1s
refused "at the start, or a little beside it" slide.json --to track.csv --parameter $mu --set $mu=0
refused "the scene has no probe" slide.json --to track.csv --parameter $mu --set probes={}
refused "history.csv:1: 'step' is the first column, which must be time" slide.json --to slid/history.csv --parameter $mu
while IFS='|' read -r text content; do
  table "$content"
  refused "$text" slide.json --to table.csv --parameter $mu --parameter $speed
done <<'CASES'
'vx(mark)' cannot be fitted; what can be: x(mark), y(mark), z(mark)|time,vx(mark)\n0.1,2\n
table.csv:1: time alone cannot be fitted|time\n0.1\n
table.csv:1: 'x(mark)' has no unit of length|time,x(mark) [kg]\n0.1,2\n
table.csv:1: 'x(mark)' is there twice|time,x(mark),x(mark)\n0.1,2,2\n
table.csv:1: 'sigma(y(mark))' belongs to no column|time,x(mark),sigma(y(mark))\n0.1,2,2\n
table.csv:3: 'two' is not a number|time,x(mark)\n0.1,1\n0.2,two\n
table.csv:3: times must rise|time,x(mark)\n0.1,1\n0.1,2\n
table.csv:2: '-1' is not a time|time,x(mark)\n-1,1\n
table.csv:2: has 1 values for 2 columns|time,x(mark)\n0.1\n
table.csv:2: has more values|time,x(mark)\n0.1,1,1\n
table.csv:2: '0' is not a standard deviation|time,x(mark),sigma\n0.1,1,0\n
1 of 2 values have a standard deviation|time,x(mark),y(mark),sigma(x(mark))\n0.1,1,1,1\n
table.csv: all cells are empty|time,x(mark)\n0.1,\n
table.csv: holds no rows|time,x(mark)\n
at least: 2, not 1|time,x(mark)\n0.1,1\n
the scene ends at 0.5 s: make it longer, by --set time.duration=7|time,x(mark)\n0.1,1\n7,1\n
CASES
