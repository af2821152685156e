/* Access control: the session token, the cookie that carries it, and checks of the Host and Origin headers. */
#include "apps/studio/server/access_guard.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

weft_result studio_token_make(char token[STUDIO_TOKEN_SIZE]) {
    unsigned char bytes[(STUDIO_TOKEN_SIZE - 1) / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return weft_fail(WEFT_BAD_FILE, "no random numbers for the token: %s", strerror(errno));
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return weft_ok();
}

static int same_bytes(const char *token, const char *given, size_t length) {
    unsigned char different = length == STUDIO_TOKEN_SIZE - 1 ? 0 : 1;
    for (size_t i = 0; i < STUDIO_TOKEN_SIZE - 1; i++)
        different |= (unsigned char)(token[i] ^ (i < length ? given[i] : 0));
    return different == 0;
}

int studio_token_is(const char token[STUDIO_TOKEN_SIZE], const char *given) {
    return same_bytes(token, given, strlen(given));
}

int studio_cookie_has(const char *header, const char *name, const char token[STUDIO_TOKEN_SIZE]) {
    size_t length = strlen(name);
    int found = 0;
    while (*header) {
        header += strspn(header, "; ");
        size_t part = strcspn(header, ";");
        if (part > length && strncmp(header, name, length) == 0 && header[length] == '=')
            found |= same_bytes(token, header + length + 1, part - length - 1);
        header += part;
    }
    return found;
}

static int is_port(const char *text) {
    size_t digits = strspn(text, "0123456789");
    return digits > 0 && digits <= 5 && text[digits] == '\0';
}

int studio_host_is_local(const char *host) {
    static const char *const NAMES[] = {"127.0.0.1", "localhost", "[::1]"};
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        size_t length = strlen(NAMES[i]);
        if (strncasecmp(host, NAMES[i], length) != 0)
            continue;
        if (host[length] == '\0' || (host[length] == ':' && is_port(host + length + 1)))
            return 1;
    }
    return 0;
}

int studio_origin_is(const char *origin, const char *host) {
    static const char SCHEME[] = "http://";
    return strncasecmp(origin, SCHEME, sizeof SCHEME - 1) == 0 && strcasecmp(origin + sizeof SCHEME - 1, host) == 0;
}
