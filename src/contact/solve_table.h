/* Contacts for the integrator's solve: fills the table of solve/equations.h from the state of a step. */
#ifndef WEFT_CONTACT_SOLVE_TABLE_H
#define WEFT_CONTACT_SOLVE_TABLE_H

#include "contact/response.h"
#include "solve/equations.h"

/* The contact of one step. The step fills in the first four; `state.dt` follows with the constraints. */
typedef struct weft_contact_solve {
    weft_contact *contact;
    const weft_contact_settings *settings;
    const weft_work *work;
    weft_contact_state state;
    weft_contact_report report; /* of the barrier */
    double stored_at_start;     /* energy in barrier and grips at the start of the step, J */
    double stored;              /* the same at its end, J */
    int minimised;              /* 1: the barrier has kept the whole step free of contact */
    int declined;               /* 1: it cannot take this step, and constraints must */
    int too_far;                /* 1: a body or pin goes too far for one step */
    double seconds;             /* wall time spent in the functions of the table, s */
    weft_contact_solver solver;
} weft_contact_solve;

/* The table of a step whose other fields are set, or null when contact is left to impulses after the solve. It is valid
 * as long as `solve` is. */
const weft_contact_solver *weft_contact_solver_begin(weft_contact_solve *solve);

#endif
