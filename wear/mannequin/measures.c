/* Measurements: defaults from body proportions, and limits. The proportions are rounded from tables of body sizes for
 * clothing, such as EN 13402-2 and ISO 8559-1. */
#include <math.h>
#include <stddef.h>

#include "wear/mannequin/mannequin.h"

mannequin_measures mannequin_measures_default(void) {
    return (mannequin_measures){.height = 1.70, .chest = 0.92, .waist = 0.76, .hip = 0.98, .bust = 0.03, .edge = 0.02};
}

/* A derived measurement is of_height h + of_chest c + of_hip p. A given one may differ from it by the two factors. */
typedef struct proportion {
    const char *name;
    size_t offset;
    double of_height, of_chest, of_hip;
    double least, most;
} proportion;

#define OF(name) #name, offsetof(mannequin_measures, name)

static const proportion DERIVED[] = {
    {OF(neck), 0.17, 0.07, 0, 0.75, 1.35},     {OF(shoulders), 0.20, 0.05, 0, 0.8, 1.3},
    {OF(arm), 0.335, 0, 0, 0.8, 1.25},         {OF(inseam), 0.455, 0, 0, 0.85, 1.15},
    {OF(upper_arm), 0.03, 0.26, 0, 0.65, 1.5}, {OF(wrist), 0.08, 0.025, 0, 0.7, 1.4},
    {OF(thigh), 0, 0, 0.56, 0.75, 1.25},       {OF(knee), 0.08, 0, 0.24, 0.75, 1.3},
    {OF(calf), 0.06, 0, 0.265, 0.75, 1.3},     {OF(ankle), 0.09, 0, 0.08, 0.75, 1.35},
};

/* The three girths must be given; the limits are parts of the height. */
static const proportion GIVEN[] = {
    {OF(chest), 1, 0, 0, 0.40, 0.85},
    {OF(waist), 1, 0, 0, 0.32, 0.85},
    {OF(hip), 1, 0, 0, 0.42, 0.85},
};

static weft_result check(const char *name, double value, double least, double most) {
    if (value >= least && value <= most)
        return weft_ok();
    return weft_fail(WEFT_BAD_INPUT, "mannequin.%s: %g m is not possible here; %.4g to %.4g m are", name, value, least,
                     most);
}

weft_result mannequin_measures_complete(mannequin_measures *m) {
    WEFT_TRY(check("height", m->height, 0.8, 2.4));
    for (size_t i = 0; i < sizeof GIVEN / sizeof GIVEN[0]; i++) {
        const proportion *p = &GIVEN[i];
        const double *value = (const double *)((const char *)m + p->offset);
        WEFT_TRY(check(p->name, *value, p->least * m->height, p->most * m->height));
    }
    WEFT_TRY(check("bust", m->bust, 0, 0.05 * m->height));
    WEFT_TRY(check("edge", m->edge, 0.004, 0.03));
    for (size_t i = 0; i < sizeof DERIVED / sizeof DERIVED[0]; i++) {
        const proportion *p = &DERIVED[i];
        double *value = (double *)((char *)m + p->offset);
        double usual = p->of_height * m->height + p->of_chest * m->chest + p->of_hip * m->hip;
        if (*value == 0)
            *value = usual;
        WEFT_TRY(check(p->name, *value, p->least * usual, p->most * usual));
    }
    return weft_ok();
}
