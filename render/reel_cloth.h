/* One cloth of a take, as arrays for the renderer. */
#ifndef WEFT_RENDER_REEL_CLOTH_H
#define WEFT_RENDER_REEL_CLOTH_H

#include "render/render.h"
#include "weft-io/take.h"

typedef struct weft_reel_cloth {
    const weft_take_cloth *take;
    weft_take_state now, before, after; /* before, after: only for speeds */
    weft_vec2 *corner_uv;               /* of all triangles, m (triangle_count x 3), or null */
    /* The triangles flattened at rest, for the stretch; null unless requested. */
    weft_vec2 *rest_uv;
    /* The part of the cloth that is left in this frame. */
    int32_t *triangle;
    weft_vec2 *shown_uv, *shown_rest;
    int32_t triangle_count;
    int32_t *edge; /* (edge_count x 2); null unless requested */
    int32_t edge_count;
    int32_t *line;
    uint8_t *line_kind;
    double *line_strain;
    int32_t line_count;
    double *scalar; /* null without false colours */
} weft_reel_cloth;

/* A zeroed struct may be freed. It must be freed even if this fails. */
weft_result weft_reel_cloth_create(weft_reel_cloth *cloth, const weft_take_cloth *take, const weft_view *view);
void weft_reel_cloth_free(weft_reel_cloth *cloth);
/* Updates the arrays from `now`. Speeds also use `before` and `after`, which are `seconds` apart. */
weft_result weft_reel_cloth_update(weft_reel_cloth *cloth, const weft_view *view, double seconds);
weft_shot_cloth weft_reel_cloth_shot(const weft_reel_cloth *cloth);

#endif
