/* The parts of the manual that no single command owns, and the man page. */
#ifndef WEFT_APPS_CLI_MANUAL_H
#define WEFT_APPS_CLI_MANUAL_H

/* Prints examples, exit status, files and environment as plain text, for `weft --help`. */
void weft_manual_print_sections(void);
/* Prints the whole manual as roff: weft.1. Returns the exit status. */
int weft_manual_print(void);

#endif
