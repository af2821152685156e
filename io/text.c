/* Converts numbers to and from text, and buffers text output.
 *
 * The fast path for reading follows Clinger, "How to Read Floating Point Numbers Accurately", PLDI 1990. An integer
 * below 2^53 and a power of ten up to 10^22 are both exact, so a single operation on them rounds correctly. */
#include "io/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "weft/text.h"

static const double POWER[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                               1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
enum { MOST_POWER = 22 };

/* -- reading -- */

/* The components of [+-]digits[.digits][e[+-]digits]. */
typedef struct decimal {
    int negative, digits; /* digits: significant digits, without leading zeros */
    uint64_t mantissa;    /* valid up to 19 digits */
    int exponent;
} decimal;

static int is_digit(char c) { return c >= '0' && c <= '9'; }

static const char *scan_exponent(const char *at, const char *end, int *exponent) {
    int negative = at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+');
    if (at == end || !is_digit(*at))
        return NULL;
    int value = 0;
    for (; at < end && is_digit(*at); at++)
        value = value < 100000 ? 10 * value + (*at - '0') : value;
    *exponent += negative ? -value : value;
    return at;
}

static int scan(const char *at, const char *end, decimal *d) {
    *d = (decimal){0};
    d->negative = at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+');
    int any = 0, after_point = 0;
    for (; at < end && (is_digit(*at) || (*at == '.' && !after_point)); at++) {
        if (*at == '.') {
            after_point = 1;
            continue;
        }
        any = 1;
        d->mantissa = 10 * d->mantissa + (uint64_t)(*at - '0');
        d->digits += d->mantissa > 0 || d->digits > 0;
        d->exponent -= after_point;
    }
    if (any && at < end && (*at == 'e' || *at == 'E'))
        at = scan_exponent(at + 1, end, &d->exponent);
    return any && at == end;
}

static double read_slowly(const char *text, size_t length) {
    char copy[128];
    memcpy(copy, text, length);
    copy[length] = '\0';
    return weft_real_parse(copy, NULL);
}

int weft_real_read(const char *text, size_t length, double *number) {
    decimal d;
    if (length == 0 || length >= 128 || !scan(text, text + length, &d))
        return 0;
    int exact = d.digits <= 19 && d.mantissa <= UINT64_C(1) << 53;
    if (exact && d.exponent >= -MOST_POWER && d.exponent <= MOST_POWER) {
        double m = (double)d.mantissa;
        m = d.exponent < 0 ? m / POWER[-d.exponent] : m * POWER[d.exponent];
        *number = d.negative ? -m : m;
        return 1;
    }
    *number = read_slowly(text, length);
    return isfinite(*number);
}

/* -- writing -- */

static size_t print_real(double number, int digits, char *buffer) {
    return (size_t)weft_format(buffer, WEFT_REAL_SIZE, "%.*g", digits, number);
}

/* Writes 0 <= value < 10^digits with a decimal point after the first `whole` digits, without trailing zeros in the
 * fraction. */
static char *put_digits(char *at, uint64_t value, int digits, int whole) {
    char reversed[24] = {0};
    for (int i = 0; i < digits; i++, value /= 10)
        reversed[i] = (char)('0' + value % 10);
    int last = 0;
    while (last < digits - whole && reversed[last] == '0')
        last++;
    for (int i = digits - 1; i >= last; i--) {
        if (i == digits - whole - 1)
            *at++ = '.';
        *at++ = reversed[i];
    }
    return at;
}

size_t weft_real_write(double number, char *buffer) {
    double size = fabs(number);
    if (size == 0) {
        buffer[0] = '0';
        return 1;
    }
    if (!(size >= 1e-4 && size < 1e9))
        return print_real(number, 10, buffer);
    int whole = 1; /* digits before the point */
    while (whole < 9 && size >= POWER[whole])
        whole++;
    int fraction = 10 - whole;
    for (double limit = 1; size < limit && fraction < 14; limit /= 10)
        fraction++;
    uint64_t value = (uint64_t)(size * POWER[fraction] + 0.5);
    if ((double)value >= POWER[whole + fraction]) /* 9.9999999999 rounds up to one more digit */
        return print_real(number, 10, buffer);
    char *at = buffer;
    if (number < 0)
        *at++ = '-';
    return (size_t)(put_digits(at, value, whole + fraction, whole) - buffer);
}

size_t weft_real_write_exact(double number, char *buffer) {
    size_t length = 0;
    for (int digits = 6; digits <= 17; digits++) {
        double back;
        length = print_real(number, digits, buffer);
        if (weft_real_read(buffer, length, &back) && back == number)
            break;
    }
    return length;
}

size_t weft_utf8_length(const char *text) {
    const unsigned char *c = (const unsigned char *)text;
    size_t length = c[0] < 0x80 ? 1 : c[0] >= 0xc2 && c[0] < 0xe0 ? 2 : c[0] >= 0xe0 && c[0] < 0xf0 ? 3 : 4;
    if (length == 4 && (c[0] < 0xf0 || c[0] > 0xf4))
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    int overlong = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xf0 && c[1] < 0x90);
    int surrogate = c[0] == 0xed && c[1] >= 0xa0, beyond = c[0] == 0xf4 && c[1] >= 0x90;
    return overlong || surrogate || beyond ? 0 : length;
}

/* -- the buffer -- */

void weft_text_start(weft_text *text, weft_output *output) {
    text->output = output;
    text->used = 0;
}

void weft_text_flush(weft_text *text) {
    weft_output_write(text->output, text->bytes, text->used);
    text->used = 0;
}

static char *room(weft_text *text, size_t size) {
    if (text->used + size > sizeof text->bytes)
        weft_text_flush(text);
    return text->bytes + text->used;
}

void weft_text_put(weft_text *text, const char *string) {
    while (*string)
        weft_text_put_char(text, *string++);
}

void weft_text_put_char(weft_text *text, char c) {
    *room(text, 1) = c;
    text->used++;
}

void weft_text_put_real(weft_text *text, double number) {
    text->used += weft_real_write(number, room(text, WEFT_REAL_SIZE));
}

void weft_text_put_integer(weft_text *text, int64_t number) {
    char reversed[24], *at = room(text, WEFT_REAL_SIZE);
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    int count = 0;
    do
        reversed[count++] = (char)('0' + rest % 10);
    while ((rest /= 10) > 0);
    if (number < 0)
        reversed[count++] = '-';
    for (int i = 0; i < count; i++)
        at[i] = reversed[count - 1 - i];
    text->used += (size_t)count;
}
