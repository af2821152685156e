#!/bin/sh
# Help, lists, and wrong command lines.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"

says 'weft run flag' "$WEFT" --help
says "weft $(sed -n 's/^project(weft VERSION \([0-9.]*\).*/\1/p' "$WEFT_SOURCE_DIR/CMakeLists.txt")" "$WEFT" --version
for command in run render check list help bench experiment; do
    says "usage: weft $command" "$WEFT" "$command" --help
    says "usage: weft $command" "$WEFT" help "$command"
    says "  $command " "$WEFT" --help
done

says 'springs' "$WEFT" list models
says 'symplectic-euler' "$WEFT" list integrators
says 'verlet-constraints' "$WEFT" list
says 'gravity' "$WEFT" list forces
says 'wool' "$WEFT" list fabrics
says 'pc2' "$WEFT" list writers
for scene in "$WEFT_SOURCE_DIR"/data/scenes/*.yaml; do
    says "$(basename "$scene" .yaml)" "$WEFT" list scenes
done
# Every scene has a description.
"$WEFT" list scenes | grep -q '^[a-z-]* *$' && fail 'a scene without a comment at its top'

# A table has name, type, default, range, unit and help.
says 'density' "$WEFT" help fabric
grep -q 'kg/m2' says.out || fail 'help fabric: no unit'
grep -q 'Etzmuss' says.out || fail 'help fabric: no source'
grep -qF "'weft fabric --help' shows" says.out || fail 'help fabric: no word of the command'
for command in fabric fit; do
    says "usage: weft $command" "$WEFT" "$command" --help
    says "  $command " "$WEFT" --help
done
says '260 g/m2' "$WEFT" help wool
says 'frames per second' "$WEFT" help time
grep -q '^ *rate *real *60 *>0 \.\. 1e+06 *1/s ' says.out || fail "help time: $(cat says.out)"
for name in air scene pins output view cloth grid springs symplectic-euler verlet-constraints gravity wind obj pc2 png mp4; do
    "$WEFT" help "$name" >/dev/null || fail "help $name"
done
# Help knows every listed name.
for kind in models integrators forces fabrics writers; do
    "$WEFT" list $kind | while read -r name _; do
        "$WEFT" help "$name" >/dev/null || fail "help $name"
    done || exit 1
done

refused 2 'a command is missing' "$WEFT"
refused 2 "did you mean 'run'?" "$WEFT" rum
refused 2 "unknown command 'simulate-it'" "$WEFT" simulate-it
refused 2 'SCENE is missing' "$WEFT" run
refused 2 "one argument too many: 'b'" "$WEFT" run a b
refused 2 "unknown option '--thread'; did you mean '--threads'?" "$WEFT" run flag --thread 2
refused 2 '--out needs a value' "$WEFT" run flag --out
refused 2 "--frames: '-3' is not a whole number" "$WEFT" run flag --frames -3
refused 2 '--frames: 99999999999 is above 2147483647' "$WEFT" run flag --frames 99999999999
refused 2 "--threads: 'two' is not a whole number" "$WEFT" run flag --threads=two
refused 2 '--threads: 5000 is above 1024' "$WEFT" run flag --threads 5000
refused 2 '--quiet takes no value' "$WEFT" run flag --quiet=yes
refused 2 "did you mean 'models'?" "$WEFT" list model
refused 2 "did you mean 'gravity'?" "$WEFT" help gravty
refused 2 "no benchmark 'nothing'" "$WEFT" bench nothing
refused 1 "did you mean 'flag'?" "$WEFT" run flaf
refused 1 'not of the form PATH=VALUE' "$WEFT" run flag --set time.step
refused 1 'no such file or scene' "$WEFT" check nowhere/nothing.yaml
[ ! -e out ] || fail 'a refused command wrote something'

# The process is called weft, not "exe", although the command re-executes itself. The name is read once the run
# writes; rows go to frames.csv.part until it ends. It lasts half an hour, however late this script looks.
if [ -e /proc/self/comm ]; then
    small_scene 10000000 10 >named.yaml
    "$WEFT" run named.yaml --out named --quiet --write none 2>named.err &
    process=$!
    until [ -s named/frames.csv.part ] || ! kill -0 $process 2>/dev/null; do sleep 0.05; done
    name=$(cat /proc/$process/comm)
    kill -INT $process
    wait $process
    [ "$name" = "$(basename "$WEFT")" ] || fail "the process is called '$name': $(cat named.err)"
fi

# Long help texts are complete.
"$WEFT" help springs >springs
grep -q 'the others from the fabric$' springs || fail "a help text is cut off: $(grep -- '^ *stiffness' springs)"

# A list that cannot be written is an error.
if [ -e /dev/full ]; then
    "$WEFT" list >/dev/full 2>full.err && fail 'list to a full disk succeeded'
    grep -q '^weft: ' full.err || fail "list to a full disk: $(cat full.err)"
fi
exit 0
