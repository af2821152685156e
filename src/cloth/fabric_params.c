/* Fabric parameters: the table, consistency checks, and reading from a scene. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/require.h"
#include "weft/fabric.h"

#define ROW(field) .name = #field, .type = WEFT_REAL, .offset = offsetof(weft_fabric, field)

/* The defaults are the preset `wool`, a measured fabric. */
static const weft_param PARAMS[] = {
    {ROW(density), .high = 100, .fallback = "0.26", .unit = "kg/m2", .help = "mass per area", .flags = WEFT_OPEN_LOW},
    {ROW(thickness), .high = 0.1, .fallback = "0.0006", .unit = "m",
     .help = "sets the distance that contact keeps, unless contact.thickness does; does not change the moduli",
     .flags = WEFT_OPEN_LOW},
    {ROW(stretch_weft), .high = 1e9, .fallback = "866", .unit = "N/m", .help = "tensile stiffness along the weft, E_x",
     .flags = WEFT_OPEN_LOW},
    {ROW(stretch_warp), .high = 1e9, .fallback = "1391", .unit = "N/m", .help = "tensile stiffness along the warp, E_y",
     .flags = WEFT_OPEN_LOW},
    {ROW(shear), .high = 1e9, .fallback = "0.51", .unit = "N/(m rad)", .help = "shear stiffness, E_s",
     .flags = WEFT_OPEN_LOW},
    {ROW(poisson_weft), .low = -1000, .high = 1000, .fallback = "0.162", .unit = "",
     .help = "contraction along the warp when pulled along the weft, nu_xy"},
    {ROW(poisson_warp), .low = -1000, .high = 1000, .fallback = "0.261", .unit = "",
     .help = "contraction along the weft when pulled along the warp, nu_yx"},
    {ROW(bend_weft), .high = 1e3, .fallback = "9e-6", .unit = "N m", .help = "bending rigidity along the weft"},
    {ROW(bend_warp), .high = 1e3, .fallback = "12e-6", .unit = "N m", .help = "bending rigidity along the warp"},
    {ROW(damping), .high = 10, .fallback = "2e-4", .unit = "s", .help = "stiffness-proportional damping time"},
    {ROW(friction), .high = 10, .fallback = "0.3", .unit = "",
     .help = "Coulomb friction coefficient of cloth on cloth; two fabrics rub with the geometric mean of theirs; cloth "
             "on a body uses the body's"},
    {ROW(drag), .high = 10, .fallback = "0.433", .unit = "", .help = "drag coefficient in wind"},
    {ROW(lift), .high = 10, .fallback = "0.2", .unit = "", .help = "lift coefficient in wind"},
    {ROW(tear_weft), .high = 1e3, .fallback = "0", .unit = "", .help = "strain at which weft yarns break; 0: never"},
    {ROW(tear_warp), .high = 1e3, .fallback = "0", .unit = "", .help = "strain at which warp yarns break; 0: never"},
    {ROW(tear_zone), .high = 10, .fallback = "0.03", .unit = "m",
     .help = "size of the region over which strain is averaged, so that tearing does not depend on the mesh"},
    {0},
};

const weft_param *weft_fabric_params(void) { return PARAMS; }

/* -- checks -- */

static const double SYMMETRY_TOLERANCE = 0.02;

/* Catches fabrics made in code with a missing or non-finite field. Scenes are checked when they are read. */
static weft_result check_ranges(const weft_fabric *fabric, const char *what) {
    for (const weft_param *row = PARAMS; row->name; row++) {
        weft_fabric scratch;
        char text[64];
        weft_param_write(row, fabric, text, sizeof text);
        WEFT_TRY(weft_param_read_text(row, text, what, &scratch));
    }
    return weft_ok();
}

