#!/bin/sh
# A stopped or killed run resumes to the same files as an uninterrupted one.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"

# One thread, as the machine may be busy; the last resume takes two.
small_scene 50 32 >sheet.yaml
options='--quiet --threads 1 --write obj,ply,pc2,mdd,glb,usda --checkpoint 4'
# shellcheck disable=SC2086 # a list of words
run() { "$WEFT" run sheet.yaml $options "$@"; }

run --out whole || fail 'the unbroken run'

# same FOLDER: all files except times in the report equal those of the uninterrupted run
same() {
    [ "$(hash_of "$1")" = "$(hash_of whole)" ] || fail "$1: another state_hash"
    [ "$(json steps "$1/report.json")" = "$(json steps whole/report.json)" ] || fail "$1: other steps"
    same_columns "$1/frames.csv" >a.csv
    same_columns whole/frames.csv >b.csv
    cmp a.csv b.csv || fail "$1: another frames.csv"
    for file in sheet.pc2 sheet.mdd sheet.obj sheet.glb sheet.usda; do
        cmp "$1/$file" "whole/$file" || fail "$1: another $file"
    done
    diff -r "$1/obj" whole/obj >/dev/null || fail "$1: other OBJ files"
    diff -r "$1/ply" whole/ply >/dev/null || fail "$1: other PLY files"
    [ -z "$(find "$1" -name '*.part')" ] || fail "$1: a .part file is left"
}

# Killed twice at arbitrary moments. A second run into the same folder is refused meanwhile.
# shellcheck disable=SC2086
catch killed killed/obj/sheet_0011.obj killed/obj/sheet_0045.obj "$WEFT" run sheet.yaml $options --out killed
refused 1 'killed: another weft is writing here' "$WEFT" run sheet.yaml --out killed
kill -9 $id
wait $id 2>/dev/null
[ ! -e killed/report.json ] || fail 'a killed run has a report'
"$WEFT" run sheet.yaml $options --out killed --resume &
id=$!
wait_for killed/obj/sheet_0037.obj $id
kill -9 $id 2>/dev/null
wait $id 2>/dev/null
run --out killed --resume || fail 'resuming a killed run'
same killed

# Stopped: the frame is finished and saved, and the exit status names the signal.
for signal in INT TERM; do
    # shellcheck disable=SC2086
    catch $signal $signal/obj/sheet_0009.obj $signal/obj/sheet_0045.obj \
        "$WEFT" run sheet.yaml $options --checkpoint 0 --out $signal 2>$signal.err
    kill -s $signal $id
    kill -s CONT $id
    wait $id
    status=$?
    want=130
    [ $signal = TERM ] && want=143
    [ $status -eq $want ] || fail "SIG$signal: exit status $status"
    grep -q '^weft: .*stopped after frame [0-9]* of 50; --resume goes on' $signal.err || fail "$(cat $signal.err)"
    [ "$(json status $signal/report.json)" = interrupted ] || fail "SIG$signal: status in the report"
    run --out $signal --resume || fail "resuming after SIG$signal"
    same $signal
done

# Also with another number of threads. Resuming a finished run says so.
says 'all 50 frames are already in whole' "$WEFT" run sheet.yaml --write obj,ply,pc2,mdd,glb,usda --out whole --resume
cp -r whole ended
rm ended/report.json # as if killed between the last file and the report
run --out ended --resume --threads 2 || fail 'resuming a run without a report'
same ended

# Where there is nothing to resume, the run starts: without a folder, or killed before the first checkpoint.
run --out nowhere --resume 2>nowhere.err || fail "resuming without a folder: $(cat nowhere.err)"
grep -q '^weft: nowhere: no checkpoint yet; starting anew$' nowhere.err || fail "no notice: $(cat nowhere.err)"
same nowhere
mkdir early
cp whole/frames.csv early/frames.csv.part
run --out early --resume 2>early.err || fail "resuming without a checkpoint: $(cat early.err)"
grep -q '^weft: early: no checkpoint yet; starting anew$' early.err || fail "no notice: $(cat early.err)"
same early
refused 1 'belongs to another scene, or to other values of --set: forces.wind.speed was 2, now 3; only the integrator' \
    "$WEFT" run sheet.yaml --out whole --resume --write obj,ply,pc2,mdd,glb,usda --set forces.wind.speed=3
