/* Shading: two-sided diffuse cloth with sheen and translucency, matt bodies with a soft gloss, ground as a shadow
 * catcher.
 *
 * Translucency approximates Trendafilov (2021), section 4.2: the normal is bent towards the light, and light from
 * behind is added. Rays start on the curved surface that the vertex normals describe, not on the flat triangle (J.
 * Hanika, Hacking the Shadow Terminator, Ray Tracing Gems II, 2021). */
#include "render/shade.h"
#include "render/color.h"

typedef struct corner_data {
    vecf vertex[3], normal[3];
    float weight[3];
} corner_data;

static corner_data fetch(const weft_stage_mesh *mesh, const weft_hit *hit) {
    corner_data c;
    const uint32_t *t = mesh->triangle + 3 * (size_t)hit->triangle;
    for (int k = 0; k < 3; k++) {
        c.vertex[k] = mesh->vertex[t[k]];
        c.normal[k] = mesh->normal[mesh->corner_normals ? 3 * (size_t)hit->triangle + (size_t)k : t[k]];
    }
    c.weight[0] = 1 - hit->u - hit->v;
    c.weight[1] = hit->u;
    c.weight[2] = hit->v;
    return c;
}

static vecf blend(const vecf a[3], const float w[3]) {
    return vf_mad(vf_mad(vf_scale(w[0], a[0]), w[1], a[1]), w[2], a[2]);
}

/* The point moved onto the smooth surface. `side` (1 or -1) selects the side of the normals. */
static vecf lifted(const corner_data *c, vecf p, float side) {
    vecf raised = p;
    for (int k = 0; k < 3; k++) {
        float below = side * vf_dot(vf_sub(p, c->vertex[k]), c->normal[k]);
        if (below < 0)
            raised = vf_mad(raised, -below * side * c->weight[k], c->normal[k]);
    }
    return raised;
}

/* Rest coordinates at a hit, their directions in space, and the number of rest metres per metre in space. */
typedef struct rest_patch {
    float u, v, scale;
    vecf along_u, along_v; /* unit vectors */
} rest_patch;

static rest_patch find_patch(const weft_stage_mesh *mesh, const corner_data *c, const weft_hit *hit) {
    const weft_stage_uv *uv = mesh->uv + 3 * (size_t)hit->triangle;
    rest_patch p = {0};
    p.u = c->weight[0] * uv[0].u + c->weight[1] * uv[1].u + c->weight[2] * uv[2].u;
    p.v = c->weight[0] * uv[0].v + c->weight[1] * uv[1].v + c->weight[2] * uv[2].v;
    float a = uv[1].u - uv[0].u, b = uv[2].u - uv[0].u, d = uv[1].v - uv[0].v, e = uv[2].v - uv[0].v;
    float det = a * e - b * d;
    vecf p1 = vf_sub(c->vertex[1], c->vertex[0]), p2 = vf_sub(c->vertex[2], c->vertex[0]);
    float area = vf_length(vf_cross(p1, p2));
    p.scale = area > 0 ? sqrtf(fabsf(det) / area) : 0;
    if (det != 0) {
        p.along_u = vf_unit(vf_scale(1 / det, vf_sub(vf_scale(e, p1), vf_scale(d, p2))));
        p.along_v = vf_unit(vf_scale(1 / det, vf_sub(vf_scale(a, p2), vf_scale(b, p1))));
    }
    return p;
}

/* The colour of the cloth. Also tilts the normal by the slope of the yarns. */
static vecf cloth_color(const weft_setting *set, const weft_stage_mesh *mesh, const corner_data *c, const weft_hit *hit,
                        int front, float footprint, vecf *normal) {
    if (mesh->scalar) {
        const uint32_t *t = mesh->triangle + 3 * (size_t)hit->triangle;
        return weft_colormap(c->weight[0] * mesh->scalar[t[0]] + c->weight[1] * mesh->scalar[t[1]] +
                             c->weight[2] * mesh->scalar[t[2]]);
    }
    vecf color = front ? mesh->front : mesh->back;
    if (!mesh->uv || set->view->texture == WEFT_TEXTURE_PLAIN)
        return color;
    rest_patch p = find_patch(mesh, c, hit);
    float scale = 1 / (float)set->view->texture_scale, width = footprint * p.scale * scale;
    if (set->view->texture == WEFT_TEXTURE_WEAVE) {
        weft_weave_look look = weft_texture_weave(p.u * scale, p.v * scale, width);
        *normal = vf_unit(vf_mad(vf_mad(*normal, look.tilt_u, p.along_u), look.tilt_v, p.along_v));
        return vf_scale(look.shade, color);
    }
    if (set->view->texture == WEFT_TEXTURE_CHECKER) {
        float other = weft_texture_checker(p.u * scale, p.v * scale, width);
        return vf_mix(color, vf_mix(color, vf_all(0.85f), 0.75f), other);
    }
    return set->image ? weft_mipmap_at(set->image, p.u * scale, p.v * scale, width) : color;
}

/* Turns a shading normal that points away from the camera to the horizon. */
static vecf facing(vecf n, vecf direction) {
    float away = vf_dot(n, direction);
    return away > -0.01f ? vf_unit(vf_mad(n, -(away + 0.01f), direction)) : n;
}

