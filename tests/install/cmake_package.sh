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
