#!/bin/sh
# Bad input gives one line that names the place, the value and what is allowed.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"

small_scene 2 4 >good.yaml
"$WEFT" run good.yaml --quiet --out good || fail 'the scene that the others are made from'

# bad TEXT SED: good.yaml changed by SED is refused with TEXT
bad() {
    sed "$2" good.yaml >bad.yaml
    cmp -s good.yaml bad.yaml && fail "'$2' changes nothing"
    refused 1 "$1" "$WEFT" run bad.yaml
    refused 1 "$1" "$WEFT" check bad.yaml
    [ ! -e out ] || fail "'$2': a refused scene wrote something"
}

bad "bad.yaml:6: " 's/density: 200/densty: 200/'
bad "did you mean 'density'?" 's/density: 200/densty: 200/'
bad "did you mean 'forces'?" 's/^forces:/forcs:/'
bad "did you mean 'springs'?" 's/name: springs/name: spring/'
bad "did you mean 'gravity'?" 's/- gravity/- gravty/'
bad "did you mean 'speed'?" 's/speed: 2/sped: 2/'
bad "did you mean 'symplectic-euler'?" 's/symplectic-euler/simplectic-euler/'
bad 'fabric.density: -200 g/m2 is below 0 (kg/m2)' 's/200 g/-200 g/'
bad "fabric.density: 210 is above 100 (kg/m2); did you mean '210 g/m2'?" 's/200 g.m2/210/'
bad 'allowed: kg/m2, g/m2' 's/200 g.m2/200 kg/'
bad 'bad.yaml:1: time.step: -1 ms is below 0 (s)' 's/step: 0.5 ms/step: -1 ms/'
bad 'bad.yaml:1: time.step: 1e-300 s cuts a frame' 's/step: 0.5 ms/step: 1e-300/'
bad 'is not one of top-left' 's/top-left/top-lef/'
bad "bad.yaml:1: time.mode: 'variabel' is not one of fixed, variable, adaptive; did you mean 'variable'?" \
    's/step: 0.5 ms/step: 0.5 ms, mode: variabel/'
for contact in method:constraint method:constraints bodies:constraints layers:impulses; do
    "$WEFT" check good.yaml --set "contact.${contact%:*}=${contact#*:}" >log 2>&1 || fail "contact: {$contact}: $(cat log)"
done
bad 'bad.yaml:1' 's/time: {/time: {{/'
bad 'bad.yaml:4: indented with a tab; YAML allows only spaces' 's/^  - name/\t- name/'
bad 'bad.yaml:5: indented with a tab; YAML allows only spaces' 's/^    grid/  \tgrid/'
bad 'bad.yaml:1: tags (!ms) are not allowed' 's/step: 0.5 ms/step: !ms 0.5/'
bad "did you mean 'checkpoint'?" '$a output: {chekpoint: 5}'
bad "did you mean 'obj'?" '$a output: {write: [ob]}'
bad 'output.write: needs a list of names' '$a output: {write: {obj: 1}}'
bad 'output.write' '$a output: {write: [pc2, pc2]}'
bad "did you mean 'scale'?" '$a output: {obj: {scal: 5}}'

refused 1 'density' "$WEFT" run good.yaml --set cloth.fabric.density=-1
refused 1 "did you mean 'density'?" "$WEFT" run good.yaml --set cloth.fabric.densty=1
refused 1 "did you mean 'pc2'?" "$WEFT" run good.yaml --write pc3
refused 1 "unknown writer 'abc'; known: obj, ply, pc2, mdd, glb, usda, png, mp4" "$WEFT" run good.yaml --write abc
refused 1 "did you mean 'up'?" "$WEFT" run good.yaml --write obj:op=z
refused 1 'not of the form KEY=VALUE' "$WEFT" run good.yaml --write obj:up
refused 1 'time.frames: 2000000000 is above 10000000' "$WEFT" run good.yaml --frames 2000000000
refused 1 "did you mean 'stretch_weft'?" "$WEFT" run good.yaml --set cloth.fabric.weft=1
sed '/^forces/,$d' good.yaml >calm.yaml
refused 1 "--set forces.wind.speed: the scene names no force 'wind'; --set 'forces=[gravity, wind]' before adds it" \
    "$WEFT" check calm.yaml --set forces.wind.speed=1
refused 1 "the scene names no body 'sphere'; --set 'bodies=[sphere]' before adds it" \
    "$WEFT" run calm.yaml --set bodies.sphere.radius=1
says 'wind' "$WEFT" check calm.yaml --set 'forces=[gravity, wind]' --set forces.wind.speed=1
bad 'wind.direction: [0, 0, 0] has no direction' 's/direction: \[[^]]*\]/direction: [0, 0, 0]/'

