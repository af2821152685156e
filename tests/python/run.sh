#!/bin/sh
# Runs a test file of the Python package with pytest. Exit status 77: skipped.
# usage: run.sh PYTHON FILE      environment: PYTHONPATH with the package
set -eu
for module in numpy pytest; do
    "$1" -c "import $module" 2>/dev/null || {
        echo "skipped: $1 has no $module (Debian: python3-$module)"
        exit 77
    }
done
exec "$1" -m pytest -q -p no:cacheprovider "$WEFT_SOURCE_DIR/tests/python/$2"
