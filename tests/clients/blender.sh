#!/bin/sh
# Opens a run in Blender and compares the positions: blender.sh DIR SCENE CLOTH (see blender_check.py).
# Without Blender the exit status is 77, which CTest reports as "skipped".
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
