#!/bin/sh
# The demo with few frames: files, a picture, a contact sheet and a video.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"

OUT=$PWD/flag FRAMES=8 SAMPLES=1 "$WEFT_SOURCE_DIR/tools/demo" >demo.out 2>&1 || fail "$(tail -n 3 demo.out)"
for file in flag.png flag_sheet.png flag.mp4 report.json frames.csv; do
    [ -s "flag/$file" ] || fail "no $file"
    grep -q "  $file " demo.out || fail "$file is not told"
done
[ "$(find flag/obj -name '*.obj' | wc -l)" = 9 ] || fail 'not an OBJ of each frame'
exit 0