weft_result weft_fabric_check(const weft_fabric *fabric, const char *what) {
    WEFT_REQUIRE(fabric);
    WEFT_REQUIRE(what);
    WEFT_TRY(check_ranges(fabric, what));
    double left = fabric->poisson_warp * fabric->stretch_weft;
    double right = fabric->poisson_weft * fabric->stretch_warp;
    double larger = fmax(fabs(left), fabs(right));
    if (fabs(left - right) > SYMMETRY_TOLERANCE * larger)
        return weft_fail(
            WEFT_BAD_INPUT,
            "%.240s: poisson_warp x stretch_weft = %g x %g = %g N/m and poisson_weft x stretch_warp = %g x "
            "%g = %g N/m differ by %.3g %%, at most 2 %% is allowed",
            what, fabric->poisson_warp, fabric->stretch_weft, left, fabric->poisson_weft, fabric->stretch_warp, right,
            100 * fabs(left - right) / larger);
    double product = fabric->poisson_weft * fabric->poisson_warp;
    if (product >= 1)
        return weft_fail(WEFT_BAD_INPUT,
                         "%.240s: poisson_weft x poisson_warp = %g x %g = %g, but it must be below 1 for the fabric to "
                         "resist every stretch; with these moduli poisson_weft must be below %.3g",
                         what, fabric->poisson_weft, fabric->poisson_warp, product,
                         sqrt(fabric->stretch_weft / fabric->stretch_warp));
    return weft_ok();
}

/* -- keeping the elasticity matrix symmetric when only some values are given -- */

/* Which of the values that symmetry couples were given. */
typedef struct given {
    int stretch, poisson_weft, poisson_warp;
} given;

static void note_given(given *seen, const char *name) {
    seen->stretch |= strcmp(name, "stretch_weft") == 0 || strcmp(name, "stretch_warp") == 0;
    seen->poisson_weft |= strcmp(name, "poisson_weft") == 0;
    seen->poisson_warp |= strcmp(name, "poisson_warp") == 0;
}

/* A ratio that was given stays. If none was given, poisson_weft stays. The other ratio follows. With moduli so
 * different that no fabric can have this poisson_weft, both ratios change and their product stays. Programs that set
 * values one by one pass through such moduli. */
static void complete(weft_fabric *fabric, given seen) {
    double ratio = fabric->stretch_warp / fabric->stretch_weft; /* nu_yx / nu_xy */
    if (seen.poisson_warp && seen.poisson_weft)
        return;
    if (seen.poisson_warp)
        fabric->poisson_weft = fabric->poisson_warp / ratio;
    else if (seen.poisson_weft || (seen.stretch && fabric->poisson_weft * fabric->poisson_weft * ratio < 1))
        fabric->poisson_warp = fabric->poisson_weft * ratio;
    else if (seen.stretch) {
        double mean = copysign(sqrt(fabs(fabric->poisson_weft * fabric->poisson_warp)), fabric->poisson_weft);
        fabric->poisson_weft = mean / sqrt(ratio);
        fabric->poisson_warp = mean * sqrt(ratio);
    }
}

/* -- reading -- */

static weft_result unknown_preset(const char *name, const char *what) {
    enum { MOST = 32 };
    const char *names[MOST];
    int count = 0;
    char all[256] = "";
    size_t used = 0;
    for (int i = 0; i < weft_fabric_preset_count() && count < MOST; i++) {
        names[count++] = weft_fabric_preset_at(i)->name;
        int written = snprintf(all + used, sizeof all - used, "%s%s", i > 0 ? ", " : "", names[i]);
        used += used + (size_t)written < sizeof all ? (size_t)written : 0;
    }
    const char *nearest = weft_nearest(name, names, count);
    if (nearest)
        return weft_fail(WEFT_BAD_INPUT, "%s: unknown preset '%.64s'; did you mean '%s'?", what, name, nearest);
    return weft_fail(WEFT_BAD_INPUT, "%s: unknown preset '%.64s'; there are %s", what, name, all);
}

