/* Keeps smooth surfaces on their side of bodies and of other layers of cloth.
 *
 * Each triangle of a smooth surface has a flat counterpart, which lies in a triangle of the simulated cloth. Where the
 * flat triangle and an obstacle triangle do not cross, a plane separates them: it is perpendicular to the line between
 * their closest points. The three corners may move towards the plane by a fraction of the distance. Displacements that
 * go farther are shortened, and those around them with them. A moved triangle is the convex hull of its corners, so it
 * stays on its side. Two layers that both move keep to less than half of their distance.
 *
 * Obstacles are the bodies and the flat triangles of all cloths, except those that share a vertex. Pairs that cross in
 * the simulation have no such plane and are ignored.
 *
 * A crumpled cloth can have every triangle near every other, and each pair is a pair of 4^levels pieces. Smoothing
 * cannot improve such a heap. So a triangle with a piece that meets too many others stays flat. That is always safe:
 * its pieces do not move at all, and other layers leave room for much more than that.
 *
 * Closest points follow C. Ericson, Real-Time Collision Detection, 2005, chapter 5. */
#include "render/restrain.h"

#include <float.h>
#include <stdlib.h>

#include "render/stage.h"
#include "weft/sort.h"

static const float BODY_SHARE = 0.75f, LAYER_SHARE = 0.45f; /* of the distance */
static const float NOT_MOVED = 1e-7f, TOUCHING = 1e-6f;     /* m */
enum { SPREADS = 4, BLOCK = 64 }; /* SPREADS: rounds of spread, per halving of the triangles */
/* A triangle stays flat if it has more obstacles near it, or one of its pieces has more triangles in reach. Pictures of
 * draped and twisted cloth have up to 500 and 1000. */
enum { MOST_NEAR = 16384, MOST_MET = 4096 };

typedef struct triangle {
    vecf p[3];
} triangle;

/* -- distance of two triangles -- */

typedef struct approach {
    vecf step; /* from the second triangle to the first */
    float squared;
} approach;

static void take_nearer(approach *best, vecf step) {
    float squared = vf_dot(step, step);
    if (squared < best->squared)
        *best = (approach){step, squared};
}

/* From the segment b to the segment a. */
static vecf between_segments(vecf a0, vecf a1, vecf b0, vecf b1) {
    vecf a = vf_sub(a1, a0), b = vf_sub(b1, b0), r = vf_sub(a0, b0);
    float aa = vf_dot(a, a), bb = vf_dot(b, b), ab = vf_dot(a, b), ar = vf_dot(a, r), br = vf_dot(b, r);
    float determinant = aa * bb - ab * ab, s = 0, t = 0;
    if (aa <= FLT_MIN || bb <= FLT_MIN) {
        s = aa > FLT_MIN ? clampf(-ar / aa, 0, 1) : 0;
        t = bb > FLT_MIN ? clampf(br / bb, 0, 1) : 0;
    } else {
        s = determinant > 0 ? clampf((ab * br - ar * bb) / determinant, 0, 1) : 0;
        t = (ab * s + br) / bb;
        if (t < 0 || t > 1) {
            t = clampf(t, 0, 1);
            s = clampf((ab * t - ar) / aa, 0, 1);
        }
    }
    return vf_sub(vf_mad(r, s, a), vf_scale(t, b));
}

/* Whether the projection of p along the normal is inside the triangle. */
static int projects_inside(const triangle *t, vecf normal, vecf p) {
    for (int k = 0; k < 3; k++) {
        vecf a = t->p[k], side = vf_sub(t->p[(k + 1) % 3], a);
        if (!(vf_dot(vf_cross(side, vf_sub(p, a)), normal) >= 0))
            return 0;
    }
    return 1;
}

static vecf normal_of(const triangle *t) { return vf_cross(vf_sub(t->p[1], t->p[0]), vf_sub(t->p[2], t->p[0])); }

/* Whether an edge of a passes through b. */
static int pierces(const triangle *a, const triangle *b, vecf normal) {
    float height[3];
    for (int k = 0; k < 3; k++)
        height[k] = vf_dot(normal, vf_sub(a->p[k], b->p[0]));
    for (int k = 0; k < 3; k++) {
        float from = height[k], to = height[(k + 1) % 3];
        if ((from > 0) == (to > 0) || from == to)
            continue;
        vecf p = vf_mad(a->p[k], from / (from - to), vf_sub(a->p[(k + 1) % 3], a->p[k]));
        if (projects_inside(b, normal, p))
            return 1;
    }
    return 0;
}

