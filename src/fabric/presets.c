/* The eight fabrics of the thesis' tables 3.1 and 3.2.
 *
 * Table 3.1: O. Etzmuss, M. Keckeisen, W. Strasser, "A fast finite element solution for cloth modelling", Pacific
 * Graphics 2003. The thesis prints Pa where the numbers are N/m, and its nu_xy and nu_yx are those of the other letter
 * order: viscose has 245 x 0.249 = 366 x 0.167, while equation 3.7 needs nu_yx E_x = nu_xy E_y. They are swapped here.
 *
 * Table 3.2: Z. Penava, D. Simic Penava, Z. Knezic, "Determination of the elastic constants of plain woven fabrics by a
 * tensile test in various directions", Fibres & Textiles in Eastern Europe 22(2), 2014. Its ratios follow equation 3.7.
 * Its moduli are MPa and become N/m by a thickness that the table does not give.
 *
 * Neither table has bending rigidity, thickness, damping or friction. Rigidities are chosen by weight and fibre within
 * 5e-6 .. 12e-6 N m (0.05 .. 0.12 gf cm2/cm), where the Kawabata bending test finds light and medium apparel fabrics;
 * drag and lift are those of the thesis' wind experiment 2.2. */
#include <string.h>

#include "weft/fabric.h"

#define ASSUMED                                                                                                        \
    "Assumed: thickness, bending (typical Kawabata values), damping, friction. Drag, lift: thesis, exp. 2.2."
#define ETZMUSS                                                                                                        \
    "Density, moduli (N/m, printed as Pa) and Poisson ratios (swapped to fit eq. 3.7): Etzmuss et al. 2003, "          \
    "table 3.1 of the thesis. " ASSUMED
#define PENAVA(thickness)                                                                                              \
    "Density, moduli and Poisson ratios: Penava et al. 2014, table 3.2 of the thesis; MPa to N/m by an assumed "       \
    "thickness of " thickness " mm, E_s = E_45 / (2 (1 + nu_45)). " ASSUMED

/* Membrane stiffness in N/m of a modulus in MPa. */
#define MEMBRANE(mpa, millimetres)            ((mpa)*1e6 * ((millimetres)*1e-3))
#define BIAS_SHEAR(mpa, poisson, millimetres) (MEMBRANE(mpa, millimetres) / (2 * (1 + (poisson))))

