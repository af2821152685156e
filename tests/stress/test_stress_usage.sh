#!/bin/sh
# The fuzzer of scenes itself: arguments, the bytes of scenes, and that each check it can fail does fail.
# usage: test_stress_usage.sh STRESS_SCENES, in an empty folder
set -u
stress=$1

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# refused TEXT ARGUMENT...: exit status 2, one line with TEXT on stderr, nothing on stdout and no new file
refused() {
    text=$1
    shift
    "$stress" "$@" >out 2>err
    status=$?
    [ "$status" -eq 2 ] || fail "$*: exit status $status, not 2"
    [ "$(wc -l <err)" -eq 1 ] || fail "$*: not one line on stderr: $(cat err)"
    [ ! -s out ] || fail "$*: stdout: $(cat out)"
    grep -qF -e "$text" err || fail "$*: no '$text' in: $(cat err)"
    [ ! -e stress-failures ] || fail "$*: wrote stress-failures"
}

# finds STATUS TEXT ARGUMENT...: exits with STATUS and prints TEXT
finds() {
    want=$1 text=$2
    shift 2
    "$stress" "$@" >out 2>err
    status=$?
    [ "$status" -eq "$want" ] || fail "$*: exit status $status, not $want: $(cat out err)"
    grep -qF -e "$text" out || fail "$*: no '$text' in: $(cat out)"
}

refused "--seeds '0': not a whole number from 1" --seeds 0
refused "--seeds 'many': not a whole number" --seeds many
refused "--first '-1': not a whole number from 0" --first -1
refused "--seed '1.5': not a whole number" --seed 1.5
refused "--jobs '': not a whole number from 1 to 256" --jobs
refused "--limit '0': not a whole number" --limit 0
refused "--minutes '-2': not a number from 0" --minutes -2
refused "unknown option '--fast'" --fast
refused "--out needs a folder" --out
refused "--json needs a file" --json
refused "scene files cannot be combined" --seed 3 scene.yaml
finds 0 "usage: stress_scenes" --help

# The files of a seed have the same bytes on every machine. tests/stress/RESULTS.md names seeds, so a change of the
# generator that changes this sum needs a new run.
"$stress" --write-only scenes --first 1 --seeds 50 || fail "--write-only: exit status $?"
sum=$(cat scenes/* | cksum)
[ "$sum" = "2351369578 291074" ] || fail "the scenes of seeds 1 to 50 have changed: cksum is now '$sum'"

# sheets CONTACT: a sheet falls onto another one
sheets() {
    cat <<SCENE
time: {step: 0.01, frames: 20, rate: 50}
cloth:
  - {name: lower, grid: {cells: [5, 5], size: [0.3, 0.3], axes: [x, z]}, pins: [{side: left}, {side: right}]}
  - {name: upper, grid: {cells: [4, 4], size: [0.2, 0.2], axes: [x, -y], origin: [0.03, 0.25, 0.13]}, velocity: [0, -2, 0]}
contact: {$1}
SCENE
}

sheets 'self: true, audit: true' >good.yaml
finds 0 "failures       intersection 0, unresolved 0, not-finite 0, diverged 0, crash 0, bad-start 0" --json good.json good.yaml
grep -q '"scenes": 1, "steps": 40, "newton": [1-9]' good.json || fail "--json: $(cat good.json)"
finds 2 "" --json missing/good.json good.yaml
finds 0 "scenes         1" --updates 1000 good.yaml
finds 1 "scenes         1" --updates 5 good.yaml
sheets 'self: false, audit: true' >through.yaml
finds 1 "through.yaml: intersection at frame" through.yaml
sed 's/0.25, 0.13/0.12, 0.13/' good.yaml >crossed.yaml
finds 1 "crossed.yaml: bad-start at frame 0" crossed.yaml
finds 1 "missing.yaml: bad-start at frame 0" missing.yaml

# A cloth that appears to have been swallowed by a body.
cat >swallowed.yaml <<'SCENE'
time: {step: 0.01, frames: 5, rate: 50}
cloth: {name: sheet, grid: {cells: [4, 4], size: [0.1, 0.1], axes: [x, z]}}
bodies: [{box: {size: [1, 1, 1], appears: 0.05}}]
contact: {audit: true}
SCENE
finds 1 "swallowed.yaml: intersection at frame" swallowed.yaml

# An explicit scheme far above its stable step is counted, and fails only with --strict.
sed 's/^time:.*/time: {step: 0.01, frames: 20, rate: 50, halvings: 0}\nintegrator: symplectic-euler/
     s/pins:/model: springs, pins:/; s/velocity:/model: springs, velocity:/' good.yaml >unstable.yaml
finds 0 "unstable.yaml: unstable at frame" unstable.yaml
finds 1 "unstable.yaml: unstable at frame" --strict unstable.yaml

# A scene that takes too long. Whether that is slow or a stall depends on the machine.
sed 's/frames: 20/frames: 100000/' good.yaml >endless.yaml
finds 0 "not done after 1 s" --limit 1 endless.yaml

# Scenes that do not fail are removed.
finds 0 "seeds          2, from 3" --first 3 --seeds 2 --out kept
for file in kept/*; do
    [ ! -e "$file" ] || grep -qF "$file" out || fail "$file is left, but no failure names it"
done
echo ok
