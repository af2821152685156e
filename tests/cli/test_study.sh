#!/bin/sh
# Studies: tables, failing cases, two starts, changed files, and the same tables after SIGKILL at random moments.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"

small_scene 4 4 >sheet.yaml
cat >grid.yaml <<STUDY
scene: sheet.yaml
set: {time.step: 1 ms}
vary:
  cloth.fabric.density: [100 g/m2, 200 g/m2, 400 g/m2]
  stiffness: {paths: [cloth.model.structural_stiffness, cloth.model.shear_stiffness], log: [1, 100], count: 3}
  pair: {together: {forces.wind.speed: [0, 3], forces.wind.randomness: [0, 1]}}
repeats: 2
record:
  corner: {vertex: 24, measure: y}
  half: {point: [1, 0, 1], measure: distance, at: 0.04 s}
  kinetic: {frames: kinetic, reduce: max}
  steps: {report: steps}
  density: {report: settings.cloth.sheet.fabric.density}
positions: last
limits: {time: 5 min}
STUDY

# -- tables --
"$WEFT" study grid.yaml --dry-run >cases.csv || fail 'the dry run'
[ "$(wc -l <cases.csv)" -eq 37 ] || fail "cases: $(wc -l <cases.csv)"
[ ! -e out ] || fail 'a dry run made a folder'
"$WEFT" study grid.yaml --out whole 2>whole.err >whole.out || fail "the study: $(cat whole.err)"
grep -q '^grid: 36 cases, 36 ok, 0 failed, .*busy; files in whole$' whole.out || fail "$(cat whole.out)"
[ "$(head -n 1 whole/results.csv)" = "case,repeat,cloth.fabric.density,stiffness,forces.wind.speed,\
forces.wind.randomness,corner,half,kinetic,steps,density,status,reason,frames,state_hash" ] || fail "$(head -n 1 whole/results.csv)"
cut -d, -f1-6 whole/results.csv | cmp - cases.csv || fail 'other cases than in the dry run'
awk -F, 'NR > 1 && ($10 != 80 || $11 != $3 / 1000 || $12 != "ok" || $14 != 4) { bad = 1 } END { exit bad }' \
    whole/results.csv || fail "$(cat whole/results.csv)"
grep -q '^cloth.fabric.density,g/m2,parameter,' whole/columns.csv || fail "$(cat whole/columns.csv)"
[ "$(json design whole/provenance.json)" = grid ] || fail 'provenance.json'
[ "$(wc -l <whole/timings.csv)" -eq 37 ] || fail 'timings.csv'
# A case is the same simulation as `weft run` with its values.
"$WEFT" run sheet.yaml --quiet --out one --set time.step='1 ms' --set cloth.fabric.density='200 g/m2' \
    --set cloth.model.structural_stiffness=10 --set cloth.model.shear_stiffness=10 --set forces.wind.speed=3 \
    --set forces.wind.randomness=1 --set air.seed=2 || fail 'the run of one case'
grep -q "^19,1,200,10,3,1,.*,$(hash_of one)\$" whole/results.csv || fail "case 19 differs: $(grep '^19,' whole/results.csv)"
if command -v sqlite3 >/dev/null; then
    [ "$(sqlite3 whole/results.sqlite 'select count(*), sum(status = "ok") from results')" = '36|36' ] || fail sqlite
    [ "$(sqlite3 whole/results.sqlite "select unit from columns where name = 'corner'")" = m ] || fail 'units in sqlite'
fi
if command -v h5dump >/dev/null; then
    h5dump -d /case_000035/sheet/positions whole/positions.h5 | grep -q '( 1, 25, 3 )' || fail positions.h5
fi
says 'grid: all 36 cases are already in whole' "$WEFT" study grid.yaml --out whole

# same FOLDER: the tables equal those of the uninterrupted study, and each case is in the journal once
same() {
    for file in results.csv columns.csv results.sqlite positions.h5 provenance.json; do
        cmp "$1/$file" "whole/$file" || fail "$1: another $file"
    done
    [ "$(wc -c <"$1/journal")" -eq "$(wc -c <whole/journal)" ] || fail "$1: cases were repeated"
    [ -z "$(find "$1" -name '*.part')" ] || fail "$1: a .part file is left"
}

