#include "wear/load/garment_cloth.h"

#include <stdlib.h>

#include "wear/garment/tailor.h"
#include "wear/load/dressed_body.h"
#include "wear/load/push_out.h"

static weft_result read_fabric(const weft_scene_files *files, const weft_value *value, weft_sewn_fabric *fabric) {
    fabric->is_set = value != NULL;
    return value ? weft_scene_fabric_read(value, files, &fabric->fabric) : weft_ok();
}

static weft_result read_fabrics(const weft_scene_files *files, const garment_pattern *pattern, weft_sewn *sewn) {
    WEFT_TRY(read_fabric(files, pattern->fabric, &sewn->fabric));
    sewn->panel_fabric = calloc((size_t)pattern->panels + 1, sizeof *sewn->panel_fabric);
    if (!sewn->panel_fabric)
        return weft_fail_memory("fabrics", (size_t)pattern->panels * sizeof *sewn->panel_fabric);
    for (int32_t p = 0; p < pattern->panels; p++)
        WEFT_TRY(read_fabric(files, pattern->panel[p].fabric, &sewn->panel_fabric[p]));
    return weft_ok();
}

weft_result weft_garment_check_fabrics(const weft_scene_files *files, const garment_pattern *pattern) {
    weft_sewn_fabric ignored;
    WEFT_TRY(read_fabric(files, pattern->fabric, &ignored));
    for (int32_t p = 0; p < pattern->panels; p++)
        WEFT_TRY(read_fabric(files, pattern->panel[p].fabric, &ignored));
    return weft_ok();
}

static weft_result take_padding(const garment_pattern *pattern, weft_sewn *sewn) {
    sewn->panel_padding = calloc((size_t)pattern->panels + 1, sizeof *sewn->panel_padding);
    if (!sewn->panel_padding)
        return weft_fail_memory("padding", (size_t)pattern->panels * sizeof *sewn->panel_padding);
    for (int32_t p = 0; p < pattern->panels; p++)
        sewn->panel_padding[p] = pattern->panel[p].padding;
    return weft_ok();
}

static weft_result sew(const weft_scene_files *files, garment_pattern *pattern, weft_sewn *sewn) {
    garment_sewn made = {0};
    weft_result result = garment_sew(pattern, &made);
    if (result.code == WEFT_OK)
        result = garment_tailor(pattern, &made, &sewn->tailoring);
    if (result.code == WEFT_OK)
        result = garment_attached(pattern, &made, &sewn->attached, &sewn->attached_count);
    if (result.code == WEFT_OK)
        result = read_fabrics(files, pattern, sewn);
    if (result.code == WEFT_OK)
        result = take_padding(pattern, sewn);
    if (result.code == WEFT_OK) {
        sewn->mesh = made.mesh;
        made.mesh = NULL;
    }
    garment_sewn_free(&made, pattern->panels);
    return result;
}

weft_result weft_garment_load(const weft_scene_files *files, const char *path, const weft_value *cloth,
                              const weft_value *bodies, weft_sewn *sewn) {
    garment_pattern pattern;
    mannequin *body = NULL;
    weft_vec3 at = {0, 0, 0};
    weft_result result = garment_pattern_read(path, &pattern);
    if (result.code == WEFT_OK)
        result = weft_dressed_body_make(cloth, bodies, &body, &at);
    if (result.code == WEFT_OK && body)
        result = weft_dressed_body_place(body, at, &pattern);
    if (result.code == WEFT_OK)
        result = sew(files, &pattern, sewn);
    if (result.code == WEFT_OK && body)
        result = weft_push_out(sewn->mesh, body->mesh, at);
    if (body)
        mannequin_hand_over(body); /* the scene makes the body next */
    garment_pattern_free(&pattern);
    return result;
}
