/* The model `buckling`: cloth that buckles immediately, for implicit integration with large steps. Follows Choi and Ko,
 * "Stable but responsive cloth" (SIGGRAPH 2002). */
#include "cloth/buckling/buckling.h"

#include <string.h>

#include "cloth/springs/link_params.h"
#include "core/memory.h"
#include "mesh/stages.h"

#define OF weft_buckling_settings

static const weft_param PARAMS[] = {
    WEFT_SPRING_SOURCE_ROW(OF, "the values per interaction"),
    WEFT_SPRING_STIFFNESS_ROW(OF, "stretch", stretch, "N/m", "stiffness of edges in tension"),
    WEFT_SPRING_STIFFNESS_ROW(OF, "shear", shear, "N/m", "stiffness of the diagonals of faces in tension"),
    WEFT_SPRING_STIFFNESS_ROW(OF, "flexion", flexion, "N m2",
                              "flexural rigidity of each beam over two edges or two diagonals"),
    WEFT_SPRING_STIFFNESS_ROW(OF, "flexion_triangles", flexion_triangles, "N m",
                              "flexural rigidity k of each edge between triangles of areas A1 and A2; the energy is "
                              "(A1 + A2) k curvature^2"),
    {.name = "compression",
     .type = WEFT_REAL,
     .offset = offsetof(OF, compression),
     .high = 1e6,
     .fallback = "0.25",
     .unit = "",
     .help = "compression stiffness of beams before they buckle, relative to the stiffness of edges",
     .flags = WEFT_OPEN_LOW},
    WEFT_SPRING_DAMPING_ROWS(OF, "0.001", "interaction", ", as in Choi and Ko (2002)"),
    {0},
};

static weft_result check(const weft_buckling_settings *settings, const weft_cloth *cloth) {
    const char *name = cloth->name ? cloth->name : "";
    WEFT_TRY(weft_mesh_refuse_collapsed(cloth->mesh, "cloth", name));
    if (!(settings->compression > 0))
        return weft_fail(WEFT_BAD_INPUT, "cloth %s: model.compression: %g must be above 0", name,
                         settings->compression);
    if (settings->source == WEFT_SPRINGS_GIVEN && !(settings->stretch > 0) &&
        (settings->flexion > 0 || settings->flexion_triangles > 0))
        return weft_fail(WEFT_BAD_INPUT,
                         "cloth %s: model.stretch: %g leaves beams without resistance to compression; above 0, or "
                         "flexion and flexion_triangles 0",
                         name, settings->stretch);
    return weft_ok();
}

/* Only at the start: in a running simulation values change one by one. */
static weft_result check_given(const weft_buckling_settings *settings, const weft_cloth *cloth) {
    if (settings->source == WEFT_SPRINGS_GIVEN && !(settings->stretch > 0) && !(settings->shear > 0) &&
        !(settings->flexion > 0) && !(settings->flexion_triangles > 0))
        return weft_fail(
            WEFT_BAD_INPUT,
            "cloth %s: model.stiffness: given, but stretch, shear, flexion and flexion_triangles are all 0; "
            "give stretch, or choose stiffness: fabric",
            cloth->name ? cloth->name : "");
    return weft_ok();
}

static void destroy(void *self) {
    weft_buckling *b = self;
    if (!b)
        return;
    free(b->slot);
    free(b->curve);
    free(b->critical);
    free(b->ratio);
    weft_springs_free(&b->springs);
    free(b);
}

static weft_result prepare(weft_buckling *b, const weft_mesh *mesh) {
    static const int32_t ALL[WEFT_LINK_TYPES] = {1, 1, 1};
    weft_springs *s = &b->springs;
    WEFT_TRY(weft_buckling_build(mesh, b));
    size_t beams = (size_t)(s->list.count - s->list.first[WEFT_FLEXION]);
    WEFT_TRY(weft_springs_allocate(s, mesh));
    b->critical = weft_allocate(beams, sizeof *b->critical);
    b->curve = weft_allocate(beams, sizeof *b->curve);
    if (!b->critical || !b->curve)
        return weft_fail_memory("interactions", beams * (sizeof *b->critical + sizeof *b->curve));
    WEFT_TRY(weft_springs_arrange(mesh, &s->list, ALL, 0, &s->layout));
    b->slot = weft_allocate((size_t)s->layout.slot_count, sizeof *b->slot);
    if (!b->slot)
        return weft_fail_memory("interactions", (size_t)s->layout.slot_count * sizeof *b->slot);
    return weft_ok();
}

