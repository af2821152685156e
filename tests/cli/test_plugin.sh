#!/bin/sh
# Components from a shared object.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"
compiler=${CC:-cc}
command -v "$compiler" >/dev/null || exit 77

refused 1 'missing.so: No such file' "$WEFT" list --plugin missing.so
echo 'not a program' >text.so
refused 1 'text.so: cannot be loaded as a plugin' "$WEFT" list --plugin text.so
echo 'int nothing;' >nothing.c
"$compiler" -shared -fPIC -o nothing.so nothing.c || exit 77
refused 1 'nothing.so: not a plugin: it has no function weft_plugin' "$WEFT" list --plugin ./nothing.so

cat >lift.c <<'C'
#include <stddef.h>
#include <weft/weft.h>
typedef struct { double force; } settings;
static const weft_param PARAMS[] = {
    {"force", WEFT_REAL, offsetof(settings, force), 0, 100, "0.5", "N", "upward force on each vertex", NULL, 0},
    {NULL, WEFT_REAL, 0, 0, 0, NULL, NULL, NULL, NULL, 0},
};
static void apply(const void *s, const weft_work *work, const weft_force_input *input, weft_vec3 *f) {
    (void)work;
    for (int32_t i = 0; i < input->count; i++)
        f[i].y += ((const settings *)s)->force;
}
static const weft_force_functions FUNCTIONS = {.apply = apply};
static const weft_component LIFT = {WEFT_ABI, WEFT_FORCE, "test-lift", "lifts every vertex", sizeof(settings), PARAMS,
                                    &FUNCTIONS, ""};
static const weft_component OLD = {WEFT_ABI + 1, WEFT_FORCE, "test-old", "", 0, NULL, &FUNCTIONS, ""};
WEFT_API weft_result weft_plugin(weft_registry *registry);
weft_result weft_plugin(weft_registry *registry) {
    return weft_registry_add(registry, PLUGIN_COMPONENT);
}
C
build() { "$compiler" -std=c11 -shared -fPIC -I"$WEFT_SOURCE_DIR/include" "$@" lift.c; }
build -DPLUGIN_COMPONENT='&LIFT' -o lift.so || fail 'the plugin does not compile'
build -DPLUGIN_COMPONENT='&OLD' -o old.so || fail 'the plugin does not compile'

says 'test-lift' "$WEFT" list forces --plugin lift.so
says 'upward force on each vertex' "$WEFT" help test-lift --plugin ./lift.so
refused 1 'old.so: ' "$WEFT" list --plugin old.so
refused 1 'lift.so: ' "$WEFT" list --plugin lift.so --plugin lift.so

small_scene 5 4 | sed 's/- gravity/- test-lift: {force: 0.3}/; /wind/d' >lifted.yaml
"$WEFT" run lifted.yaml --quiet --plugin lift.so --out lifted || fail 'a run with a plugin'
awk '$1 == "v" && $3 > 0.01 { up++ } END { exit up < 10 }' lifted/obj/lifted_0005.obj || fail 'nothing was lifted'
refused 1 'test-lift' "$WEFT" run lifted.yaml
exit 0
