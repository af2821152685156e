/* Who is let in: the token, and where a request comes from. */
#ifndef WEFT_STUDIO_SERVER_ACCESS_GUARD_H
#define WEFT_STUDIO_SERVER_ACCESS_GUARD_H

#include "weft/base.h"

enum { STUDIO_TOKEN_SIZE = 33 }; /* 128 bits as hexadecimal digits, and the 0 byte */

/* From the system's random numbers. */
weft_result studio_token_make(char token[STUDIO_TOKEN_SIZE]);
/* Takes as long for any wrong token. */
int studio_token_is(const char token[STUDIO_TOKEN_SIZE], const char *given);
/* Whether a Cookie header has NAME=TOKEN. */
int studio_cookie_has(const char *header, const char *name, const char token[STUDIO_TOKEN_SIZE]);

/* Whether a Host header names this machine's loopback, with any port: a name that someone else's DNS leads here is
 * refused. */
int studio_host_is_local(const char *host);
/* Whether an Origin header is that of the page itself. */
int studio_origin_is(const char *origin, const char *host);

#endif
