/* The model `springs`: a mass-spring cloth (Provot 1995) on grids, quads and triangles. */
#include "model/springs/springs.h"

#include <string.h>

#include "core/memory.h"
#include "mesh/build.h"

#define FIELD(member) offsetof(weft_springs_settings, member)
#define MOST          1e12

static const char *const SOURCES[] = {"given", "fabric", NULL};
static const char *const DAMPINGS[] = {"along", "isotropic", NULL};

static const weft_param PARAMS[] = {
    {"structural", WEFT_BOOL, FIELD(on[WEFT_STRUCTURAL]), 0, 1, "true", "", "springs along edges", NULL, 0},
    {"shear", WEFT_BOOL, FIELD(on[WEFT_SHEAR]), 0, 1, "true", "", "springs across the diagonals of faces", NULL, 0},
    {"flexion", WEFT_BOOL, FIELD(on[WEFT_FLEXION]), 0, 1, "true", "", "springs over two edges, against bending", NULL,
     0},
    {"stiffness", WEFT_CHOICE, FIELD(source), 0, 0, "given", "",
     "where stiffness comes from: given per spring, or from the fabric at any resolution", SOURCES, 0},
    {"structural_stiffness", WEFT_REAL, FIELD(stiffness[WEFT_STRUCTURAL]), 0, MOST, "100", "N/m",
     "stiffness of a structural spring", NULL, 0},
    {"shear_stiffness", WEFT_REAL, FIELD(stiffness[WEFT_SHEAR]), 0, MOST, "50", "N/m", "stiffness of a shear spring",
     NULL, 0},
    {"flexion_stiffness", WEFT_REAL, FIELD(stiffness[WEFT_FLEXION]), 0, MOST, "10", "N/m",
     "stiffness of a flexion spring", NULL, 0},
    {"structural_rest", WEFT_REAL, FIELD(rest[WEFT_STRUCTURAL]), 0, 1e6, "0", "m",
     "rest length of structural springs; 0: as in the rest shape", NULL, 0},
    {"shear_rest", WEFT_REAL, FIELD(rest[WEFT_SHEAR]), 0, 1e6, "0", "m",
     "rest length of shear springs; 0: as in the rest shape", NULL, 0},
    {"flexion_rest", WEFT_REAL, FIELD(rest[WEFT_FLEXION]), 0, 1e6, "0", "m",
     "rest length of flexion springs; 0: as in the rest shape", NULL, 0},
    {"damping", WEFT_REAL, FIELD(damping), 0, MOST, "0.01", "kg/s", "damping of each spring", NULL, 0},
    {"damping_time", WEFT_REAL, FIELD(damping_time), 0, 1e3, "0", "s",
     "adds this times its stiffness to the damping of each spring", NULL, 0},
    {"damping_kind", WEFT_CHOICE, FIELD(damping_kind), 0, 0, "along", "",
     "what is damped: lengthening only, or all relative velocity", DAMPINGS, 0},
    {"limit", WEFT_REAL, FIELD(limit), 0, 100, "0", "",
     "most elongation of structural and shear springs, as 0.1 for a tenth; 0: no limit", NULL, 0},
    {"limit_passes", WEFT_INT, FIELD(limit_passes), 1, 10000, "4", "", "rounds of shortening in each step", NULL, 0},
    {"tear", WEFT_REAL, FIELD(tear), 0, 1e6, "0", "",
     "springs longer than this times their rest length break; above 1, or 0: never", NULL, 0},
    {NULL, WEFT_REAL, 0, 0, 0, NULL, NULL, NULL, NULL, 0},
};

static weft_result check(const weft_springs_settings *settings, const weft_cloth *cloth) {
    WEFT_TRY(weft_mesh_refuse_collapsed(cloth->mesh, "cloth", cloth->name ? cloth->name : ""));
    if (settings->tear > 0 && settings->tear <= 1)
        return weft_fail(WEFT_BAD_INPUT,
                         "cloth %s: model.tear: %g would break springs at rest; above 1, or 0 for never",
                         cloth->name ? cloth->name : "", settings->tear);
    return weft_ok();
}

static void destroy(void *self) {
    weft_springs *s = self;
    if (!s)
        return;
    weft_springs_arrange_free(&s->layout);
    free(s->damping_sum);
    free(s->stiffness_sum);
    free(s->broken);
    free(s->law);
    free(s->stiffness);
    free(s->rest);
    weft_springs_build_free(&s->list);
    free(s);
}

static size_t broken_bytes(const weft_springs *s) { return ((size_t)s->list.count + 7) / 8; }

static weft_result prepare(weft_springs *s, const weft_mesh *mesh) {
    WEFT_TRY(weft_springs_build(mesh, &s->list));
    size_t count = (size_t)s->list.count, vertices = (size_t)mesh->vertex_count;
    s->mesh = mesh;
    s->elements = (weft_elements){.count = s->list.count, .arity = 2, .vertex = s->list.end[0]};
    if (!(s->rest = weft_allocate(count, sizeof *s->rest)) ||
        !(s->stiffness = weft_allocate(count, sizeof *s->stiffness)) ||
        !(s->broken = weft_allocate(broken_bytes(s), 1)) || !(s->law = weft_allocate(count, sizeof *s->law)) ||
        !(s->stiffness_sum = weft_allocate(vertices, sizeof *s->stiffness_sum)) ||
        !(s->damping_sum = weft_allocate(vertices, sizeof *s->damping_sum)))
        return weft_fail_memory("springs", count * (sizeof *s->rest + sizeof *s->stiffness));
    return weft_springs_arrange(mesh, &s->list, s->settings.on, 1, &s->layout);
}

