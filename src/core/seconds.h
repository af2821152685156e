#ifndef WEFT_CORE_SECONDS_H
#define WEFT_CORE_SECONDS_H

/* The time of a monotonic clock, s. */
double weft_seconds(void);

#endif
