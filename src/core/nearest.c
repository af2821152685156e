/* Suggests the nearest known name for a misspelt one. */
#include <string.h>

#include "weft/param.h"

enum { LONGEST = 48 };

/* Optimal string alignment distance: counts insertions, deletions, replacements and swaps of adjacent letters. */
static int edits(const char *a, const char *b) {
    int m = (int)strlen(a), n = (int)strlen(b);
    if (m > LONGEST || n > LONGEST)
        return LONGEST;
    int row[3][LONGEST + 1];
    for (int j = 0; j <= n; j++)
        row[0][j] = j;
    for (int i = 1; i <= m; i++) {
        int *now = row[i % 3];
        const int *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= n; j++) {
            int best = last[j - 1] + (a[i - 1] != b[j - 1]);
            best = last[j] + 1 < best ? last[j] + 1 : best;
            best = now[j - 1] + 1 < best ? now[j - 1] + 1 : best;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = before[j - 2] + 1 < best ? before[j - 2] + 1 : best;
            now[j] = best;
        }
    }
    return row[m % 3][n];
}

/* Returns whether `word` is one of the words of a name such as stretch_weft. */
static int has_word(const char *name, const char *word) {
    size_t length = strlen(word);
    for (const char *at = name; length > 0 && (at = strstr(at, word)); at++)
        if ((at == name || at[-1] == '_') && (at[length] == '\0' || at[length] == '_'))
            return 1;
    return 0;
}

const char *weft_nearest(const char *word, const char *const *candidates, int count) {
    const char *nearest = NULL;
    int length = (int)strlen(word), allowed = length < 6 ? 1 : length / 3;
    for (int i = 0; i < count; i++) {
        int is_part = has_word(candidates[i], word), distance = is_part ? 1 : edits(word, candidates[i]);
        if (distance <= allowed && (is_part || distance < length)) {
            allowed = distance - 1;
            nearest = candidates[i];
        }
    }
    return nearest;
}
