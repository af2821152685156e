/* Reads numbers with units. Units of the same kind convert to the SI unit by a factor and an offset. */
#include <math.h>
#include <string.h>

#include "core/require.h"
#include "weft/param.h"
#include "weft/text.h"

typedef struct known_unit {
    const char *name;
    const char *si; /* the SI unit of its kind, as in parameter tables */
    double factor, offset;
} known_unit;

static const char SPACE[] = " \t\n\v\f\r";
static const double PI = 3.14159265358979323846;

static const known_unit UNITS[] = {
    {"m", "m", 1, 0},
    {"dm", "m", 1e-1, 0},
    {"cm", "m", 1e-2, 0},
    {"mm", "m", 1e-3, 0},
    {"um", "m", 1e-6, 0},
    {"in", "m", 0.0254, 0},
    {"s", "s", 1, 0},
    {"ms", "s", 1e-3, 0},
    {"us", "s", 1e-6, 0},
    {"min", "s", 60, 0},
    {"Hz", "1/s", 1, 0},
    {"1/s", "1/s", 1, 0},
    {"fps", "1/s", 1, 0},
    {"kg", "kg", 1, 0},
    {"g", "kg", 1e-3, 0},
    {"kg/m2", "kg/m2", 1, 0},
    {"g/m2", "kg/m2", 1e-3, 0},
    {"gsm", "kg/m2", 1e-3, 0},
    {"mg/cm2", "kg/m2", 1e-2, 0},
    {"oz/yd2", "kg/m2", 0.0339057, 0},
    {"kg/s", "kg/s", 1, 0},
    {"N s/m", "kg/s", 1, 0},
    {"Ns/m", "kg/s", 1, 0},
    {"kg/(m2 s)", "kg/(m2 s)", 1, 0},
    {"m/s", "m/s", 1, 0},
    {"cm/s", "m/s", 1e-2, 0},
    {"mm/s", "m/s", 1e-3, 0},
    {"km/h", "m/s", 1 / 3.6, 0},
    {"m/s2", "m/s2", 1, 0},
    {"N", "N", 1, 0},
    {"N/m", "N/m", 1, 0},
    {"N/cm", "N/m", 100, 0},
    {"N/mm", "N/m", 1000, 0},
    {"kN/m", "N/m", 1000, 0},
    {"gf/cm", "N/m", 0.980665, 0},
    {"Pa", "Pa", 1, 0},
    {"kPa", "Pa", 1000, 0},
    {"mbar", "Pa", 100, 0},
    /* Stiffness against shear: force per length and per angle. A plain N/m is per radian. "gf/cm" is not allowed,
     * because Kawabata's tables give gf/(cm degree), which is 57 times as much. */
    {"N/(m rad)", "N/(m rad)", 1, 0},
    {"N/m", "N/(m rad)", 1, 0},
    {"N/cm", "N/(m rad)", 100, 0},
    {"kN/m", "N/(m rad)", 1000, 0},
    {"gf/(cm degree)", "N/(m rad)", 0.980665 * 180 / PI, 0},
    {"gf/(cm deg)", "N/(m rad)", 0.980665 * 180 / PI, 0},
    {"gf/cm/deg", "N/(m rad)", 0.980665 * 180 / PI, 0},
    {"gf/(cm rad)", "N/(m rad)", 0.980665, 0},
    {"gf/cm/degree", "N/(m rad)", 0.980665 * 180 / PI, 0},
    /* Kawabata's "gf/cm.degree". A force per length times an angle would be of another kind. */
    {"gf/cm degree", "N/(m rad)", 0.980665 * 180 / PI, 0},
    {"gf/cm deg", "N/(m rad)", 0.980665 * 180 / PI, 0},
    {"N m", "N m", 1, 0},
    {"Nm", "N m", 1, 0},
    {"uN m", "N m", 1e-6, 0},
    {"uNm", "N m", 1e-6, 0},
    {"gf cm2/cm", "N m", 9.80665e-5, 0},
    {"N m2", "N m2", 1, 0},
    {"Nm2", "N m2", 1, 0},
    {"uN m2", "N m2", 1e-6, 0},
    {"uNm2", "N m2", 1e-6, 0},
    {"rad", "rad", 1, 0},
    {"deg", "rad", PI / 180, 0},
    {"turn", "rad", 2 * PI, 0},
    {"C", "C", 1, 0},
    {"degC", "C", 1, 0},
    {"K", "C", 1, -273.15},
    {"%", "", 0.01, 0},
};
enum { UNIT_COUNT = sizeof UNITS / sizeof UNITS[0] };

