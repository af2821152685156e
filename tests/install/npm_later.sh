#!/bin/sh
# What npm makes is left out while npm is missing, and made again once it is installed.
# usage: npm_later.sh STAGE
set -eu
cd "$1"
rm -rf npm_later
mkdir -p npm_later/programs
cd npm_later
for program in sh sed cat dirname mkdir mv find sort wc tail flock rm touch; do
    ln -s "$(command -v $program)" programs
done
ln -s "$(command -v cmake)" programs
ninja=$(command -v ninja)
# make FILE: builds what needs npm, where programs has none, and writes what is done to FILE
make() {
    PATH=$PWD/programs "$ninja" -C build studio_page.c draft_modules.stamp >"$1" 2>&1 || { cat "$1"; exit 1; }
}
configure() {
    cmake -S "$WEFT_SOURCE_DIR" -B build -G Ninja -DBUILD_TESTING=OFF -DWEFT_CUDA=OFF "$@" >log 2>&1 || { cat log; exit 1; }
}

configure -DWEFT_NPM=
make missing
grep -q 'npm is missing' missing || { cat missing; echo 'npm is not missing'; exit 1; }
make again
! grep 'npm is missing' again || { echo 'made again, though npm is still missing'; exit 1; }
configure -DWEFT_NPM=/programs/npm # it only looks whether there is one
make later
for what in 'Building the studio web page' 'Installing FreeSewing'; do
    grep -q "$what" later || { cat later; echo "not made once npm is there: $what"; exit 1; }
done
