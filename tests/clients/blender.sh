#!/bin/sh
# Compares a run with what Blender makes of it: blender.sh DIR SCENE CLOTH (see blender_check.py).
# Exit status 77, which CTest takes as "skipped", where there is no Blender.
set -eu
if [ $# -ne 3 ]; then
    echo "usage: $0 DIR SCENE CLOTH" >&2
    exit 2
fi
if ! command -v "${BLENDER:-blender}" >/dev/null; then
    echo "skipped: Blender is not installed"
    exit 77
fi
exec "${BLENDER:-blender}" -b --factory-startup --python "$(dirname "$0")/blender_check.py" -- "$@"
