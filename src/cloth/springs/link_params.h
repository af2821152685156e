/* Rows of parameter tables that springs and buckling share. `of` is the settings struct, `link` the word for a link. */
#ifndef WEFT_CLOTH_SPRINGS_LINK_PARAMS_H
#define WEFT_CLOTH_SPRINGS_LINK_PARAMS_H

#include "weft/param.h"

extern const char *const WEFT_SPRING_SOURCES[];  /* weft_spring_source */
extern const char *const WEFT_SPRING_DAMPINGS[]; /* weft_spring_damping */

#define WEFT_SPRING_MOST 1e12 /* stiffness and damping */

#define WEFT_SPRING_SOURCE_ROW(of, values)                                                                             \
    {                                                                                                                  \
        .name = "stiffness", .type = WEFT_CHOICE, .offset = offsetof(of, source), .fallback = "auto", .unit = "",      \
        .help = "source of the stiffness; given: " values "; fabric: calibrated to the fabric at any "                 \
                "resolution; auto: values above 0 as given, the others from the fabric",                               \
        .choices = WEFT_SPRING_SOURCES                                                                                 \
    }

#define WEFT_SPRING_STIFFNESS_ROW(of, key, member, si, text)                                                           \
    {                                                                                                                  \
        .name = key, .type = WEFT_REAL, .offset = offsetof(of, member), .high = WEFT_SPRING_MOST, .fallback = "0",     \
        .unit = si, .help = text "; 0: from the fabric, unless stiffness is given"                                     \
    }

#define WEFT_SPRING_DAMPING_ROWS(of, value, link, source)                                                              \
    {.name = "damping",                                                                                                \
     .type = WEFT_REAL,                                                                                                \
     .offset = offsetof(of, damping),                                                                                  \
     .high = WEFT_SPRING_MOST,                                                                                         \
     .fallback = value,                                                                                                \
     .unit = "kg/s",                                                                                                   \
     .help = "damping of each " link},                                                                                 \
        {.name = "damping_time",                                                                                       \
         .type = WEFT_REAL,                                                                                            \
         .offset = offsetof(of, damping_time),                                                                         \
         .high = 1e3,                                                                                                  \
         .fallback = "0",                                                                                              \
         .unit = "s",                                                                                                  \
         .help = "adds this time multiplied by the stiffness to the damping of each " link},                           \
    {                                                                                                                  \
        .name = "damping_kind", .type = WEFT_CHOICE, .offset = offsetof(of, damping_kind), .fallback = "along",        \
        .unit = "", .help = "along: damp the rate of elongation only; isotropic: damp all relative velocity" source,   \
        .choices = WEFT_SPRING_DAMPINGS                                                                                \
    }

#endif
