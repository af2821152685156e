#!/bin/sh
# Installs into STAGE/prefix, and with DESTDIR into STAGE/root, and checks the installed files.
# usage: files.sh BUILD STAGE
set -eu
build=$1
stage=$2
rm -rf "$stage"
mkdir -p "$stage"
cmake --install "$build" --prefix "$stage/prefix" >"$stage/install.log"
DESTDIR=$stage/root cmake --install "$build" --prefix /usr >>"$stage/install.log"

for tree in "$stage/prefix" "$stage/root/usr"; do
    for file in include/weft/weft.h lib/libweft.a lib/libweft.so lib/pkgconfig/weft.pc lib/cmake/weft/weft-config.cmake \
        include/weft-io/weft-io.h lib/libweft-io.so lib/pkgconfig/weft-io.pc; do
        [ -e "$tree/$file" ] || { echo "$file was not installed in $tree"; exit 1; }
    done
    # The layers test checks the sources. This checks that no private header is installed.
    [ "$(ls "$tree/include/weft" | sort)" = "$(ls "$WEFT_SOURCE_DIR/include/weft" | sort)" ] || {
        echo "the headers in $tree differ from those in include/weft"
        exit 1
    }
    [ "$(ls "$tree/include/weft-io" | sort)" = "$(ls "$WEFT_SOURCE_DIR/io/include/weft-io" | sort)" ] || {
        echo "the headers in $tree differ from those in io/include/weft-io"
        exit 1
    }
    if grep -rlF "$WEFT_SOURCE_DIR" "$tree/include" "$tree/lib/cmake" "$tree/lib/pkgconfig"; then
        echo "installed files contain the path of the source folder"
        exit 1
    fi
done
for library in libweft.so libweft-io.so; do
    soname=$(readelf -d "$stage/prefix/lib/$library" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
    [ -n "$soname" ] && [ -e "$stage/prefix/lib/$soname" ] || { echo "no file with the soname '$soname'"; exit 1; }
done
