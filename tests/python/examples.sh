#!/bin/sh
# Runs the scripts of examples/python and checks what they find. Exit status 77: skipped.
# usage: examples.sh PYTHON      environment: PYTHONPATH with the package
set -eu
scripts=$WEFT_SOURCE_DIR/examples/python
for module in numpy matplotlib; do
    "$1" -c "import $module" 2>/dev/null || {
        echo "skipped: $1 has no $module (Debian: python3-$module)"
        exit 77
    }
done
# A stiffer fabric drapes less.
"$1" "$scripts/drape.py" --quick --out drape 2>/dev/null
awk -F, '{ more = more && $2 > before; before = $2 } BEGIN { more = 1 }
    END { exit !(more && NR == 3 && before > 0.9 && before <= 1.02) }' drape/drape.csv || {
    echo "the drape coefficients do not rise to 1"
    exit 1
}
for picture in drape/drape.png drape/disc.png; do
    [ -s $picture ] || { echo "$picture is missing"; exit 1; }
done
"$1" "$scripts/custom_force.py" --out waves 2>/dev/null # fails if the depth is wrong
[ -s waves/waves.png ] && [ -s waves/waves.html ] || { echo "the picture of the waves is missing"; exit 1; }
"$1" "$scripts/dataset.py" --out data.npz 2>/dev/null
"$1" - <<'PROGRAM'
import numpy as np
data = np.load("data.npz")
assert data["positions"].shape == (200, 169, 3) and data["inputs"].shape == (200, 4)
assert np.isfinite(data["positions"]).all() and len(np.unique(data["positions"][:, -1, 1])) == 200
# weight over stiffness stretches the columns, and wind blows light cloth to the front
inputs, columns = data["inputs"], data["positions"].reshape(200, 13, 13, 3)
stretch = np.linalg.norm(np.diff(columns, axis=1), axis=3).mean((1, 2)) * 12 - 1
assert np.corrcoef(inputs[:, 0] / inputs[:, 1], stretch)[0, 1] > 0.5
assert np.corrcoef(inputs[:, 3] ** 2 / inputs[:, 0], columns[:, -1, -1, 2])[0, 1] > 0.3
PROGRAM
