#!/bin/sh
# The quick subset of one experiment: every figure within its bound, on a self-contained page.
# usage: quick.sh NAME
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"

name=$1
"$WEFT" experiment --quick "$name" --out out >quick.out 2>quick.err ||
    fail "exit status $?: $(cat quick.err; grep MISSED quick.out)"
grep -q MISSED quick.out && fail "a figure was missed: $(grep MISSED quick.out)"
grep -q "^$name: " quick.out || fail "$name did not run"
grep -q "<h2 id='$name'>" out/index.html || fail "$name is not on the page"
grep -Eq '(src|href)=.https?:' out/index.html && fail 'the page needs something from elsewhere'
for listed in $("$WEFT" list experiments | cut -d" " -f1); do
    grep -q "^experiment/$listed " "$WEFT_SOURCE_DIR/tests/tiers.txt" || fail "no test runs the experiment $listed"
done
exit 0
