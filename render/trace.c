/* Traces tiles of pixels in packets of eight rays, one sample for each of 4 x 2 pixels. */
#include "render/trace.h"
#include "render/color.h"
#include "render/sample.h"

/* Pixels at an edge or a shadow border are traced again with EXTRA times as many samples. */
enum { LANES = 8, TILE = 16, PACKET_WIDTH = 4, EXTRA = 4 };
enum { PAIR_PIXEL, PAIR_SUN, PAIR_SKY }; /* dimension pairs of the sample points */

typedef struct trace_context {
    const weft_setting *set;
    weft_film *film;
    int32_t tiles_x;
    int round; /* 0: all pixels, 1: pixels that need more samples */
} trace_context;

/* Sums over the samples of one pixel. */
typedef struct pixel_sum {
    weft_film_pixel pixel;
    int32_t lit;
    float sun_weight, sky_weight;         /* luminance of the factors `sun` and `sky` */
    float visible, light_luminance;       /* weighted sums */
    float visible_squares, light_squares; /* unweighted second moments */
    float visible_plain, light_plain;
    vecf light;
    vecf shown;         /* sum of the tone-mapped samples */
    weft_shading first; /* the first sample */
    float first_visible;
    int mixed, uneven; /* mixed: samples lie on different surfaces; uneven: also if their sun visibility differs */
} pixel_sum;

typedef struct ray_packet {
    _Alignas(32) int valid[LANES]; /* Embree loads the eight flags with one aligned load */
    int32_t x[LANES], y[LANES];
    uint32_t index[LANES]; /* index of the sample point */
    weft_ray ray[LANES];
    vecf background[LANES];
    weft_shading shading[LANES];
    float visible[LANES];
    vecf light[LANES];
} ray_packet;

weft_setting weft_setting_make(const weft_view *view, const weft_stage *stage, const weft_mipmap *image,
                               const weft_camera *camera) {
    weft_setting s = {.view = view, .stage = stage, .image = image};
    float exposure = s.exposure = exp2f((float)view->exposure);
    s.light = weft_light_make(view);
    s.eye = vf_from(camera->position);
    s.right = vf_scale((float)camera->tan_x, vf_from(camera->right));
    s.up = vf_scale((float)camera->tan_y, vf_from(camera->up));
    s.forward = vf_from(camera->forward);
    s.pixel = 2 * (float)camera->tan_y / (float)view->height;
    s.background = weft_color_radiance(view->background, exposure);
    s.ground = weft_color_radiance(view->ground_color, exposure);
    vecf sun = vf_scale(fmaxf(s.light.sun_direction.y, 0), s.light.sun);
    vecf all = vf_add(vf_add(sun, weft_light_sky_on(&s.light, vf(0, 1, 0))), vf_all(1e-6f));
    s.ground_sun = vf_div(sun, all);
    s.ground_sky = vf_div(vf_all(1), all);
    s.epsilon = 1e-4f * stage->size;
    return s;
}

/* Inverse distribution function of a tent: a filter slightly wider than a pixel, without aliasing or ringing. */
static float tent(float x) { return 0.9f * (x < 0.5f ? sqrtf(2 * x) - 1 : 1 - sqrtf(2 - 2 * x)); }

static void aim(const trace_context *tracing, ray_packet *p, int lane) {
    const weft_setting *set = tracing->set;
    float w = (float)tracing->film->width, h = (float)tracing->film->height;
    weft_sample2 s = weft_sample(p->index[lane], PAIR_PIXEL);
    float x = ((float)p->x[lane] + 0.5f + tent(s.x)) / w * 2 - 1,
          y = 1 - ((float)p->y[lane] + 0.5f + tent(s.y)) / h * 2;
    vecf d = vf_mad(vf_mad(set->forward, x, set->right), y, set->up);
    p->ray[lane] = (weft_ray){set->eye, vf_unit(d)};
    float corner = 0.5f * (x * x + y * y);
    p->background[lane] = vf_scale(1 - (float)set->view->vignette * corner, set->background);
}

static void put_ray(struct RTCRay8 *r, int lane, vecf origin, vecf direction, float far) {
    r->org_x[lane] = origin.x, r->org_y[lane] = origin.y, r->org_z[lane] = origin.z;
    r->dir_x[lane] = direction.x, r->dir_y[lane] = direction.y, r->dir_z[lane] = direction.z;
    r->tnear[lane] = 0, r->tfar[lane] = far, r->time[lane] = 0;
    r->mask[lane] = ~0u, r->id[lane] = 0, r->flags[lane] = 0;
}

