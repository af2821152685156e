/* Frames: shared ownership, filling, and encoding as binary messages. */
#include "apps/studio/server/frame.h"

#include <math.h>
#include <stdlib.h>

#include "apps/studio/server/message_bytes.h"

/* -- sharing -- */

studio_shape *studio_shape_hold(studio_shape *shape) {
    if (shape)
        atomic_fetch_add(&shape->users, 1);
    return shape;
}

void studio_shape_drop(studio_shape *shape) {
    if (!shape || atomic_fetch_sub(&shape->users, 1) > 1)
        return;
    free(shape->message.memory);
    free(shape);
}

studio_frame *studio_frame_hold(studio_frame *frame) {
    if (frame)
        atomic_fetch_add(&frame->users, 1);
    return frame;
}

void studio_frame_drop(studio_frame *frame) {
    if (!frame || atomic_fetch_sub(&frame->users, 1) > 1)
        return;
    for (int i = 0; i < frame->section_count; i++) {
        studio_section *section = &frame->section[i];
        free(section->held);
        free(section->scalar);
        free(section->position);
        studio_shape_drop(section->shape);
    }
    free(frame->message[1].memory);
    free(frame->message[0].memory);
    free(frame->section);
    free(frame);
}

studio_frame *studio_frame_create(int section_count) {
    studio_frame *frame = calloc(1, sizeof *frame);
    if (!frame)
        return NULL;
    frame->section = calloc((size_t)(section_count > 0 ? section_count : 1), sizeof *frame->section);
    if (!frame->section) {
        free(frame);
        return NULL;
    }
    frame->section_count = section_count;
    atomic_init(&frame->users, 1);
    return frame;
}

/* -- filling -- */

int studio_section_place(studio_section *section, const weft_vec3 *position, int32_t count) {
    section->position = malloc((size_t)(count > 0 ? count : 1) * 3 * sizeof *section->position);
    if (!section->position)
        return 0;
    section->count = count;
    float *low = section->low, *high = section->high;
    for (int k = 0; k < 3; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    for (int32_t i = 0; i < count; i++) {
        const float p[3] = {(float)position[i].x, (float)position[i].y, (float)position[i].z};
        for (int k = 0; k < 3; k++) {
            section->position[3 * (size_t)i + (size_t)k] = p[k];
            low[k] = p[k] < low[k] ? p[k] : low[k];
            high[k] = p[k] > high[k] ? p[k] : high[k];
        }
    }
    return 1;
}

int studio_section_color(studio_section *section, const double *value, int32_t count) {
    double low = INFINITY, high = -INFINITY;
    for (int32_t i = 0; i < count; i++) {
        low = value[i] < low ? value[i] : low;
        high = value[i] > high ? value[i] : high;
    }
    if (!(isfinite(low) && isfinite(high)))
        return 1; /* not finite: nothing to show */
    section->scalar = malloc((size_t)count);
    if (!section->scalar)
        return 0;
    double scale = high > low ? 255 / (high - low) : 0;
    for (int32_t i = 0; i < count; i++)
        section->scalar[i] = (uint8_t)lrint((value[i] - low) * scale);
    section->scalar_low = (float)low;
    section->scalar_high = (float)high;
    return 1;
}

/* -- bytes -- */

enum { HEAD = 16, FRAME_HEAD = 24, SECTION_HEAD = 20, SEEN_AT = HEAD + 16 };
enum { BIT_QUANTISED = 1, BIT_SCALAR = 2 };

static size_t section_size(const studio_section *s, int quantised) {
    size_t count = (size_t)s->count, size = SECTION_HEAD + 4 * (size_t)s->held_count;
    if (count > 0)
        size += quantised ? 24 + studio_padded(6 * count) : 12 * count;
    return size + (s->scalar ? 8 + studio_padded(count) : 0);
}

static unsigned char *put_quantised(unsigned char *at, const studio_section *s) {
    float scale[3];
    for (int k = 0; k < 3; k++)
        scale[k] = s->high[k] > s->low[k] ? 65535 / (s->high[k] - s->low[k]) : 0;
    at = studio_put(at, s->low, sizeof s->low);
    at = studio_put(at, s->high, sizeof s->high);
    uint16_t *q = (uint16_t *)(void *)at; /* at a multiple of 4 */
    size_t values = 3 * (size_t)s->count;
    for (size_t i = 0; i < values; i += 3)
        for (size_t k = 0; k < 3; k++) {
            /* rounding may exceed 65535 by one */
            float step = (s->position[i + k] - s->low[k]) * scale[k] + 0.5f;
            q[i + k] = step < 65535 ? (uint16_t)step : 65535;
        }
    if (values % 2 != 0)
        q[values++] = 0;
    return at + values * sizeof *q;
}

static unsigned char *put_section(unsigned char *at, const unsigned char *start, const studio_section *s,
                                  int quantised) {
    at = studio_put_u8(at, (uint8_t)s->shape->pane);
    at = studio_put_u8(at, (uint8_t)s->shape->kind);
    at = studio_put_u16(at, (uint16_t)s->shape->index);
    at = studio_put_u32(at, s->shape->version);
    at = studio_put_u32(at, (uint32_t)s->count);
    at = studio_put_u32(at, (quantised && s->count > 0 ? BIT_QUANTISED : 0u) | (s->scalar ? BIT_SCALAR : 0u));
    at = studio_put_u32(at, (uint32_t)s->held_count);
    if (s->count > 0)
        at = quantised ? put_quantised(at, s) : studio_put(at, s->position, 12 * (size_t)s->count);
    if (s->scalar) {
        at = studio_put_f32(at, s->scalar_low);
        at = studio_put_f32(at, s->scalar_high);
        at = studio_pad(studio_put(at, s->scalar, (size_t)s->count), start);
    }
    return studio_put(at, s->held, 4 * (size_t)s->held_count);
}

static int make_message(studio_frame *frame, int quantised, studio_bytes *message) {
    size_t size = HEAD + FRAME_HEAD;
    for (int i = 0; i < frame->section_count; i++)
        size += section_size(&frame->section[i], quantised);
    message->memory = malloc(STUDIO_FRONT + size);
    if (!message->memory)
        return 0;
    message->size = size;
    unsigned char *start = message->memory + STUDIO_FRONT, *at = start;
    at = studio_put_u32(at, STUDIO_MAGIC);
    at = studio_put_u8(at, STUDIO_KIND_FRAME);
    at = studio_put_u8(at, (uint8_t)frame->pane_count);
    at = studio_put_u16(at, frame->flags);
    at = studio_put_u32(at, frame->sequence);
    at = studio_put_u32(at, (uint32_t)frame->section_count);
    at = studio_put_u32(at, frame->frame);
    at = studio_put_u32(at, frame->step);
    at = studio_put_f64(at, frame->time);
    at = studio_put_u32(at, 0);
    at = studio_put_u32(at, 0);
    for (int i = 0; i < frame->section_count; i++)
        at = put_section(at, start, &frame->section[i], quantised);
    return 1;
}

const studio_bytes *studio_frame_message(studio_frame *frame, int quantised, uint64_t viewer) {
    studio_bytes *message = &frame->message[quantised != 0];
    if (!message->memory && !make_message(frame, quantised, message))
        return NULL;
    uint32_t id = 0;
    for (int i = 0; i < STUDIO_MOST_VIEWERS; i++)
        if (frame->seen[i].viewer == viewer)
            id = frame->seen[i].id;
    studio_put_u32(message->memory + STUDIO_FRONT + SEEN_AT, id);
    return message;
}
