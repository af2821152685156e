#!/bin/sh
# The installed command runs a scene that uses the model of the plugin.
# usage: command.sh STAGE
set -eu
cd "$1/plugin"
weft=$1/prefix/bin/weft
"$weft" run --plugin ./libtether.so tether.yaml --out out --quiet
[ -s out/report.json ] || { echo "no report was written"; exit 1; }
grep -q '"state_hash": *"[0-9a-f]\{16\}"' out/report.json || { echo "the report has no state_hash"; exit 1; }
if "$weft" run tether.yaml --out without --quiet 2>message; then
    echo "the scene ran without its plugin"
    exit 1
fi
grep -q tether message || { echo "the message does not name the model:"; cat message; exit 1; }