static void intersect(RTCScene scene, const ray_packet *p, const float far[LANES], struct RTCRayHit8 *rays) {
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
    for (int lane = 0; lane < LANES; lane++) {
        put_ray(&rays->ray, lane, p->ray[lane].origin, p->ray[lane].direction, far[lane]);
        rays->hit.geomID[lane] = RTC_INVALID_GEOMETRY_ID;
        rays->hit.instID[0][lane] = RTC_INVALID_GEOMETRY_ID;
    }
    rtcIntersect8(p->valid, scene, &context, rays);
}

/* Replaces surfaces by overlays in front of them. */
static void cover(const weft_setting *set, ray_packet *p, const float distance[LANES]) {
    struct RTCRayHit8 rays;
    intersect(set->stage->overlay, p, distance, &rays);
    for (int lane = 0; lane < LANES; lane++) {
        if (!p->valid[lane] || rays.hit.geomID[lane] == RTC_INVALID_GEOMETRY_ID)
            continue;
        vecf color = set->stage->particle_color;
        if (rays.hit.geomID[lane] == 0) {
            color = set->stage->line_color[rays.hit.primID[lane]];
        } else {
            vecf n = vf_unit(vf(rays.hit.Ng_x[lane], rays.hit.Ng_y[lane], rays.hit.Ng_z[lane]));
            color = vf_scale(0.3f + 0.9f * fabsf(vf_dot(n, p->ray[lane].direction)), color);
        }
        p->shading[lane] = (weft_shading){.unlit = color, .what = SEES_OVERLAY + rays.hit.geomID[lane]};
    }
}

static void find_surfaces(const weft_setting *set, ray_packet *p) {
    struct RTCRayHit8 rays;
    float distance[LANES];
    for (int lane = 0; lane < LANES; lane++)
        distance[lane] = INFINITY;
    intersect(set->stage->solid, p, distance, &rays);
    for (int lane = 0; lane < LANES; lane++) {
        if (!p->valid[lane])
            continue;
        const weft_ray *r = &p->ray[lane];
        float ground = INFINITY;
        if (set->view->ground && r->direction.y < 0 && r->origin.y > set->stage->ground)
            ground = (set->stage->ground - r->origin.y) / r->direction.y;
        int found = rays.hit.geomID[lane] != RTC_INVALID_GEOMETRY_ID;
        distance[lane] = found ? rays.ray.tfar[lane] : INFINITY;
        if (found && distance[lane] < ground) {
            weft_hit h = {distance[lane], rays.hit.geomID[lane], rays.hit.primID[lane], rays.hit.u[lane],
                          rays.hit.v[lane]};
            p->shading[lane] = weft_shade_mesh(set, r, &h);
        } else if (ground < INFINITY) {
            distance[lane] = ground;
            p->shading[lane] = weft_shade_ground(set, r, ground, p->background[lane]);
        } else {
            p->shading[lane] = (weft_shading){.unlit = p->background[lane], .what = SEES_NOTHING};
        }
    }
    if (set->stage->overlay)
        cover(set, p, distance);
}

/* Sets blocked[lane] to 1 if a ray is blocked. */
static void occluded(RTCScene scene, const int wanted[LANES], struct RTCRay8 *rays, int blocked[LANES], int coherent) {
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    context.flags = coherent ? RTC_INTERSECT_CONTEXT_FLAG_COHERENT : RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT;
    rtcOccluded8(wanted, scene, &context, rays);
    for (int lane = 0; lane < LANES; lane++)
        blocked[lane] = wanted[lane] && rays->tfar[lane] < 0;
}

static void see_sun(const weft_setting *set, ray_packet *p) {
    struct RTCRay8 rays;
    _Alignas(32) int wanted[LANES];
    int blocked[LANES], any = 0;
    for (int lane = 0; lane < LANES; lane++) {
        const weft_shading *s = &p->shading[lane];
        wanted[lane] = p->valid[lane] && s->lit && s->sun_wanted ? -1 : 0;
        any |= wanted[lane];
        vecf d = vf(0, 1, 0);
        if (wanted[lane])
            d = weft_light_sun_sample(&set->light, weft_sample(p->index[lane], PAIR_SUN));
        put_ray(&rays, lane, s->sun_origin, d, INFINITY);
        p->visible[lane] = 1;
    }
    if (!any)
        return;
    occluded(set->stage->solid, wanted, &rays, blocked, 1);
    for (int lane = 0; lane < LANES; lane++)
        p->visible[lane] = blocked[lane] ? 0 : 1;
}

/* A cosine-weighted direction about the shading normal, reflected to stay above the surface. */
static vecf sky_direction(const weft_shading *s, weft_sample2 at) {
    vecf a, b;
    vf_frame(s->ns, &a, &b);
    float r = sqrtf(at.x), angle = 6.2831853f * at.y;
    vecf d = vf_mad(vf_scale(r * cosf(angle), a), r * sinf(angle), b);
    d = vf_mad(d, sqrtf(fmaxf(1 - at.x, 0)), s->ns);
    float below = vf_dot(d, s->ng);
    return below < 0 ? vf_mad(d, -2 * below, s->ng) : d;
}