/* The step from b to a between their closest points. Returns 0 if they cross or touch, or are farther than `reach`. */
static int approach_of(const triangle *a, const triangle *b, float reach, approach *best) {
    vecf na = normal_of(a), nb = normal_of(b);
    *best = (approach){{0, 0, 0}, FLT_MAX};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            take_nearer(best, between_segments(a->p[i], a->p[(i + 1) % 3], b->p[j], b->p[(j + 1) % 3]));
    float size_a = vf_dot(na, na), size_b = vf_dot(nb, nb);
    for (int k = 0; k < 3; k++) {
        if (size_b > 0 && projects_inside(b, nb, a->p[k]))
            take_nearer(best, vf_scale(vf_dot(nb, vf_sub(a->p[k], b->p[0])) / size_b, nb));
        if (size_a > 0 && projects_inside(a, na, b->p[k]))
            take_nearer(best, vf_scale(-vf_dot(na, vf_sub(b->p[k], a->p[0])) / size_a, na));
    }
    if (best->squared > reach * reach || best->squared < TOUCHING * TOUCHING)
        return 0;
    return !pierces(a, b, nb) && !pierces(b, a, na);
}

typedef struct box {
    vecf low, high;
} box;

/* Not fminf and fmaxf, which are function calls. */
static float least(float a, float b, float c) { return a < b ? (a < c ? a : c) : (b < c ? b : c); }
static float greatest(float a, float b, float c) { return a > b ? (a > c ? a : c) : (b > c ? b : c); }

static box box_of(const triangle *t) {
    const vecf *p = t->p;
    return (box){
        {least(p[0].x, p[1].x, p[2].x), least(p[0].y, p[1].y, p[2].y), least(p[0].z, p[1].z, p[2].z)},
        {greatest(p[0].x, p[1].x, p[2].x), greatest(p[0].y, p[1].y, p[2].y), greatest(p[0].z, p[1].z, p[2].z)}};
}

/* Whether the boxes are farther apart than `reach` along an axis. */
static int is_far(const box *a, const box *b, float reach) {
    return a->low.x > b->high.x + reach || b->low.x > a->high.x + reach || a->low.y > b->high.y + reach ||
           b->low.y > a->high.y + reach || a->low.z > b->high.z + reach || b->low.z > a->high.z + reach;
}

/* -- obstacles -- */

/* Geometries of `scene` are the flat cloths and then the bodies, with the numbers of the shot. */
typedef struct restraint {
    const weft_smooth *surface;
    const weft_shot *shot;
    RTCScene scene;
    int32_t cloth; /* the one whose displacements are limited */
    float *scale;  /* per corner of each piece of that cloth: the largest factor of its displacement */
    int *failed;   /* per block of coarse triangles: out of memory */
} restraint;

static triangle flat_triangle(const weft_vec3 *position, const int32_t *corner) {
    return (triangle){{vf_from(position[corner[0]]), vf_from(position[corner[1]]), vf_from(position[corner[2]])}};
}

static const int32_t *cloth_corners(const restraint *r, int32_t cloth, int32_t t) {
    return r->shot->cloth[cloth].triangle + 3 * (size_t)t;
}

/* A triangle of a body or of a flat cloth. */
typedef struct obstacle {
    uint32_t geometry, number;
    triangle flat;
    box box;
} obstacle;

static int is_cloth(const restraint *r, const obstacle *o) { return o->geometry < (uint32_t)r->shot->cloth_count; }

static triangle obstacle_triangle(const restraint *r, const obstacle *o) {
    if (is_cloth(r, o))
        return flat_triangle(r->shot->cloth[o->geometry].position,
                             cloth_corners(r, (int32_t)o->geometry, (int32_t)o->number));
    const weft_shot_body *body = &r->shot->body[o->geometry - (uint32_t)r->shot->cloth_count];
    return flat_triangle(body->position, body->triangle + 3 * (size_t)o->number);
}

static int shares_vertex(const int32_t *a, const int32_t *b) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (a[i] == b[j])
                return 1;
    return 0;
}

/* The obstacles near a coarse triangle. */
typedef struct search {
    const restraint *restraint;
    int32_t number; /* the coarse triangle */
    triangle flat;
    box box;
    float reach;
    obstacle *list;
    size_t count, room; /* the count stops just above MOST_NEAR */
    int failed;
} search;

