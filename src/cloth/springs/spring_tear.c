/* Tearing as in Assunção, "Cloth Simulation Framework" (2020), section 4.4: a spring breaks when it is longer than a
 * multiple of its rest length. A broken edge opens the faces next to it. The springs that span an open face or a broken
 * edge then break as well: the diagonals of the faces and the flexion springs over the edge. */
#include "cloth/springs/springs.h"
#include "weft/vec.h"

typedef struct tear_context {
    const weft_springs *springs;
    const weft_vec3 *x;
} tear_context;

static int is_overstretched(const tear_context *c, int32_t i) {
    const weft_springs *s = c->springs;
    if (!s->settings.on[weft_springs_type(s, i)])
        return 0;
    double most = s->settings.tear * s->rest[i];
    weft_vec3 d = weft_sub(c->x[s->list.end[i][1]], c->x[s->list.end[i][0]]);
    return weft_dot(d, d) > most * most && !weft_springs_is_broken(s, i);
}

static double count_overstretched(void *context, int64_t begin, int64_t end) {
    double count = 0;
    for (int64_t i = begin; i < end; i++)
        count += is_overstretched(context, (int32_t)i);
    return count;
}

/* Returns whether the spring counts as a link. Springs that are switched off break too but are not counted. */
static int break_spring(weft_springs *s, int32_t i) {
    weft_springs_break(s, i);
    return s->settings.on[weft_springs_type(s, i)] != 0;
}

static void open_faces(const weft_mesh *mesh, int32_t edge, uint8_t *face_open) {
    int32_t h = mesh->edge_halfedge[edge], t = mesh->twin[h];
    if (mesh->face[h] != WEFT_NONE)
        face_open[mesh->face[h]] = 1;
    if (mesh->face[t] != WEFT_NONE)
        face_open[mesh->face[t]] = 1;
}

/* A span is a face ~f or an edge. An edge has the same index as its structural spring. */
static int is_span_broken(const weft_springs *s, int32_t span, const uint8_t *face_open) {
    return span < 0 ? face_open[~span] : weft_springs_is_broken(s, span);
}

/* Breaks the springs that span a broken edge or an open face. Returns the number of links among them. */
static int break_spanning(weft_springs *s, const uint8_t *face_open) {
    int count = 0;
    for (int32_t i = s->list.first[WEFT_SHEAR]; i < s->list.count; i++)
        if (!weft_springs_is_broken(s, i) &&
            (is_span_broken(s, s->list.span[i][0], face_open) || is_span_broken(s, s->list.span[i][1], face_open)))
            count += break_spring(s, i);
    return count;
}

static int break_and_open(weft_springs *s, int32_t i, uint8_t *face_open) {
    if (i < s->list.first[WEFT_SHEAR])
        open_faces(s->mesh, i, face_open);
    return break_spring(s, i);
}

int weft_springs_tear(void *self, const weft_work *work, const weft_vec3 *x, uint8_t *face_open) {
    weft_springs *s = self;
    tear_context context = {s, x};
    if (!(s->settings.tear > 0))
        return 0;
    if (!(weft_parallel_sum(work, s->list.count, WEFT_BLOCK, count_overstretched, &context) > 0))
        return 0;
    int count = 0;
    for (int32_t i = 0; i < s->list.count; i++)
        if (is_overstretched(&context, i))
            count += break_and_open(s, i, face_open);
    count += break_spanning(s, face_open);
    weft_springs_refresh(s);
    return count;
}
