/* Scene files from seeds. The same seed gives the same bytes on every machine. */
#ifndef WEFT_STRESS_GENERATE_H
#define WEFT_STRESS_GENERATE_H

#include <stdint.h>

#include "weft/base.h"

/* Writes FOLDER/seed-N.yaml and the meshes that it names, FOLDER/seed-N-*.obj. */
weft_result stress_scene_write(uint64_t seed, const char *folder);
/* Removes what stress_scene_write wrote. */
void stress_scene_remove(uint64_t seed, const char *folder);
/* The path of the scene file; cut off at `size`. */
void stress_scene_path(uint64_t seed, const char *folder, char *path, size_t size);

#endif