static bool note_obstacle(struct RTCPointQueryFunctionArguments *arguments) {
    search *s = arguments->userPtr;
    const restraint *r = s->restraint;
    if (s->count > MOST_NEAR)
        return false;
    obstacle o = {.geometry = arguments->geomID, .number = arguments->primID};
    if (o.geometry == (uint32_t)r->cloth &&
        shares_vertex(cloth_corners(r, r->cloth, s->number), cloth_corners(r, r->cloth, (int32_t)o.number)))
        return false;
    o.flat = obstacle_triangle(r, &o);
    o.box = box_of(&o.flat);
    if (is_far(&s->box, &o.box, s->reach))
        return false;
    if (s->count == s->room) {
        size_t room = 2 * s->room + 64;
        obstacle *list = realloc(s->list, room * sizeof *list);
        if (!list) {
            s->failed = 1;
            return false;
        }
        s->list = list;
        s->room = room;
    }
    s->list[s->count++] = o;
    return false;
}

/* The search tree may be built in another order next time. */
static int by_number(const void *a, const void *b) {
    const obstacle *p = a, *q = b;
    if (p->geometry != q->geometry)
        return p->geometry < q->geometry ? -1 : 1;
    return (p->number > q->number) - (p->number < q->number);
}

static void find_obstacles(search *s) {
    struct RTCPointQueryContext context;
    rtcInitPointQueryContext(&context);
    vecf middle = vf_scale(1.0f / 3, vf_add(vf_add(s->flat.p[0], s->flat.p[1]), s->flat.p[2]));
    float radius = 0;
    for (int k = 0; k < 3; k++)
        radius = fmaxf(radius, vf_length(vf_sub(s->flat.p[k], middle)));
    struct RTCPointQuery query = {.x = middle.x, .y = middle.y, .z = middle.z, .radius = 1.0001f * (radius + s->reach)};
    s->count = 0;
    rtcPointQuery(s->restraint->scene, &query, &context, note_obstacle, s);
    if (s->count > 1)
        weft_sort(s->list, s->count, sizeof *s->list, by_number);
}

/* -- barriers -- */

/* One flat triangle of a surface. */
typedef struct piece {
    triangle flat;
    vecf moves[3]; /* m, the displacements of the corners */
    box box;       /* of the flat triangle */
    float moved;   /* m, the largest displacement */
    float *scale;  /* (3) the largest factors of the displacements */
    int met;       /* triangles within reach so far */
} piece;

/* A corner may move by u with dot(normal, u) >= -most. Only the strictest barrier counts. */
static void add_barrier(piece *p, const approach *from, float share) {
    float distance = sqrtf(from->squared), most = share * distance;
    vecf normal = vf_scale(1 / distance, from->step);
    for (int k = 0; k < 3; k++) {
        float towards = -vf_dot(normal, p->moves[k]);
        if (towards > most)
            p->scale[k] = fminf(p->scale[k], most / towards);
    }
}

/* Counts a triangle whose box is within reach. Returns whether it is one too many. */
static int meet_triangle(piece *p, const triangle *other, float share) {
    approach from;
    if (p->met == MOST_MET)
        return 1;
    p->met++;
    if (approach_of(&p->flat, other, p->moved / share, &from))
        add_barrier(p, &from, share);
    return 0;
}

static triangle quarter_of(const triangle *t, int quarter) {
    vecf middle[3];
    for (int k = 0; k < 3; k++)
        middle[k] = vf_scale(0.5f, vf_add(t->p[k], t->p[(k + 1) % 3]));
    triangle q = {{middle[0], middle[1], middle[2]}};
    if (quarter < 3) {
        q.p[quarter] = t->p[quarter];
        q.p[(quarter + 1) % 3] = middle[quarter];
        q.p[(quarter + 2) % 3] = middle[(quarter + 2) % 3];
    }
    return q;
}

/* The obstacle moves too, with its pieces after `levels` subdivisions. Both sides must find the same planes, so the
 * distance is that of the pieces. */
static int meet_layer(piece *p, const triangle *layer, int32_t levels) {
    if (levels == 0)
        return meet_triangle(p, layer, LAYER_SHARE);
    for (int k = 0; k < 4; k++) {
        triangle quarter = quarter_of(layer, k);
        box around = box_of(&quarter);
        if (!is_far(&p->box, &around, p->moved / LAYER_SHARE) && meet_layer(p, &quarter, levels - 1))
            return 1;
    }
    return 0;
}

