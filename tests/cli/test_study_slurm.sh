#!/bin/sh
# A study through a real Slurm: the same tables as on this machine, also if a node is drained or fails, a task is
# cancelled, or a time limit is hit. Most of the minute that this takes is the shortest time limit of Slurm.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"
. "$WEFT_SOURCE_DIR/tests/cli/slurm.sh"

small_scene 20 6 >sheet.yaml
cat >grid.yaml <<STUDY
scene: sheet.yaml
vary:
  cloth.fabric.density: {range: [100 g/m2, 400 g/m2], count: 10}
  forces.wind.speed: {range: [0, 4], count: 8}
record:
  corner: {vertex: 48, measure: y}
  kinetic: {frames: kinetic, reduce: max}
positions: last
slurm: {batch: 8, time: 1 min, poll: 0.5 s, partition: main}
STUDY
"$WEFT" study grid.yaml --out whole --quiet || fail 'the study on this machine'

# Without Slurm there is one clear line, and the study goes on elsewhere.
mkdir empty
refused 1 'cannot run sbatch; Slurm is not installed here' env PATH="$PWD/empty" "$WEFT" study grid.yaml --out none --on slurm

trap 'kill -9 ${id:-} 2>/dev/null; slurm_end' EXIT
slurm_start

# same FOLDER: as on this machine, and each case once
same() {
    for file in results.csv results.sqlite positions.h5; do
        cmp "$1/$file" "whole/$file" || fail "$1: another $file"
    done
    [ "$(wc -c <"$1/journal")" -eq "$(wc -c <whole/journal)" ] || fail "$1: cases were repeated"
}

# -- undisturbed --
"$WEFT" study grid.yaml --out plain --on slurm 2>plain.err || fail "on Slurm: $(cat plain.err)"
same plain
[ "$(wc -l <plain/slurm/jobs)" -eq 1 ] || fail "more than one round: $(cat plain/slurm/jobs)"
refused 1 'sbatch failed: ' "$WEFT" study grid.yaml --out wrong --on slurm --partition nowhere

# Failed cases run again on the cluster too, and mixing both places is noticed.
cat >fails.yaml <<STUDY
scene: sheet.yaml
set: {time.halvings: 0}
vary: {cloth.model.structural_stiffness: [20, 1e7]}
slurm: {poll: 0.5 s}
STUDY
"$WEFT" study fails.yaml --out fails --on slurm --quiet || fail 'a failing case on Slurm'
grep -q '^1,0,1e+07,diverged,' fails/results.csv || fail "$(cat fails/results.csv)"
"$WEFT" study fails.yaml --out fails --on slurm --quiet --retry || fail '--retry on Slurm'
[ "$(wc -l <fails/slurm/jobs)" -eq 2 ] || fail 'the failed case was not submitted again'
"$WEFT" study fails.yaml --out fails --retry 2>&1 | grep -q 'notice: jobs of an earlier start' || fail 'no notice'

# -- disturbed: cases last long enough to be met --
sed 's/frames: 20/frames: 400/' sheet.yaml >long.yaml
sed 's/sheet.yaml/long.yaml/' grid.yaml >long-grid.yaml
"$WEFT" study long-grid.yaml --out long-whole --quiet || fail 'the long study on this machine'

# tasks: the processes of tasks, which are not workers
tasks() {
    for process in $(pgrep -f "study task $PWD/hard/slurm"); do
        parent=$(awk '{ print $4 }' "/proc/$process/stat" 2>/dev/null)
        pgrep -f "study task $PWD/hard/slurm" | grep -qx "${parent:-0}" || echo "$process"
    done
}

"$WEFT" study long-grid.yaml --out hard --on slurm 2>hard.err &
id=$!
until [ -n "$(find hard/slurm -name 'journal-0000[01]' -size +0 2>/dev/null)" ]; do
    kill -0 $id 2>/dev/null || fail "ended early: $(cat hard.err)"
    sleep 0.1
done
# One worker hangs, so its task runs into the time limit.
until worker=$(pgrep -P "$(tasks | head -n 1)" 2>/dev/null | head -n 1) && kill -s STOP "$worker" 2>/dev/null; do
    kill -0 $id 2>/dev/null || fail 'no worker to stop'
    sleep 0.1
done
node=$(squeue --noheader --states=R --format=%N | sort | uniq -c | awk 'NR == 1 { print $2 }')
# A node is drained and comes back.
scontrol update nodename="$node" state=drain reason=test || fail drain
sleep 2
scontrol update nodename="$node" state=resume || fail resume
# A task is cancelled.
job=$(awk 'NR == 1 { print $4 }' hard/slurm/jobs)
scancel "${job}_9" || fail scancel
# The node without that worker fails: Slurm ends what runs there and starts it again.
failing=n1
tr '\0' '\n' <"/proc/$worker/environ" | grep -qx SLURMD_NODENAME=n1 && failing=n2
sleep 1
scontrol update nodename=$failing state=down reason=test || fail down
sleep 1
scontrol update nodename=$failing state=resume 2>/dev/null # or it is back already
# The study itself is killed and started again; it waits for the jobs that run.
kill -9 $id
wait $id 2>/dev/null
id=
"$WEFT" study long-grid.yaml --out hard --on slurm 2>hard.err || fail "the disturbed study: $(cat hard.err)"
mv whole short-whole
mv long-whole whole
same hard
[ "$(awk '{ print $1 }' hard/slurm/jobs | sort -u | wc -l)" -gt 1 ] || fail 'nothing was submitted again'
grep -q 'DUE TO TIME LIMIT' hard/slurm/round-001/log-* || fail 'no time limit was hit'
exit 0
