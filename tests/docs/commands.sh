#!/bin/sh
# Runs every command of the documents: the lines of all ```sh blocks of README.md and docs/*.md, those of a document one
# after the other in a folder of its own. A fenced block without a language that looks like commands is refused, so that
# none is left out by accident.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"

# Lines that are not run, with the reason. Each must occur.
skipped() {
    cat <<'END'
make demo	installs packages as root and builds for minutes
make test	is what runs this
cc first.c $(pkg-config --cflags --libs weft)	needs the installed package: tests/install/pkg_config.sh
cd examples/plugin && make && weft run --plugin ./libtether.so tether.yaml	needs the installed package: tests/install/plugin.sh
weft help --plugin ./libtether.so tether	the same
END
}

# sh_blocks FILE: their lines
sh_blocks() {
    awk '/^```sh$/ { inside = 1; next } /^```/ { inside = 0; next } inside' "$1"
}

# leave_out FILE: its lines without those that are skipped, which are noted in skipped.seen; comments at their ends do
# not count.
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
