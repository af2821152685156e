/* A scene with a garment needs its mannequin twice: the garment is sewn around it, and the body takes its mesh and its
 * skeleton. Making one takes seconds, so the first hands its own over to the second. The two know nothing of each
 * other: one belongs to the files of a scene, the other is a component of the engine. */
#include <stdatomic.h>

#include "wear/mannequin/mannequin.h"

/* At most one is kept. Exchanges hand it from thread to thread. */
static _Atomic(mannequin *) spare;

void mannequin_hand_over(mannequin *m) { mannequin_destroy(atomic_exchange(&spare, m)); }

static int is_same(const mannequin_measures *a, const mannequin_measures *b) {
    const double *p = &a->height, *q = &b->height;
    for (size_t i = 0; i < sizeof *a / sizeof *p; i++)
        if (p[i] != q[i])
            return 0;
    return 1;
}

weft_result mannequin_obtain(const mannequin_measures *measures, mannequin **made) {
    mannequin_measures wanted = *measures;
    *made = NULL;
    WEFT_TRY(mannequin_measures_complete(&wanted));
    mannequin *found = atomic_exchange(&spare, NULL);
    if (found && is_same(&found->measures, &wanted)) {
        *made = found;
        return weft_ok();
    }
    mannequin_destroy(found);
    return mannequin_make(measures, made);
}