static weft_result create(const void *settings, const weft_cloth *cloth, void **self) {
    *self = NULL;
    WEFT_TRY(check(settings, cloth));
    weft_springs *s = weft_allocate(1, sizeof *s);
    if (!s)
        return weft_fail_memory("springs", sizeof *s);
    s->settings = *(const weft_springs_settings *)settings;
    weft_result result = prepare(s, cloth->mesh);
    if (result.code != WEFT_OK) {
        destroy(s);
        return result;
    }
    weft_springs_tune(s, cloth);
    weft_springs_refresh(s);
    *self = s;
    return result;
}

static weft_result retune(void *self, const void *settings, const weft_cloth *cloth) {
    weft_springs *s = self;
    const weft_springs_settings *wanted = settings;
    WEFT_TRY(check(wanted, cloth));
    if (memcmp(wanted->on, s->settings.on, sizeof wanted->on) != 0) {
        weft_spring_layout layout;
        WEFT_TRY(weft_springs_arrange(s->mesh, &s->list, wanted->on, 1, &layout));
        weft_springs_arrange_free(&s->layout);
        s->layout = layout;
    }
    s->settings = *wanted;
    weft_springs_tune(s, cloth);
    weft_springs_refresh(s);
    return weft_ok();
}

/* A state is the number of springs, then a bit for each: 1 when broken. */
static size_t state_size(const void *self) { return sizeof(uint64_t) + broken_bytes(self); }

static void state_save(const void *self, void *buffer) {
    const weft_springs *s = self;
    uint64_t count = (uint64_t)s->list.count;
    memcpy(buffer, &count, sizeof count);
    memcpy((char *)buffer + sizeof count, s->broken, broken_bytes(s));
}

static weft_result state_load(void *self, const void *buffer, size_t size) {
    weft_springs *s = self;
    uint64_t count;
    if (size != state_size(s))
        return weft_fail(WEFT_BAD_INPUT, "state of springs: %zu bytes, but %zu are needed", size, state_size(s));
    memcpy(&count, buffer, sizeof count);
    if (count != (uint64_t)s->list.count)
        return weft_fail(WEFT_BAD_INPUT, "state of springs: of %llu springs, but the cloth has %d",
                         (unsigned long long)count, s->list.count);
    const uint8_t *bits = (const uint8_t *)buffer + sizeof count;
    int used = s->list.count & 7;
    if (used > 0 && bits[broken_bytes(s) - 1] >> used != 0)
        return weft_fail(WEFT_BAD_INPUT, "state of springs: bits beyond spring %d are set", s->list.count - 1);
    memcpy(s->broken, bits, broken_bytes(s));
    s->broken_count = 0;
    for (int32_t i = 0; i < s->list.count; i++)
        s->broken_count += weft_springs_is_broken(s, i);
    weft_springs_refresh(s);
    return weft_ok();
}

static int32_t link_count(const void *self) {
    const weft_springs *s = self;
    int32_t count = 0;
    for (int type = 0; type < WEFT_LINK_TYPES; type++)
        count += s->settings.on[type] ? s->list.first[type + 1] - s->list.first[type] : 0;
    return count;
}

static weft_link link_at(const void *self, int32_t index) {
    const weft_springs *s = self;
    int32_t spring = weft_springs_of_link(s, index);
    weft_link link = {.a = s->list.end[spring][0],
                      .b = s->list.end[spring][1],
                      .type = weft_springs_type(s, spring),
                      .rest_length = s->rest[spring],
                      .stiffness = weft_springs_is_broken(s, spring) ? 0 : (double)s->stiffness[spring]};
    return link;
}

static const weft_model_kernels KERNELS = {.stream_force = weft_springs_force_runs,
                                           .pair_rows = weft_springs_pair_rows};

static const weft_model_functions FUNCTIONS = {
    .gives = WEFT_FORCES | WEFT_CONSTRAINTS | WEFT_HESSIANS | WEFT_LINKS | WEFT_MAPS,
    .create = create,
    .destroy = destroy,
    .retune = retune,
    .energy = weft_springs_energy,
    .force = weft_springs_force,
    .relax = weft_springs_relax,
    .element_lists = weft_springs_element_lists,
    .element_blocks = weft_springs_element_blocks,
    .limit = weft_springs_limit,
    .tear = weft_springs_tear,
    .sever = weft_springs_sever,
    .state_size = state_size,
    .state_save = state_save,
    .state_load = state_load,
    .highest_frequency = weft_springs_highest_frequency,
    .link_count = link_count,
    .link_at = link_at,
    .kernels = &KERNELS,
};

const weft_component weft_springs_model = {
    .abi = WEFT_ABI,
    .kind = WEFT_MODEL,
    .name = "springs",
    .help = "mass-spring cloth: structural, shear and flexion springs, elongation limit, tearing",
    .settings_size = sizeof(weft_springs_settings),
    .params = PARAMS,
    .functions = &FUNCTIONS,
    .paper = "X. Provot, Deformation constraints in a mass-spring model to describe rigid cloth behavior, GI 1995",
};
