#!/bin/sh
# The man page has every command, option, topic and section that the help texts have, and groff formats it silently.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"

"$WEFT" help --man >weft.1 2>man.err || fail "help --man: exit status $?"
[ ! -s man.err ] || fail "help --man: $(cat man.err)"
sed 's/\\-/-/g; s/\\fI//g; s/\\fR//g' weft.1 >plain
commands=$("$WEFT" --help | sed -n '/^Examples:/q; s/^  \([a-z]*\) .*/\1/p')
[ "$(echo "$commands" | wc -w)" -ge 8 ] || fail "commands: $commands"
for command in $commands; do
    grep -qx "\.SS $command" plain || fail "the man page does not have the command $command"
    "$WEFT" "$command" --help >help.out || fail "$command --help"
    # The page of one command, so that an option of another does not count.
    awk -v head=".SS $command" '/^\.S[SH]/ { inside = $0 == head } inside' plain >section
    sed -n 's/^  \(--[a-z-]*\).*/\1/p' help.out | while read -r option; do
        grep -qE "^\.B $option( |\$)" section || fail "the man page does not have $option of $command"
    done || exit 1
done
"$WEFT" help | sed -n '/^weft help NAME/,$ s/^  \([a-z]*\) .*/\1/p' | while read -r topic; do
    grep -qx "\.B $topic" plain || fail "the man page does not have the topic $topic"
done || exit 1
for section in NAME SYNOPSIS DESCRIPTION COMMANDS EXAMPLES 'EXIT STATUS' FILES ENVIRONMENT; do
    grep -qx "\.SH $section" plain || fail "the man page does not have the section $section"
done
if command -v groff >/dev/null; then
    groff -man -Tutf8 -ww weft.1 >formatted 2>warnings || fail "groff: $(cat warnings)"
    [ ! -s warnings ] || fail "groff warns: $(cat warnings)"
fi
refused 2 'takes no name' "$WEFT" help --man gravity
refused 2 'takes no name' "$WEFT" help --man --markdown
exit 0
