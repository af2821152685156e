#!/bin/sh
# A run writes all its files, well formed, and the same bits for any number of threads.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"

small_scene 20 24 >sheet.yaml
"$WEFT" run sheet.yaml --write obj,ply,pc2,mdd,glb,usda >summary 2>progress || fail "run: $(cat progress)"

out=out/sheet
for file in report.json frames.csv checkpoint sheet.pc2 sheet.mdd sheet.obj obj/sheet_0000.obj obj/sheet_0020.obj \
    ply/sheet_0020.ply sheet.glb sheet.usda; do
    [ -s "$out/$file" ] || fail "$file is missing"
done
[ -z "$(find $out -name '*.part')" ] || fail 'a .part file is left'

# PC2: 32 bytes of header, then 12 bytes for each vertex and frame; MDD: 8, 4 for each frame, 12.
[ "$(wc -c <$out/sheet.pc2)" -eq $((32 + 12 * 625 * 21)) ] || fail 'size of the PC2'
[ "$(wc -c <$out/sheet.mdd)" -eq $((8 + 4 * 21 + 12 * 625 * 21)) ] || fail 'size of the MDD'
[ "$(grep -c '^v ' $out/obj/sheet_0020.obj)" -eq 625 ] || fail 'vertices of the OBJ'

# frames.csv: a header, then one row for each frame, all of the same width.
[ "$(wc -l <$out/frames.csv)" -eq 22 ] || fail 'rows of frames.csv'
[ "$(awk -F, '{ print NF }' $out/frames.csv | sort -u | wc -l)" -eq 1 ] || fail 'columns of frames.csv'
[ "$(sed -n '1s/,.*//p' $out/frames.csv)" = frame ] || fail 'header of frames.csv'
[ "$(same_columns $out/frames.csv | awk -F, 'END { print $1 " " $NF }')" = "20 $(hash_of $out)" ] || fail 'last row of frames.csv'

# report.json: brackets match outside of strings, and all required keys exist.
awk '{ gsub(/\\./, ""); gsub(/"[^"]*"/, ""); for (i = 1; i <= length($0); i++) { c = substr($0, i, 1)
    if (c == "{" || c == "[") { depth++; open[depth] = c }
    if (c == "}" || c == "]") { if (open[depth--] != (c == "}" ? "{" : "[")) exit 1 } } }
    END { exit depth != 0 }' $out/report.json || fail 'report.json: brackets do not match'
grep -q ',[[:space:]]*$' $out/report.json || fail 'report.json: no commas'
for key in version scene status threads frames steps simulated_seconds wall_seconds ms_per_step mean median p95 max worst_step detection_ms parts why \
    phase_ms_per_step vertices triangles energy kinetic elastic potential edge_stretch state_hash settings time.step \
    cloth.sheet.fabric.density forces.wind.speed; do
    grep -q "\"$key\":" $out/report.json || fail "report.json: no $key"
done
[ "$(json status $out/report.json)" = ok ] || fail 'status'
[ "$(json steps $out/report.json)" = 800 ] || fail "steps: $(json steps $out/report.json)"
[ "$(json simulated_seconds $out/report.json)" = 0.4 ] || fail 'simulated seconds'
[ "$(json time.step $out/report.json)" = 0.0005 ] || fail 'settings: time.step'
[ "$(json cloth.sheet.fabric.density $out/report.json)" = 0.2 ] || fail 'settings: density'

# Output: the summary with the hash, and at most 21 plain lines, because stderr is not a terminal here.
grep -q "20 frames, 800 steps, .*files in out/sheet; state_hash $(hash_of $out)\$" summary || fail "$(cat summary)"
[ "$(wc -l <progress)" -le 21 ] && grep -q 'frame 20/20' progress || fail "progress: $(cat progress)"
grep -q "$(printf '\r')" progress && fail 'a bar where there is no terminal'
[ -z "$("$WEFT" run sheet.yaml --quiet --frames 1 --out quiet 2>&1)" ] || fail '--quiet says something'

# The same bits with any number of threads.
for threads in 1 2 4; do
    "$WEFT" run sheet.yaml --quiet --threads $threads --write pc2 --out threads$threads || fail "--threads $threads"
    [ "$(hash_of threads$threads)" = "$(hash_of $out)" ] || fail "--threads $threads: another state_hash"
    [ "$(json threads threads$threads/report.json)" = $threads ] || fail "threads of the report"
    cmp $out/sheet.pc2 threads$threads/sheet.pc2 || fail "--threads $threads: another PC2"
