#include "solve/streamed_lines.h"

#include <string.h>

#include "core/simd.h"

#ifdef WEFT_SIMD_X86
#include <immintrin.h>
#endif

/* Ordinary stores: up to the next cache line, and at the end. */
static void write_some(weft_lines *lines, int32_t count) {
    memcpy(lines->to, lines->wait, (size_t)count * sizeof *lines->to);
    lines->to += count;
    lines->count -= count;
    memmove(lines->wait, lines->wait + count, (size_t)lines->count * sizeof *lines->wait);
}

#ifdef WEFT_SIMD_X86
/* Streaming stores; `to` is aligned to cache lines. With AVX-512 a line is one store, and the processor has only few
 * buffers for stores that wait. */
WEFT_TARGET_AVX512 static void stream_lines(float *to, const float *from, int32_t count) {
    for (int32_t i = 0; i < count; i += WEFT_LINE)
        _mm512_stream_ps(to + i, _mm512_loadu_ps(from + i));
}

static void stream_quarters(float *to, const float *from, int32_t count) {
    for (int32_t i = 0; i < count; i += 4)
        _mm_stream_ps(to + i, _mm_loadu_ps(from + i));
}

static void write_lines(weft_lines *lines) {
    int32_t into = (int32_t)(((uintptr_t)lines->to / sizeof *lines->to) % WEFT_LINE);
    if (into > 0 && lines->count >= WEFT_LINE - into)
        write_some(lines, WEFT_LINE - into);
    int32_t whole = lines->count / WEFT_LINE * WEFT_LINE;
    (weft_simd_isa() >= WEFT_ISA_AVX512 ? stream_lines : stream_quarters)(lines->to, lines->wait, whole);
    memcpy(lines->wait, lines->wait + whole, WEFT_LINE * sizeof *lines->wait);
    lines->to += whole;
    lines->count -= whole;
}

void weft_lines_fence(void) { _mm_sfence(); }
#else
static void write_lines(weft_lines *lines) { write_some(lines, lines->count); }
void weft_lines_fence(void) {}
#endif

void weft_lines_add(weft_lines *lines, int32_t count) {
    if (!lines->wait) {
        lines->to += count;
        return;
    }
    lines->count += count;
    if (lines->count >= WEFT_LINE)
        write_lines(lines);
}

void weft_lines_end(weft_lines *lines) {
    if (lines->wait)
        write_some(lines, lines->count);
}
