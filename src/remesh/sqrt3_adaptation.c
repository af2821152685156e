/* The adaption `sqrt3`: Bender & Deul 2013, section 5.3, with contact and strain as further reasons to refine. All
 * reasons are curvatures, so that they combine by taking the largest. */
#include <math.h>

#include "remesh/adaptations.h"

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
    {"every", WEFT_INT, FIELD(every), 1, 1000000, "5", "", "steps from one adaption to the next", NULL, 0},
    {"max_generation", WEFT_INT, FIELD(max_generation), 0, 20, "6", "",
     "of the finest triangles; two generations make three triangles of one", NULL, 0},
    {"max_triangles", WEFT_INT, FIELD(max_triangles), 1, 3e7, "500000", "",
     "of a cloth; refining stops there, and a start that asks for more is refused", NULL, 0},
    {"refine", WEFT_PAIR, FIELD(refine), 0, 1e9, "[3, 30]", "1/m",
     "mean curvature from which triangles are refined: those of the mesh given, and of the last generation", NULL, 0},
    {"coarsen", WEFT_REAL, FIELD(coarsen), 0, 1, "0.5", "",
     "part of that curvature below which refined triangles are joined again", NULL, 0},
    {"contact", WEFT_REAL, FIELD(contact), 0, 1e9, "0", "1/m",
     "curvature that a vertex counts for when it touches a body or cloth; 0: contact is no reason", NULL, 0},
    {"strain", WEFT_REAL, FIELD(strain), 0, 1e9, "0", "1/m",
     "curvature that a strain of 1 counts for; 0: strain is no reason", NULL, 0},
    {"jump", WEFT_REAL, FIELD(jump), 0, 1, "2e-4", "",
     "strain of the stiffest threads whose energy turning an edge or joining triangles may bring in; more waits", NULL,
     0},
    {"energy", WEFT_REAL, FIELD(energy), 0, 1e9, "8e-4", "",
     "part of a cloth's energy by which one adaption may change it; what is left waits for the next", NULL, 0},
    {"avoid", WEFT_BOOL, FIELD(avoid), 0, 1, "true", "",
     "leave out changes that would pass through a body or other cloth, where there is contact", NULL, 0},
    {NULL, WEFT_REAL, 0, 0, 0, NULL, NULL, NULL, NULL, 0},
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

/* The largest principal strain in size, with engineering shear halved. */
static double strain_of(const weft_strain *strain) {
    double mean = 0.5 * (strain->strain[0] + strain->strain[1]), half = 0.5 * (strain->strain[0] - strain->strain[1]);
    return fabs(mean) + hypot(half, 0.5 * strain->strain[2]);
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

/* Equation 23. */
static void limits(const void *settings, int32_t level, double *refine, double *coarsen) {
    const sqrt3_settings *s = settings;
    double part = s->max_generation > 0 ? (double)level / s->max_generation : 0;
    *refine = s->refine.x + part * (s->refine.y - s->refine.x);
    *coarsen = s->coarsen * *refine;
}

static const weft_adapt_functions FUNCTIONS = {.plan = plan, .measure = measure, .limits = limits, .check = check};

const weft_component weft_sqrt3_adapt = {
    .abi = WEFT_ABI,
    .kind = WEFT_ADAPT,
    .name = "sqrt3",
    .help = "finer triangles where cloth is curved, touches or is strained, coarser ones elsewhere",
    .settings_size = sizeof(sqrt3_settings),
    .params = PARAMS,
    .functions = &FUNCTIONS,
    .paper = "Bender & Deul 2013, Adaptive cloth simulation using corotational finite elements; Kobbelt 2000, "
             "sqrt(3)-subdivision",
};
