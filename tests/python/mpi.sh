# Two Python processes share one simulation: the first has the arrays, both have the reports.
. "$STICTION_SOURCE/tests/app/tools.sh"
python=/usr/bin/python3
"$python" -c 'import numpy, cffi' 2>/dev/null || exit 77
! nm -D "$STICTION_BUILD/libstiction.so" | grep -q __asan_init || exit 77

export PYTHONPATH=$STICTION_SOURCE/python:$STICTION_SOURCE/tests/python PYTHONDONTWRITEBYTECODE=1
cat >two.py <<'PY'
import stiction
from world import floor
simulation = stiction.Simulation(floor(duration="0.05 s"))
first = len(simulation.positions) > 0
for report in simulation:
    pass
simulation.velocities[:] = [1, 0, 0]
simulation.state_changed()
assert abs(simulation.report.momentum[0] - 1) < 1e-9, simulation.report.momentum
summary = stiction.run(floor(duration="0.05 s"), "out")
assert (summary["status"], summary["ranks"]) == ("finished", 2), summary
open("first" if first else "second", "w").close()
PY
expect 0 mpiexec -n 2 "$python" two.py
[ -e first ] && [ -e second ] || fail "not just one process had the arrays"
