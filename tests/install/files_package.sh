#!/bin/sh
# Builds the program of examples/record against the installed libweft-io, with pkg-config and with CMake. Its result must
# equal that of the command, and the command must read its files.
# usage: files_package.sh STAGE
set -eu
cd "$1"
rm -rf files_package
mkdir files_package
cd files_package
export PKG_CONFIG_PATH="$1/prefix/lib/pkgconfig" LD_LIBRARY_PATH="$1/prefix/lib"
# shellcheck disable=SC2046 # flags are words
${CC:-cc} -std=c11 -Wall -Wextra -Werror "$WEFT_SOURCE_DIR/examples/record/record.c" -o record \
    $(pkg-config --cflags --libs weft-io)
cat >sheet.yaml <<'SCENE'
time: {rate: 20}
cloth: {name: sheet, grid: {cells: [8, 8]}, fabric: cotton, pins: [{corner: top-left}]}
SCENE
./record sheet.yaml out >found
cat found
"$1/prefix/bin/weft" run sheet.yaml --frames 20 --out command --write none --quiet
hash=$(sed -n 's/.*"state_hash": *"\([0-9a-f]*\)".*/\1/p' command/report.json)
grep -q "state $hash" found || { echo "the command has the state $hash"; exit 1; }
[ "$(ls out/obj | wc -l)" = 21 ] || { echo "there are not 21 OBJ files"; exit 1; }
[ -s out/checkpoint ] || { echo "there is no checkpoint"; exit 1; }
"$1/prefix/bin/weft" render out --frame 20 --size 64x48 \
    --out picture.png --quiet || { echo "weft render does not read the take"; exit 1; }

unset LD_LIBRARY_PATH
cmake -S "$WEFT_SOURCE_DIR/examples/record" -B build -DCMAKE_PREFIX_PATH="$1/prefix" >log
cmake --build build >>log || { cat log; exit 1; }
build/record sheet.yaml again >found_again
cmp found found_again
# A bad file gives one line.
printf 'cloth: {grid: {cels: 3}}\n' >bad.yaml
if build/record bad.yaml bad 2>message; then
    echo "a bad scene was accepted"
    exit 1
fi
[ "$(wc -l <message)" = 1 ] && grep -q "bad.yaml:1: .*cels" message || { echo "the message is:"; cat message; exit 1; }
