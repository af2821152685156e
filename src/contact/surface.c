/* All surfaces as one list, and which triangle owns which vertex and edge. */
#include "contact/internal.h"

/* In the body's own frame. */
static weft_result body_surface(const weft_contact_body *body, weft_body_surface *surface) {
    const weft_body_functions *functions = body->component->functions;
    *surface = (weft_body_surface){0};
    if (functions->surface)
        return functions->surface(body->settings, surface);
    const weft_mesh *mesh = body->mesh;
    size_t vertices = (size_t)mesh->vertex_count, triangles = (size_t)mesh->triangle_count;
    surface->position = weft_allocate(vertices, sizeof *surface->position);
    surface->triangle = weft_allocate(triangles, sizeof *surface->triangle);
    if (!surface->position || !surface->triangle) {
        free(surface->triangle);
        free(surface->position);
        *surface = (weft_body_surface){0};
        return weft_fail_memory("the surface of a body", vertices * sizeof *surface->position);
    }
    memcpy(surface->position, mesh->position, vertices * sizeof *surface->position);
    memcpy(surface->triangle, mesh->triangle, triangles * sizeof *surface->triangle);
    surface->vertex_count = mesh->vertex_count;
    surface->triangle_count = mesh->triangle_count;
    return weft_ok();
}

weft_result weft_contact_body_surface(const weft_contact_body *body, double time, weft_body_surface *surface) {
    WEFT_TRY(body_surface(body, surface));
    weft_pose pose = weft_contact_body_pose(body, time);
    double frame = contact_body_frame(body, time);
    for (int32_t i = 0; i < surface->vertex_count; i++)
        surface->position[i] = weft_pose_out(&pose, contact_body_point(body, surface->position, frame, i));
    return weft_ok();
}

static weft_result count_objects(weft_contact *contact) {
    for (int32_t i = 0; i < contact->object_count; i++) {
        contact_object *object = &contact->object[i];
        if (object->body)
            WEFT_TRY(body_surface(object->body, &object->surface));
        object->first = contact->count;
        object->first_triangle = contact->triangle_count;
        object->vertex_count = object->cloth ? object->cloth->mesh->vertex_count : object->surface.vertex_count;
        object->triangle_count = object->cloth ? object->cloth->mesh->triangle_count : object->surface.triangle_count;
        if ((int64_t)contact->count + object->vertex_count > WEFT_MESH_LIMIT ||
            (int64_t)contact->triangle_count + object->triangle_count > WEFT_MESH_LIMIT)
            return weft_fail(WEFT_BAD_INPUT, "contact: more than %d vertices or triangles", WEFT_MESH_LIMIT);
        contact->count += object->vertex_count;
        contact->triangle_count += object->triangle_count;
        if (object->cloth)
            contact->cloth_vertices = contact->count;
    }
    return weft_ok();
}

