/* Assigns each vertex and each edge to one triangle, so that a pair is found only once (Bender and Deul 2013, section
 * 6). Also marks the sharp features of bodies. */
#include <float.h>

#include "contact/internal.h"
#include "core/elementary.h"

typedef struct side {
    int32_t low, high, triangle, corner;
} side;

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

/* Mean length of cloth edges at rest, m. */
static double edge_length(const weft_contact *contact) {
    double sum = 0;
    int32_t count = 0;
    for (int32_t i = 0; i < contact->triangle_count && contact->triangle[i][0] < contact->cloth_vertices; i++)
        for (int k = 0; k < 3; k++, count++)
            sum +=
                weft_distance(contact->rest[contact->triangle[i][k]], contact->rest[contact->triangle[i][(k + 1) % 3]]);
    return count > 0 ? sum / count : 0;
}

/* -- edges -- */

static int is_open(const contact_object *object, int32_t index) {
    return object->cloth && object->cloth->open_face[object->cloth->mesh->triangle_face[index]];
}

/* If `sides` is null, counts the sides by their low vertex. Otherwise puts each side in its place. */
static void distribute_sides(const weft_contact *contact, const contact_object *object, const int32_t *start,
                             int32_t *count, side *sides) {
    for (int32_t i = object->first_triangle; i < object->first_triangle + object->triangle_count; i++)
        for (int32_t k = 0; k < 3 && !(contact->marks[i] & OPEN); k++) {
            int32_t a = contact->triangle[i][k], b = contact->triangle[i][(k + 1) % 3], low = a < b ? a : b;
            int32_t bucket = low - object->first, at = count[bucket]++;
            if (!sides)
                continue;
            side one = {low, a < b ? b : a, i, k};
            for (at += start[bucket]; at > start[bucket] && sides[at - 1].high > one.high; at--)
                sides[at] = sides[at - 1];
            sides[at] = one;
        }
}

/* Sorts the sides of an object's triangles by low vertex, high vertex and triangle. `start` and `count` have
 * vertex_count + 1 entries, which must be 0. Returns the number of sides. */
static int32_t sort_sides(const weft_contact *contact, const contact_object *object, int32_t *start, int32_t *count,
                          side *sides) {
    distribute_sides(contact, object, start, start + 1, NULL);
    for (int32_t v = 0; v < object->vertex_count; v++)
        start[v + 1] += start[v];
    distribute_sides(contact, object, start, count, sides);
    return start[object->vertex_count];
}

/* If the normals of the two triangles differ by more than 30 degrees, the edge is sharp. Otherwise the triangles
 * approximate a smooth surface. */
static contact_crease crease_between(const weft_contact *contact, int32_t first, int32_t second) {
    double cosine = weft_dot(normal_of(contact, first), normal_of(contact, second));
    if (cosine < 0.866)
        return (contact_crease){-1, 0};
    double distance = weft_distance(centre_of(contact, first), centre_of(contact, second));
    return (contact_crease){fmax(distance, DBL_MIN), weft_acos(fmin(cosine, 1))};
}

static void own_edges(weft_contact *contact, contact_object *object, const side *sides, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        int32_t end = i;
        while (end + 1 < count && sides[end + 1].low == sides[i].low && sides[end + 1].high == sides[i].high)
            end++;
        contact->marks[sides[i].triangle] |= (uint16_t)(OWNS_EDGE << sides[i].corner);
        if (object->crease)
            object->crease[3 * (sides[i].triangle - object->first_triangle) + sides[i].corner] =
                end == i + 1 ? crease_between(contact, sides[i].triangle, sides[i + 1].triangle)
                             : (contact_crease){-1, 0};
        i = end;
    }
}