# Refused before memory is allocated. (The address sanitizer itself needs more than any limit.)
sed 's/cells: \[4, 4\]/cells: [100000, 100000]/' good.yaml >million.yaml
limit=1000000
{ (ulimit -v $limit && "$WEFT" --version); } >/dev/null 2>&1 || limit=unlimited
small_memory() { (ulimit -v $limit && exec timeout 100 "$@"); }
refused 1 'million.yaml:5: ' small_memory "$WEFT" run million.yaml
refused 1 '100000' small_memory "$WEFT" check million.yaml

# Meshes.
mesh_scene() {
    printf 'cloth: {mesh: %s}\nforces: [gravity]\n' "$1" >mesh.yaml
}
square='v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0'
# bad_mesh TEXT LINES: an OBJ of the square's vertices and LINES is refused with TEXT
bad_mesh() {
    printf '%s\n%b\n' "$square" "$2" >bad.obj
    mesh_scene bad.obj
    refused 1 "$1" "$WEFT" run mesh.yaml
    grep -q 'bad\.obj' refused.err || fail "no file in: $(cat refused.err)"
    [ ! -e out ] || fail 'a refused mesh wrote something'
}
mesh_scene missing.obj
refused 1 'missing.obj: No such file' "$WEFT" run mesh.yaml
bad_mesh 'already shared by faces' 'v 0 0 1\nf 1 2 3\nf 2 1 4\nf 1 2 5'
bad_mesh 'out of range: 9' 'f 1 2 3 9'
bad_mesh 'out of range' 'f 1 2 0'
bad_mesh "bad.obj:5: not a finite number: 'nan'" 'v nan 0 0\nf 1 2 3 4'
bad_mesh 'face 1: no area' 'v 2 0 0\nf 1 2 3 4\nf 1 2 5'
bad_mesh 'repeats vertex' 'f 1 2 2'
bad_mesh 'the mesh is empty' ''
printf '%s\nvt 0 0\nvt 1 0\nvt 1 1\nf 1/1 2/2 3/3\nf 1 3 4\n' "$square" >half.obj
printf 'cloth: {mesh: half.obj, model: {name: corotational, rest: pattern}}\n' >half.yaml
refused 1 'half.yaml:1: cloth cloth: model.rest: pattern needs rest (texture) coordinates on all faces; only 1 of the 2' \
    "$WEFT" check half.yaml
sed -i 's|f 1/1 2/2 3/3|f 1 2 3|' half.obj
refused 1 'and the mesh has none' "$WEFT" check half.yaml
noise 400 >bad.ply
mesh_scene bad.ply
refused 1 'bad.ply' "$WEFT" run mesh.yaml
mkdir folder.yaml
refused 1 'folder.yaml' "$WEFT" run folder.yaml
: >empty.yaml
refused 1 'empty.yaml' "$WEFT" run empty.yaml
mkfifo pipe.yaml pipe.gltf
refused 1 'pipe.yaml: a named pipe, not a regular file' "$WEFT" run pipe.yaml
mesh_scene pipe.gltf
refused 1 'pipe.gltf: a named pipe, not a regular file' "$WEFT" run mesh.yaml
cat good.yaml | says 'time        ' "$WEFT" check /dev/stdin || exit 1

# A file that is too large is refused by its size, before memory is allocated for it.
truncate -s 2000000000 huge.obj
truncate -s 1100000000 huge.stl
truncate -s 20000000 huge.yaml
mesh_scene huge.obj
refused 1 'huge.obj: larger than 1 GiB' small_memory "$WEFT" check mesh.yaml
mesh_scene huge.stl
refused 1 'huge.stl: larger than 1 GiB' small_memory "$WEFT" check mesh.yaml
refused 1 'huge.yaml: larger than 16 MiB' "$WEFT" check huge.yaml
rm huge.*

# Standard input. Meshes are looked for in the current folder.
says 'scene       stdin' "$WEFT" check - <good.yaml
"$WEFT" run - --quiet --out piped <good.yaml || fail 'a scene on standard input'
[ "$(grep state_hash good/report.json)" = "$(grep state_hash piped/report.json)" ] || fail 'standard input gives another result'
printf '%s\nf 1 2 3 4\n' "$square" >square.obj
mesh_scene square.obj
says '4 vertices' "$WEFT" check - <mesh.yaml
refused 1 'stdin:1' "$WEFT" check - <<SCENE
cloth: {mesh: nowhere.obj}
SCENE