done

# Another model or integrator by --set: settings of the replaced one are ignored. Unknown settings are refused, and so
# are wrong ones given by --set.
sed 's/^integrator:.*/integrator: {name: implicit-euler, precondition: diagonal}/' sheet.yaml >precise.yaml
says corotational "$WEFT" check precise.yaml --set cloth.model.name=corotational
says projective "$WEFT" check precise.yaml --set integrator.name=projective
refused 1 "no parameter 'precondition'" "$WEFT" check precise.yaml --set integrator.name=xpbd \
    --set integrator.precondition=diagonal
sed 's/precondition: diagonal/precondtion: diagonal/' precise.yaml >wrong.yaml
refused 1 "no parameter 'precondtion'" "$WEFT" check wrong.yaml --set integrator.name=projective

# --set, --frames and the writers' settings take effect.
"$WEFT" run sheet.yaml --quiet --out set --frames 3 --set cloth.fabric.density=0.3 --set forces.wind.speed=4 \
    --set 'forces.wind.direction=[1, 0, 0]' --write obj:up=z:scale=100 || fail '--set'
[ "$(json frames set/report.json)" = 3 ] || fail '--frames'
[ "$(json cloth.sheet.fabric.density set/report.json)" = 0.3 ] || fail '--set density'
[ "$(json forces.wind.speed set/report.json)" = 4 ] || fail '--set wind'
[ "$(hash_of set)" != "$(hash_of $out)" ] || fail '--set changed nothing'
awk '$1 == "v" && $2 > 99 { found = 1 } END { exit !found }' set/obj/sheet_0003.obj || fail '--write obj:scale=100'
refused 1 'output.glb.up: glTF files are always y up' "$WEFT" run sheet.yaml --out up --write glb:up=z
[ ! -e up ] || fail "a refused writer left files: $(ls up)"
refused 1 'glb.every: 2' "$WEFT" run sheet.yaml --out long --frames 5000 --write glb
"$WEFT" run sheet.yaml --quiet --out few --frames 10 --write glb:every=4:normals=false,usda:up=z:every=4 || fail 'every'
[ "$(grep -c '^            [0-9]*: ' few/sheet.usda)" -eq 12 ] || fail 'frames 0 4 8 10 of the USDA'
"$WEFT" run sheet.yaml --quiet --frames 2 --out none --write none || fail '--write none'
[ "$(find none -type f | wc -l)" -eq 3 ] || fail "--write none wrote $(ls none)"
"$WEFT" run sheet.yaml --quiet --frames 0 --out still || fail '--frames 0'
[ "$(wc -l <still/frames.csv)" -eq 2 ] || fail '--frames 0: rows'

# A run replaces an earlier run and its frames, and nothing else.
echo note >set/obj/note.txt
"$WEFT" run sheet.yaml --quiet --frames 2 --out set || fail 'replacing a run'
[ "$(ls set/obj | tr '\n' ' ')" = 'note.txt sheet_0000.obj sheet_0001.obj sheet_0002.obj ' ] || fail "left: $(ls set/obj)"
refined_scene 4 >refined.yaml
(cd set && find . -type f -exec cksum {} + | sort) >before.txt
refused 1 'always y up' "$WEFT" run sheet.yaml --out set --write glb:up=z
refused 1 'glb: the mesh of cloth' "$WEFT" run refined.yaml --out set --write obj,glb
refused 1 'pc2: the mesh of cloth' "$WEFT" run refined.yaml --out set --write pc2
refused 1 'usda: the mesh of cloth' "$WEFT" check refined.yaml --set output.write=usda
(cd set && find . -type f -exec cksum {} + | sort) >after.txt
cmp before.txt after.txt || fail 'a refused writer changed the earlier run'
mkdir mine && echo precious >mine/thesis.txt
refused 1 'neither empty nor a run of weft' "$WEFT" run sheet.yaml --out mine
[ "$(ls mine)" = thesis.txt ] || fail 'something was written into a folder that was refused'
mkdir empty
"$WEFT" run sheet.yaml --quiet --frames 1 --out empty || fail 'an empty folder'

