/* Denoising: an edge-avoiding a-trous wavelet filter, guided by normals and positions. Its strength follows the
 * variance.
 *   H. Dammertz et al., Edge-Avoiding A-Trous Wavelet Transform for fast Global Illumination Filtering, 2010.
 *   C. Schied et al., Spatiotemporal Variance-Guided Filtering, 2017 (the spatial part).
 * Only the lighting is filtered. Texture and colour are stored separately and stay sharp. */
#include "render/film.h"

enum { PASSES = 4, ROWS_PER_BLOCK = 4 };

typedef struct filter_pass {
    weft_film *film;
    const weft_film_light *from;
    weft_film_light *to;
    int32_t step;
} filter_pass;

static float power16(float x) {
    x *= x;
    x *= x;
    x *= x;
    return x * x;
}

/* Averages the variances with the eight neighbours, because a few samples often agree by chance. */
static void smooth_variance(const filter_pass *pass, int32_t x, int32_t y, float *visible, float *light) {
    static const float WEIGHT[3] = {0.25f, 0.5f, 0.25f};
    float sum_visible = 0, sum_light = 0;
    for (int32_t j = -1; j <= 1; j++)
        for (int32_t i = -1; i <= 1; i++) {
            int32_t a = x + i, b = y + j;
            a = a < 0 ? 0 : a >= pass->film->width ? pass->film->width - 1 : a;
            b = b < 0 ? 0 : b >= pass->film->height ? pass->film->height - 1 : b;
            const weft_film_light *l = &pass->from[(size_t)b * (size_t)pass->film->width + (size_t)a];
            float w = WEIGHT[i + 1] * WEIGHT[j + 1];
            sum_visible += w * l->visible_variance;
            sum_light += w * l->light_variance;
        }
    *visible = sum_visible;
    *light = sum_light;
}

static float same_surface(const weft_film_pixel *p, const weft_film_pixel *q, int32_t step) {
    float facing = vf_dot(p->normal, q->normal);
    if (facing <= 0)
        return 0;
    float off = vf_dot(p->normal, vf_sub(q->position, p->position)) / ((float)step * p->pixel);
    return power16(facing) / (1 + off * off);
}

static void filter_pixel(const filter_pass *pass, int32_t x, int32_t y) {
    static const float WEIGHT[3] = {0.25f, 0.5f, 0.25f};
    const weft_film *film = pass->film;
    size_t at = (size_t)y * (size_t)film->width + (size_t)x;
    const weft_film_pixel *p = &film->pixel[at];
    const weft_film_light *l = &pass->from[at];
    weft_film_light out = *l;
    float visible_variance, light_variance;
    smooth_variance(pass, x, y, &visible_variance, &light_variance);
    if (vf_dot(p->normal, p->normal) < 0.25f || (visible_variance < 1e-8f && light_variance < 1e-8f)) {
        pass->to[at] = out;
        return;
    }
    float visible_scale = 1 / (9 * visible_variance + 1e-6f), light_scale = 1 / (16 * light_variance + 1e-6f);
    float luminance = vf_luminance(l->light);
    float sum_a = 0, sum_b = 0, visible = 0, variance_a = 0, variance_b = 0;
    vecf light = vf_all(0);
    for (int32_t j = -1; j <= 1; j++)
        for (int32_t i = -1; i <= 1; i++) {
            int32_t a = x + i * pass->step, b = y + j * pass->step;
            if (a < 0 || b < 0 || a >= film->width || b >= film->height)
                continue;
            size_t other = (size_t)b * (size_t)film->width + (size_t)a;
            const weft_film_light *m = &pass->from[other];
            float w = WEIGHT[i + 1] * WEIGHT[j + 1];
            if (other != at)
                w *= same_surface(p, &film->pixel[other], pass->step);
            if (w < 1e-6f)
                continue;
            float dv = m->visible - l->visible, dl = vf_luminance(m->light) - luminance;
            float wa = w / (1 + dv * dv * visible_scale), wb = w / (1 + dl * dl * light_scale);
            sum_a += wa;
            sum_b += wb;
            visible += wa * m->visible;
            variance_a += wa * wa * m->visible_variance;
            light = vf_mad(light, wb, m->light);
            variance_b += wb * wb * m->light_variance;
        }
    out.visible = visible / sum_a;
    out.visible_variance = variance_a / (sum_a * sum_a);
    out.light = vf_scale(1 / sum_b, light);
    out.light_variance = variance_b / (sum_b * sum_b);
    pass->to[at] = out;
}

static void filter_rows(void *context, int64_t begin, int64_t end) {
    const filter_pass *pass = context;
    int64_t width = pass->film->width;
    for (int64_t i = begin; i < end; i++)
        filter_pixel(pass, (int32_t)(i % width), (int32_t)(i / width));
}

void weft_film_denoise(weft_film *film, const weft_work *work) {
    for (int k = 0; k < PASSES; k++) {
        filter_pass pass = {film, film->light[k % 2], film->light[(k + 1) % 2], 1 << k};
        weft_parallel_for(work, (int64_t)film->width * film->height, (int64_t)film->width * ROWS_PER_BLOCK, filter_rows,
                          &pass);
    }
}
