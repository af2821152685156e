/* Keeps escapes of the terminal out of messages. */
#include <string.h>

#include "weft/text.h"

/* Bytes of the UTF-8 character at `c`, 0 if it is none. */
static int character_length(const unsigned char *c) {
    int length = *c < 0x80 ? 1 : *c < 0xc2 ? 0 : *c < 0xe0 ? 2 : *c < 0xf0 ? 3 : *c < 0xf5 ? 4 : 0;
    for (int i = 1; i < length; i++)
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

int weft_printable(char *text, const char *keep) {
    int replaced = 0;
    for (unsigned char *c = (unsigned char *)text; *c;) {
        int length = character_length(c);
        int control =
            length == 1 ? (*c < 0x20 || *c == 0x7f) && !strchr(keep, *c) : length == 2 && *c == 0xc2 && c[1] < 0xa0;
        if (length == 0 || control) {
            length = length == 0 ? 1 : length;
            memset(c, '?', (size_t)length);
            replaced++;
        }
        c += length;
    }
    return replaced;
}
