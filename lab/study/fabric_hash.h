/* The fabric files that a study uses. */
#ifndef WEFT_LAB_STUDY_FABRIC_HASH_H
#define WEFT_LAB_STUDY_FABRIC_HASH_H

#include "lab/study/study_file.h"

/* Hash of the values of all fabric files that the scene, `set` or `vary` names. Presets do not count. */
weft_result weft_study_fabric_hash(const weft_study *study, uint64_t *hash);

#endif
