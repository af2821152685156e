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

# Frames are recorded while the next ones are computed. They are those of a run that waits for every frame, for its
# checkpoints or because strains are written too.
cat >pushed.yaml <<'SCENE'
time: {step: 10 ms, frames: 8, rate: 60}
cloth:
  - name: sheet
    grid: {cells: [8, 8], size: [0.6, 0.6]}
    fabric: cotton
    pins: [{corner: top-left}, {corner: top-right}]
bodies:
  - sphere: {radius: 0.1, at: [0.3, -0.3, -0.12], keys: [{time: 0}, {time: 0.2, offset: [0, 0, 0.2]}]}
output: {write: [pc2]}
SCENE
"$WEFT" run pushed.yaml --device cuda-host --quiet --out overlap || fail 'recording beside steps'
"$WEFT" run pushed.yaml --device cuda-host --quiet --out waits --checkpoint 1 || fail 'recording with checkpoints'
"$WEFT" run pushed.yaml --device cuda-host --quiet --out strains --set output.strain=true || fail 'recording strains'
cmp overlap/frames.weft waits/frames.weft || fail 'frames differ from those of a run that waits'
cmp overlap/sheet.pc2 strains/sheet.pc2 || fail 'frames differ from those of a run with strains'
columns() { awk -F, '{ for (i = 1; i <= NF; i++) { if (NR == 1) keep[i] = $i !~ /_ms$/; if (keep[i]) printf "%s,", $i }
    print "" }' "$1/frames.csv"; }
columns overlap >overlap.csv
columns waits >waits.csv
columns strains >strains.csv
cmp overlap.csv waits.csv && cmp overlap.csv strains.csv || fail 'rows of frames.csv differ'
[ "$(wc -l <overlap.csv)" = 10 ] || fail 'rows are missing'

# Cases of a study share a process and a device. Their table is that of processes of their own.
cat >study.yaml <<'STUDY'
scene: sheet.yaml
set: {device: cuda-host, time.frames: 2}
vary: {cloth.fabric.density: [100 g/m2, 200 g/m2, 300 g/m2, 400 g/m2]}
record:
  corner: {vertex: 116, measure: y}
  kinetic: {frames: kinetic, reduce: max}
STUDY
"$WEFT" study study.yaml --quiet --jobs 1 --out alone || fail 'a study with a process for each case'
"$WEFT" study study.yaml --quiet --jobs 3 --out together || fail 'a study with cases in one process'
cmp alone/results.csv together/results.csv || fail 'the tables of studies differ'
[ "$(grep -c ',ok,' together/results.csv)" = 4 ] || fail 'cases of the study failed'

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
