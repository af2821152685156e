#!/bin/sh
# Builds the program of the README, as printed there, against the installed package with pkg-config.
# usage: pkg_config.sh STAGE
set -eu
cd "$1"
rm -rf pkg_config
mkdir pkg_config
cd pkg_config
"$WEFT_SOURCE_DIR/tools/quote" "$WEFT_SOURCE_DIR/README.md" examples/first/first.c >first.c
[ -s first.c ] || { echo "README.md has no program"; exit 1; }
export PKG_CONFIG_PATH="$1/prefix/lib/pkgconfig"
# shellcheck disable=SC2046 # flags are words
${CC:-cc} -std=c11 -Wall -Wextra -Werror first.c -o first $(pkg-config --cflags --libs weft)
export LD_LIBRARY_PATH="$1/prefix/lib"
./first >first.txt
cat first.txt
# The hem of a sheet of 1 m hangs about 1 m below its corners.
awk '{ y = $(NF - 1); hangs = y < -0.9 && y > -1.3 } END { exit !hangs }' first.txt ||
    { echo "the sheet does not hang"; exit 1; }
