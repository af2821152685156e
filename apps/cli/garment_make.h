/* Commands that write garment files. */
#ifndef WEFT_APPS_CLI_GARMENT_MAKE_H
#define WEFT_APPS_CLI_GARMENT_MAKE_H

#include "weft/base.h"

weft_result garment_make_import(const char *file, const char *out);
/* `set` are texts OPTION=VALUE (sets). */
weft_result garment_make_draft(const char *design, const char *measurements, const char *const *set, int sets,
                               const char *out);

/* Writes a scene in which a mannequin of these measurements wears a garment. */
weft_result garment_make_scene(const char *garment, const char *measurements, const char *out);

#endif