/* The open sky has a closed form. Rays only sample what occluders change, so unoccluded points are free of noise. */
static void see_sky(const weft_setting *set, ray_packet *p) {
    struct RTCRay8 rays;
    _Alignas(32) int wanted[LANES];
    int blocked[LANES], any = 0;
    int32_t count = set->view->occlusion_samples;
    float far = set->view->occlusion_radius > 0 ? (float)set->view->occlusion_radius : INFINITY;
    for (int lane = 0; lane < LANES; lane++) {
        wanted[lane] = p->valid[lane] && p->shading[lane].lit ? -1 : 0;
        any |= wanted[lane];
        p->light[lane] = p->shading[lane].sky_on;
    }
    for (int32_t k = 0; any && k < count; k++) {
        vecf direction[LANES];
        for (int lane = 0; lane < LANES; lane++) {
            const weft_shading *s = &p->shading[lane];
            direction[lane] = vf(0, 1, 0);
            if (wanted[lane])
                direction[lane] =
                    sky_direction(s, weft_sample(p->index[lane] * (uint32_t)count + (uint32_t)k, PAIR_SKY));
            put_ray(&rays, lane, s->sky_origin, direction[lane], far);
        }
        occluded(set->stage->solid, wanted, &rays, blocked, 0);
        for (int lane = 0; lane < LANES; lane++) {
            if (!blocked[lane])
                continue;
            vecf lost = vf_sub(weft_light_sky(&set->light, direction[lane]), p->shading[lane].bounce);
            p->light[lane] = vf_mad(p->light[lane], -1 / (float)count, lost);
        }
    }
}

/* Whether two samples of a pixel lie on different surfaces, as at an edge or a fold. */
static int differ(const weft_shading *a, const weft_shading *b) {
    if (a->what != b->what)
        return 1;
    if (!a->lit)
        return 0;
    float off = fabsf(vf_dot(a->ns, vf_sub(b->position, a->position)));
    return vf_dot(a->ns, b->ns) < 0.8f || off > 3 * a->pixel;
}

static void collect(pixel_sum *sum, int32_t sample, const weft_shading *s, float visible, vecf light, float exposure) {
    weft_film_pixel *p = &sum->pixel;
    if (sample == 0) {
        sum->first = *s;
        sum->first_visible = visible;
    }
    sum->mixed |= differ(&sum->first, s);
    sum->uneven |= sum->mixed || (s->lit && visible != sum->first_visible);
    p->unlit = vf_add(p->unlit, s->unlit);
    vecf c = s->unlit;
    if (s->lit)
        c = vf_add(c, vf_add(vf_scale(visible, s->sun), vf_mul(s->sky, light)));
    c = vf_scale(exposure, c);
    sum->shown = vf_add(sum->shown, vf(weft_tone(c.x), weft_tone(c.y), weft_tone(c.z)));
    if (!s->lit)
        return;
    sum->lit++;
    p->sun = vf_add(p->sun, s->sun);
    p->sky = vf_add(p->sky, s->sky);
    p->normal = vf_add(p->normal, s->ns);
    p->position = vf_add(p->position, s->position);
    p->pixel += s->pixel;
    float sun = vf_luminance(s->sun), sky = vf_luminance(s->sky), luminance = vf_luminance(light);
    sum->sun_weight += sun;
    sum->visible += sun * visible;
    sum->visible_plain += visible;
    sum->visible_squares += visible * visible;
    sum->sky_weight += sky;
    sum->light = vf_mad(sum->light, sky, light);
    sum->light_plain += luminance;
    sum->light_squares += luminance * luminance;
}

/* Variance of the mean of n samples, from their sum and sum of squares. A single sample gives a fixed guess. */
static float mean_variance(float sum, float squares, int32_t n) {
    if (n < 2)
        return 0.02f;
    float mean = sum / (float)n;
    return fmaxf(squares / (float)n - mean * mean, 0) / (float)(n - 1);
}

