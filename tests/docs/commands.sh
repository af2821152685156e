#!/bin/sh
# Runs every command of the documentation: the lines of all ```sh blocks of README.md and docs/*.md, page by page, each
# page in its own folder. A fenced block without a language that looks like commands is refused, so that none is left
# out by accident. Commands in running text, such as `weft bench hang`, must use names and options that exist.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"

# Lines that are not run, with the reason. Each must occur.
skipped() {
    cat <<'END'
make demo	installs packages as root and builds for minutes: tests/cli/test_demo.sh runs what follows
make test	runs this
make blender	installs packages as root: tests/clients/test_blender_addon.sh runs what follows
make python	installs packages as root: tests/python/wheel.sh packs the same wheel
pip install ./apps/python	changes the system: tests/python/wheel.sh does it in a virtual environment
cc first.c $(pkg-config --cflags --libs weft)	needs the installed package: tests/install/pkg_config.sh
cd examples/plugin && make && weft run --plugin ./libtether.so tether.yaml	needs the installed package: tests/install/plugin.sh
weft help --plugin ./libtether.so tether	the same
cp -r examples/garments my-garments && cd my-garments	writes into the sources: tests/cli/test_garment.sh runs these in a copy
weft garment check tank-top.yaml --out tank-top.svg	the same
weft garment sew tank-top.yaml --out tank-top.obj	the same
weft run dressed.yaml	the same
weft run cushion-drop.yaml	the same
weft render out/dressed	needs that run
weft render out/cushion-drop	the same
weft garment draft tshirt --measurements size-40.yaml --out tshirt.yaml	the same: tests/cli/test_garment_make.sh
weft garment check tshirt.yaml --out tshirt.svg	the same
weft garment sew tshirt.yaml --out tshirt.obj	the same
weft garment wear tshirt.yaml --measurements size-40.yaml --out my-walk.yaml	the same
weft run my-walk.yaml	takes minutes: tests/cli/test_garment_make.sh runs the beginning of another
weft render out/my-walk --frame 60	needs that run
weft garment fit out/my-walk	the same
weft garment import dress_specification.json --out dress.yaml	writes into the sources: tests/cli/test_garment_make.sh
weft run tshirt-walk	takes minutes: tests/cli/test_scenes.sh runs its beginning
weft garment fit out/tshirt-walk	needs that run: tests/cli/test_garment_fit.sh fits a band
make wasm	builds for minutes: tools/test-wasm does the same
make site	the same
make test-wasm	installs packages as root
python3 -m http.server --directory build/site 8000	serves until it is stopped
tools/npm-package	needs the WebAssembly module: tests/wasm/test_npm.sh
npm install build/npm/weft-cloth-0.2.0.tgz three	the same
END
}

# sh_blocks FILE: their lines
sh_blocks() {
    awk '/^```sh$/ { inside = 1; next } /^```/ { inside = 0; next } inside' "$1"
}

# leave_out FILE: its lines without the skipped ones, which are recorded in skipped.seen; trailing comments do not count.
leave_out() {
    skipped | cut -f1 >"$top/skipped.list"
    awk -v list="$top/skipped.list" -v seen="$top/skipped.seen" '
        BEGIN { while ((getline line < list) > 0) skip[line] = 1 }
        { bare = $0; sub(/ +# .*$/, "", bare) }
        bare in skip { print bare >> seen; next }
        { print }' "$1"
}

top=$PWD
PATH=$(dirname "$WEFT"):$PATH
export PATH
: >skipped.seen
documents=0
for document in "$WEFT_SOURCE_DIR"/README.md "$WEFT_SOURCE_DIR"/docs/*.md; do
    name=$(basename "$(dirname "$document")")-$(basename "$document" .md)
    awk '/^```/ { inside = !inside; bare = inside && $0 == "```"; next }
         bare && /^(weft|make|cmake|ctest|cc|npm|tools\/[a-z]+) / { print FILENAME ": not run, as its block is not sh: " $0; bad = 1 }
         END { exit bad }' "$document" || fail 'a command that no test runs'
    mkdir "$name"
    sh_blocks "$document" >"$name/all.sh"
    leave_out "$name/all.sh" >"$name/run.sh"
    grep -q '[^ ]' "$name/run.sh" || continue
    documents=$((documents + 1))
    start=$(date +%s)
    (cd "$name" && sh -eux run.sh >run.out 2>run.err) ||
        fail "$document: $(grep '^+' "$name/run.err" | tail -n 1): $(grep -v '^+' "$name/run.err" | tail -n 3)"
    echo "$name: $(($(date +%s) - start)) s"
done
[ "$documents" -ge 6 ] || fail "commands in $documents documents only"
skipped | cut -f1 | while read -r line; do
    grep -qxF -e "$line" skipped.seen || fail "the skip list has a command that no document has: $line"
done

# must_say TEXT COMMAND...: whether its output contains the word
must_say() {
    word=$1
    shift
    "$@" 2>/dev/null | grep -qw -e "$word"
}

# knows COMMAND: whether it exists; words in capitals stand for anything.
# shellcheck disable=SC2086 # the words of a command
knows() {
    set -- $1
    program=$1 verb=$2
    shift 2
    case $program in
    make) grep -q "^$verb:" "$WEFT_SOURCE_DIR/Makefile" && return 0 || return 1 ;;
    cmake)
        case $verb in -DWEFT_CLIENTS=OFF) grep -q WEFT_CLIENTS "$WEFT_SOURCE_DIR/tools/cmake/options.cmake" ;; --preset) ;; *) false ;; esac
        return $?
        ;;
    esac
    "$WEFT" "$verb" --help >/dev/null 2>&1 || return 1
    for word in "$@"; do
        case $verb,$word in
        *,--*) must_say "$word" "$WEFT" "$verb" --help || return 1 ;;
        *,*[!A-Z.]*) ;;
        *) return 0 ;;
        esac
    done
    case $verb in
    list | help) "$WEFT" "$verb" "$@" >/dev/null 2>&1 ;;
    bench) [ $# -eq 0 ] || must_say "$1" "$WEFT" bench --help ;;
    experiment) [ $# -eq 0 ] || must_say "$1" "$WEFT" list experiments ;;
    esac
}

# shellcheck disable=SC2016 # quoted backquotes
grep -ho '`\(weft\|make\|cmake\) [^`]*`' "$WEFT_SOURCE_DIR"/README.md "$WEFT_SOURCE_DIR"/docs/*.md | tr -d '`' |
    sort -u >inline
[ "$(wc -l <inline)" -ge 20 ] || fail 'commands in running text were not found'
while read -r line; do
    knows "$line" || fail "the documentation names '$line', which does not exist"
done <inline
