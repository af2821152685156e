/* Tables of the scalar settings of a study file. */
#ifndef WEFT_LAB_STUDY_STUDY_PARAMS_H
#define WEFT_LAB_STUDY_STUDY_PARAMS_H

#include "lab/study/study_file.h"

const weft_param *weft_study_params(void);       /* top level */
const weft_param *weft_study_limit_params(void); /* limits: */
const weft_param *weft_study_run_params(void);   /* run: */
const weft_param *weft_slurm_params(void);       /* slurm:, of weft_slurm_settings */

#endif
