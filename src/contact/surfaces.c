/* Builds the contact world: the surfaces of all objects as one list of vertices and triangles, with a tree per object.
 */
#include "contact/internal.h"

static weft_result count_objects(weft_contact *contact) {
    for (int32_t i = 0; i < contact->object_count; i++) {
        contact_object *object = &contact->object[i];
        if (object->body && !object->surface.position)
            WEFT_TRY(weft_body_view_shape(object->body, &object->surface));
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
        {(void **)&contact->start, n, sizeof *contact->start},
        {(void **)&contact->finish, n, sizeof *contact->finish},
        {(void **)&contact->trial, n, sizeof *contact->trial},
        {(void **)&contact->anchor_x, n, sizeof *contact->anchor_x},
        {(void **)&contact->loose, n, sizeof *contact->loose},
        {(void **)&contact->inverse_mass, n, sizeof *contact->inverse_mass},
        {(void **)&contact->swept_box, n, sizeof *contact->swept_box},
        {(void **)&contact->trajectory[0], n, sizeof *contact->trajectory[0]},
        {(void **)&contact->trajectory[1], n, sizeof *contact->trajectory[1]},
        {(void **)&contact->dirty, n, sizeof *contact->dirty},
        {(void **)&contact->changed, n, sizeof *contact->changed},
        {(void **)&contact->drift_x[0], n, sizeof *contact->drift_x[0]},
        {(void **)&contact->drift_x[1], n, sizeof *contact->drift_x[1]},
        {(void **)&contact->parent, n, sizeof *contact->parent},
        {(void **)&contact->anchor, n, sizeof *contact->anchor},
        {(void **)&contact->first_constraint, n, sizeof *contact->first_constraint},
        {(void **)&contact->sweep_order, (size_t)contact->object_count, sizeof *contact->sweep_order},
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

weft_result contact_build_surfaces(weft_contact *contact) {
    WEFT_TRY(count_objects(contact));
    WEFT_TRY(allocate_lists(contact));
    for (int32_t i = 0; i < contact->object_count; i++) {
        fill_object(contact, i);
        contact->sweep_order[i] = i;
    }
    WEFT_TRY(contact_mark_features(contact));
    for (int32_t i = 0; i < contact->object_count; i++) {
        contact_object *object = &contact->object[i];
        if (object->tree.order)
            contact_tree_renumber(&object->tree, object->first_triangle - object->tree_first_triangle);
        else
            WEFT_TRY(contact_tree_create(contact, object));
        object->tree_first_triangle = object->first_triangle;
    }
    return weft_ok();
}