/* Returns whether the piece meets too many triangles. */
static int meet(const restraint *r, piece *p, const obstacle *o) {
    float share = is_cloth(r, o) ? LAYER_SHARE : BODY_SHARE;
    if (is_far(&p->box, &o->box, p->moved / share))
        return 0;
    return is_cloth(r, o) ? meet_layer(p, &o->flat, r->surface[o->geometry].levels) : meet_triangle(p, &o->flat, share);
}

static piece piece_at(const restraint *r, int64_t t) {
    const weft_smooth *s = &r->surface[r->cloth];
    piece p = {.scale = r->scale + 3 * t};
    for (int k = 0; k < 3; k++) {
        uint32_t v = s->triangle[3 * t + k];
        p.flat.p[k] = s->flat[v];
        p.moves[k] = vf_sub(s->position[v], s->flat[v]);
        p.moved = fmaxf(p.moved, vf_length(p.moves[k]));
    }
    p.box = box_of(&p.flat);
    return p;
}

/* Returns whether the pieces [first, end) of the triangle can move at all. */
static int restrain_pieces(const search *s, int64_t first, int64_t end) {
    if (s->count > MOST_NEAR)
        return 0;
    for (int64_t t = first; s->count > 0 && t < end; t++) {
        piece p = piece_at(s->restraint, t);
        for (size_t i = 0; p.moved > NOT_MOVED && i < s->count; i++)
            if (meet(s->restraint, &p, &s->list[i]))
                return 0;
    }
    return 1;
}

static void restrain_triangle(search *s, int32_t number) {
    const restraint *r = s->restraint;
    int64_t pieces = (int64_t)1 << 2 * r->surface[r->cloth].levels, first = number * pieces;
    float moved = 0;
    for (int64_t t = first; t < first + pieces; t++)
        moved = fmaxf(moved, piece_at(r, t).moved);
    if (!(moved > NOT_MOVED) || !isfinite(moved))
        return;
    s->number = number;
    s->flat = flat_triangle(r->shot->cloth[r->cloth].position, cloth_corners(r, r->cloth, number));
    s->box = box_of(&s->flat);
    s->reach = moved / LAYER_SHARE;
    find_obstacles(s);
    if (!restrain_pieces(s, first, first + pieces))
        for (int64_t c = 3 * first; c < 3 * (first + pieces); c++)
            r->scale[c] = 0;
}

static void restrain_block(void *context, int64_t begin, int64_t end) {
    const restraint *r = context;
    search s = {.restraint = r};
    for (int64_t t = begin; t < end; t++)
        restrain_triangle(&s, (int32_t)t);
    r->failed[begin / BLOCK] = s.failed;
    free(s.list);
}

/* -- displacements -- */

/* Lowers each scale to the mean of its neighbours. Lower scales respect the barriers too, and a scale that changes
 * gradually leaves no dents and pimples in the surface. `mean` is scratch (vertex_count). */
static void spread(const weft_smooth *s, float *scale, float *mean) {
    for (int32_t v = 0; v < s->vertex_count; v++) {
        float sum = 0;
        int32_t count = s->start[v + 1] - s->start[v];
        for (int32_t k = s->start[v]; k < s->start[v + 1]; k++) {
            const uint32_t *end = s->edge[s->spoke[k]].end;
            sum += scale[end[0] == (uint32_t)v ? end[1] : end[0]];
        }
        mean[v] = count > 0 ? sum / (float)count : 1;
    }
    for (int32_t v = 0; v < s->vertex_count; v++)
        scale[v] = fminf(scale[v], mean[v]);
}

/* Shortens the displacements of the vertices. `corner` has the factors of the corners of all pieces. */
static weft_result respect(weft_smooth *s, const float *corner) {
    float *scale = malloc(2 * (size_t)s->vertex_count * sizeof *scale);
    if (!scale)
        return weft_fail_memory("smooth cloth", 2 * (size_t)s->vertex_count * sizeof *scale);
    for (int32_t v = 0; v < s->vertex_count; v++)
        scale[v] = 1;
    for (size_t c = 0; c < 3 * (size_t)s->triangle_count; c++)
        scale[s->triangle[c]] = fminf(scale[s->triangle[c]], corner[c]);
    for (int round = 0; round < SPREADS << s->levels; round++)
        spread(s, scale, scale + s->vertex_count);
    for (int32_t v = 0; v < s->vertex_count; v++)
        if (scale[v] < 1)
            s->position[v] = vf_mad(s->flat[v], scale[v], vf_sub(s->position[v], s->flat[v]));
    free(scale);
    return weft_ok();
}