static weft_result find_edges(weft_contact *contact, contact_object *object) {
    size_t sides = 3 * (size_t)object->triangle_count, buckets = (size_t)object->vertex_count + 1;
    int32_t *start = weft_allocate(2 * buckets, sizeof *start);
    side *sorted = malloc((sides + 1) * sizeof *sorted);
    if (object->body)
        object->crease = weft_allocate(sides, sizeof *object->crease);
    weft_result result = weft_ok();
    if (!start || !sorted || (object->body && !object->crease))
        result = weft_fail_memory("the edges of contact", sides * sizeof *sorted);
    else
        own_edges(contact, object, sorted, sort_sides(contact, object, start, start + buckets, sorted));
    free(sorted);
    free(start);
    return result;
}

/* -- marks -- */

/* The edges of a body were found earlier. A triangle owns those with a crease entry. */
static void restore_edges(weft_contact *contact, const contact_object *object) {
    for (int32_t i = 0; i < object->triangle_count; i++)
        for (int k = 0; k < 3; k++)
            if (object->crease[3 * i + k].distance != 0)
                contact->marks[object->first_triangle + i] |= (uint16_t)(OWNS_EDGE << k);
}

/* An edge is also sharp where the radius of curvature of the body is below twice the edge length of the cloth. There,
 * cloth edges touch the body although their vertices do not. */
static int is_sharp(const contact_object *object, int32_t edge, double length) {
    const contact_crease *c = &object->crease[edge];
    double scale = ((const weft_body_place *)object->body->settings)->scale;
    return c->distance < 0 || (c->distance > 0 && scale * c->distance < 2 * length * c->angle);
}

static void mark_sharp_features(weft_contact *contact, const contact_object *object, double length,
                                uint8_t *sharp_vertex) {
    for (int32_t i = 0; i < 3 * object->triangle_count; i++) {
        int32_t triangle = object->first_triangle + i / 3, k = i % 3;
        if (!is_sharp(object, i, length))
            continue;
        contact->marks[triangle] |= (uint16_t)(SHARP_EDGE << k);
        sharp_vertex[contact->triangle[triangle][k]] = 1;
        sharp_vertex[contact->triangle[triangle][(k + 1) % 3]] = 1;
    }
}

static void mark_open(weft_contact *contact) {
    for (int32_t o = 0; o < contact->object_count; o++)
        for (int32_t i = 0; i < contact->object[o].triangle_count; i++)
            contact->marks[contact->object[o].first_triangle + i] = is_open(&contact->object[o], i) ? OPEN : 0;
}

static void mark_vertices(weft_contact *contact, uint8_t *seen, const uint8_t *sharp) {
    for (int32_t i = 0; i < contact->triangle_count; i++)
        for (int k = 0; k < 3 && !(contact->marks[i] & OPEN); k++) {
            int32_t v = contact->triangle[i][k];
            if (!seen[v])
                contact->marks[i] |= (uint16_t)((OWNS_VERTEX | (sharp[v] ? SHARP_VERTEX : 0)) << k);
            seen[v] = 1;
        }
    contact->has_loose = 0;
    for (int32_t v = 0; v < contact->count; v++) {
        contact->loose[v] = !seen[v];
        contact->has_loose |= contact->loose[v] && v < contact->cloth_vertices;
    }
}

weft_result contact_mark_features(weft_contact *contact) {
    size_t n = (size_t)contact->count;
    uint8_t *flags = weft_allocate(2 * n, 1);
    weft_result result = flags ? weft_ok() : weft_fail_memory("the edges of contact", 2 * n);
    if (flags)
        mark_open(contact);
    double length = contact->edge_length = edge_length(contact);
    for (int32_t o = 0; o < contact->object_count && result.code == WEFT_OK; o++) {
        contact_object *object = &contact->object[o];
        if (object->crease)
            restore_edges(contact, object);
        else
            result = find_edges(contact, object);
        if (object->body && result.code == WEFT_OK)
            mark_sharp_features(contact, object, length, flags);
    }
    if (result.code == WEFT_OK)
        mark_vertices(contact, flags + n, flags);
    free(flags);
    return result;
}
