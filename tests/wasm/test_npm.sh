#!/bin/sh
# The npm package: packs it, installs it in a fresh project, builds that with Vite and the TypeScript compiler, and opens
# the built page and that of the development server in Chromium.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"
. "$WEFT_SOURCE_DIR/tests/wasm/common.sh"
find_chromium
install_packages
"$WEFT_SOURCE_DIR/tools/npm-package" package >pack.log || fail 'npm pack'
mkdir project
cd project || exit 1
npm_or_skip npm init -y
npm_or_skip npm install --no-audit --no-fund ../package/weft-cloth-*.tgz three@0.187.0 @types/three@0.187.0 vite@6.4.6 \
    typescript@5.9.3
cp node_modules/weft-cloth/example/* .
npx vite build >vite.log 2>&1 || { cat vite.log; fail 'vite build'; }
ls dist/assets/*.wasm >/dev/null || fail 'the module is not part of the built page'
node "$packages/vite_page.mjs" || fail 'the page'
cat >types.ts <<'END'
import { loadWeft, type Sim } from "weft-cloth";
import { ClothGeometry } from "weft-cloth/three";
const weft = await loadWeft();
const sim: Sim = weft.createSim("cloth: {grid: {cells: [2, 2]}}");
const positions: Float64Array = sim.cloths[0].positions;
new ClothGeometry(sim.cloths[0]).update();
// @ts-expect-error there is no such format
sim.write("fbx");
export { positions };
END
npx tsc --noEmit --strict --module esnext --moduleResolution bundler --target es2022 --skipLibCheck types.ts ||
    fail 'the types'
cp "$tests/npm_package.mjs" .
node npm_package.mjs || fail 'the package in Node'
# the program of the README
awk '/^```js/ { on = !done; next } /^```/ { done = done || on; on = 0 } on' node_modules/weft-cloth/README.md >readme.mjs
node readme.mjs >readme.out || fail 'the program of the README'
grep -qE '^[0-9.]+ [0-9a-f]{16} ' readme.out || { head -c 300 readme.out; fail 'the output of the program of the README'; }
