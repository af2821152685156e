/* SIGINT and SIGTERM ask a run to stop after its frame; a second one ends the program at once. */
#ifndef WEFT_CLI_INTERRUPT_H
#define WEFT_CLI_INTERRUPT_H

void weft_interrupt_catch(void);
/* The signal that came, or 0. */
int weft_interrupt_signal(void);
/* Seconds on a clock that only goes forward. */
double weft_wall_clock(void);

#endif