static weft_result restrain_cloth(restraint *r, weft_smooth *surface, int64_t blocks, const weft_work *work) {
    size_t corners = 3 * (size_t)surface->triangle_count;
    int shortened = 0;
    for (size_t c = 0; c < corners; c++)
        r->scale[c] = 1;
    weft_parallel_for(work, r->shot->cloth[r->cloth].triangle_count, BLOCK, restrain_block, r);
    for (int64_t i = 0; i < blocks; i++)
        if (r->failed[i])
            return weft_fail(WEFT_NO_MEMORY, "out of memory: layers of smooth cloth");
    for (size_t c = 0; c < corners && !shortened; c++)
        shortened = r->scale[c] < 1;
    return shortened ? respect(surface, r->scale) : weft_ok();
}

/* -- */

static weft_result attach(RTCScene scene, RTCDevice device, uint32_t number, const weft_vec3 *position,
                          int32_t vertices, const int32_t *corner, int32_t triangles) {
    if (vertices == 0 || triangles == 0)
        return weft_ok();
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    if (!geometry)
        return weft_stage_device_result(device, "a mesh");
    vecf *vertex =
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, sizeof(vecf), (size_t)vertices);
    uint32_t *index = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                              3 * sizeof(uint32_t), (size_t)triangles);
    if (vertex && index) {
        for (int32_t v = 0; v < vertices; v++)
            vertex[v] = vf_from(position[v]);
        for (size_t c = 0; c < 3 * (size_t)triangles; c++)
            index[c] = (uint32_t)corner[c];
        rtcCommitGeometry(geometry);
        rtcAttachGeometryByID(scene, geometry, number);
    }
    rtcReleaseGeometry(geometry);
    return weft_stage_device_result(device, "a mesh");
}

static weft_result fill(RTCScene scene, RTCDevice device, const weft_shot *shot) {
    uint32_t number = 0;
    for (int32_t i = 0; i < shot->cloth_count; i++, number++) {
        const weft_shot_cloth *c = &shot->cloth[i];
        WEFT_TRY(attach(scene, device, number, c->position, c->vertex_count, c->triangle, c->triangle_count));
    }
    for (int32_t i = 0; i < shot->body_count; i++, number++) {
        const weft_shot_body *b = &shot->body[i];
        WEFT_TRY(attach(scene, device, number, b->position, b->vertex_count, b->triangle, b->triangle_count));
    }
    rtcCommitScene(scene);
    return weft_stage_device_result(device, "smooth cloth");
}

static weft_result restrain_all(weft_smooth *surface, const weft_shot *shot, RTCScene scene, const weft_work *work) {
    weft_result result = weft_ok();
    for (int32_t i = 0; i < shot->cloth_count && result.code == WEFT_OK; i++) {
        int64_t blocks = (shot->cloth[i].triangle_count + BLOCK - 1) / BLOCK;
        if (!surface[i].flat || blocks == 0)
            continue;
        size_t bytes = 3 * (size_t)surface[i].triangle_count * sizeof(float);
        restraint r = {surface, shot, scene, i, malloc(bytes), calloc((size_t)blocks, sizeof(int))};
        result = r.scale && r.failed ? restrain_cloth(&r, &surface[i], blocks, work)
                                     : weft_fail_memory("smooth cloth", bytes);
        free(r.scale);
        free(r.failed);
    }
    return result;
}

weft_result weft_restrain(weft_smooth *surface, const weft_shot *shot, RTCDevice device, const weft_work *work) {
    int any = 0;
    for (int32_t i = 0; i < shot->cloth_count; i++)
        any |= surface[i].flat != NULL;
    if (!any)
        return weft_ok();
    RTCScene scene = rtcNewScene(device);
    if (!scene)
        return weft_stage_device_result(device, "smooth cloth");
    weft_result result = fill(scene, device, shot);
    if (result.code == WEFT_OK)
        result = restrain_all(surface, shot, scene, work);
    rtcReleaseScene(scene);
    return result;
}
