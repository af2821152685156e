/* The adaptation `sqrt3`: Bender and Deul (2013), section 5.3, with contact and strain as additional criteria. All
 * criteria are expressed as curvatures, so the largest one counts. */
#include <math.h>

#include "core/elementary.h"
#include "sim/adaptations.h"

typedef struct sqrt3_settings {
    int32_t every, max_generation, max_triangles, avoid;
    weft_vec2 refine; /* 1/m */
    double coarsen;
    double contact; /* 1/m */
    double strain;  /* 1/m */
    double jump;
    double energy;
} sqrt3_settings;

#define FIELD(member) offsetof(sqrt3_settings, member)

static const weft_param PARAMS[] = {
    {.name = "every",
     .type = WEFT_INT,
     .offset = FIELD(every),
     .low = 1,
     .high = 1000000,
     .fallback = "5",
     .unit = "",
     .help = "time steps between adaptations"},
    {.name = "max_generation",
     .type = WEFT_INT,
     .offset = FIELD(max_generation),
     .high = 20,
     .fallback = "6",
     .unit = "",
     .help = "generation of the finest triangles; two generations split a triangle into three"},
    {.name = "max_triangles",
     .type = WEFT_INT,
     .offset = FIELD(max_triangles),
     .low = 1,
     .high = 3e7,
     .fallback = "500000",
     .unit = "",
     .help = "maximum number of triangles of a cloth; refinement stops there, and a start that needs more is an error"},
    {.name = "refine",
     .type = WEFT_PAIR,
     .offset = FIELD(refine),
     .high = 1e9,
     .fallback = "[3, 30]",
     .unit = "1/m",
     .help = "mean curvature above which triangles are refined: at the given mesh, and at the last generation"},
    {.name = "coarsen",
     .type = WEFT_REAL,
     .offset = FIELD(coarsen),
     .high = 1,
     .fallback = "0.5",
     .unit = "",
     .help = "fraction of that curvature below which refined triangles are coarsened"},
    {.name = "contact",
     .type = WEFT_REAL,
     .offset = FIELD(contact),
     .high = 1e9,
     .fallback = "0",
     .unit = "1/m",
     .help = "curvature that a vertex in contact with a body or cloth counts as; 0: contact does not refine"},
    {.name = "strain",
     .type = WEFT_REAL,
     .offset = FIELD(strain),
     .high = 1e9,
     .fallback = "0",
     .unit = "1/m",
     .help = "curvature that a strain of 1 counts as; 0: strain does not refine"},
    {.name = "jump",
     .type = WEFT_REAL,
     .offset = FIELD(jump),
     .high = 1,
     .fallback = "2e-4",
     .unit = "",
     .help = "an edge flip or a coarsening may add at most the energy of this strain in the stiffest yarns; others are "
             "postponed"},
    {.name = "energy",
     .type = WEFT_REAL,
     .offset = FIELD(energy),
     .high = 1e9,
     .fallback = "8e-4",
     .unit = "",
     .help = "fraction of a cloth's energy by which one adaptation may change it; the remaining changes are postponed"},
    {.name = "avoid",
     .type = WEFT_BOOL,
     .offset = FIELD(avoid),
     .high = 1,
     .fallback = "true",
     .unit = "",
     .help = "skip changes that would pass through a body or other cloth, if there is contact"},
    {0},
};

static weft_adapt_plan plan(const void *settings) {
    const sqrt3_settings *s = settings;
    unsigned sees = (s->strain > 0 ? WEFT_SEES_STRAIN : 0U) | (s->contact > 0 ? WEFT_SEES_CONTACT : 0U);
    return (weft_adapt_plan){s->every, s->max_generation, sees, s->avoid, s->jump, s->energy, s->max_triangles};
}

static weft_result check(const void *settings) {
    const sqrt3_settings *s = settings;
    if (s->refine.x <= s->refine.y)
        return weft_ok();
    return weft_fail(WEFT_BAD_INPUT,
                     "adapt.refine: [%g, %g] is the wrong way round: the first limit is that of the mesh given, the "
                     "second, of the finest triangles, must not be below it",
                     s->refine.x, s->refine.y);
}

typedef struct context {
    const sqrt3_settings *settings;
    const weft_adapt_input *input;
    double *need;
} context;

/* Largest principal strain in magnitude; engineering shear is halved. */
static double strain_of(const weft_strain *strain) {
    double mean = 0.5 * (strain->strain[0] + strain->strain[1]), half = 0.5 * (strain->strain[0] - strain->strain[1]);
    return fabs(mean) + weft_hypot(half, 0.5 * strain->strain[2]);
}

static void combine_block(void *self, int64_t begin, int64_t end) {
    const context *c = self;
    const weft_adapt_input *input = c->input;
    for (int64_t v = begin; v < end; v++) {
        if (input->touched && input->touched[v])
            c->need[v] = fmax(c->need[v], c->settings->contact);
        int32_t last = input->mesh->vertex_triangle_start[v + 1];
        for (int32_t i = input->mesh->vertex_triangle_start[v]; input->strain && i < last; i++)
            c->need[v] =
                fmax(c->need[v], c->settings->strain * strain_of(&input->strain[input->mesh->vertex_triangle[i]]));
    }
}

static void measure(const void *settings, const weft_work *work, const weft_adapt_input *input, double *need) {
    context c = {settings, input, need};
    weft_mean_curvature(work, input->mesh, input->x, need);
    if (input->touched || input->strain)
        weft_parallel_for(work, input->mesh->vertex_count, WEFT_BLOCK, combine_block, &c);
}

/* Bender and Deul (2013), equation 23. */
static void limits(const void *settings, int32_t level, double *refine, double *coarsen) {
    const sqrt3_settings *s = settings;
    double fraction = s->max_generation > 0 ? (double)level / s->max_generation : 0;
    *refine = s->refine.x + fraction * (s->refine.y - s->refine.x);
    *coarsen = s->coarsen * *refine;
}

static const weft_adapt_functions FUNCTIONS = {.plan = plan, .measure = measure, .limits = limits, .check = check};

const weft_component weft_sqrt3_adapt = {
    .abi = WEFT_ABI,
    .kind = WEFT_ADAPT,
    .name = "sqrt3",
    .help = "refines cloth where it is curved, in contact or strained, and coarsens it elsewhere",
    .settings_size = sizeof(sqrt3_settings),
    .params = PARAMS,
    .functions = &FUNCTIONS,
    .paper = "Bender & Deul 2013, Adaptive cloth simulation using corotational finite elements; Kobbelt 2000, "
             "sqrt(3)-subdivision",
};