/* `smooth` is the normal of the cloth, s->ns that of its yarns. */
static void light_cloth(const weft_setting *set, weft_shading *s, vecf color, float grazing, vecf smooth) {
    float t = (float)set->view->translucency, cosine = vf_dot(s->ns, set->light.sun_direction);
    vecf bent = vf_unit(vf_mix(s->ns, set->light.sun_direction, 0.4f * t));
    /* Towards the horizon of the light, the bent normal is replaced by the true one. The self-shadow of the cloth
     * begins there, and remaining light would end in a hard line. */
    float reflected = vf_dot(bent, set->light.sun_direction) * smoothf(0, 0.35f, cosine);
    reflected = fmaxf(reflected, fmaxf(cosine, 0));
    /* Yarns that lean towards the light must not be lit where the cloth as a whole is in its own shadow. */
    float level = 3 * vf_dot(smooth, set->light.sun_direction);
    reflected = fminf(reflected, fmaxf(level, 0));
    float through = t * fminf(fmaxf(-cosine, 0), fmaxf(-level, 0));
    /* Light on a longer path takes on more colour. */
    vecf deep = vf_mul(color, vf(sqrtf(color.x), sqrtf(color.y), sqrtf(color.z)));
    vecf passed = vf_mix(color, deep, 0.5f);
    vecf sun = vf_add(vf_scale(reflected, color), vf_scale(0.9f * through, passed));
    float sheen = (float)set->view->sheen * grazing;
    vecf fibre = vf_mix(color, vf_all(1), 0.35f);
    s->sun = vf_mul(set->light.sun, vf_mad(sun, sheen * fmaxf(cosine, 0), fibre));
    s->sky = vf_mad(color, sheen, fibre);
    s->sun_wanted = reflected > 0 || through > 0;
}

static void light_body(const weft_setting *set, weft_shading *s, vecf color, const weft_ray *ray, float grazing) {
    float cosine = fmaxf(vf_dot(s->ns, set->light.sun_direction), 0);
    vecf half = vf_unit(vf_sub(set->light.sun_direction, ray->direction));
    float gloss = fmaxf(vf_dot(half, s->ns), 0);
    gloss *= gloss, gloss *= gloss, gloss *= gloss, gloss *= gloss, gloss *= gloss;
    s->sun = vf_scale(cosine, vf_mul(set->light.sun, vf_mad(color, 0.18f * gloss, vf_all(1))));
    s->sky = vf_mad(color, 0.12f * grazing, vf_all(1));
    s->sun_wanted = cosine > 0;
}

weft_shading weft_shade_mesh(const weft_setting *set, const weft_ray *ray, const weft_hit *hit) {
    const weft_stage_mesh *mesh = &set->stage->mesh[hit->mesh];
    corner_data c = fetch(mesh, hit);
    weft_shading s = {.lit = 1};
    s.position = blend(c.vertex, c.weight);
    s.pixel = set->pixel * hit->distance;
    vecf ng = vf_unit(vf_cross(vf_sub(c.vertex[1], c.vertex[0]), vf_sub(c.vertex[2], c.vertex[0])));
    int front = vf_dot(ng, ray->direction) < 0;
    float side = front ? 1.0f : -1.0f;
    s.what = 2 * hit->mesh + (front ? 0 : 1);
    s.ng = vf_scale(side, ng);
    s.ns = facing(vf_unit(vf_scale(side, blend(c.normal, c.weight))), ray->direction);
    if (vf_dot(s.ns, s.ns) < 0.5f)
        s.ns = s.ng;
    float cosine = clampf(-vf_dot(s.ns, ray->direction), 0, 1), grazing = 1 - cosine;
    grazing *= grazing * grazing;
    s.sky_on = weft_light_sky_on(&set->light, s.ns); /* with the normal of the cloth, not of its yarns */
    vecf color, smooth = s.ns;
    if (mesh->is_cloth) {
        color = cloth_color(set, mesh, &c, hit, front, s.pixel / fmaxf(cosine, 0.15f), &s.ns);
        light_cloth(set, &s, color, grazing, smooth);
        if (mesh->scalar) { /* partly self-luminous, so that shadows do not distort the reading of the colours */
            s.unlit = vf_scale(0.55f, color);
            s.sun = vf_scale(0.4f, s.sun);
            s.sky = vf_scale(0.45f, s.sky);
        }
    } else {
        color = mesh->front;
        light_body(set, &s, color, ray, grazing);
    }
    s.ns = smooth;
    s.bounce = vf_mul(color, set->light.blocked);
    float sun_side = mesh->is_cloth && vf_dot(s.ng, set->light.sun_direction) < 0 ? -1.0f : 1.0f;
    s.sky_origin = vf_mad(lifted(&c, s.position, side), set->epsilon, s.ng);
    s.sun_origin = vf_mad(lifted(&c, s.position, side * sun_side), sun_side * set->epsilon, s.ng);
    return s;
}

weft_shading weft_shade_ground(const weft_setting *set, const weft_ray *ray, float distance, vecf background) {
    weft_shading s = {.what = SEES_GROUND, .sun_wanted = 1, .ng = {0, 1, 0}, .ns = {0, 1, 0}};
    s.position = vf_mad(ray->origin, distance, ray->direction);
    s.pixel = set->pixel * distance;
    float dx = s.position.x - set->stage->middle.x, dz = s.position.z - set->stage->middle.z;
    float fade = smoothf(0.8f, 4.0f, sqrtf(dx * dx + dz * dz) / set->stage->reach);
    vecf color = vf_mix(set->ground, background, fade);
    float dark = 1 - smoothf(2.0f, 6.0f, sqrtf(dx * dx + dz * dz) / set->stage->reach); /* depth of shadows */
    s.unlit = vf_scale(1 - dark, color);
    s.sun = vf_mul(vf_scale(dark, color), set->ground_sun);
    s.sky = vf_mul(vf_scale(dark, color), set->ground_sky);
    s.sky_on = weft_light_sky_on(&set->light, s.ns);
    s.bounce = vf_scale(0.25f, set->light.blocked);
    s.sun_origin = s.sky_origin = vf_mad(s.position, set->epsilon, s.ng);
    s.lit = dark > 0;
    return s;
}
