#!/bin/sh
# Builds the plugin example against the installed headers, loads it in a program, and compares it with theory.
# usage: plugin.sh STAGE
set -eu
cd "$1"
rm -rf plugin
cp -r "$WEFT_SOURCE_DIR/examples/plugin" plugin
cd plugin
export PKG_CONFIG_PATH="$1/prefix/lib/pkgconfig" LD_LIBRARY_PATH="$1/prefix/lib"
make CFLAGS='-O2 -Wall -Wextra -Wpedantic -Werror'
# shellcheck disable=SC2046 # flags are words
${CC:-cc} -std=c11 -Wall -Wextra -Werror "$WEFT_SOURCE_DIR/tests/install/tether_test.c" -o tether_test \
    $(pkg-config --cflags --libs weft) -ldl
./tether_test ./libtether.so
