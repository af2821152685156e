#!/bin/sh
# The quick subset of all experiments: every figure within its bound, on one self-contained page.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"

"$WEFT" experiment --quick --out out >quick.out 2>quick.err ||
    fail "exit status $?: $(cat quick.err; grep MISSED quick.out)"
grep -q MISSED quick.out && fail "a figure was missed: $(grep MISSED quick.out)"
for name in $("$WEFT" list experiments | cut -d" " -f1); do
    grep -q "^$name: " quick.out || fail "$name did not run"
    grep -q "<h2 id='$name'>" out/index.html || fail "$name is not on the page"
done
grep -Eq '(src|href)=.https?:' out/index.html && fail 'the page needs something from elsewhere'
exit 0