static const weft_fabric_preset PRESETS[] = {
    {"viscose",
     "soft viscose, 230 g/m2",
     ETZMUSS,
     {.density = 0.23,
      .thickness = 0.45e-3,
      .stretch_weft = 245,
      .stretch_warp = 366,
      .shear = 0.38,
      .poisson_weft = 0.167,
      .poisson_warp = 0.249,
      .bend_weft = 5e-6,
      .bend_warp = 7e-6,
      .damping = 2e-4,
      .friction = 0.3,
      .drag = 0.433,
      .lift = 0.2,
      .tear_zone = 0.03}},
    {"wool",
     "wool, 260 g/m2",
     ETZMUSS,
     {.density = 0.26,
      .thickness = 0.6e-3,
      .stretch_weft = 866,
      .stretch_warp = 1391,
      .shear = 0.51,
      .poisson_weft = 0.162,
      .poisson_warp = 0.261,
      .bend_weft = 9e-6,
      .bend_warp = 12e-6,
      .damping = 2e-4,
      .friction = 0.3,
      .drag = 0.433,
      .lift = 0.2,
      .tear_zone = 0.03}},
    {"polyacrylics",
     "polyacrylics, stiffer along the weft, 170 g/m2",
     ETZMUSS,
     {.density = 0.17,
      .thickness = 0.45e-3,
      .stretch_weft = 3057,
      .stretch_warp = 1534,
      .shear = 1.22,
      .poisson_weft = 0.299,
      .poisson_warp = 0.150,
      .bend_weft = 7e-6,
      .bend_warp = 6e-6,
      .damping = 2e-4,
      .friction = 0.3,
      .drag = 0.433,
      .lift = 0.2,
      .tear_zone = 0.03}},
    {"polyester",
     "polyester, 260 g/m2",
     ETZMUSS,
     {.density = 0.26,
      .thickness = 0.5e-3,
      .stretch_weft = 2400,
      .stretch_warp = 3600,
      .shear = 5.23,
      .poisson_weft = 0.167,
      .poisson_warp = 0.250,
      .bend_weft = 8e-6,
      .bend_warp = 10e-6,
      .damping = 2e-4,
      .friction = 0.3,
      .drag = 0.433,
      .lift = 0.2,
      .tear_zone = 0.03}},
    {"cotton",
     "plain-woven cotton, 150 g/m2",
     PENAVA("0.35"),
     {.density = 0.1503,
      .thickness = 0.35e-3,
      .stretch_weft = MEMBRANE(32.559, 0.35),
      .stretch_warp = MEMBRANE(12.436, 0.35),
      .shear = BIAS_SHEAR(0.821, 1.136, 0.35),
      .poisson_weft = 0.566,
      .poisson_warp = 0.216,
      .bend_weft = 9e-6,
      .bend_warp = 7e-6,
      .damping = 2e-4,
      .friction = 0.3,
      .drag = 0.433,
      .lift = 0.2,
      .tear_zone = 0.03}},
    {"wool-plain",
     "plain-woven wool, 235 g/m2",
     PENAVA("0.5"),
     {.density = 0.2348,
      .thickness = 0.5e-3,
      .stretch_weft = MEMBRANE(21.860, 0.5),
      .stretch_warp = MEMBRANE(8.149, 0.5),
      .shear = BIAS_SHEAR(0.170, 1.377, 0.5),
      .poisson_weft = 0.705,
      .poisson_warp = 0.263,
      .bend_weft = 11e-6,
      .bend_warp = 9e-6,
      .damping = 2e-4,
      .friction = 0.3,
      .drag = 0.433,
      .lift = 0.2,
      .tear_zone = 0.03}},
    {"wool-lycra",
     "plain-woven stretch wool, 5 % lycra, 178 g/m2",
     PENAVA("0.45"),
     {.density = 0.1782,
      .thickness = 0.45e-3,
      .stretch_weft = MEMBRANE(0.250, 0.45),
      .stretch_warp = MEMBRANE(0.851, 0.45),
      .shear = BIAS_SHEAR(0.076, 0.599, 0.45),
      .poisson_weft = 0.071,
      .poisson_warp = 0.244,
      .bend_weft = 5e-6,
      .bend_warp = 6e-6,
      .damping = 2e-4,
      .friction = 0.3,
      .drag = 0.433,
      .lift = 0.2,
      .tear_zone = 0.03}},
    {"polyester-plain",
     "plain-woven polyester, 165 g/m2",
     PENAVA("0.3"),
     {.density = 0.1646,
      .thickness = 0.3e-3,
      .stretch_weft = MEMBRANE(5.152, 0.3),
      .stretch_warp = MEMBRANE(11.674, 0.3),
      .shear = BIAS_SHEAR(0.478, 1.366, 0.3),
      .poisson_weft = 0.381,
      .poisson_warp = 0.864,
      .bend_weft = 5e-6,
      .bend_warp = 7e-6,
      .damping = 2e-4,
      .friction = 0.3,
      .drag = 0.433,
      .lift = 0.2,
      .tear_zone = 0.03}},
};
enum { PRESET_COUNT = sizeof PRESETS / sizeof PRESETS[0] };

int weft_fabric_preset_count(void) { return PRESET_COUNT; }

const weft_fabric_preset *weft_fabric_preset_at(int index) {
    return index >= 0 && index < PRESET_COUNT ? &PRESETS[index] : NULL;
}

const weft_fabric_preset *weft_fabric_preset_find(const char *name) {
    for (int i = 0; i < PRESET_COUNT; i++)
        if (strcmp(PRESETS[i].name, name) == 0)
            return &PRESETS[i];
    return NULL;
}
