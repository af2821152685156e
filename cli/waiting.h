#ifndef WEFT_CLI_WAITING_H
#define WEFT_CLI_WAITING_H

/* Call this first in main. It may re-execute the program. */
void weft_wait_briefly(char **argv);

#endif
