/* The model `springs`: a mass-spring cloth on grids, quads and triangles. Follows Provot, "Deformation constraints in a
 * mass-spring model to describe rigid cloth behavior" (Graphics Interface 1995). */
#include "cloth/springs/springs.h"

#include <string.h>

#include "cloth/springs/link_params.h"
#include "core/memory.h"
#include "mesh/stages.h"

#define OF            weft_springs_settings
#define FIELD(member) offsetof(OF, member)

const char *const WEFT_SPRING_SOURCES[] = {"auto", "given", "fabric", NULL};
const char *const WEFT_SPRING_DAMPINGS[] = {"along", "isotropic", NULL};

#define SWITCH(kind, type_of, text)                                                                                    \
    {                                                                                                                  \
        .name = kind, .type = WEFT_BOOL, .offset = FIELD(on[type_of]), .high = 1, .fallback = "true", .unit = "",      \
        .help = "use " kind " springs, " text                                                                          \
    }
#define STIFFNESS(kind, type_of)                                                                                       \
    WEFT_SPRING_STIFFNESS_ROW(OF, kind "_stiffness", stiffness[type_of], "N/m", "stiffness of each " kind " spring")
#define REST(kind, type_of)                                                                                            \
    {                                                                                                                  \
        .name = kind "_rest", .type = WEFT_REAL, .offset = FIELD(rest[type_of]), .high = 1e6, .fallback = "0",         \
        .unit = "m", .help = "rest length of " kind " springs; 0: from the rest shape"                                 \
    }

static const weft_param PARAMS[] = {
    SWITCH("structural", WEFT_STRUCTURAL, "along the edges"),
    SWITCH("shear", WEFT_SHEAR, "along the diagonals of faces"),
    SWITCH("flexion", WEFT_FLEXION, "which span two edges and resist bending"),
    WEFT_SPRING_SOURCE_ROW(OF, "the three values per spring"),
    STIFFNESS("structural", WEFT_STRUCTURAL),
    STIFFNESS("shear", WEFT_SHEAR),
    STIFFNESS("flexion", WEFT_FLEXION),
    REST("structural", WEFT_STRUCTURAL),
    REST("shear", WEFT_SHEAR),
    REST("flexion", WEFT_FLEXION),
    WEFT_SPRING_DAMPING_ROWS(OF, "0.01", "spring", ""),
    {.name = "limit",
     .type = WEFT_REAL,
     .offset = FIELD(limit),
     .high = 100,
     .fallback = "0",
     .unit = "",
     .help = "largest elongation of structural and shear springs, 0.1 means 10 %; 0: no limit"},
    {.name = "limit_passes",
     .type = WEFT_INT,
     .offset = FIELD(limit_passes),
     .low = 1,
     .high = 10000,
     .fallback = "4",
     .unit = "",
     .help = "passes of the elongation limit per step"},
    {.name = "tear",
     .type = WEFT_REAL,
     .offset = FIELD(tear),
     .high = 1e6,
     .fallback = "0",
     .unit = "",
     .help = "springs break at this multiple of their rest length; must be above 1, or 0: never"},
    {0},
};

/* Whether springs are switched on, but none of them has a stiffness in the settings. */
static int lacks_stiffness(const weft_springs_settings *settings) {
    int any = 0;
    for (int type = 0; type < WEFT_LINK_TYPES; type++) {
        if (settings->on[type] && settings->stiffness[type] > 0)
            return 0;
        any |= settings->on[type];
    }
    return any;
}

static weft_result check(const weft_springs_settings *settings, const weft_cloth *cloth) {
    WEFT_TRY(weft_mesh_refuse_collapsed(cloth->mesh, "cloth", cloth->name ? cloth->name : ""));
    if (settings->tear > 0 && settings->tear <= 1)
        return weft_fail(WEFT_BAD_INPUT,
                         "cloth %s: model.tear: %g would break springs at rest; above 1, or 0 for never",
                         cloth->name ? cloth->name : "", settings->tear);
    return weft_ok();
}

/* Only at the start: in a running simulation values change one by one. */
static weft_result check_given(const weft_springs_settings *settings, const weft_cloth *cloth) {
    if (settings->source == WEFT_SPRINGS_GIVEN && lacks_stiffness(settings))
        return weft_fail(
            WEFT_BAD_INPUT,
            "cloth %s: model.stiffness: given, but all springs have stiffness 0; give structural_stiffness, "
            "shear_stiffness or flexion_stiffness, or choose stiffness: fabric",
            cloth->name ? cloth->name : "");
    return weft_ok();
}

