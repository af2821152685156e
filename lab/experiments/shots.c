#include "lab/experiments/shots.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double FAR = 100; /* m: farther than any cloth moves unless it diverges */

static int is_sane(const weft_vec3 *x, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        if (!(weft_length(x[i]) < FAR)) /* also catches NaN */
            return 0;
    return 1;
}

static weft_result draw(const weft_shots *shots, const weft_shot_cloth *cloth, weft_picture *picture) {
    weft_view view = weft_view_default();
    view.width = 230;
    view.height = 180;
    view.ground = 0;
    view.azimuth = shots->azimuth;
    view.elevation = shots->elevation;
    view.texture = WEFT_TEXTURE_PLAIN;
    view.margin = 0.04;
    weft_framing framing = weft_framing_start(&view);
    for (int k = 0; k < 8; k++)
        weft_framing_add(&framing,
                         &(weft_vec3){k & 1 ? shots->high.x : shots->low.x, k & 2 ? shots->high.y : shots->low.y,
                                      k & 4 ? shots->high.z : shots->low.z},
                         1);
    weft_camera camera = weft_framing_camera(&framing, &view, 0);
    weft_shot shot = {.cloth = cloth, .cloth_count = cloth ? 1 : 0, .low = framing.low, .high = framing.high};
    weft_renderer *renderer;
    WEFT_TRY(weft_renderer_create(&view, 1, &renderer));
    weft_result result = weft_renderer_frame(renderer, &shot, &camera, picture);
    weft_renderer_destroy(renderer);
    return result;
}

weft_result weft_shots_add(weft_shots *shots, const weft_sim *sim, const char *label) {
    const weft_mesh *mesh = weft_sim_cloth(sim, 0)->mesh;
    const weft_vec3 *x = weft_sim_positions(sim, 0);
    const uint8_t *open = weft_sim_open_faces(sim, 0);
    if (shots->count == WEFT_MOST_SHOTS)
        return weft_ok();
    int32_t(*whole)[3] = malloc((size_t)mesh->triangle_count * sizeof *whole);
    if (!whole)
        return weft_fail_memory("triangles of a picture", (size_t)mesh->triangle_count * sizeof *whole);
    weft_shot_cloth cloth = {.position = x, .vertex_count = mesh->vertex_count, .triangle = whole[0]};
    for (int32_t t = 0; t < mesh->triangle_count; t++)
        if (!open[mesh->triangle_face[t]])
            memcpy(whole[cloth.triangle_count++], mesh->triangle[t], sizeof *whole);
    weft_result result = draw(shots, is_sane(x, mesh->vertex_count) ? &cloth : NULL, &shots->picture[shots->count]);
    free(whole);
    snprintf(shots->label[shots->count], sizeof shots->label[0], "%s", label);
    shots->count += result.code == WEFT_OK;
    return result;
}

weft_result weft_shots_show(weft_shots *shots, weft_record *record, const char *name, int columns,
                            const char *caption) {
    const char *label[WEFT_MOST_SHOTS];
    char file[64];
    weft_picture whole = {0};
    for (int i = 0; i < shots->count; i++)
        label[i] = shots->label[i];
    snprintf(file, sizeof file, "%s.png", name);
    weft_result result =
        weft_picture_tile(shots->picture, label, shots->count, columns, weft_view_default().background, &whole);
    if (result.code == WEFT_OK)
        result = weft_record_picture(record, file, &whole, caption);
    weft_picture_destroy(&whole);
    weft_shots_clear(shots);
    return result;
}

void weft_shots_clear(weft_shots *shots) {
    for (int i = 0; i < shots->count; i++)
        weft_picture_destroy(&shots->picture[i]);
    shots->count = 0;
}
