#ifndef WEFT_CORE_SECONDS_H
#define WEFT_CORE_SECONDS_H

/* A steady clock, s. */
double weft_seconds(void);

#endif
