#include "weft/contact.h"

static const weft_param CONTACT[] = {
    {"self", WEFT_BOOL, offsetof(weft_contact_settings, self), 0, 1, "false", "",
     "cloth against itself and other cloth; bodies always count", NULL, 0},
    {"thickness", WEFT_REAL, offsetof(weft_contact_settings, thickness), 0, 1, "2 mm", "m",
     "distance that two layers, or a layer and a body, keep", NULL, WEFT_OPEN_LOW},
    {"friction", WEFT_REAL, offsetof(weft_contact_settings, friction), 0, 100, "1", "",
     "factor on the coefficients of fabrics and bodies", NULL, 0},
    {"sweeps", WEFT_INT, offsetof(weft_contact_settings, sweeps), 1, 1000, "8", "",
     "passes over the contacts that a step begins with", NULL, 0},
    {"iterations", WEFT_INT, offsetof(weft_contact_settings, iterations), 0, 1000, "20", "",
     "rounds of collision impulses before what still collides is made rigid", NULL, 0},
    {"zones", WEFT_INT, offsetof(weft_contact_settings, zones), 0, 1000, "60", "", "rounds of rigid zones at most",
     NULL, 0},
    {"halvings", WEFT_INT, offsetof(weft_contact_settings, halvings), 0, 20, "2", "",
     "how often the step is halved before that, as far as time.halvings allows", NULL, 0},
    {NULL, WEFT_REAL, 0, 0, 0, NULL, NULL, NULL, NULL, 0},
};

const weft_param *weft_contact_params(void) { return CONTACT; }