static void store(weft_film *film, int32_t x, int32_t y, const pixel_sum *sum, int32_t samples, float exposure) {
    size_t at = (size_t)y * (size_t)film->width + (size_t)x;
    weft_film_pixel p = sum->pixel;
    float each = 1 / (float)samples;
    p.unlit = vf_scale(each, p.unlit);
    p.sun = vf_scale(each, p.sun);
    p.sky = vf_scale(each, p.sky);
    weft_film_light l = {.visible = 1};
    if (sum->mixed) {
        /* Samples on different surfaces must not share one light value. The mean is taken after tone mapping; in
         * radiance, a bright background would erode the edges. */
        vecf c = vf_scale(each, sum->shown);
        c = vf(weft_tone_inverse(c.x), weft_tone_inverse(c.y), weft_tone_inverse(c.z));
        p = (weft_film_pixel){.unlit = vf_scale(1 / exposure, c)};
    } else if (sum->lit > 0) {
        float lit = 1 / (float)sum->lit;
        p.normal = vf_scale(lit, p.normal);
        p.position = vf_scale(lit, p.position);
        p.pixel *= lit;
        l.visible = sum->sun_weight > 0 ? sum->visible / sum->sun_weight : 1;
        l.light = sum->sky_weight > 0 ? vf_scale(1 / sum->sky_weight, sum->light) : vf_all(0);
        l.visible_variance = mean_variance(sum->visible_plain, sum->visible_squares, sum->lit);
        l.light_variance = mean_variance(sum->light_plain, sum->light_squares, sum->lit);
    }
    film->pixel[at] = p;
    film->light[0][at] = l;
}

/* Whether the pixel or a neighbour was uneven or saw something else in the first round. */
static int needs_more(const weft_film *film, int32_t x, int32_t y) {
    uint32_t own = film->sees[(size_t)y * (size_t)film->width + (size_t)x];
    for (int32_t b = y > 0 ? y - 1 : 0; b <= y + 1 && b < film->height; b++)
        for (int32_t a = x > 0 ? x - 1 : 0; a <= x + 1 && a < film->width; a++) {
            uint32_t other = film->sees[(size_t)b * (size_t)film->width + (size_t)a];
            if (other != own || (other & SEES_UNEVEN))
                return 1;
        }
    return 0;
}

/* Selects the lanes to trace. Returns 0 if there are none. */
static int start_packet(const trace_context *tracing, ray_packet *p, int32_t x, int32_t y) {
    const weft_film *film = tracing->film;
    int any = 0;
    for (int lane = 0; lane < LANES; lane++) {
        p->x[lane] = x + lane % PACKET_WIDTH;
        p->y[lane] = y + lane / PACKET_WIDTH;
        int wanted = p->x[lane] < film->width && p->y[lane] < film->height;
        wanted = wanted && (tracing->round == 0 || needs_more(film, p->x[lane], p->y[lane]));
        p->valid[lane] = wanted ? -1 : 0;
        any |= wanted;
        p->index[lane] =
            weft_hilbert((uint32_t)p->x[lane], (uint32_t)p->y[lane]) * (uint32_t)(EXTRA * tracing->set->view->samples);
    }
    return any;
}

static void trace_packet(const trace_context *tracing, int32_t x, int32_t y) {
    const weft_setting *set = tracing->set;
    int32_t samples = set->view->samples * (tracing->round == 0 ? 1 : EXTRA);
    pixel_sum sum[LANES] = {0};
    ray_packet p = {0};
    if (!start_packet(tracing, &p, x, y))
        return;
    for (int32_t s = 0; s < samples; s++) {
        for (int lane = 0; lane < LANES; lane++)
            aim(tracing, &p, lane);
        find_surfaces(set, &p);
        see_sun(set, &p);
        see_sky(set, &p);
        for (int lane = 0; lane < LANES; lane++) {
            p.index[lane]++;
            if (p.valid[lane])
                collect(&sum[lane], s, &p.shading[lane], p.visible[lane], p.light[lane], set->exposure);
        }
    }
    for (int lane = 0; lane < LANES; lane++) {
        if (!p.valid[lane])
            continue;
        store(tracing->film, p.x[lane], p.y[lane], &sum[lane], samples, set->exposure);
        if (tracing->round == 0)
            tracing->film->sees[(size_t)p.y[lane] * (size_t)tracing->film->width + (size_t)p.x[lane]] =
                sum[lane].first.what | (sum[lane].uneven ? (uint32_t)SEES_UNEVEN : 0);
    }
}

static void trace_tile(void *context, int64_t begin, int64_t end) {
    const trace_context *tracing = context;
    (void)end;
    int32_t tile = (int32_t)(begin / (TILE * TILE));
    int32_t x0 = tile % tracing->tiles_x * TILE, y0 = tile / tracing->tiles_x * TILE;
    for (int32_t y = y0; y < y0 + TILE && y < tracing->film->height; y += LANES / PACKET_WIDTH)
        for (int32_t x = x0; x < x0 + TILE && x < tracing->film->width; x += PACKET_WIDTH)
            trace_packet(tracing, x, y);
}

void weft_trace(const weft_setting *set, weft_film *film, const weft_work *work) {
    trace_context tracing = {.set = set, .film = film, .tiles_x = (film->width + TILE - 1) / TILE};
    int64_t tiles = (int64_t)tracing.tiles_x * ((film->height + TILE - 1) / TILE);
    for (; tracing.round < 2; tracing.round++)
        weft_parallel_for(work, tiles * TILE * TILE, TILE * TILE, trace_tile, &tracing);
}
