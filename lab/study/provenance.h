/* Where results come from: program, scene, study and machines. */
#ifndef WEFT_LAB_STUDY_PROVENANCE_H
#define WEFT_LAB_STUDY_PROVENANCE_H

#include "lab/study/results.h"

/* Receives one fact. */
typedef void (*weft_fact)(void *context, const char *key, const char *value);
/* Tells all facts in a fixed order: version, commit, study, scene, scene_hash, seed, design, cases, machine and the
 * study file itself. The hosts are sorted. No times are among them, so that an interrupted study tells the same. */
weft_result weft_provenance_tell(const weft_results *results, weft_fact tell, void *context);

/* Hash of all values of the scene, with the files that it includes. Comments do not count. */
weft_result weft_scene_values_hash(const char *scene, uint64_t *hash);
/* The commit that the program was built from. Static text. */
const char *weft_commit(void);

#endif
