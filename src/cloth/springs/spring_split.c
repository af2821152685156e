/* Springs of a mesh that came apart along edges. The springs are built again, so only broken ones have to be found in
 * the new list. Faces and corners have the same numbers before and after. */
#include "cloth/springs/springs.h"
#include "core/memory.h"

typedef struct tracing {
    int32_t *from;  /* vertex before the split (vertex_count) */
    int32_t *first; /* a broken spring of each lower vertex before, or WEFT_NONE (vertex_count before) */
    int32_t *next;  /* next broken spring of the same vertex, or WEFT_NONE (list.count before) */
} tracing;

static void trace_vertices(const weft_mesh *mesh, const weft_mesh *before, int32_t *from) {
    for (int32_t h = 0; h < mesh->halfedge_count; h++)
        if (mesh->face[h] != WEFT_NONE)
            from[mesh->origin[h]] = before->origin[h];
}

static int32_t lower(int32_t a, int32_t b) { return a < b ? a : b; }

static void list_broken(const weft_springs *before, const tracing *t) {
    for (int32_t v = 0; v < before->mesh->vertex_count; v++)
        t->first[v] = WEFT_NONE;
    for (int32_t i = 0; i < before->list.count; i++) {
        const int32_t *end = before->list.end[i];
        if (!weft_springs_is_broken(before, i))
            continue;
        t->next[i] = t->first[lower(end[0], end[1])];
        t->first[lower(end[0], end[1])] = i;
    }
}

static int was_broken(const weft_springs *before, const tracing *t, const int32_t *end) {
    int32_t a = t->from[end[0]], b = t->from[end[1]];
    for (int32_t i = t->first[lower(a, b)]; i != WEFT_NONE; i = t->next[i])
        if (before->list.end[i][0] + before->list.end[i][1] == a + b) /* the lower ends are the same */
            return 1;
    return 0;
}

weft_result weft_springs_keep_broken(weft_springs *s, const weft_springs *before) {
    if (before->broken_count == 0)
        return weft_ok();
    size_t now = (size_t)s->mesh->vertex_count, vertices = (size_t)before->mesh->vertex_count;
    size_t springs = (size_t)before->list.count;
    int32_t *memory = weft_allocate(now + vertices + springs, sizeof *memory);
    if (!memory)
        return weft_fail_memory("springs", (now + vertices + springs) * sizeof *memory);
    tracing t = {.from = memory, .first = memory + now, .next = memory + now + vertices};
    trace_vertices(s->mesh, before->mesh, t.from);
    list_broken(before, &t);
    for (int32_t i = 0; i < s->list.count; i++)
        if (was_broken(before, &t, s->list.end[i]))
            weft_springs_break(s, i);
    free(memory);
    weft_springs_refresh(s);
    return weft_ok();
}
