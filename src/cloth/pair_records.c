#include "cloth/pair_records.h"

#include <string.h>

#include "weft/vec.h"

void weft_pair_records(int arity, const weft_vec3 *u, double h, const double *stiffness, const double *damping,
                       float *record) {
    weft_vec3 f[WEFT_ARITY_MAX] = {{0, 0, 0}};
    const double *k = stiffness, *d = damping;
    float *to = record;
    for (int i = 0; i < arity; i++)
        for (int j = i + 1; j < arity; j++, k += 9, d += 9, to += WEFT_PAIR_FLOATS) {
            weft_vec3 e = weft_sub(u[j], u[i]);
            weft_vec3 rows[3] = {{k[0], k[1], k[2]}, {k[3], k[4], k[5]}, {k[6], k[7], k[8]}};
            weft_vec3 on_j = weft_add_scaled(weft_add_scaled(weft_scale(e.x, rows[0]), e.y, rows[1]), e.z, rows[2]);
            f[i] = weft_add(f[i], weft_vec3_make(weft_dot(rows[0], e), weft_dot(rows[1], e), weft_dot(rows[2], e)));
            f[j] = weft_sub(f[j], on_j);
            for (int m = 0; m < 9; m++)
                to[m] = (float)(h * (h * k[m] + d[m]));
            memset(to + 9, 0, 3 * sizeof *to);
        }
    for (int j = 1; j < arity; j++, record += WEFT_PAIR_FLOATS) {
        record[9] = (float)f[j].x;
        record[10] = (float)f[j].y;
        record[11] = (float)f[j].z;
    }
}
