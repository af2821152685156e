/* SIGINT and SIGTERM stop a run after the current frame. A second signal ends the program at once. */
#ifndef WEFT_APPS_CLI_INTERRUPT_H
#define WEFT_APPS_CLI_INTERRUPT_H

void weft_interrupt_catch(void);
/* Returns the signal received, or 0. */
int weft_interrupt_signal(void);
/* Seconds on a monotonic clock. */
double weft_wall_clock(void);

#endif
