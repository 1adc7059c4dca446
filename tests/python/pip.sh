# `pip install .` without the network, into an environment of its own, and use from elsewhere.
. "$STICTION_SOURCE/tests/app/tools.sh"

python=/usr/bin/python3
"$python" -c 'import numpy, cffi, venv, ensurepip' 2>/dev/null || exit 77
! nm -D "$STICTION_BUILD/libstiction.so" | grep -q __asan_init || exit 77

# Nothing may be asked for: pip is told that there is no index.
export PIP_NO_INDEX=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
# Where numpy is missing, pip says so before anything is compiled.
"$python" -m venv bare
expect 1 env STICTION_BUILD="$PWD/unbuilt" bare/bin/pip install "$STICTION_SOURCE"
says stderr.txt "No matching distribution found for numpy"
[ ! -e unbuilt ] || fail "pip compiled before it looked for numpy"
"$python" -m venv --system-site-packages venv
expect 0 venv/bin/pip install "$STICTION_SOURCE"
unset STICTION_BUILD PYTHONPATH

cat >drop.py <<'PY'
import os
import stiction
scene = stiction.Scene(os.path.join(os.environ["STICTION_SOURCE"], "examples", "c", "drop.json"))
simulation = stiction.Simulation(scene)
while simulation.time < 0.1:
    simulation.step()
assert "site-packages" in stiction.__file__, stiction.__file__
print(f"{simulation.time:.3f} {simulation.report.centre_of_mass[2]:.4f}")
PY
expect 0 venv/bin/python drop.py
[ -s stdout.txt ] || fail "nothing fell"
expect 0 venv/bin/stiction --version
"$stiction" --version | cmp - stdout.txt || fail "the installed program is another one"
expect 0 venv/bin/stiction list shapes
says stdout.txt "box"
expect 0 venv/bin/stiction experiment volume-energy --out volumes
says stdout.txt "ideal gas (atm)"

# Type hints travel along, also those of functions that are made from the schema.
installed=$(venv/bin/python -c 'import os, stiction; print(os.path.dirname(stiction.__file__))')
[ -e "$installed/py.typed" ] || fail "no py.typed"
says "$installed/shapes.pyi" "def box(*, size_x: Any = None"
"$python" -m py_compile "$installed"/*.py
parse='import ast, sys; [ast.parse(open(name).read()) for name in sys.argv[1:]]'
"$python" -c "$parse" "$installed"/*.pyi

expect 0 venv/bin/pip uninstall -y stiction
expect 1 venv/bin/python -c 'import stiction'
