#!/bin/sh
# Steps on a device: what is missing or not supported is one line. The kernels as loops on the CPU make whole runs.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"

cat >sheet.yaml <<'SCENE'
time: {step: 4 ms, frames: 3, rate: 60}
integrator: bdf2
cloth:
  - name: sheet
    grid: {cells: [12, 8], size: [0.6, 0.4]}
    fabric: cotton
    pins: [{corner: top-left}, {corner: top-right}]
output: {write: [pc2]}
SCENE

"$WEFT" run sheet.yaml --device cpu --quiet --out cpu || fail 'device cpu'
[ "$(json device cpu/report.json)" = cpu ] || fail 'report.json: device'
refused 1 "device: 'abacus' is not known; known: cpu, cuda" "$WEFT" run sheet.yaml --device abacus
refused 1 "device: 'A B' is neither cpu nor cuda" "$WEFT" run sheet.yaml --device 'A B'
refused 1 'device.number: -1 is below 0' "$WEFT" run sheet.yaml --set device.number=-1
sed 's/^integrator.*/device: [cuda]/' sheet.yaml >list.yaml
refused 1 'list.yaml:2: device: needs a name, as in device: cuda' "$WEFT" run list.yaml

if [ ! -e "$(dirname "$WEFT")/libweft_cuda.so" ]; then
    refused 1 'device: cuda needs libweft_cuda.so, which is not installed' "$WEFT" run sheet.yaml --device cuda
    echo 'device: the backend is not built, the rest is skipped'
    exit 0
fi

# Where there is a GPU, tools/test-gpu tests it.
if ! nvidia-smi >/dev/null 2>&1; then
    refused 1 "device 'cuda': no NVIDIA GPU can be used here" "$WEFT" run sheet.yaml --device cuda
    [ ! -e out/sheet ] || fail 'a run without a GPU left files'
fi

# The same bits from run to run, and from a checkpoint.
"$WEFT" run sheet.yaml --device cuda-host --quiet --out host || fail 'device cuda-host'
[ "$(json device host/report.json)" = cuda-host ] || fail 'report.json: device'
[ "$(json device_hardware host/report.json)" = 'loops on the CPU' ] || fail 'report.json: device_hardware'
sed 's/^integrator.*/device: {name: cuda-host, number: 0}/' sheet.yaml >named.yaml
"$WEFT" run named.yaml --quiet --out again || fail 'device in the scene'
[ "$(hash_of host)" = "$(hash_of again)" ] || fail 'two runs differ'
[ "$(hash_of host)" != "$(hash_of cpu)" ] || fail 'the device was not used'
"$WEFT" run sheet.yaml --device cuda-host --quiet --out parts --checkpoint 1 --frames 3 || fail 'a run with checkpoints'
[ "$(hash_of host)" = "$(hash_of parts)" ] || fail 'checkpoints change the result'

# What the device does not support is refused by name, before anything is written.
refused 1 'does not support integrator xpbd' \
    "$WEFT" run sheet.yaml --device cuda-host --set integrator=xpbd --set cloth.0.model=springs --out no
refused 1 'does not support contact.method: constraints' \
    "$WEFT" run ten-sheets --device cuda-host --set contact.method=constraints --out no
refused 1 'does not support adaptive remeshing (adapt)' "$WEFT" run adaptive-sheet --device cuda-host --out no
refused 1 'does not support tearing, cuts and changing meshes' "$WEFT" run rip --device cuda-host --out no
refused 1 'does not support contact.mode: fast' \
    "$WEFT" run sheet.yaml --device cuda-host --set contact.self=true --set contact.mode=fast --out no
sed 's/^    pins.*/&\n    cuts: [{at: 0.02 s, path: [[0.3, 0.1, 0], [0.3, -0.5, 0]]}]/' sheet.yaml >cut.yaml
refused 1 'does not support cuts' "$WEFT" run cut.yaml --device cuda-host --out no
[ ! -e no ] || fail 'a refused run left files'
exit 0
