/* Fabrics: their parameters, their checks, and reading them from a scene. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "weft/fabric.h"

#define ROW(field) #field, WEFT_REAL, offsetof(weft_fabric, field)

/* The defaults are the preset `wool`: much softer than `cotton`, so explicit schemes take longer steps. */
static const weft_param PARAMS[] = {
    {ROW(density), 0, 100, "0.26", "kg/m2", "mass per area", NULL, WEFT_OPEN_LOW},
    {ROW(thickness), 0, 0.1, "0.0006", "m", "thickness in contact; does not change the moduli", NULL, WEFT_OPEN_LOW},
    {ROW(stretch_weft), 0, 1e9, "866", "N/m", "tensile stiffness along the weft, E_x", NULL, WEFT_OPEN_LOW},
    {ROW(stretch_warp), 0, 1e9, "1391", "N/m", "tensile stiffness along the warp, E_y", NULL, WEFT_OPEN_LOW},
    {ROW(shear), 0, 1e9, "0.51", "N/m", "shear stiffness, E_s", NULL, WEFT_OPEN_LOW},
    {ROW(poisson_weft), -1000, 1000, "0.162", "", "contraction along the warp when pulled along the weft, nu_xy", NULL,
     0},
    {ROW(poisson_warp), -1000, 1000, "0.261", "", "contraction along the weft when pulled along the warp, nu_yx", NULL,
     0},
    {ROW(bend_weft), 0, 1e3, "9e-6", "N m", "bending rigidity along the weft", NULL, 0},
    {ROW(bend_warp), 0, 1e3, "12e-6", "N m", "bending rigidity along the warp", NULL, 0},
    {ROW(damping), 0, 10, "2e-4", "s", "stiffness-proportional damping time", NULL, 0},
    {ROW(friction), 0, 10, "0.3", "", "Coulomb friction coefficient", NULL, 0},
    {ROW(drag), 0, 10, "0.433", "", "drag coefficient in wind", NULL, 0},
    {ROW(lift), 0, 10, "0.2", "", "lift coefficient in wind", NULL, 0},
    {ROW(tear_weft), 0, 1e3, "0", "",
     "strain at which weft threads break; 0: never. Not for springs, which have their own", NULL, 0},
    {ROW(tear_warp), 0, 1e3, "0", "", "strain at which warp threads break; 0: never", NULL, 0},
    {ROW(tear_zone), 0, 10, "0.03", "m", "size of the region whose mean strain counts, so that meshes do not", NULL, 0},
    {NULL, WEFT_REAL, 0, 0, 0, NULL, NULL, NULL, NULL, 0},
};

const weft_param *weft_fabric_params(void) { return PARAMS; }

/* -- checks -- */

static const double SYMMETRY_TOLERANCE = 0.02;

/* Catches what scene reading cannot let through: a fabric made in code with a field left out, or not finite. */
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
                         "resist every stretch",
                         what, fabric->poisson_weft, fabric->poisson_warp, product);
    return weft_ok();
}

/* -- keeping the elasticity matrix symmetric when some of its values are given -- */

typedef struct given {
    int stretch, poisson_weft, poisson_warp;
} given;

static void note_given(given *seen, const char *name) {
    seen->stretch |= strcmp(name, "stretch_weft") == 0 || strcmp(name, "stretch_warp") == 0;
    seen->poisson_weft |= strcmp(name, "poisson_weft") == 0;
    seen->poisson_warp |= strcmp(name, "poisson_warp") == 0;
}

static void complete(weft_fabric *fabric, given seen) {
    double ratio = fabric->stretch_warp / fabric->stretch_weft; /* nu_yx / nu_xy */
    if (seen.poisson_weft && !seen.poisson_warp)
        fabric->poisson_warp = fabric->poisson_weft * ratio;
    else if (seen.poisson_warp && !seen.poisson_weft)
        fabric->poisson_weft = fabric->poisson_warp / ratio;
    else if (seen.stretch && !seen.poisson_weft && !seen.poisson_warp) {
        /* Keeping one ratio instead would lose positive definiteness for moduli far apart. */
        double mean = copysign(sqrt(fabs(fabric->poisson_weft * fabric->poisson_warp)), fabric->poisson_weft);
        fabric->poisson_weft = mean / sqrt(ratio);
        fabric->poisson_warp = mean * sqrt(ratio);
    }
}

/* -- reading -- */

static weft_result unknown_preset(const weft_value *value, const char *what) {
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
    char place[128];
    weft_value_place(value, place, sizeof place);
    const char *nearest = weft_nearest(value->text, names, count);
    if (nearest)
        return weft_fail(WEFT_BAD_INPUT, "%s%.80s: unknown preset '%.64s'; did you mean '%s'?", place, what,
                         value->text, nearest);
    return weft_fail(WEFT_BAD_INPUT, "%s%.80s: unknown preset '%.64s'; there are %s", place, what, value->text, all);
}

static weft_result read_preset(const weft_value *value, const char *what, weft_fabric *fabric) {
    const weft_fabric_preset *preset = value->kind == WEFT_VALUE_TEXT ? weft_fabric_preset_find(value->text) : NULL;
    if (!preset)
        return unknown_preset(value, what);
    *fabric = preset->fabric;
    return weft_ok();
}

/* The check, with the place of the value that most likely caused it. */
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
    WEFT_TRY(weft_params_read(PARAMS, map, what, PRESET_KEYS, fabric));
    given seen = {0, 0, 0};
    for (const weft_value *value = map->first; value; value = value->next)
        note_given(&seen, value->key);
    complete(fabric, seen);
    return check_read(map, what, fabric);
}

weft_result weft_fabric_set(weft_fabric *fabric, const char *name, const char *text, const char *what) {
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
