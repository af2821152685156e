#!/bin/sh
# OBJ, PC2, MDD and GLB as Blender shows them, of a cloth and of a proxy.
. "$WEFT_SOURCE_DIR/tests/clients/common.sh"

if ! command -v "${BLENDER:-blender}" >/dev/null; then
    echo 'skipped: Blender is not installed'
    exit 77
fi
write_run
# Debian's importer of glTF needs numpy, which its package only recommends.
if ! "${BLENDER:-blender}" -b --factory-startup --python-exit-code 1 --python-expr 'import numpy' >numpy.log 2>&1; then
    rm out/sheet/sheet.glb
fi
for cloth in sheet fine; do
    "$WEFT_SOURCE_DIR/tests/clients/blender.sh" out/sheet sheet $cloth >blender.log 2>&1
    status=$?
    grep ', frame ' blender.log
    [ $status -eq 0 ] || fail "$cloth: $(tail -5 blender.log)"
done
if [ ! -e out/sheet/sheet.glb ]; then
    echo 'skipped: GLB was not opened, as python3-numpy is not installed; the others are as they should be'
    exit 77
fi
exit 0
