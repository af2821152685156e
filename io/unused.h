/* Values of a scene that have no effect at present, and why. The command prints them as notices; the studio greys them.
 */
#ifndef WEFT_IO_UNUSED_H
#define WEFT_IO_UNUSED_H

#include "weft/sim.h"

typedef struct weft_unused {
    char user[64];   /* what ignores the value, such as "model springs" */
    const char *why; /* static line; null if the value has an effect */
} weft_unused;

/* `value` is a parameter of the cloth, such as "fabric.damping", "model.limit_passes" or "maps.bend". The simulation
 * must be prepared. */
weft_unused weft_unused_of_cloth(const weft_sim *sim, int32_t cloth, const char *value);
/* `path` is any parameter of the simulation, such as "cloth.sheet.fabric.damping" or "contact.friction". */
weft_unused weft_unused_of_path(const weft_sim *sim, const char *path);
/* Writes the path of a parameter with its present name: "contact.constraints.solves" for "contact.solves". */
void weft_present_path(const char *path, char *present, size_t size);

#endif