refused 1 'whole/checkpoint: time.frames was 50, now 55; a run cannot be made longer or shorter: start it anew' \
    "$WEFT" run sheet.yaml --out whole --resume --write obj,ply,pc2,mdd,glb,usda --frames 55
refused 1 'belongs to another scene' "$WEFT" run sheet.yaml --out whole --resume --write obj
small_scene 50 33 >other.yaml
refused 1 'belongs to another scene' "$WEFT" run other.yaml --out whole --resume --write obj,ply,pc2,mdd,glb,usda

# A truncated checkpoint is refused, and a changed byte is detected.
cp whole/checkpoint whole.checkpoint
size=$(wc -c <whole.checkpoint)
for bytes in 0 7 8 20 $((size / 2)) $((size - 1)); do
    head -c $bytes whole.checkpoint >whole/checkpoint
    refused 1 'whole/checkpoint: ' "$WEFT" run sheet.yaml --out whole --resume --write obj,ply,pc2,mdd,glb,usda
done
grep -q 'truncated' refused.err || fail "a truncated checkpoint: $(cat refused.err)"
{ head -c $((size / 2)) whole.checkpoint; printf '\377\376'; tail -c +$((size / 2 + 3)) whole.checkpoint; } >whole/checkpoint
refused 1 'whole/checkpoint: ' "$WEFT" run sheet.yaml --out whole --resume --write obj,ply,pc2,mdd,glb,usda

# --from: computes the last frames again. Without a change they are the same; with one only they change. A PC2 file may
# get more frames.
small_scene 20 8 >kept.yaml
kept() { "$WEFT" run kept.yaml --out kept --quiet --write pc2 --checkpoint 4 --set output.take=false "$@"; }
refused 1 '--from 3: no checkpoints in kept/checkpoints; the earlier run must have --set output.keep=true' kept --from 3
[ ! -e kept ] || fail 'a refused --from made a folder'
kept --set output.keep=true || fail 'a run that keeps its checkpoints'
[ "$(ls kept/checkpoints | wc -l)" -eq 6 ] || fail "checkpoints: $(ls kept/checkpoints)"
cp kept/sheet.pc2 before.pc2
kept --set output.keep=true --from 11 || fail '--from'
cmp kept/sheet.pc2 before.pc2 || fail '--from without a change gives other frames'
refused 1 "frame_0008.checkpoint: snapshot: 64 faces of cloth 'sheet'" kept --from 11 --set 'cloth.grid.cells=[8, 7]'
cmp kept/sheet.pc2 before.pc2 || fail 'a refused --from changed the frames'
kept --from 11 --frames 24 --set forces.wind.speed=9 || fail '--from with other values'
head=$((32 + 9 * 81 * 12)) # header, and frames 0 to 8
[ "$(wc -c <kept/sheet.pc2)" -eq $((32 + 25 * 81 * 12)) ] || fail '--from with more frames: the size of the PC2'
for file in kept/sheet.pc2 before.pc2; do head -c $head $file | tail -c +33; done >two_heads
[ "$(head -c $((head - 32)) two_heads | cksum)" = "$(tail -c $((head - 32)) two_heads | cksum)" ] || fail '--from changed frames before'
tail -c +$((head + 1)) before.pc2 >after.pc2
cmp -s -n 1000 -i $head:0 kept/sheet.pc2 after.pc2 && fail 'frames after --from did not change'
[ "$(ls kept/checkpoints)" = "$(printf 'frame_000%d.checkpoint\n' 0 4 8)" ] || fail "old checkpoints stay: $(ls kept/checkpoints)"
[ "$(tail -n 1 kept/frames.csv | cut -d, -f1)" -eq 24 ] || fail '--from: rows of frames.csv'

# Another integrator goes on from the checkpoint, also where both keep a state of their own.
for pair in projective:bdf2 bdf2:projective verlet:implicit-euler; do
    "$WEFT" run kept.yaml --out other --quiet --write none --checkpoint 4 --set output.keep=true \
        --set "integrator=${pair%:*}" --set 'cloth.model=springs' || fail "${pair%:*}"
    "$WEFT" run kept.yaml --out other --quiet --write none --from 11 --set output.keep=true \
        --set "integrator=${pair#*:}" --set 'cloth.model=springs' || fail "from ${pair%:*} to ${pair#*:}"
    rm -r other
done
exit 0