static weft_result make(const void *settings, const weft_cloth *cloth, void **self) {
    *self = NULL;
    WEFT_TRY(check(settings, cloth));
    weft_buckling *b = weft_allocate(1, sizeof *b);
    if (!b)
        return weft_fail_memory("buckling", sizeof *b);
    weft_sinc_fit(&b->sinc);
    weft_result result = prepare(b, cloth->mesh);
    if (result.code != WEFT_OK) {
        destroy(b);
        return result;
    }
    b->settings = *(const weft_buckling_settings *)settings;
    weft_buckling_tune(b, cloth);
    *self = b;
    return result;
}

static weft_result create(const void *settings, const weft_cloth *cloth, void **self) {
    *self = NULL;
    WEFT_TRY(check_given(settings, cloth));
    return make(settings, cloth, self);
}

static weft_result reshape(const void *self, const void *settings, const weft_cloth *cloth, const weft_reshape *change,
                           void **made) {
    (void)self;
    (void)change;
    return make(settings, cloth, made);
}

static weft_result retune(void *self, const void *settings, const weft_cloth *cloth) {
    weft_buckling *b = self;
    WEFT_TRY(check(settings, cloth));
    b->settings = *(const weft_buckling_settings *)settings;
    weft_buckling_tune(b, cloth);
    return weft_ok();
}

static double highest_frequency(const void *self, const double *mass) {
    const weft_buckling *b = self;
    return weft_springs_highest_frequency(&b->springs, mass);
}

static int32_t link_count(const void *self) {
    const weft_buckling *b = self;
    return b->springs.list.count;
}

static weft_link link_at(const void *self, int32_t index) {
    const weft_buckling *b = self;
    const weft_springs *s = &b->springs;
    weft_link link = {.a = s->list.end[index][0],
                      .b = s->list.end[index][1],
                      .type = weft_springs_type(s, index),
                      .rest_length = s->rest[index],
                      .stiffness = fabs((double)s->stiffness[index])};
    return link;
}

static const weft_model_kernels KERNELS = {.pair_rows = weft_buckling_pair_rows, .describe = weft_buckling_describe};

/* Why the model does not depend on a property of the fabric. */
static const char *unused(const void *settings, const char *property) {
    const weft_buckling_settings *s = settings;
    int stretch = weft_springs_ask_fabric(s->source, s->stretch), shear = weft_springs_ask_fabric(s->source, s->shear);
    int bend =
        weft_springs_ask_fabric(s->source, s->flexion) || weft_springs_ask_fabric(s->source, s->flexion_triangles);
    if (strncmp(property, "poisson_", 8) == 0)
        return "its narrowing follows from the shear stiffness; model corotational uses it";
    if (strncmp(property, "stretch_", 8) == 0 && !stretch)
        return "model.stretch is given";
    if (strcmp(property, "shear") == 0 && !shear)
        return "model.shear is given";
    if (strncmp(property, "bend_", 5) == 0 && !bend)
        return "model.flexion is given";
    if (strcmp(property, "damping") == 0 && !stretch && !shear)
        return "model.damping and model.damping_time damp interactions with a given stiffness";
    return NULL;
}

static const weft_model_functions FUNCTIONS = {
    .gives = WEFT_FORCES | WEFT_HESSIANS | WEFT_RESHAPES | WEFT_MAPS,
    .create = create,
    .destroy = destroy,
    .reshape = reshape,
    .retune = retune,
    .energy = weft_buckling_energy,
    .force = weft_buckling_force,
    .element_lists = weft_buckling_element_lists,
    .element_blocks = weft_buckling_element_blocks,
    .highest_frequency = highest_frequency,
    .link_count = link_count,
    .link_at = link_at,
    .edge_energy = weft_buckling_edge_energy,
    .kernels = &KERNELS,
    .unused = unused,
};

const weft_component weft_buckling_model = {
    .abi = WEFT_ABI,
    .kind = WEFT_MODEL,
    .name = "buckling",
    .help = "immediate buckling: edges and diagonals resist tension, beams resist compression and bending",
    .settings_size = sizeof(weft_buckling_settings),
    .params = PARAMS,
    .functions = &FUNCTIONS,
    .paper = "K.-J. Choi, H.-S. Ko, Stable but responsive cloth, SIGGRAPH 2002",
};
