/* What a device that computes contact itself gets to see of the contact world. */
#include "contact/internal.h"

weft_contact_surfaces weft_contact_view(const weft_contact *contact, const weft_contact_settings *settings) {
    weft_contact_state none = {0};
    contact_step step = contact_step_of((weft_contact *)contact, settings, NULL, &none, NULL);
    return (weft_contact_surfaces){.count = contact->count,
                                   .cloth_vertices = contact->cloth_vertices,
                                   .triangle_count = contact->triangle_count,
                                   .object_count = contact->object_count,
                                   .cloth_count = contact->cloth_count,
                                   .triangle = (const int32_t(*)[3])contact->triangle,
                                   .object_of = contact->object_of,
                                   .rest = contact->rest,
                                   .edge_length = contact->edge_length,
                                   .spare = step.spare};
}

void weft_contact_place_bodies(weft_contact *contact, double time, double dt, const weft_vec3 **start,
                               const weft_vec3 **end, uint8_t *absent) {
    for (int32_t i = 0; i < contact->object_count; i++) {
        contact_object *object = &contact->object[i];
        if (object->body)
            contact_place_body(contact, object, time, dt);
        absent[i] = (uint8_t)(object->absent != 0);
    }
    *start = contact->x + contact->cloth_vertices;
    *end = contact->x_next + contact->cloth_vertices;
}