# check prints sizes and writes nothing.
says '625 vertices (2 held), 576 faces, 1152 triangles, 1 m2, 0.2 kg' "$WEFT" check sheet.yaml
grep -q '1200 structural, 1152 shear, .* flexion links' says.out || fail "check: links: $(cat says.out)"
grep -q '^warning' says.out && fail 'check warns about a good step'
says 'warning' "$WEFT" check sheet.yaml --set time.step=0.02

# A step that is too long ends with status 1 and a hint, and keeps the last good state.
refused 1 'the largest stable step about' "$WEFT" run sheet.yaml --quiet --set time.step=0.02 --set time.halvings=0 \
    --frames 400 --out diverged
grep -q 'diverged in frame [0-9]* at [0-9.]* s' refused.err || fail "$(cat refused.err)"
[ "$(json status diverged/report.json)" = diverged ] || fail 'status of a diverged run'
[ -s diverged/checkpoint ] || fail 'a diverged run without a checkpoint'
[ ! -e diverged/frames.csv.part ] || fail 'a diverged run leaves frames.csv.part'
[ "$(wc -l <diverged/frames.csv)" -eq "$(($(json frames diverged/report.json) + 2))" ] || fail 'rows of a diverged run'

# An explosion whose numbers stay finite ends in the same way, although halved steps could go on. The run warns of it.
"$WEFT" run sheet.yaml --set forces='[gravity]' --set time.step=0.005 --frames 5 --out exploded >exploded.out \
    2>exploded.err && fail 'an explosion ends well'
grep -q 'diverged .*: the cloth moves with .* J, of which gravity and its start explain' exploded.err ||
    fail "$(cat exploded.err)"
grep -q 'notice: the step of .* ms is longer than the largest stable one of .*try --set time.step=' exploded.err ||
    fail "no warning of the step: $(cat exploded.err)"
[ "$(json status exploded/report.json)" = diverged ] || fail 'status of an exploded run'
[ -s exploded/checkpoint ] || fail 'an exploded run without a checkpoint'

# It continues with a shorter step, as the message says, or with another integrator. Other values must stay.
grep -q -e '; --resume --set time.step=0.0[0-9]* goes on from frame 0, diverged/checkpoint$' refused.err ||
    fail "$(cat refused.err)"
longest='--quiet --frames 30 --set time.halvings=0'
for change in time.step=0.001 integrator=implicit-euler 'integrator={name: bdf2, newton: 2}'; do
    # shellcheck disable=SC2086 # a list of words
    refused 1 'diverged in frame' "$WEFT" run sheet.yaml $longest --set time.step=0.02 --out longer
    refused 1 'only the integrator, the device and time.step, mode, jitter, halvings and accuracy may change' \
        "$WEFT" run sheet.yaml --frames 30 --set time.step=0.001 --set cloth.fabric.density=0.3 --out longer --resume
    # shellcheck disable=SC2086
    "$WEFT" run sheet.yaml $longest --set time.step=0.02 --set "$change" --out longer --resume 2>longer.err ||
        fail "$change after divergence: $(cat longer.err)"
    [ "$(json status longer/report.json)" = ok ] || fail "$change: $(json status longer/report.json)"
    [ "$(wc -l <longer/frames.csv)" -eq 32 ] || fail "$change: not all rows"
    grep -q 'from 0 s on with another time step, integrator or device than before' longer/report.json ||
        fail "$change: no notice in the report"
done
refused 1 'longer: all frames are there, made with another time step or integrator' \
    "$WEFT" run sheet.yaml --frames 30 --set time.step=0.0015 --out longer --resume
# A continuation from the start equals a run of its own.
# shellcheck disable=SC2086
refused 1 'diverged in frame' "$WEFT" run sheet.yaml $longest --set time.step=0.02 --out longer
# shellcheck disable=SC2086
"$WEFT" run sheet.yaml $longest --set time.step=0.001 --out longer --resume || fail 'resuming'
# shellcheck disable=SC2086
"$WEFT" run sheet.yaml $longest --set time.step=0.001 --out shorter || fail 'a run with a shorter step'
[ "$(hash_of longer)" = "$(hash_of shorter)" ] || fail 'a continuation from frame 0 differs from a run'
exit 0