# The time of `weft check` grows with the number of cloths, not with its square: 4 times the cloths, about 4 times the
# time, and 16 times if every cloth looks at every other.
cloths() {
    awk -v n="$1" 'BEGIN { print "cloth:"
        for (i = 0; i < n; i++)
            printf "  - {name: c%d, grid: {cells: [6, 6], size: [0.1, 0.1]}, at: [%g, 0, %g]}\n", i, i % 60 * 0.2, int(i / 60) * 0.2 }'
}
cloths 800 >few.yaml
cloths 3200 >many.yaml
times >times.0
"$WEFT" check few.yaml >few.out || fail 'weft check of 800 cloths'
times >times.1
"$WEFT" check many.yaml >many.out || fail 'weft check of 3200 cloths'
times >times.2
tail -qn 1 times.0 times.1 times.2 | sed 's/[ms]/ /g' | awk '
    { at[NR] = 60 * $1 + $2 }
    END { few = at[2] - at[1] + 0.02; many = at[3] - at[2]; print "800 cloths:", few, "s, 3200 cloths:", many, "s"
          exit many > 9 * few }' || fail 'the time of weft check grows with the square of the number of cloths'

# weft check reports all mistakes that do not depend on each other, one per line.
# mistakes FILE: the lines of stderr, without "weft: FILE:" and hints, sorted
mistakes() {
    "$WEFT" check "$1" >mistakes.out 2>mistakes.err
    status=$?
    [ $status -eq 1 ] || fail "check $1: exit status $status"
    [ ! -s mistakes.out ] || fail "check $1: prints sizes of a wrong scene"
    sed "s/^weft: $1://; s/;.*//" mistakes.err | sort -n
}
cat >many.yaml <<'SCENE'
time: {stp: 3, frames: -2, rate: fast}
integrator: {name: bdf2, newtn: 3, newton: many}
contact: {thickness: -1, frction: 2}
air: {temprature: 3}
cloth:
  - {name: sheet, grid: {cells: [4, 4], axs: [x, z]}, fabric: {shear: 1}, model: {name: springs, shear: maybe}}
  - name: other
    grid: {cells: [4, x]}
    fabric: {density: -3, densty: 4, damping: 5 kg}
    pins: [{corner: top-middle}, {cornr: top-left}, {vertices: [99]}]
  - {name: third, grid: {cells: [4, 4]}, fabric: wol, model: {name: sprngs, structural_stiffness: 3}}
forces: [gravty, wind: {sped: 4, speed: fast}]
bodies: [spere: {radius: 1}, sphere: {radius: -1}]
output: {checkpont: 3}
view: {height: -3}
foo: 3
SCENE
mistakes many.yaml >found
cat >wanted <<'LIST'
1: time.frames: -2 is below 0
1: time: no parameter 'stp'
1: time.rate: 'fast' is not a number
2: integrator.newton: 'many' is not a number
2: integrator: no parameter 'newtn'
3: contact: no parameter 'frction'
3: contact.thickness: -1 is below 0 (m)
4: air: no parameter 'temprature'
6: cloth.sheet.model.shear: 'maybe' is neither true nor false
6: grid: unknown key 'axs'
8: grid.cells: 'x' is not a number
9: fabric.damping: '5 kg' has an unknown unit
9: fabric.density: -3 is below 0 (kg/m2)
9: fabric: unknown key 'densty'
10: pins.corner: 'top-middle' is not one of top-left, top-right, bottom-left, bottom-right
10: pins: unknown key 'cornr'
11: fabric: unknown preset 'wol'
11: unknown model 'sprngs'
12: forces.wind: no parameter 'sped'
12: forces.wind.speed: 'fast' is not a number
12: unknown force 'gravty'
13: bodies.sphere.radius: -1 is below 0 (m)
13: unknown body 'spere'
14: output: unknown key 'checkpont'
15: view.height: -3 is below 1
16: scene: unknown key 'foo'
LIST
sort -n wanted | diff - found || fail 'weft check does not find these mistakes'

# What only follows from a mistake is not reported.
printf 'cloth: {gird: {cells: [4, 4]}}\n' >gird.yaml
refused 1 "cloth: unknown key 'gird'; did you mean 'grid'?" "$WEFT" check gird.yaml

# Springs tear at the strain of yarns and at a ratio of their own.
small_scene 2 8 >sheet.yaml
for limit in fabric.tear_weft=0.2 fabric.tear_warp=0.2 model.tear=1.5; do
    says 'cloth' "$WEFT" check sheet.yaml --set cloth.$limit
done

