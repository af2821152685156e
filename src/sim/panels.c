/* Panels of a tailored cloth that may change while it runs: their fabric by factors, and their size at rest. */
#include "sim/internal.h"

#define FACTOR(member, least, most, text)                                                                              \
    {                                                                                                                  \
        .name = #member, .type = WEFT_REAL, .offset = offsetof(weft_panel, member), .low = least, .high = most,        \
        .fallback = "1", .unit = "", .help = text                                                                      \
    }

static const weft_param PANEL[] = {
    FACTOR(density, 0.01, 100, "factor of the mass per area"),
    FACTOR(stretch, 0.01, 100, "factor of stretch and shear stiffness, as of a fused interlining"),
    FACTOR(bend, 0.001, 1000, "factor of the bending stiffness"),
    FACTOR(width, 0.5, 2, "factor of the size along the weft; 1.05 gives 5 % more ease"),
    FACTOR(length, 0.5, 2, "factor of the size along the warp"),
    {.name = "padding",
     .type = WEFT_REAL,
     .offset = offsetof(weft_panel, padding),
     .low = -20e3,
     .high = 20e3,
     .fallback = "0",
     .unit = "Pa",
     .help = "pressure of padding behind the panel; above 0 it pushes outwards, below 0 towards the skin"},
    {0},
};

static const weft_param EASE[] = {
    FACTOR(width, 0.5, 2, "factor of the width of all panels, along the weft; 1.05 gives 5 % more ease"),
    FACTOR(length, 0.5, 2, "factor of the length of all panels, along the warp"),
    {0},
};

const weft_param *weft_panel_params(void) { return PANEL; }
const weft_param *weft_ease_params(void) { return EASE; }

enum { FACTORS = 5 };

void sim_free_panels(sim_cloth *cloth) {
    free(cloth->panel);
    cloth->panel = NULL;
    for (int k = 0; k < FACTORS; k++) {
        free(cloth->sewn_factor[k]);
        cloth->sewn_factor[k] = NULL;
    }
    free(cloth->padding);
    cloth->padding = NULL;
    cloth->is_padded = 0;
}

/* The factor of the tailoring, filled with ones if there was none, and a copy of it as it was sewn. */
static int keep_factor(const double **factor, size_t faces, double **sewn) {
    double *made = *factor ? (double *)*factor : weft_allocate(faces, sizeof *made);
    for (size_t f = 0; made && !*factor && f < faces; f++)
        made[f] = 1;
    *factor = made;
    *sewn = weft_allocate(faces, sizeof **sewn);
    if (!made || !*sewn)
        return 0;
    memcpy(*sewn, made, faces * sizeof *made);
    return 1;
}

weft_result sim_make_panels(sim_cloth *cloth) {
    weft_tailoring *t = cloth->tailoring;
    const weft_mesh *mesh = cloth->mesh;
    size_t faces = (size_t)mesh->face_count, groups = (size_t)mesh->group_count;
    if (groups == 0 || !mesh->face_group)
        return weft_ok();
    const double **factor[FACTORS] = {&t->density, &t->stretch, &t->bend, &t->width, &t->length};
    cloth->panel = weft_allocate(groups + 1, sizeof *cloth->panel);
    cloth->padding = weft_allocate(faces, sizeof *cloth->padding);
    int complete = cloth->panel && cloth->padding;
    for (int k = 0; k < FACTORS && complete; k++)
        complete = keep_factor(factor[k], faces, &cloth->sewn_factor[k]);
    if (!complete) {
        sim_free_panels(cloth);
        return weft_fail_memory("panels", (2 * FACTORS + 1) * faces * sizeof(double));
    }
    for (size_t p = 0; p <= groups; p++)
        weft_params_default(PANEL, &cloth->panel[p]);
    return weft_ok();
}

/* While the garment is sewn, its padding is filled in: the pressure grows as the seams close. */
void sim_pad_panels(sim_cloth *cloth) {
    const weft_mesh *mesh = cloth->mesh;
    const weft_param *row = weft_params_find(cloth->model->params, "sewn");
    double filled = row ? *(const double *)(const void *)((const char *)cloth->settings + row->offset) : 1;
    cloth->is_padded = 0;
    for (int32_t f = 0; cloth->padding && f < mesh->face_count; f++) {
        int32_t group = mesh->face_group[f];
        cloth->padding[f] = group == WEFT_NONE ? 0 : filled * cloth->panel[group].padding;
        cloth->is_padded |= cloth->padding[f] != 0;
    }
}

void sim_apply_panels(sim_cloth *cloth) {
    const weft_tailoring *t = cloth->tailoring;
    const weft_mesh *mesh = cloth->mesh;
    static const weft_panel NONE = {1, 1, 1, 1, 1, 0};
    double *const factor[FACTORS] = {(double *)t->density, (double *)t->stretch, (double *)t->bend, (double *)t->width,
                                     (double *)t->length};
    const weft_panel *all = &cloth->panel[mesh->group_count];
    for (int32_t f = 0; f < mesh->face_count; f++) {
        const weft_panel *own = mesh->face_group[f] == WEFT_NONE ? &NONE : &cloth->panel[mesh->face_group[f]];
        double width = own->width * all->width, length = own->length * all->length;
        const double change[FACTORS] = {own->density * width * length, own->stretch, own->bend, width, length};
        for (int k = 0; k < FACTORS; k++)
            factor[k][f] = cloth->sewn_factor[k][f] * change[k];
    }
    sim_pad_panels(cloth);
}
