#ifndef WEFT_CLI_WAITING_H
#define WEFT_CLI_WAITING_H

/* Called first thing in main. May start the program anew. */
void weft_wait_briefly(char **argv);

#endif
