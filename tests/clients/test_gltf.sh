#!/bin/sh
# Checks GLB and USDA with the Khronos validator and three.js. The npm packages are installed once per build folder.
. "$WEFT_SOURCE_DIR/tests/clients/clients.sh"

for program in node npm; do
    if ! command -v $program >/dev/null; then
        echo "skipped: $program is not installed"
        exit 77
    fi
done
clients=$WEFT_SOURCE_DIR/tests/clients
packages=$(cd .. && pwd)/node
if ! cmp -s "$clients/package-lock.json" "$packages/installed"; then
    rm -rf "$packages"
    mkdir -p "$packages"
    cp "$clients/package.json" "$clients/package-lock.json" "$packages"
    if ! (cd "$packages" && npm ci --ignore-scripts --no-audit --no-fund) >npm.log 2>&1; then
        cat npm.log
        grep -qE 'ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH' npm.log || fail 'npm ci'
        echo 'skipped: the npm registry cannot be reached'
        exit 77
    fi
    cp "$clients/package-lock.json" "$packages/installed"
fi
cp "$clients/gltf_check.js" "$packages"

write_run
node "$packages/gltf_check.js" "$PWD/out/sheet" sheet sheet fine || fail 'other programs show wrong positions'

# The check itself must detect a changed position in the last target, and frames in the wrong order.
cp -r out/sheet spoilt
animation=$((21 * 21 * 4 + 21 * 4)) normals=$((625 * 12))
place=$(($(wc -c <spoilt/sheet.glb) - animation - normals - 4000))
printf '\100\100\100\100' | dd of=spoilt/sheet.glb bs=1 seek=$place conv=notrunc 2>dd.log
node "$packages/gltf_check.js" "$PWD/spoilt" sheet sheet fine >spoilt.log && fail 'a changed GLB passes'
grep -q 'glb, fine, frame 20.*WRONG' spoilt.log || fail 'a changed position is not found'
cp -r out/sheet mixed
cp mixed/ply/sheet_0020.ply mixed/ply/sheet_0010.ply
node "$packages/gltf_check.js" "$PWD/mixed" sheet sheet fine >mixed.log && fail 'a wrong frame passes'
grep -q 'usda, sheet, frame 10.*WRONG' mixed.log || fail 'a wrong frame of the USDA is not found'
exit 0