weft_result weft_fabric_by_name(const char *name, weft_fabric *fabric) {
    WEFT_REQUIRE(name);
    WEFT_REQUIRE(fabric);
    const weft_fabric_preset *preset = weft_fabric_preset_find(name);
    if (!preset)
        return unknown_preset(name, "fabric");
    *fabric = preset->fabric;
    return weft_ok();
}

static weft_result read_preset(const weft_value *value, const char *what, weft_fabric *fabric) {
    const weft_fabric_preset *preset = value->kind == WEFT_VALUE_TEXT ? weft_fabric_preset_find(value->text) : NULL;
    if (!preset) {
        char place[128], full[220];
        weft_value_place(value, place, sizeof place);
        snprintf(full, sizeof full, "%s%.80s", place, what);
        return unknown_preset(value->text, full);
    }
    *fabric = preset->fabric;
    return weft_ok();
}

/* Checks the fabric. A failure names the value that most likely caused it. */
static weft_result check_read(const weft_value *map, const char *what, const weft_fabric *fabric) {
    static const char *const CULPRITS[] = {"poisson_warp", "poisson_weft", "stretch_warp", "stretch_weft"};
    const weft_value *culprit = NULL;
    for (int i = 0; i < 4 && !culprit; i++)
        culprit = weft_value_find(map, CULPRITS[i]);
    char place[160], full[256];
    weft_value_place(culprit ? culprit : map, place, sizeof place);
    snprintf(full, sizeof full, "%s%.80s", place, what);
    return weft_fabric_check(fabric, full);
}

weft_result weft_fabric_read(const weft_value *map, const char *what, weft_fabric *fabric) {
    WEFT_REQUIRE(what);
    WEFT_REQUIRE(fabric);
    static const char *const PRESET_KEYS[] = {"preset", "name", NULL};
    weft_params_default(PARAMS, fabric);
    if (!map)
        return weft_ok();
    if (map->kind == WEFT_VALUE_TEXT && map->text[0])
        return read_preset(map, what, fabric);
    const weft_value *preset = weft_value_find(map, "preset"), *name = weft_value_find(map, "name");
    if (preset && name) {
        char place[128];
        weft_value_place(name, place, sizeof place);
        return weft_fail(WEFT_BAD_INPUT, "%s%.80s: preset and name are the same thing; give one of them", place, what);
    }
    if (preset || name)
        WEFT_TRY(read_preset(preset ? preset : name, what, fabric));
    weft_fabric base = *fabric;
    return weft_fabric_read_from(map, what, &base, PRESET_KEYS, fabric);
}

weft_result weft_fabric_read_from(const weft_value *map, const char *what, const weft_fabric *base,
                                  const char *const *except, weft_fabric *fabric) {
    WEFT_REQUIRE(map);
    WEFT_REQUIRE(what);
    WEFT_REQUIRE(base);
    WEFT_REQUIRE(fabric);
    *fabric = *base;
    WEFT_TRY(weft_params_read(PARAMS, map, what, except, fabric));
    given seen = {0, 0, 0};
    for (const weft_value *value = map->first; value; value = value->next)
        note_given(&seen, value->key);
    complete(fabric, seen);
    return check_read(map, what, fabric);
}

weft_result weft_fabric_set(weft_fabric *fabric, const char *name, const char *text, const char *what) {
    WEFT_REQUIRE(fabric);
    WEFT_REQUIRE(name);
    WEFT_REQUIRE(text);
    WEFT_REQUIRE(what);
    const weft_param *row = weft_params_find(PARAMS, name);
    if (!row)
        return weft_fail(WEFT_BAD_INPUT, "%.80s: a fabric has no '%.64s'", what, name);
    weft_fabric changed = *fabric;
    WEFT_TRY(weft_param_read_text(row, text, what, &changed));
    given seen = {0, 0, 0};
    note_given(&seen, name);
    complete(&changed, seen);
    WEFT_TRY(weft_fabric_check(&changed, what));
    *fabric = changed;
    return weft_ok();
}
