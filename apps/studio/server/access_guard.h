/* Access control: the session token, and checks of where a request comes from. */
#ifndef WEFT_APPS_STUDIO_SERVER_ACCESS_GUARD_H
#define WEFT_APPS_STUDIO_SERVER_ACCESS_GUARD_H

#include "weft/base.h"

enum { STUDIO_TOKEN_SIZE = 33 }; /* 128 bits as hexadecimal digits, plus the terminating 0 byte */

/* Makes a token from the system's random number generator. */
weft_result studio_token_make(char token[STUDIO_TOKEN_SIZE]);
/* Compares in constant time, so that timing reveals nothing about the token. */
int studio_token_is(const char token[STUDIO_TOKEN_SIZE], const char *given);
/* Returns whether a Cookie header contains NAME=TOKEN. */
int studio_cookie_has(const char *header, const char *name, const char token[STUDIO_TOKEN_SIZE]);

/* Returns whether a Host header names this machine's loopback address, with any port. Other names are refused, because
 * foreign DNS could resolve them to this machine (DNS rebinding). */
int studio_host_is_local(const char *host);
/* Returns whether an Origin header is the origin of the studio's own page. */
int studio_origin_is(const char *origin, const char *host);

#endif
