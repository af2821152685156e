/* Garments as cloths of a scene. */
#ifndef WEFT_WEAR_LOAD_GARMENT_CLOTH_H
#define WEFT_WEAR_LOAD_GARMENT_CLOTH_H

#include "wear/garment/pattern.h"
#include "weft/scene.h"

/* Sews the garment of a file for the entry `cloth` of a scene. `files` reads the fabrics that it names. */
weft_result weft_garment_load(const weft_scene_files *files, const char *path, const weft_value *cloth,
                              const weft_value *bodies, weft_sewn *sewn);
/* Fails if a fabric that the garment names does not exist or has bad values. */
weft_result weft_garment_check_fabrics(const weft_scene_files *files, const garment_pattern *pattern);

#endif
