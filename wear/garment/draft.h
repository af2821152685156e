/* Garments drafted for measurements by FreeSewing (freesewing.eu, MIT), a library of parametric designs in JavaScript.
 * A Node program drafts the paths; wear/garment/designs/NAME.yaml says which of them are edges, and what is sewn. */
#ifndef WEFT_WEAR_GARMENT_DRAFT_H
#define WEFT_WEAR_GARMENT_DRAFT_H

#include "wear/garment/pattern.h"

/* `design` is a name in the folder of designs, or a path. `measurements` is a YAML file of lengths in cm. `option` are
 * texts "NAME=VALUE" (options). `pattern` needs garment_pattern_free, even after a failure. */
weft_result garment_draft(const char *design, const char *measurements, const char *const *option, int options,
                          garment_pattern *pattern);

/* The pattern of a design from what the Node program printed. `design` is the tree of a design file, `drafted` that of
 * the output. */
weft_result garment_draft_build(const weft_value *design, const weft_value *drafted, garment_pattern *pattern);

/* Runs the Node program. `request` is its input; `*reply` its output, freed by the caller. */
weft_result garment_draft_run(const char *request, char **reply, size_t *size);

#endif
