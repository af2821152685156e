#!/bin/sh
# Builds the program of the README with find_package of CMake, with the shared and the static library.
# usage: cmake_package.sh STAGE
set -eu
cd "$1"
rm -rf cmake_package
mkdir -p cmake_package/source
"$WEFT_SOURCE_DIR/tools/quote" "$WEFT_SOURCE_DIR/README.md" examples/first/first.c >cmake_package/source/first.c
cp "$WEFT_SOURCE_DIR/examples/first/CMakeLists.txt" cmake_package/source
cmake -S cmake_package/source -B cmake_package/build -DCMAKE_PREFIX_PATH="$1/prefix" >cmake_package/log
cmake --build cmake_package/build >>cmake_package/log || { cat cmake_package/log; exit 1; }
a=$(cmake_package/build/first)
b=$(cmake_package/build/first_static)
echo "$a"
[ -n "$a" ] && [ "$a" = "$b" ] || { echo "the static library gives a different result: $b"; exit 1; }

# A program may have functions of its own with the names of internal ones.
cd cmake_package
cat >own.c <<'END'
#include <weft/weft.h>
int sim_grow(void);
int scene_apply(void);
int contact_destroy_bin(void);
int sim_grow(void) { return 1; }
int scene_apply(void) { return 2; }
int contact_destroy_bin(void) { return 3; }
END
${CC:-cc} -std=c11 -I"$1/prefix/include" source/first.c own.c "$1/prefix/lib/libweft.a" -lm -pthread -o own
[ "$(./own)" = "$a" ] || { echo "functions of a program replace internal ones"; exit 1; }
