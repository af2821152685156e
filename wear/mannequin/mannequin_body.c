/* The component `mannequin`: mesh and motion from the settings of a body. */
#include "wear/mannequin/mannequin_body.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "weft/hooks.h"

#define GIRTH(member, least, most, value, text)                                                                        \
    {                                                                                                                  \
        .name = #member, .type = WEFT_REAL, .offset = offsetof(mannequin_settings, measures.member), .low = least,     \
        .high = most, .fallback = value, .unit = "m", .help = text, .flags = WEFT_FIXED                                \
    }

static const weft_param PARAMS[] = {
    WEFT_BODY_ROWS,
    GIRTH(height, 0.8, 2.4, "1.7", "from the floor to the top of the head"),
    GIRTH(chest, 0.3, 2, "0.92", "girth at the fullest part of the bust"),
    GIRTH(waist, 0.25, 2, "0.76", "girth at the narrowest part of the trunk"),
    GIRTH(hip, 0.3, 2, "0.98", "girth at the fullest part of the buttocks"),
    GIRTH(bust, 0, 0.12, "0.03", "how far the breasts stand out; 0: a flat chest"),
    GIRTH(neck, 0, 1, "0", "girth of the neck; 0: from height and chest, as for those that follow"),
    GIRTH(shoulders, 0, 1, "0", "width between the shoulder points"),
    GIRTH(arm, 0, 1.2, "0", "length from the shoulder point to the wrist"),
    GIRTH(inseam, 0, 1.5, "0", "height of the crotch"),
    GIRTH(upper_arm, 0, 1, "0", "girth of the upper arm"),
    GIRTH(wrist, 0, 0.5, "0", "girth of the wrist"),
    GIRTH(thigh, 0, 1.5, "0", "girth of the thigh, 4 cm below the crotch"),
    GIRTH(knee, 0, 1, "0", "girth of the knee"),
    GIRTH(calf, 0, 1, "0", "girth of the calf"),
    GIRTH(ankle, 0, 0.6, "0", "girth above the ankle"),
    GIRTH(edge, 0.004, 0.03, "0.02", "mean length of the edges of its triangles"),
    {.name = "pose",
     .type = WEFT_CHOICE,
     .offset = offsetof(mannequin_settings, motion.pose),
     .fallback = "standing",
     .unit = "",
     .help = "how it stands at first; standing: arms 45 degrees away from the body",
     .choices = MANNEQUIN_POSES,
     .flags = WEFT_FIXED},
    {.name = "motion",
     .type = WEFT_CHOICE,
     .offset = offsetof(mannequin_settings, motion.motion),
     .fallback = "none",
     .unit = "",
     .help = "what it does from `start` on: it walks, or it moves into another pose",
     .choices = MANNEQUIN_MOTIONS,
     .flags = WEFT_FIXED},
    {.name = "start",
     .type = WEFT_REAL,
     .offset = offsetof(mannequin_settings, motion.start),
     .low = -1e6,
     .high = 1e6,
     .fallback = "0",
     .unit = "s",
     .help = "time at which it leaves its pose",
     .flags = WEFT_FIXED},
    {.name = "blend",
     .type = WEFT_REAL,
     .offset = offsetof(mannequin_settings, motion.blend),
     .low = 0.1,
     .high = 1000,
     .fallback = "1",
     .unit = "s",
     .help = "time from its pose into the motion",
     .flags = WEFT_FIXED},
    {.name = "speed",
     .type = WEFT_REAL,
     .offset = offsetof(mannequin_settings, motion.speed),
     .low = 0.3,
     .high = 2,
     .fallback = "1.2",
     .unit = "m/s",
     .help = "of walking",
     .flags = WEFT_FIXED},
    {.name = "travel",
     .type = WEFT_BOOL,
     .offset = offsetof(mannequin_settings, motion.travels),
     .fallback = "false",
     .unit = "",
     .help = "true: it walks forwards, along z of the body; false: in place, as on a treadmill",
     .flags = WEFT_FIXED},
    {.name = "rate",
     .type = WEFT_REAL,
     .offset = offsetof(mannequin_settings, rate),
     .high = 1e6,
     .fallback = "0",
     .unit = "1/s",
     .help = "samples of the motion per second; 0: one per step",
     .flags = WEFT_FIXED},
    {0},
};

