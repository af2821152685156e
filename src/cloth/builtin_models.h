/* The built-in models. */
#ifndef WEFT_CLOTH_BUILTIN_MODELS_H
#define WEFT_CLOTH_BUILTIN_MODELS_H

#include "weft/model.h"

extern const weft_component weft_springs_model;
extern const weft_component weft_buckling_model;
extern const weft_component weft_corotational_model;

#endif
