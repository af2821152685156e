# Sourced by the tests of the command. They run in an empty folder with $WEFT and $WEFT_SOURCE_DIR set.
set -u
: "${WEFT:?the path of the program}" "${WEFT_SOURCE_DIR:?the path of the sources}"

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# refused STATUS TEXT COMMAND...: exits with STATUS and one line on stderr, "weft: ... TEXT ...".
refused() {
    want=$1 text=$2
    shift 2
    "$@" >refused.out 2>refused.err
    status=$?
    [ "$status" -eq "$want" ] || fail "$*: exit status $status, not $want: $(cat refused.err)"
    [ "$(wc -l <refused.err)" -eq 1 ] || fail "$*: not one line on stderr: $(cat refused.err)"
    grep -q '^weft: ' refused.err || fail "$*: stderr does not begin with 'weft: ': $(cat refused.err)"
    grep -qF -e "$text" refused.err || fail "$*: no '$text' in: $(cat refused.err)"
    cat refused.err
}

# says TEXT COMMAND...: succeeds with TEXT on stdout and nothing on stderr.
says() {
    text=$1
    shift
    "$@" >says.out 2>says.err || fail "$*: exit status $?: $(cat says.err)"
    [ ! -s says.err ] || fail "$*: stderr: $(cat says.err)"
    grep -qF -e "$text" says.out || fail "$*: no '$text' in: $(cat says.out)"
}

# The state_hash of the run in folder $1.
hash_of() {
    sed -n 's/.*"state_hash": *"\([0-9a-f]\{16\}\)".*/\1/p' "$1/report.json"
}

# json KEY FILE: the value of a key that is a number or text
json() {
    sed -n 's/^ *"'"$1"'": *"\{0,1\}\([^",]*\)"\{0,1\},\{0,1\}$/\1/p' "$2"
}

# Columns of frames.csv that do not depend on wall time.
same_columns() {
    cut -d, -f1-"$(head -n 1 "$1" | tr , '\n' | grep -n '^state_hash$' | cut -d: -f1)" "$1"
}

# A sheet held at two corners; $1: frames, $2: cells along a side.
small_scene() {
    cat <<SCENE
time: {step: 0.5 ms, frames: $1, rate: 50}
integrator: symplectic-euler
cloth:
  - name: sheet
    grid: {cells: [$2, $2], size: [1, 1], axes: [x, z]}
    fabric: {density: 200 g/m2}
    model: {name: springs, structural_stiffness: 20, shear_stiffness: 10, flexion_stiffness: 1,
            damping: 0.0005}
    pins: [{corner: top-left}, {corner: top-right}]
forces:
  - gravity
  - wind: {speed: 2, direction: [0, 0.3, 1], randomness: 0.5}
SCENE
}

# An adaptive sheet in wind; $1: frames.
refined_scene() {
    cat <<SCENE
time: {step: 5 ms, frames: $1, rate: 50}
integrator: implicit-euler
cloth:
  - name: sheet
    grid: {cells: [6, 6], size: [1, 1], axes: [x, z]}
    fabric: {preset: wool}
    model: corotational
    pins: [{corner: top-left}, {corner: top-right}]
forces: [gravity, wind: {speed: 2, direction: [0.2, 0, 1], randomness: 1}]
adapt: {name: sqrt3, every: 2, max_generation: 4, refine: [0.5, 3]}
SCENE
}

# noise N: N reproducible bytes that are not a valid file of any format
noise() {
    LC_ALL=C awk -v n="$1" 'BEGIN { for (i = 1; i <= n; i++) printf "%c", (i * i * 7 + i * 13) % 251 + 1 }'
}

# wait_for FILE PROCESS: waits until the file exists
wait_for() {
    until [ -e "$1" ] || ! kill -0 "$2" 2>/dev/null; do sleep 0.01; done
    [ -e "$1" ] || fail "ended before $1"
}

# catch PLACES FIRST LAST COMMAND...: starts COMMAND as process $id and stops it (SIGSTOP) when the file FIRST exists and
# LAST does not. On a busy machine this may come too late; then it removes PLACES, the files of the command, and tries
# again.
catch() {
    places=$1 first=$2 last=$3
    shift 3
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        # shellcheck disable=SC2086 # a list of words
        rm -rf $places
        "$@" &
        id=$!
        until [ -e "$first" ] || ! kill -0 $id 2>/dev/null; do sleep 0.01; done
        kill -s STOP $id 2>/dev/null
        [ -e "$first" ] && [ ! -e "$last" ] && return 0
        kill -s CONT $id 2>/dev/null
        wait $id
    done
    fail "ten times too late to catch: $*"
}