static weft_result allocate_lists(weft_contact *contact) {
    int32_t blocks = (contact->cloth_vertices + WEFT_BLOCK - 1) / WEFT_BLOCK;
    contact->shape_bin_count = blocks * (contact->object_count - contact->cloth_count);
    size_t n = (size_t)contact->count, t = (size_t)contact->triangle_count;
    struct {
        void **array;
        size_t count, size;
    } lists[] = {
        {(void **)&contact->shape_bin, (size_t)contact->shape_bin_count, sizeof *contact->shape_bin},
        {(void **)&contact->triangle, t, sizeof *contact->triangle},
        {(void **)&contact->marks, t, sizeof *contact->marks},
        {(void **)&contact->object_of, n, sizeof *contact->object_of},
        {(void **)&contact->rest, n, sizeof *contact->rest},
        {(void **)&contact->x, n, sizeof *contact->x},
        {(void **)&contact->x_next, n, sizeof *contact->x_next},
        {(void **)&contact->v_next, n, sizeof *contact->v_next},
        {(void **)&contact->inverse_mass, n, sizeof *contact->inverse_mass},
        {(void **)&contact->reach, n, sizeof *contact->reach},
        {(void **)&contact->planned, n, sizeof *contact->planned},
        {(void **)&contact->dirty, n, sizeof *contact->dirty},
        {(void **)&contact->changed, n, sizeof *contact->changed},
        {(void **)&contact->strayed, n, sizeof *contact->strayed},
        {(void **)&contact->parent, n, sizeof *contact->parent},
        {(void **)&contact->leader, n, sizeof *contact->leader},
        {(void **)&contact->first_hold, n, sizeof *contact->first_hold},
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        if (!(*lists[i].array = weft_allocate(lists[i].count, lists[i].size)))
            return weft_fail_memory("contact", lists[i].count * lists[i].size);
    return weft_ok();
}

static void fill_object(weft_contact *contact, int32_t index) {
    const contact_object *object = &contact->object[index];
    const weft_vec3 *position = object->cloth ? object->cloth->mesh->position : object->surface.position;
    const int32_t(*triangle)[3] =
        (const int32_t(*)[3])(object->cloth ? object->cloth->mesh->triangle : object->surface.triangle);
    for (int32_t i = 0; i < object->vertex_count; i++) {
        contact->object_of[object->first + i] = index;
        contact->rest[object->first + i] = position[i];
    }
    for (int32_t i = 0; i < object->triangle_count; i++)
        for (int k = 0; k < 3; k++)
            contact->triangle[object->first_triangle + i][k] = object->first + triangle[i][k];
}

weft_result contact_make_surface(weft_contact *contact) {
    WEFT_TRY(count_objects(contact));
    WEFT_TRY(allocate_lists(contact));
    for (int32_t i = 0; i < contact->object_count; i++)
        fill_object(contact, i);
    WEFT_TRY(contact_mark_features(contact));
    for (int32_t i = 0; i < contact->object_count; i++)
        WEFT_TRY(contact_tree_create(contact, &contact->object[i]));
    return weft_ok();
}

typedef struct side {
    int32_t low, high, triangle, corner;
} side;

static int compare_sides(const void *a, const void *b) {
    const side *p = a, *q = b;
    if (p->low != q->low)
        return p->low < q->low ? -1 : 1;
    if (p->high != q->high)
        return p->high < q->high ? -1 : 1;
    if (p->triangle != q->triangle)
        return p->triangle < q->triangle ? -1 : 1;
    return 0;
}

static weft_vec3 normal_of(const weft_contact *contact, int32_t triangle) {
    const int32_t *t = contact->triangle[triangle];
    weft_vec3 a = contact->rest[t[0]];
    return weft_normalize(weft_cross(weft_sub(contact->rest[t[1]], a), weft_sub(contact->rest[t[2]], a)));
}

static weft_vec3 centre_of(const weft_contact *contact, int32_t triangle) {
    const int32_t *t = contact->triangle[triangle];
    weft_vec3 sum = weft_add(weft_add(contact->rest[t[0]], contact->rest[t[1]]), contact->rest[t[2]]);
    return weft_scale(1.0 / 3, sum);
}

/* Mean length of the edges of cloth, m. */
static double edge_length(const weft_contact *contact) {
    double sum = 0;
    int32_t count = 0;
    for (int32_t i = 0; i < contact->triangle_count && contact->triangle[i][0] < contact->cloth_vertices; i++)
        for (int k = 0; k < 3; k++, count++)
            sum +=
                weft_distance(contact->rest[contact->triangle[i][k]], contact->rest[contact->triangle[i][(k + 1) % 3]]);
    return count > 0 ? sum / count : 0;
}

/* Where the surface of a shape bends by more than 30 degrees at an edge it is not a rough picture of something smooth;
 * where its radius is below twice the cloth's edges, these touch it although their vertices do not. */
static int is_sharp(const weft_contact *contact, const side *first, const side *second, double length) {
    double cosine = weft_dot(normal_of(contact, first->triangle), normal_of(contact, second->triangle));
    double apart = weft_distance(centre_of(contact, first->triangle), centre_of(contact, second->triangle));
    const weft_contact_body *body = contact->object[contact->object_of[first->low]].body;
    double scale = body ? ((const weft_body_place *)body->settings)->scale : 1;
    return cosine < 0.866 || scale * apart < 2 * length * acos(fmin(cosine, 1));
}

static void mark_sharp(weft_contact *contact, const side *edge, uint8_t *sharp_vertex) {
    contact->marks[edge->triangle] |= (uint16_t)(SHARP_EDGE << edge->corner);
    sharp_vertex[edge->low] = sharp_vertex[edge->high] = 1;
}

static void mark_edges(weft_contact *contact, const side *sides, int64_t count, uint8_t *sharp_vertex) {
    double length = contact->edge_length = edge_length(contact);
    for (int64_t i = 0; i < count; i++) {
        int64_t end = i;
        while (end + 1 < count && sides[end + 1].low == sides[i].low && sides[end + 1].high == sides[i].high)
            end++;
        contact->marks[sides[i].triangle] |= (uint16_t)(OWNS_EDGE << sides[i].corner);
        if (end != i + 1 || is_sharp(contact, &sides[i], &sides[i + 1], length))
            mark_sharp(contact, &sides[i], sharp_vertex);
        i = end;
    }
}

static int is_open(const contact_object *object, int32_t index) {
    return object->cloth && object->cloth->open_face[object->cloth->mesh->triangle_face[index]];
}

static int64_t list_sides(weft_contact *contact, side *sides) {
    int64_t count = 0;
    contact->open_faces = 0;
    for (int32_t o = 0; o < contact->object_count; o++)
        for (int32_t i = 0; i < contact->object[o].triangle_count; i++) {
            int32_t triangle = contact->object[o].first_triangle + i;
            int open = is_open(&contact->object[o], i);
            contact->marks[triangle] = open ? OPEN : 0;
            contact->open_faces += open;
            for (int32_t k = 0; k < 3 && !open; k++) {
                int32_t a = contact->triangle[triangle][k], b = contact->triangle[triangle][(k + 1) % 3];
                sides[count++] = (side){a < b ? a : b, a < b ? b : a, triangle, k};
            }
        }
    return count;
}

static void mark_vertices(weft_contact *contact, uint8_t *seen, const uint8_t *sharp) {
    for (int32_t i = 0; i < contact->triangle_count; i++)
        for (int k = 0; k < 3 && !(contact->marks[i] & OPEN); k++) {
            int32_t v = contact->triangle[i][k];
            if (!seen[v])
                contact->marks[i] |= (uint16_t)((OWNS_VERTEX | (sharp[v] ? SHARP_VERTEX : 0)) << k);
            seen[v] = 1;
        }
}

weft_result contact_mark_features(weft_contact *contact) {
    size_t n = (size_t)contact->count, t = 3 * (size_t)contact->triangle_count;
    uint8_t *flags = weft_allocate(2 * n, 1);
    side *sides = weft_allocate(t, sizeof *sides);
    if (!flags || !sides) {
        free(sides);
        free(flags);
        return weft_fail_memory("the edges of contact", t * sizeof *sides);
    }
    int64_t count = list_sides(contact, sides);
    qsort(sides, (size_t)count, sizeof *sides, compare_sides);
    mark_edges(contact, sides, count, flags);
    mark_vertices(contact, flags + n, flags);
    free(sides);
    free(flags);
    return weft_ok();
}
