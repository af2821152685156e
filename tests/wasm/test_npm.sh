#!/bin/sh
# The npm package: packs it, installs it in a fresh project, and builds that with Vite and the TypeScript compiler.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"
. "$WEFT_SOURCE_DIR/tests/wasm/common.sh"
"$WEFT_SOURCE_DIR/tools/npm-package" package >pack.log || fail 'npm pack'
mkdir project
cd project || exit 1
cp "$WEFT_SOURCE_DIR/wasm/npm/example/main.js" .
echo '<!doctype html><title>cloth</title><script type="module" src="main.js"></script>' >index.html
echo '{"name": "project", "private": true, "type": "module"}' >package.json
if ! npm install --no-audit --no-fund ../package/weft-cloth-*.tgz three@0.187.0 @types/three@0.187.0 vite@6.4.6 \
    typescript@5.9.3 >npm.log 2>&1; then
    cat npm.log
    grep -qE 'ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH' npm.log || fail 'npm install'
    echo 'skipped: the npm registry cannot be reached'
    exit 77
fi
npx vite build --target es2022 >vite.log 2>&1 || { cat vite.log; fail 'vite build'; }
ls dist/assets/*.wasm >/dev/null || fail 'the module is not part of the built page'
cat >types.ts <<'X'
import { loadWeft, type Sim } from "weft-cloth";
import { ClothGeometry } from "weft-cloth/three";
const weft = await loadWeft();
const sim: Sim = weft.createSim("cloth: {grid: {cells: [2, 2]}}");
const positions: Float64Array = sim.cloths[0].positions;
new ClothGeometry(sim.cloths[0]).update();
// @ts-expect-error there is no such format
sim.write("fbx");
export { positions };
X
npx tsc --noEmit --strict --module esnext --moduleResolution bundler --target es2022 --skipLibCheck types.ts ||
    fail 'the types'
cp "$tests/npm_package.mjs" .
node npm_package.mjs || fail 'the package in Node'
