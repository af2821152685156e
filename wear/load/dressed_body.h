/* The body that a garment is sewn around. */
#ifndef WEFT_WEAR_LOAD_DRESSED_BODY_H
#define WEFT_WEAR_LOAD_DRESSED_BODY_H

#include "wear/garment/pattern.h"
#include "wear/mannequin/mannequin_body.h"
#include "weft/value.h"

/* Finds the mannequin among the bodies of a scene that `on` of a cloth names: `mannequin`, or its index in the list.
 * Without `on` it is the first one. Sets `*found` to 0 if the scene has none. */
weft_result weft_dressed_body_find(const weft_value *cloth, const weft_value *bodies, mannequin_settings *settings,
                                   int *found);
/* Makes the mannequin that a cloth is sewn on; `*made` is null if the scene has none. The caller destroys it or
 * hands it over to the body. */
weft_result weft_dressed_body_make(const weft_value *cloth, const weft_value *bodies, mannequin **made, weft_vec3 *at);
/* Places the panels that lie around parts of a mannequin on those of `m`, whose origin is at `at`. */
weft_result weft_dressed_body_place(const mannequin *m, weft_vec3 at, garment_pattern *pattern);

#endif