/* Other spellings of unit names, in UTF-8, and the one in the table. */
static const char *const SPELLINGS[][2] = {
    {"^2", "2"},
    {"\xc2\xb2", "2"},     /* superscript two */
    {"\xc2\xb5", "u"},     /* micro sign */
    {"\xce\xbc", "u"},     /* Greek mu */
    {"\xc2\xb7", " "},     /* middle dot */
    {"\xe2\x8b\x85", " "}, /* dot operator */
    {"*", " "},
    {".", " "},
    {"\xc2\xb0", "deg"}, /* degree sign */
};
enum { SPELLING_COUNT = sizeof SPELLINGS / sizeof SPELLINGS[0], LONGEST_NAME = 32 };

/* Copies a unit in the spelling of the table. Text too long for any unit is cut off. */
static void spell_unit(const char *text, size_t length, char name[LONGEST_NAME]) {
    size_t used = 0;
    for (size_t at = 0; at < length && used + 4 < LONGEST_NAME;) {
        const char *const *found = NULL;
        for (int i = 0; i < SPELLING_COUNT && !found; i++)
            if (strncmp(text + at, SPELLINGS[i][0], strlen(SPELLINGS[i][0])) == 0)
                found = SPELLINGS[i];
        if (found)
            memcpy(name + used, found[1], strlen(found[1]));
        else
            name[used] = text[at];
        used += found ? strlen(found[1]) : 1;
        at += found ? strlen(found[0]) : 1;
    }
    name[used] = '\0';
}

static void list_units(const char *si, char *buffer, size_t size) {
    size_t used = 0;
    buffer[0] = '\0';
    for (int i = 0; i < UNIT_COUNT; i++) {
        if (strcmp(UNITS[i].si, si) != 0)
            continue;
        size_t length = strlen(UNITS[i].name);
        if (used + length + 3 > size)
            return;
        if (used > 0) {
            memcpy(buffer + used, ", ", 2);
            used += 2;
        }
        memcpy(buffer + used, UNITS[i].name, length + 1);
        used += length;
    }
}

weft_result weft_number_read(const char *text, const char *unit, double *number) {
    WEFT_REQUIRE(text);
    WEFT_REQUIRE(unit);
    WEFT_REQUIRE(number);
    const char *end;
    double value = weft_real_parse(text, &end);
    if (end == text)
        return weft_fail(WEFT_BAD_INPUT, "'%.80s' is not a number", text);
    if (!isfinite(value))
        return weft_fail(WEFT_BAD_INPUT, "'%.80s' is not a finite number", text);
    end += strspn(end, SPACE);
    size_t length = strlen(end);
    while (length > 0 && strchr(SPACE, end[length - 1]))
        length--;
    if (length == 0) {
        *number = value;
        return weft_ok();
    }
    char name[LONGEST_NAME];
    spell_unit(end, length, name);
    for (int i = 0; i < UNIT_COUNT; i++)
        if (strcmp(UNITS[i].name, name) == 0 && strcmp(UNITS[i].si, unit) == 0) {
            *number = value * UNITS[i].factor + UNITS[i].offset;
            return weft_ok();
        }
    char known[160];
    list_units(unit, known, sizeof known);
    if (!known[0])
        return weft_fail(WEFT_BAD_INPUT, "'%.80s' has a unit, but this is a plain number", text);
    return weft_fail(WEFT_BAD_INPUT, "'%.80s' has an unknown unit; allowed: %s", text, known);
}