void weft_springs_free(weft_springs *s) {
    weft_springs_arrange_free(&s->layout);
    free(s->damping_sum);
    free(s->stiffness_sum);
    free(s->broken);
    free(s->law);
    free(s->stiffness);
    free(s->rest);
    weft_springs_build_free(&s->list);
}

static void destroy(void *self) {
    if (self)
        weft_springs_free(self);
    free(self);
}

static size_t broken_bytes(const weft_springs *s) { return ((size_t)s->list.count + 7) / 8; }

weft_result weft_springs_allocate(weft_springs *s, const weft_mesh *mesh) {
    size_t count = (size_t)s->list.count, vertices = (size_t)mesh->vertex_count;
    s->mesh = mesh;
    s->elements = (weft_elements){.count = s->list.count, .arity = 2, .vertex = s->list.end[0]};
    if (!(s->rest = weft_allocate(count, sizeof *s->rest)) ||
        !(s->stiffness = weft_allocate(count, sizeof *s->stiffness)) ||
        !(s->broken = weft_allocate(broken_bytes(s), 1)) || !(s->law = weft_allocate(count, sizeof *s->law)) ||
        !(s->stiffness_sum = weft_allocate(vertices, sizeof *s->stiffness_sum)) ||
        !(s->damping_sum = weft_allocate(vertices, sizeof *s->damping_sum)))
        return weft_fail_memory("springs", count * (sizeof *s->rest + sizeof *s->stiffness));
    return weft_ok();
}

static weft_result prepare(weft_springs *s, const weft_mesh *mesh) {
    WEFT_TRY(weft_springs_build(mesh, &s->list));
    WEFT_TRY(weft_springs_allocate(s, mesh));
    return weft_springs_arrange(mesh, &s->list, s->settings.on, 1, &s->layout);
}

static weft_result make(const void *settings, const weft_cloth *cloth, void **self) {
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

static weft_result create(const void *settings, const weft_cloth *cloth, void **self) {
    *self = NULL;
    WEFT_TRY(check_given(settings, cloth));
    return make(settings, cloth, self);
}

static weft_result reshape(const void *self, const void *settings, const weft_cloth *cloth, const weft_reshape *change,
                           void **made) {
    (void)change;
    WEFT_TRY(make(settings, cloth, made));
    weft_result result = weft_springs_keep_broken(*made, self);
    if (result.code == WEFT_OK)
        return result;
    destroy(*made);
    *made = NULL;
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

/* The saved state is the number of springs, then one bit per spring: 1 when broken. */
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

/* Why the springs do not depend on a property of the fabric. */
static const char *unused(const void *settings, const char *property) {
    static const char *const GIVEN[] = {"model.structural_stiffness is given", "model.shear_stiffness is given",
                                        "model.flexion_stiffness is given"};
    const weft_springs_settings *s = settings;
    int type = strncmp(property, "stretch_", 8) == 0 ? WEFT_STRUCTURAL
               : strcmp(property, "shear") == 0      ? WEFT_SHEAR
               : strncmp(property, "bend_", 5) == 0  ? WEFT_FLEXION
                                                     : WEFT_LINK_TYPES;
    if (strncmp(property, "poisson_", 8) == 0)
        return "the narrowing of springs follows from their shear stiffness; model corotational uses it";
    if (strcmp(property, "damping") == 0 && !weft_springs_any_fabric(s))
        return "model.damping and model.damping_time damp springs with a given stiffness";
    if (type == WEFT_LINK_TYPES || (s->on[type] && weft_springs_ask_fabric(s->source, s->stiffness[type])))
        return NULL;
    return s->on[type] ? GIVEN[type] : "springs of this kind are switched off";
}

static const weft_model_kernels KERNELS = {
    .stream_force = weft_springs_force_runs, .pair_rows = weft_springs_pair_rows, .describe = weft_springs_describe};

static const weft_model_functions FUNCTIONS = {
    .gives = WEFT_FORCES | WEFT_CONSTRAINTS | WEFT_HESSIANS | WEFT_LINKS | WEFT_MAPS | WEFT_SPLITS,
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
    .reshape = reshape,
    .state_size = state_size,
    .state_save = state_save,
    .state_load = state_load,
    .highest_frequency = weft_springs_highest_frequency,
    .link_count = link_count,
    .link_at = link_at,
    .kernels = &KERNELS,
    .unused = unused,
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