# -- SIGKILL: of the study, so that its workers are left alone --
kills=0
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
    "$WEFT" study grid.yaml --out killed --jobs 2 --quiet &
    id=$!
    sleep "0.0$(((i * 37 + 11) % 10))"
    kill -9 $id 2>/dev/null && kills=$((kills + 1))
    wait $id 2>/dev/null
    [ -e killed/results.csv ] && break
done
"$WEFT" study grid.yaml --out killed --quiet || fail 'resuming a killed study'
same killed
echo "killed $kills times"
# A torn record at the end of the journal is cut off, wherever it is torn.
size=$(wc -c <whole/journal)
for cut in 1 20 33 400; do
    rm -rf torn
    mkdir torn
    cp whole/study.yaml torn
    head -c $((size - cut)) whole/journal >torn/journal
    "$WEFT" study grid.yaml --out torn --quiet || fail 'resuming with a torn journal'
    same torn
done

# -- SIGINT: finishes the running cases, writes the tables and says how to go on --
sed 's/time.step: 1 ms/time.step: 0.01 ms/' grid.yaml >slow.yaml
catch slow slow/journal slow/results.csv "$WEFT" study slow.yaml --out slow --jobs 1 2>slow.err

# -- two starts --
refused 1 "slow: process $id on " "$WEFT" study slow.yaml --out slow
kill -s INT $id
kill -s CONT $id
wait $id
status=$?
[ $status -eq 130 ] || fail "SIGINT: exit status $status"
grep -q 'slow.yaml: stopped after [0-9]* of 36 cases; the same command goes on$' slow.err || fail "$(cat slow.err)"
[ -e slow/results.csv ] || fail 'no table after SIGINT'

# -- a changed study or scene is refused; how it runs may change --
sed 's/400 g/500 g/' grid.yaml >changed.yaml
refused 1 'holds another study: vary.cloth.fabric.density was [100 g/m2, 200 g/m2, 400 g/m2], now' \
    "$WEFT" study changed.yaml --out whole
sed 's/5 min/6 min/; $a run: {jobs: 2}' grid.yaml >changed.yaml
says 'all 36 cases' "$WEFT" study changed.yaml --out whole
"$WEFT" study grid.yaml --out whole --quiet || fail 'going back'
cp sheet.yaml sheet.old
small_scene 5 4 >sheet.yaml
refused 1 'sheet.yaml: has changed since this study began' "$WEFT" study grid.yaml --out whole
cp sheet.old sheet.yaml
printf 'density: 0.2\n' >own.yaml
printf 'scene: sheet.yaml\nvary: {cloth.fabric: [own, wool]}\nrecord: {steps: {report: steps}}\n' >fabrics.yaml
"$WEFT" study fabrics.yaml --quiet || fail 'a study with fabric files'
printf '# another comment\ndensity: 0.2\n' >own.yaml
says 'all 2 cases' "$WEFT" study fabrics.yaml
printf 'density: 0.21\n' >own.yaml
refused 1 'fabrics.yaml: a fabric file that it names has changed since this study began' "$WEFT" study fabrics.yaml
"$WEFT" study fabrics.yaml --quiet --fresh || fail '--fresh with a changed fabric file'
sed 's/fabric: {density: 200 g.m2}/fabric: own/' sheet.yaml >named.yaml
printf 'scene: named.yaml\nvary: {air.seed: [1, 2]}\nrecord: {steps: {report: steps}}\n' >seeds.yaml
"$WEFT" study seeds.yaml --quiet || fail 'a scene with a fabric file'
printf 'density: 0.22\n' >own.yaml
refused 1 'a fabric file that it names has changed' "$WEFT" study seeds.yaml
mkdir other
echo text >other/file
refused 1 'the folder is neither empty nor a study' "$WEFT" study grid.yaml --out other
cp -r whole again
"$WEFT" study grid.yaml --out again --quiet --fresh || fail '--fresh'
same again

# -- cases that fail are rows --
cat >fails.yaml <<STUDY
scene: sheet.yaml
set: {time.halvings: 0}
vary:
  cloth.model.structural_stiffness: [20, 1e7]
  time.frames: [4, 100000]
record: {steps: {report: steps}}
limits: {time: 1 s}
STUDY
"$WEFT" study fails.yaml --quiet || fail 'a study with failing cases'
cut -d, -f1,6 out/fails/results.csv | tr '\n' ' ' | grep -q '^case,status 0,ok 1,time-limit 2,diverged 3,diverged $' ||
    fail "$(cat out/fails/results.csv)"