/* Positions that a motion may take, about 1 GB, as of animated files. */
static const double MOST_POSITIONS = 4e7;

/* Chooses how densely to sample: at every step, or less often if that would take too much memory. */
static weft_result plan_samples(const mannequin_settings *settings, const weft_body_wish *wish, int32_t vertices,
                                weft_body_frames *frames) {
    static const double ENOUGH = 120; /* per second: 0.1 mm off at 10 m/s2 */
    double length = fmax(wish->length - settings->motion.start, 0), rate = settings->rate;
    if (!(rate > 0)) {
        rate = wish->rate;
        double most = length > 0 ? (MOST_POSITIONS / vertices - 2) / length : rate;
        rate = fmin(rate, fmax(most, ENOUGH));
    }
    double count = ceil(length * rate * (1 - 1e-12)) + 1;
    if (vertices * count > MOST_POSITIONS)
        return weft_fail(WEFT_BAD_INPUT,
                         "mannequin.rate: %.4g s of %d vertices at %.4g samples per second need more than 1 GB; use a "
                         "longer `edge` or a lower `rate`",
                         length, vertices, rate);
    *frames = (weft_body_frames){
        .vertex_count = vertices, .frame_count = (int32_t)count, .rate = rate, .start = settings->motion.start};
    return weft_ok();
}

static weft_result sample(const mannequin *m, const mannequin_settings *settings, const weft_body_wish *wish,
                          weft_body_frames *frames) {
    int32_t vertices = m->mesh->vertex_count;
    WEFT_TRY(plan_samples(settings, wish, vertices, frames));
    size_t size = (size_t)frames->frame_count * (size_t)vertices * sizeof(weft_vec3);
    weft_vec3 *position = weft_memory_allocate(size);
    if (!position)
        return weft_fail_memory("the motion of a mannequin", size);
    for (int32_t i = 0; i < frames->frame_count; i++) {
        mannequin_pose pose = mannequin_motion_at(m, &settings->motion, frames->start + i / frames->rate);
        mannequin_pose_apply(m, &pose, position + (size_t)i * (size_t)vertices);
    }
    frames->position = position;
    return weft_ok();
}

static weft_result generate(const void *any, const weft_body_wish *wish, weft_mesh **mesh, weft_body_frames *frames) {
    const mannequin_settings *settings = any;
    mannequin *m;
    *frames = (weft_body_frames){0};
    WEFT_TRY(mannequin_obtain(&settings->measures, &m));
    weft_result result = settings->motion.motion > 0 ? sample(m, settings, wish, frames) : weft_ok();
    if (result.code == WEFT_OK) {
        mannequin_pose first = mannequin_pose_make(m, settings->motion.pose);
        mannequin_pose_apply(m, &first, m->mesh->position); /* each vertex is read before it is written */
        *mesh = m->mesh;
        m->mesh = NULL;
    }
    mannequin_destroy(m);
    return result;
}

static const weft_body_functions FUNCTIONS = {.generate = generate};

const weft_component mannequin_body = {
    .abi = WEFT_ABI,
    .kind = WEFT_BODY,
    .name = "mannequin",
    .help = "a person from measurements, who stands, sits or walks; collides from both sides",
    .settings_size = sizeof(mannequin_settings),
    .params = PARAMS,
    .functions = &FUNCTIONS,
    .paper = "",
};

weft_result mannequin_register(weft_registry *registry) { return weft_registry_add(registry, &mannequin_body); }
