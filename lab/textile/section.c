#include "lab/textile/section.h"

#include <math.h>
#include <stdlib.h>

#include "weft/sort.h"

void weft_section_free(weft_section *section) {
    free(section->point);
    *section = (weft_section){0};
}

static weft_result add(weft_section *section, weft_vec2 point) {
    if (section->count == section->room) {
        int32_t room = 2 * section->room + 64;
        weft_vec2 *grown = realloc(section->point, (size_t)room * sizeof *grown);
        if (!grown)
            return weft_fail_memory("a section", (size_t)room * sizeof *grown);
        section->point = grown;
        section->room = room;
    }
    section->point[section->count++] = point;
    return weft_ok();
}

weft_result weft_section_cut(weft_section *section, double height, const weft_vec3 *x, const int32_t (*triangle)[3],
                             int32_t triangles, const uint8_t *skip) {
    for (int32_t t = 0; t < triangles; t++)
        for (int k = 0; k < 3 && !(skip && skip[t]); k++) {
            weft_vec3 a = x[triangle[t][k]], b = x[triangle[t][(k + 1) % 3]];
            if ((a.y < height) == (b.y < height))
                continue;
            double s = (height - a.y) / (b.y - a.y);
            WEFT_TRY(add(section, (weft_vec2){a.x + s * (b.x - a.x), a.z + s * (b.z - a.z)}));
        }
    return weft_ok();
}

static int compare(const void *a, const void *b) {
    const weft_vec2 *p = a, *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return p->y < q->y ? -1 : p->y > q->y;
}

static double turn(weft_vec2 a, weft_vec2 b, weft_vec2 c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

weft_result weft_section_wrap(weft_section *section) {
    int32_t n = section->count, m = 0;
    if (n < 3)
        return weft_ok();
    weft_sort(section->point, (size_t)n, sizeof *section->point, compare);
    weft_vec2 *hull = malloc(2 * (size_t)n * sizeof *hull);
    if (!hull)
        return weft_fail_memory("a section", 2 * (size_t)n * sizeof *hull);
    for (int32_t i = 0; i < n; i++) {
        while (m >= 2 && turn(hull[m - 2], hull[m - 1], section->point[i]) <= 0)
            m--;
        hull[m++] = section->point[i];
    }
    int32_t lower = m + 1;
    for (int32_t i = n - 1; i-- > 0;) {
        while (m >= lower && turn(hull[m - 2], hull[m - 1], section->point[i]) <= 0)
            m--;
        hull[m++] = section->point[i];
    }
    free(section->point);
    section->point = hull;
    section->room = 2 * n;
    section->count = m - 1; /* the last point is the first one again */
    return weft_ok();
}

double weft_section_girth(const weft_section *section) {
    double length = 0;
    for (int32_t i = 0; i < section->count; i++) {
        weft_vec2 a = section->point[i], b = section->point[(i + 1) % section->count];
        length += hypot(b.x - a.x, b.y - a.y);
    }
    return length;
}

static int is_inside(const weft_section *polygon, weft_vec2 p, double margin) {
    for (int32_t i = 0; i < polygon->count; i++) {
        weft_vec2 a = polygon->point[i], b = polygon->point[(i + 1) % polygon->count];
        double side = hypot(b.x - a.x, b.y - a.y);
        if (side > 0 && turn(a, b, p) / side < -margin)
            return 0;
    }
    return polygon->count >= 3;
}

void weft_section_keep_inside(weft_section *section, const weft_section *polygon, double margin) {
    int32_t kept = 0;
    for (int32_t i = 0; i < section->count; i++)
        if (is_inside(polygon, section->point[i], margin))
            section->point[kept++] = section->point[i];
    section->count = kept;
}
