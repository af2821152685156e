#!/bin/sh
# `weft studio` on the command line, and `inputs:` of a scene.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"

refused 1 "hanging-shet: no such file or scene; did you mean 'hanging-sheet'?" "$WEFT" studio hanging-shet --no-open
refused 2 "--port: 70000 is above 65535" "$WEFT" studio --port 70000
refused 2 "one argument too many" "$WEFT" studio a b
says "from this machine only" "$WEFT" studio --help

# Two servers on one port.
small_scene 5 4 >sheet.yaml
"$WEFT" studio sheet.yaml --no-open >first.out 2>first.err &
first=$!
trap 'kill $first 2>/dev/null' EXIT
until grep -q '^http' first.out 2>/dev/null || ! kill -0 $first 2>/dev/null; do sleep 0.1; done
port=$(sed -n 's|^http://127.0.0.1:\([0-9]*\)/?token=[0-9a-f]\{32\}$|\1|p' first.out)
[ -n "$port" ] || fail "no address: $(cat first.out first.err)"
refused 1 "port $port of 127.0.0.1 cannot be listened on" "$WEFT" studio sheet.yaml --no-open --port "$port"
kill $first
wait $first || fail "the studio ended with $?"
trap - EXIT

# A replay repeats the recorded inputs exactly, and errors in them name their place.
{
    small_scene 5 4
    echo 'inputs: hand.inputs'
} >hand.yaml
cat >hand.inputs <<INPUTS
weft inputs 1
0 set cloth.sheet.fabric.density 0.4
30 drag 0 12 0.5 0.2 0.5
90 release 0
INPUTS
"$WEFT" run sheet.yaml --out plain --write none --quiet || fail 'plain'
"$WEFT" run hand.yaml --out one --write none --quiet || fail 'one'
"$WEFT" run hand.yaml --out two --write none --quiet --threads 1 || fail 'two'
[ "$(hash_of one)" = "$(hash_of two)" ] || fail 'a replay differs from itself'
[ "$(hash_of one)" != "$(hash_of plain)" ] || fail 'inputs do nothing'

# A killed replay is resumed, with the pins, forces and parameters of the inputs before the checkpoint.
{
    small_scene 50 32
    echo 'inputs: long.inputs'
} >long.yaml
cat >long.inputs <<INPUTS
weft inputs 1
0 set cloth.sheet.fabric.density 0.3
100 pin 0 500 0.5 0.1 0.5
200 add-force air-damping
200 set forces.air-damping.coefficient 0.01
300 drag 0 1000 0.5 0.2 0.5
1500 set cloth.sheet.fabric.density 0.2
1600 release 0
1700 free 0 500
INPUTS
"$WEFT" run long.yaml --out whole --write obj --quiet --threads 1 || fail 'whole'
catch killed killed/obj/long_0021.obj killed/obj/long_0045.obj \
    "$WEFT" run long.yaml --out killed --write obj --quiet --threads 1 --checkpoint 10
kill -9 $id
wait $id 2>/dev/null
"$WEFT" run long.yaml --out killed --write obj --quiet --threads 1 --checkpoint 10 --resume || fail 'resuming a replay'
[ "$(hash_of killed)" = "$(hash_of whole)" ] || fail 'a resumed replay ends in another state'
echo '1800 release 0' >>long.inputs
rm killed/report.json
refused 1 'belongs to another scene' "$WEFT" run long.yaml --out killed --write obj --quiet --checkpoint 10 --resume
echo '95 drag 0 1000 0 0 0' >>hand.inputs
refused 1 'hand.inputs:5: cloth' "$WEFT" run hand.yaml --out three --write none --quiet
[ ! -e three ] || fail "refused inputs left files: $(ls three)"
refused 1 "hand.inputs:5: cloth 'sheet': vertex 1000: there are 25 vertices" "$WEFT" check hand.yaml
echo '96 jump' >>hand.inputs
refused 1 "hand.inputs:6: 'jump': no such input; allowed: set, drag" "$WEFT" check hand.yaml
# bad_input TEXT LINE: a file with LINE is refused by check and by run, which writes nothing
bad_input() {
    printf 'weft inputs 1\n%s\n' "$2" >hand.inputs
    refused 1 "hand.inputs:2: $1" "$WEFT" check hand.yaml
    refused 1 "hand.inputs:2: $1" "$WEFT" run hand.yaml --out three
    [ ! -e three ] || fail "'$2' left files: $(ls three)"
}
bad_input 'cloth.sheet.fabric.density: -3 is below 0 (kg/m2)' '9000 set cloth.fabric.density -3'
bad_input "no parameter 'nothing'" '0 set nothing 3'
bad_input "unknown force 'rain'; known: gravity" '0 add-force rain'
bad_input 'force 7: there are 2 forces, numbered from 0' '0 remove-force 7'
bad_input 'body 0: there are 0 bodies' '0 move-body 0 1 2 3 0 0 0'
bad_input "cloth 'sheet': vertex 88: there are 25 vertices" '0 release 0 88'
bad_input 'cloth 3: there are 1 cloths' '0 pin 3 1 0 0 0'
bad_input 'cut: ray 0 has length 0' '0 cut 0 0 0 0 0 0 0 1 0 0'
rm hand.inputs
refused 1 'hand.yaml:13: inputs: hand.inputs: No such file' "$WEFT" check hand.yaml
refused 1 'hand.yaml:13: inputs: hand.inputs: No such file' "$WEFT" run hand.yaml --out three
