#include "weft/contact.h"

static const char *const ON_INTERSECTION[] = {"go-on", "stop", NULL};
static const char *const SEARCHES[] = {"tree", "hash", NULL};
static const char *const MODES[] = {"exact", "fast", NULL};
static const char *const METHODS[] = {"impulse", "constraint", NULL};

static const weft_param CONTACT[] = {
    {"mode", WEFT_CHOICE, offsetof(weft_contact_settings, mode), 0, 0, "exact", "",
     "fast: round shapes hold vertices alone, without their triangles; for real time", MODES, 0},
    {"margin", WEFT_REAL, offsetof(weft_contact_settings, margin), 0, 1, "0", "m",
     "beyond the thickness, within which pairs are kept from step to step; 0: by the length of edges", NULL, 0},
    {"self", WEFT_BOOL, offsetof(weft_contact_settings, self), 0, 1, "false", "",
     "cloth against itself and other cloth; bodies always count", NULL, 0},
    {"thickness", WEFT_REAL, offsetof(weft_contact_settings, thickness), 0, 1, "2 mm", "m",
     "distance that two layers, or a layer and a body, keep", NULL, WEFT_OPEN_LOW},
    {"friction", WEFT_REAL, offsetof(weft_contact_settings, friction), 0, 100, "1", "",
     "factor on the coefficients of fabrics and bodies", NULL, 0},
    {"strain_limit", WEFT_REAL, offsetof(weft_contact_settings, strain_limit), 0, 100, "0", "",
     "largest elongation of edges, 0.1 for a tenth, kept by impulses together with contact; 0: none", NULL, 0},
    {"bodies", WEFT_CHOICE, offsetof(weft_contact_settings, bodies), 0, 0, "constraint", "",
     "how bodies hold cloth in implicit integrators with solver pcg: by impulses after the solve, or as constraints of "
     "it",
     METHODS, 0},
    {"layers", WEFT_CHOICE, offsetof(weft_contact_settings, layers), 0, 0, "constraint", "",
     "the same for cloth on cloth", METHODS, 0},
    {"solves", WEFT_INT, offsetof(weft_contact_settings, solves), 1, 100, "6", "",
     "linear solves at most until contacts stick, slide and part as their forces say", NULL, 0},
    {"sweeps", WEFT_INT, offsetof(weft_contact_settings, sweeps), 1, 1000, "8", "",
     "passes over the contacts that a step begins with", NULL, 0},
    {"iterations", WEFT_INT, offsetof(weft_contact_settings, iterations), 0, 1000, "20", "",
     "rounds of collision impulses before what still collides is made rigid", NULL, 0},
    {"zones", WEFT_INT, offsetof(weft_contact_settings, zones), 0, 1000, "60", "", "rounds of rigid zones at most",
     NULL, 0},
    {"halvings", WEFT_INT, offsetof(weft_contact_settings, halvings), 0, 20, "2", "",
     "how often the step is halved before that, as far as time.halvings allows", NULL, 0},
    {"stretch", WEFT_REAL, offsetof(weft_contact_settings, stretch), 0, 100, "0.1", "",
     "a step in which an edge gets longer by more than this part of its length, and is, is halved too; 0: none", NULL,
     0},
    {"search", WEFT_CHOICE, offsetof(weft_contact_settings, search), 0, 0, "tree", "",
     "how pairs that may meet are found, with the same result: a refitted tree of boxes, or a spatial hash", SEARCHES,
     0},
    {"on_intersection", WEFT_CHOICE, offsetof(weft_contact_settings, on_intersection), 0, 0, "go-on", "",
     "when a body appears inside cloth, or collisions were left, they are reported; then", ON_INTERSECTION, 0},
    {"repair", WEFT_BOOL, offsetof(weft_contact_settings, repair), 0, 1, "false", "",
     "untangles a start that intersects, as far as it can", NULL, WEFT_FIXED},
    {"audit", WEFT_BOOL, offsetof(weft_contact_settings, audit), 0, 1, "false", "",
     "counts intersections after every step, independently of contact; slow", NULL, 0},
    {NULL, WEFT_REAL, 0, 0, 0, NULL, NULL, NULL, NULL, 0},
};

const weft_param *weft_contact_params(void) { return CONTACT; }
