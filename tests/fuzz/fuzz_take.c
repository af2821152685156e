/* Fuzzes the take reader, with complete and unfinished takes. An accepted take has valid indices and readable
 * frames. */
#include <math.h>
#include <stdlib.h>

#include "weft-io/take.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void must(int condition) {
    if (!condition)
        abort();
}

static void check_cloth(const weft_take_cloth *cloth) {
    int64_t corners = 0;
    for (int32_t f = 0; f < cloth->face_count; f++)
        corners += cloth->face_size[f];
    must(corners == cloth->corner_count);
    for (int32_t i = 0; i < cloth->corner_count; i++)
        must(cloth->corner[i] >= 0 && cloth->corner[i] < cloth->vertex_count);
    for (int32_t i = 0; i < 3 * cloth->triangle_count; i++)
        must(cloth->triangle[i] >= 0 && cloth->triangle[i] < cloth->vertex_count);
    for (int32_t i = 0; i < cloth->triangle_count; i++)
        must(cloth->triangle_face[i] >= 0 && cloth->triangle_face[i] < cloth->face_count);
    for (int32_t i = 0; i < cloth->link_count; i++)
        must(cloth->link[i].a >= 0 && cloth->link[i].a < cloth->vertex_count && cloth->link[i].b >= 0 &&
             cloth->link[i].b < cloth->vertex_count && isfinite(cloth->link[i].rest_length));
}

static void read_body(weft_take_reader *reader, int32_t index) {
    const weft_take_body *body = &reader->body[index];
    for (int32_t i = 0; i < 3 * body->triangle_count; i++)
        must(body->triangle[i] >= 0 && body->triangle[i] < body->vertex_count);
    weft_vec3 *position = malloc((size_t)body->vertex_count * sizeof *position + 1);
    must(position != NULL);
    for (int64_t frame = 0; frame < reader->frame_count && frame < 16; frame++)
        weft_take_reader_read_body(reader, frame, index, position);
    free(position);
}

/* Reads the states of frames that share the same meshes. */
static void read_states(weft_take_reader *reader, int64_t first, int64_t end) {
    weft_take_state *state = calloc((size_t)reader->cloth_count, sizeof *state);
    must(state != NULL);
    for (int32_t i = 0; i < reader->cloth_count; i++) {
        const weft_take_cloth *cloth = &reader->cloth[i];
        check_cloth(cloth);
        state[i] = (weft_take_state){.position = malloc((size_t)cloth->vertex_count * sizeof(weft_vec3)),
                                     .open_face = malloc((size_t)cloth->face_count),
                                     .broken = malloc((size_t)cloth->link_count + 1),
                                     .strain = malloc((size_t)cloth->triangle_count * sizeof(weft_strain)),
                                     .pressure = malloc((size_t)cloth->vertex_count * sizeof(double))};
    }
    for (int64_t frame = first; frame < end; frame++)
        weft_take_reader_read_frame(reader, frame, state);
    for (int32_t i = 0; i < reader->cloth_count; i++) {
        free(state[i].pressure);
        free(state[i].strain);
        free(state[i].broken);
        free(state[i].open_face);
        free(state[i].position);
    }
    free(state);
}

static void read_frames(weft_take_reader *reader) {
    int64_t count = reader->frame_count < 16 ? reader->frame_count : 16;
    int changes = 0;
    for (int32_t i = 0; i < reader->cloth_count; i++)
        changes |= reader->cloth[i].changes;
    for (int64_t frame = 0; changes && frame < count; frame++)
        if (weft_take_reader_read_mesh(reader, frame).code == WEFT_OK)
            read_states(reader, frame, frame + 1);
    if (!changes)
        read_states(reader, 0, count);
    for (int32_t i = 0; i < reader->body_count; i++)
        read_body(reader, i);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    for (int unfinished = 0; unfinished < 2; unfinished++) {
        weft_take_reader reader;
        weft_result result = weft_take_reader_open_memory(bytes, size, "fuzz", unfinished, &reader);
        must((result.code == WEFT_OK) == (reader.cloth_count > 0 && reader.frame_count > 0));
        if (result.code == WEFT_OK)
            read_frames(&reader);
        weft_take_reader_close(&reader);
    }
    return 0;
}
