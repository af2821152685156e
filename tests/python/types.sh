#!/bin/sh
# Checks the Python code of README.md, docs/python.md and examples/python with mypy, as an editor does while one types.
# Exit status 77: skipped.
# usage: types.sh PYTHON PACKAGES      PACKAGES: the folder that has the built folder `weft`
set -eu
for module in numpy mypy; do
    "$1" -c "import $module" 2>/dev/null || {
        echo "skipped: $1 has no $module (Debian: $([ $module = mypy ] || echo python3-)$module)"
        exit 77
    }
done
for page in README.md docs/python.md; do
    awk '/^```$/ { code = 0 } code { print } /^```python$/ { code = 1 }' "$WEFT_SOURCE_DIR/$page" >"$(basename $page .md).py"
done
[ "$(wc -l <python.py)" -gt 60 ] || { echo "docs/python.md: the code was not found"; exit 1; }
cp "$WEFT_SOURCE_DIR"/examples/python/*.py .
# Each line with "refused" must be an error, and no other.
cat >mistakes.py <<'PROGRAM'
import numpy as np
import weft

sim = weft.Sim()
sheet = sim.add_cloth("sheet", weft.grid(), "cotton")
sheet.density = 5  # refused
sheet.postions  # refused
sim.frames = 3  # refused
sim.time.stp = 0.1  # refused
sim.time.step = "4 ms"
sim.time.step = [4]  # refused
sim.contact.method = "barier"  # refused
sim.contact.method = "barrier"
sim.contact.self = True
sheet.fabric.density = "silk", 3  # refused
sim.integrator = {"name": "bdf2"}
sim.integrator.newton = 3
sim.step("4 ms")  # refused
sim.restore(sim.snapshot(), forget=True)
weft.parameters.Contact.thickness.__doc__
step: float = sim.time.step
stale: bool = sheet.positions.stale
mean: np.ndarray = np.linalg.norm(sheet.positions - sheet.rest, axis=1)
for force in sim.forces:
    force.speed = 3
PROGRAM
cat >mypy.ini <<'SETTINGS'
[mypy]
[mypy-matplotlib.*]
ignore_missing_imports = True
SETTINGS
export MYPYPATH="$2"
"$1" -m mypy --config-file mypy.ini ./*.py >mypy.out || true
sed -n 's/^mistakes\.py:\([0-9]*\): error.*/\1/p' mypy.out | sort -un >found
grep -n '# refused' mistakes.py | cut -d: -f1 | sort -un >expected
grep -v '^mistakes\.py:\|^Found ' mypy.out && { echo "mypy refuses code of the documentation or of the package"; exit 1; }
diff expected found || { echo "mypy refuses other lines of mistakes.py than expected:"; cat mypy.out; exit 1; }
