#!/bin/sh
# The Blender add-on, installed from its zip: bakes, compares, cancels, bakes again, and refuses what it must.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"
blender=${BLENDER:-blender}
script=$WEFT_SOURCE_DIR/tests/clients/blender_addon.py
command -v "$blender" >/dev/null || {
    echo "skipped: Blender is not installed"
    exit 77
}
# The user's own settings stay untouched.
mkdir -p config scripts/addons data bare files
export BLENDER_USER_CONFIG="$PWD/config" BLENDER_USER_SCRIPTS="$PWD/scripts" BLENDER_USER_DATAFILES="$PWD/data"
"$blender" -b --factory-startup --python-exit-code 1 --python-expr 'import numpy' >numpy.log 2>&1 || {
    echo "skipped: python3-numpy is not installed"
    exit 77
}
"$WEFT_SOURCE_DIR/tools/blender-addon" "$WEFT" "$PWD/weft-blender.zip" || fail 'tools/blender-addon'
"$WEFT_SOURCE_DIR/tools/blender-addon" "$WEFT" "$PWD/again.zip" && cmp weft-blender.zip again.zip || fail 'the zip differs'
"$blender" -b --factory-startup --python "$script" -- "$WEFT" "$PWD/weft-blender.zip" "$PWD/files" >addon.log 2>&1
status=$?
grep '^ok: ' addon.log
[ $status -eq 0 ] || fail "the add-on: $(tail -12 addon.log)"
BLENDER_USER_SCRIPTS="$PWD/bare" "$blender" -b --factory-startup --python "$script" -- replay "$PWD/files" >replay.log 2>&1 ||
    fail "the baked file without the add-on: $(tail -5 replay.log)"
grep '^ok: ' replay.log
exit 0
