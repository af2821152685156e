#include "load/garment_cloth.h"

#include "garment/sew.h"

weft_result weft_garment_load(const weft_scene_files *files, const char *path, const weft_value *cloth,
                              const weft_value *bodies, weft_sewn *sewn) {
    garment_pattern pattern;
    garment_sewn made = {0};
    (void)files;
    (void)cloth;
    (void)bodies;
    weft_result result = garment_pattern_read(path, &pattern);
    if (result.code == WEFT_OK)
        result = garment_sew(&pattern, &made);
    if (result.code == WEFT_OK) {
        sewn->mesh = made.mesh;
        made.mesh = NULL;
    }
    garment_sewn_free(&made, pattern.panels);
    garment_pattern_free(&pattern);
    return result;
}
