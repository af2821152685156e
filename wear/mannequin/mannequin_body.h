/* The mannequin as a body of scenes: `bodies: [{mannequin: {height: 170 cm, chest: 92 cm, motion: walk}}]`. */
#ifndef WEAR_MANNEQUIN_MANNEQUIN_BODY_H
#define WEAR_MANNEQUIN_MANNEQUIN_BODY_H

#include "wear/mannequin/mannequin.h"
#include "weft/body.h"

/* The settings of the component `mannequin`. */
typedef struct mannequin_settings {
    weft_body_place place;
    mannequin_measures measures;
    mannequin_motion motion;
    double rate; /* samples of the motion per second; 0: one per step */
} mannequin_settings;

/* The component `mannequin`. `mannequin_body.params` reads mannequin_settings (weft_params_default, weft_params_read).
 */
extern const weft_component mannequin_body;
/* Makes the body known to a registry. */
weft_result mannequin_register(weft_registry *registry);

#endif