# A limit below the weight of the cloth is refused. The message names the line of the value, not that of the cloth.
sed 's/density: 200 g.m2/density: 200 g\/m2, tear_warp: 1e-6/' sheet.yaml >tear.yaml
refused 1 "tear.yaml:6: cloth 'sheet': fabric.tear_warp: " "$WEFT" check tear.yaml
sed 's/model: {.*/model: {name: springs, tear: 0.5,/' sheet.yaml >tear.yaml
refused 1 'tear.yaml:7: cloth sheet: model.tear: 0.5 would break springs at rest' "$WEFT" check tear.yaml

# Output that cannot be written: no file under its final name is left half-written.
small_scene 40 24 >sheet.yaml
touch plain
refused 1 'plain' "$WEFT" run sheet.yaml --quiet --out plain/run
# 200 or 400 kB, by the shell; frames.weft would have 440.
limited() { (ulimit -f 400 && exec "$@"); }
refused 1 'File too large' limited "$WEFT" run sheet.yaml --quiet --write pc2 --out limited
[ ! -e limited/sheet.pc2 ] && [ ! -e limited/report.json ] || fail 'a file that could not be finished has its final name'
"$WEFT" run sheet.yaml --quiet --write pc2 --out limited --resume || fail 'going on once there is room'
"$WEFT" run sheet.yaml --quiet --write pc2 --out unlimited
cmp limited/sheet.pc2 unlimited/sheet.pc2 || fail 'after a full disk the files differ'
if [ -e /dev/full ]; then
    "$WEFT" run sheet.yaml --quiet --frames 0 --write pc2 --out full
    ln -s /dev/full full/sheet.obj.part # the mesh that the PC2 is played on
    refused 1 'No space left on device' "$WEFT" run sheet.yaml --quiet --write pc2 --out full
fi

# A scene may name any file. Messages show nothing of those of another kind.
small_scene 2 4 >sheet.yaml
printf 'root:$6$secret:19000:0:99999:7:::\ndaemon:secret:1:\n' >shadow
printf 'secret key\n' >key
printf 'a = secret\n' >settings
for file in shadow key settings; do
    cp $file $file.obj
    for line in "    maps: {density: {file: $file}}" "    maps: {bend: {file: $file}}" "    proxy: {mesh: $file.obj}" \
        "    pins: [{corner: top-left, cache: $file.pc2}]" "inputs: $file" "include: $file"; do
        { small_scene 2 4 | sed '/^    pins/d' | sed "/^forces/,\$d" && echo "$line"; } >names.yaml
        refused 1 '' "$WEFT" check names.yaml
        ! grep -q secret refused.err || fail "shown: $(cat refused.err)"
    done
    for cloth in "grid: {cells: [4, 4]}, fabric: $PWD/$file" "garment: $file"; do
        echo "cloth: {$cloth}" >names.yaml
        refused 1 '' "$WEFT" check names.yaml
        ! grep -q secret refused.err || fail "shown: $(cat refused.err)"
    done
done

# What a terminal obeys is not printed: escapes in names of files, cloths and keys.
escape=$(printf '\033[31m')
no_controls() { # no_controls FILE...
    ! LC_ALL=C grep -q "$(printf '[\001-\011\013-\037\177\233]')" "$@" || fail "a control character: $(cat -v "$@")"
}
safe() { # safe STATUS TEXT COMMAND...
    refused "$@"
    no_controls refused.out refused.err
}
safe 1 '?[31m.yaml: no such file' "$WEFT" run "$escape.yaml"
safe 2 "unknown command '?[31m'" "$WEFT" "$escape"
safe 2 "unknown option '--?[31m'" "$WEFT" run sheet.yaml "--$escape"
safe 1 '?[31m: No such file' "$WEFT" render "$escape"
safe 1 '??31m' "$WEFT" check "$(printf '\302\233')31m.yaml"
safe 1 '?31m' "$WEFT" check "$(printf '\233')31m.yaml"
for text in '"a\e[31m": 1' 'time: "\e[31m"' 'cloth: {name: "a\e[31mb"}' 'cloth: {name: "a\u009b31mb"}' 'include: "\e[31m.yaml"'; do
    printf '%s\n' "$text" >escape.yaml
    safe 1 'escape.yaml:1: a text with a control character is not allowed' "$WEFT" check escape.yaml
done
cp sheet.yaml "$escape.yaml"
"$WEFT" run "$escape.yaml" --write none --out "$escape" >escape.out 2>escape.err || fail 'a name with an escape'
grep -q '?\[31m: 2 frames' escape.out || fail "the name is not shown: $(cat -v escape.out)"
no_controls escape.out escape.err
exit 0
