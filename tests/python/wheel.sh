#!/bin/sh
# Builds the wheel as `pip install ./apps/python` does, without network, and uses it from an empty folder.
# usage: wheel.sh PYTHON PACKAGE      PACKAGE: the built folder `weft`, which is packed
set -eu
"$1" -c 'import ensurepip, venv, numpy' 2>/dev/null || {
    echo "skipped: $1 has no venv or numpy (Debian: python3-venv, python3-numpy)"
    exit 77
}
export WEFT_PYTHON_PACKAGE="$2" PIP_NO_INDEX=1 PIP_DISABLE_PIP_VERSION_CHECK=1
unset PYTHONPATH
"$1" -m venv --system-site-packages venv
venv/bin/pip install --quiet "$WEFT_SOURCE_DIR/apps/python"
venv/bin/pip wheel --quiet --no-deps --wheel-dir wheels "$WEFT_SOURCE_DIR/apps/python"
ls wheels | grep -q '^weft-[0-9.]*-cp39-abi3-linux_.*\.whl$' || { echo "the wheel's name is wrong:"; ls wheels; exit 1; }
cat >use.py <<'PROGRAM'
import os, sys, weft
assert "venv" in weft.__file__, weft.__file__
sim = weft.Sim()
sim.add_cloth("sheet", weft.grid((4, 4)), "wool").pin(corner="top-left")
sim.add_force("gravity")
sim.run(2)
assert sim.picture(16, 12, samples=1).startswith(b"\x89PNG") and "weft-data" in sim.view()
assert os.path.exists(os.path.join(os.path.dirname(weft.__file__), "py.typed"))
print("weft", weft.__version__, "on Python", sys.version.split()[0], sim)
PROGRAM
venv/bin/python use.py
# Only the init function leaves the extension, so that its engine meets no other.
extension=$(venv/bin/python -c 'import weft._engine as e; print(e.__file__)')
shown=$(nm -D --defined-only "$extension" | awk '{ print $3 }')
[ "$shown" = PyInit__engine ] || { echo "the extension also exports: $shown"; exit 1; }
venv/bin/pip uninstall --quiet --yes weft
