# Random scenes: they repeat exactly, keep to their ranges, the program accepts and runs them; and the judge that
# looks at the runs from outside finds the faults that are planted here.
. "$STICTION_SOURCE/tests/app/tools.sh"
/usr/bin/python3 -c 'import numpy' 2>/dev/null || exit 77
random() { "$STICTION_SOURCE/tests/campaigns/campaign" random-scenes "$@"; }

expect 0 random make 7 3
cp stdout.txt one.json
expect 0 random make 7 3
cmp one.json stdout.txt || fail "a scene does not repeat"
expect 0 random make 7 4
! cmp -s one.json stdout.txt || fail "two scenes are the same"

expect 0 /usr/bin/python3 "$STICTION_SOURCE/tests/campaigns/check_random_scenes.py" "$stiction"

# Two that take a second.
expect 0 random run --program "$stiction" --out out --seed 1 --only 0 --only 3 --json all.json --keep
says stdout.txt "outcome: finished"
expect 0 random report all.json
expect 0 random compare all.json all.json
expect 0 random judge out/1/0003/run --program "$stiction"
says stdout.txt '"differs": []'

# A gain of energy in the history is found, and told with its step.
/usr/bin/python3 - out/1/0003/run/history.csv <<'PYTHON'
import sys
lines = open(sys.argv[1]).read().splitlines()
column = [name.split(" [")[0] for name in lines[0].split(",")].index("total_energy")
for i in range(11, len(lines)):
    cells = lines[i].split(",")
    cells[column] = repr(float(cells[column]) + 1.0)
    lines[i] = ",".join(cells)
open(sys.argv[1], "w").write("\n".join(lines) + "\n")
PYTHON
expect 0 random judge out/1/0003/run --program "$stiction"
says stdout.txt '"gain_step": 10'
says stdout.txt '"gaining_steps": 1'