grep -q '^1,0,20,100000,,time-limit,longer than the limit of 1 s,0,' out/fails/results.csv || fail "$(cat out/fails/results.csv)"
"$WEFT" study fails.yaml --quiet --retry || fail '--retry'
[ "$(wc -l <out/fails/results.csv)" -eq 5 ] || fail 'rows after --retry'
# A study without a single result is a failure; its table is still written.
sed 's/\[20, 1e7\]/[1e7]/; s/\[4, 100000\]/[4, 5]/' fails.yaml >hopeless.yaml
refused 1 'hopeless.yaml: all 2 cases failed; the reasons are in out/hopeless/results.csv' \
    "$WEFT" study hopeless.yaml --quiet
[ "$(wc -l <out/hopeless/results.csv)" -eq 3 ] || fail 'rows of a study that failed'

# -- the page: whole in itself, with what the design allows --
cat >screen.yaml <<STUDY
scene: sheet.yaml
design: morris
samples: 3
vary:
  cloth.fabric.density: {range: [100 g/m2, 400 g/m2]}
  cloth.model.structural_stiffness: {log: [5, 50]}
record: {corner: {vertex: 24}, '<odd & name>': {vertex: 20, measure: speed}}
pictures: {width: 40, height: 30}
STUDY
"$WEFT" study screen.yaml --quiet || fail 'the screening'
[ "$(find out/screen/pictures -name '*.png' | wc -l)" -eq 9 ] || fail 'pictures'
says 'out/screen/report.html' "$WEFT" study report out/screen
for text in 'Elementary effects' "<td>cloth.model.structural_stiffness</td>" 'src=.data:image/png;base64,' '<polyline' \
    '&lt;odd &amp; name&gt;' '</body></html>'; do
    grep -q "$text" out/screen/report.html || fail "the page has no $text"
done
grep -q 'https*://\|<script\|<odd' out/screen/report.html && fail 'the page refers to others, or is not escaped'
says whole.html "$WEFT" study report whole --out whole.html
grep -q 'This design does not allow sensitivity indices' whole.html || fail 'no word on sensitivity'
refused 1 'other: not the folder of a study' "$WEFT" study report other

# -- mistakes are found before anything starts --
bad() {
    text=$1
    cat >bad.yaml
    refused 1 "$text" "$WEFT" study bad.yaml
    [ ! -e out/bad ] || fail 'a refused study made a folder'
}
echo 'scene: sheet.yaml
varry: {}' | bad "bad.yaml:2: unknown key 'varry'; did you mean 'vary'?"
echo 'vary: {}' | bad 'bad.yaml:1: scene: missing'
echo 'scene: nowhere.yaml' | bad 'nowhere.yaml: no such file or scene'
echo 'scene: sheet.yaml
vary: {cloth.fabric.density: {rnage: [1, 2]}}' | bad "vary.cloth.fabric.density: unknown key 'rnage'; did you mean 'range'?"
echo 'scene: sheet.yaml
vary: {cloth.fabric.density: {range: [2, 1], count: 3}}' | bad 'the first end must be below the second'
echo 'scene: sheet.yaml
vary: {cloth.fabric.density: [0.1, -1]}' | bad 'bad.yaml: fabric.density: -1 is'
echo 'scene: sheet.yaml
vary: {cloth.fabric.densty: [0.1, 1]}' | bad "'densty'; did you mean 'density'?"
echo 'scene: sheet.yaml
record: {a: {frames: kinetik}}' | bad "frames.csv has no column 'kinetik'; did you mean 'kinetic'?"
echo 'scene: sheet.yaml
record: {a: {report: solver.nothing}}' | bad "report.json of this scene has no 'solver.nothing'"
echo 'scene: sheet.yaml
record: {a: {vertex: 25}}' | bad 'record.a: vertex 25 is not in 0 to 24'
echo 'scene: sheet.yaml
design: latin' | bad 'samples: this design needs a number of samples'
echo 'scene: sheet.yaml
vary: {a: {whole: [0, 999999]}, b: {whole: [0, 999999]}}' | bad 'more than 10,000,000 cases'
refused 1 'nowhere.yaml: ' "$WEFT" study nowhere.yaml
refused 1 '--on: ' "$WEFT" study grid.yaml --on mars
refused 2 'FILE is missing' "$WEFT" study
exit 0
