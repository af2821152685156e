/* Continuous collision detection must not miss a contact. Two references share no code with it: contacts constructed
 * exactly in integers, and the coplanarity cubic in long double on random motions. The closest points of a reported hit
 * must be within the margin. WEFT_LONG_TESTS=1 runs ten million pairs of each kind. */
#include "contact/ccd.h"
#include "support.h"

static const double MARGIN = 1e-6;

static uint64_t counter;

static int whole(int low, int high) {
    return low + (int)(weft_random_bits(23, counter++) % (uint64_t)(high - low + 1));
}

static weft_vec3 lattice(int most) {
    return weft_vec3_make(whole(-most, most), whole(-most, most), whole(-most, most));
}

static long pairs_wanted(void) { return getenv("WEFT_LONG_TESTS") ? 10000000 : 1000000; }

static double loosest; /* their largest distance relative to the size of the pair */
static long loose;     /* hits beyond the margin: grazing pairs that reached the iteration limit, and pairs below
                        * rounding */

/* Checks that the weights are in [0, 1], and evaluates their distance at the time of the hit in long double. */
static void check_witness(weft_pair_kind kind, const weft_vec3 *start, const weft_vec3 *end, const weft_ccd_hit *hit,
                          double margin) {
    int first = kind == WEFT_VERTEX_TRIANGLE ? 1 : 2;
    long double t = hit->time, apart[3] = {0, 0, 0}, size = 0;
    double sum[2] = {0, 0};
    if (!(hit->time >= 0 && hit->time <= 1))
        fail_msg("time %g", hit->time);
    for (int i = 0; i < 4; i++) {
        double share = i < first ? hit->weight[i] : -hit->weight[i];
        if (!(share >= -1e-12 && share <= 1 + 1e-12))
            fail_msg("weight %g", share);
        sum[i >= first] += share;
        const double s[3] = {start[i].x, start[i].y, start[i].z}, e[3] = {end[i].x, end[i].y, end[i].z};
        for (int k = 0; k < 3; k++) {
            apart[k] += (long double)hit->weight[i] * ((1 - t) * s[k] + t * e[k]);
            size = fmaxl(size, fmaxl(fabsl(s[k]), fabsl(e[k])));
        }
    }
    if (fabs(sum[0] - 1) + fabs(sum[1] - 1) > 1e-12)
        fail_msg("weights add up to %g and %g", sum[0], sum[1]);
    long double d = sqrtl(apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2]);
    if (d > margin * (1 + 1e-9) + 1e-13L * size) {
        loose++;
        loosest = fmax(loosest, (double)(d / size));
    }
}

/* A motion in which both features touch exactly at time `when` / 16. */
typedef struct built {
    weft_pair_kind kind;
    weft_vec3 at[4], way[4]; /* integers: the corners at that time, and a sixteenth of their displacement */
    int when;
} built;

static void place_vertex_triangle(built *b) {
    int u = whole(0, 8), v = whole(0, 8 - u);
    for (int i = 1; i < 4; i++)
        b->at[i] = weft_scale(8, lattice(8));
    switch (whole(0, 7)) { /* one in four is degenerate */
    case 0:
        b->at[3] = b->at[1];
        break;
    case 1: {
        weft_vec3 step = lattice(3);
        b->at[2] = weft_add_scaled(b->at[1], 8 * whole(-3, 3), step);
        b->at[3] = weft_add_scaled(b->at[1], 8 * whole(-3, 3), step);
        break;
    }
    default:
        break;
    }
    weft_vec3 p = weft_scale(u / 8.0, b->at[1]);
    p = weft_add_scaled(p, v / 8.0, b->at[2]);
    b->at[0] = weft_add_scaled(p, (8 - u - v) / 8.0, b->at[3]);
}

static void place_edges(built *b) {
    int s = whole(0, 8), t = whole(0, 8);
    weft_vec3 q = lattice(64), p = lattice(8), r = lattice(8);
    if (whole(0, 3) == 0) /* parallel, or of zero length */
        r = weft_scale(whole(-2, 2), p);
    b->at[0] = weft_add_scaled(q, -s, p);
    b->at[1] = weft_add_scaled(q, 8 - s, p);
    b->at[2] = weft_add_scaled(q, -t, r);
    b->at[3] = weft_add_scaled(q, 8 - t, r);
}

static void choose_ways(built *b) {
    weft_vec3 common = lattice(4);
    int how = whole(0, 5);
    for (int i = 0; i < 4; i++)
        switch (how) {
        case 0: /* at rest */
            b->way[i] = weft_vec3_make(0, 0, 0);
            break;
        case 1: /* one moves */
            b->way[i] = i == 0 ? common : weft_vec3_make(0, 0, 0);
            break;
        case 2: /* all move together */
            b->way[i] = common;
            break;
        case 3: { /* sliding along the line to another corner, so that coplanar corners stay coplanar */
            weft_vec3 way = weft_sub(b->at[(i + 1) % 4], b->at[(i + 2) % 4]);
            b->way[i] = weft_vec3_make(rint(way.x / 16), rint(way.y / 16), rint(way.z / 16));
            break;
        }
        case 4: /* all motion in a plane */
            b->way[i] = lattice(4);
            b->way[i].z = 0;
            break;
        default:
            b->way[i] = lattice(4);
            break;
        }
    if (how == 4)
        for (int i = 0; i < 4; i++)
            b->at[i].z = 0;
}

static int stays_apart(weft_pair_kind kind, const weft_vec3 *start, const weft_vec3 *end) {
    double weight[4];
    return weft_ccd_stays_apart(kind, start, end, MARGIN, sqrt(weft_closest(kind, start, weight)));
}

static void exactly_constructed_contacts_are_found(void **state) {
    (void)state;
    loose = 0;
    long wanted = pairs_wanted(), at_start = 0;
    for (long n = 0; n < wanted; n++) {
        built b = {.kind = (weft_pair_kind)(n % 2), .when = whole(0, 16)};
        if (b.kind == WEFT_VERTEX_TRIANGLE)
            place_vertex_triangle(&b);
        else
            place_edges(&b);
        choose_ways(&b);
        double unit = ldexp(1, whole(-30, 20)); /* tiny and huge sizes, scaled exactly */
        weft_vec3 start[4], end[4];
        for (int i = 0; i < 4; i++) {
            start[i] = weft_scale(unit, weft_add_scaled(b.at[i], -b.when, b.way[i]));
            end[i] = weft_scale(unit, weft_add_scaled(b.at[i], 16 - b.when, b.way[i]));
        }
        weft_ccd_hit hit;
        if (!weft_ccd(b.kind, start, end, MARGIN, &hit) || stays_apart(b.kind, start, end))
            fail_msg("pair %ld: missed a contact at %d/16", n, b.when);
        if (hit.time > b.when / 16.0 + 1e-12)
            fail_msg("pair %ld: %.17g is after %d/16", n, hit.time, b.when);
        check_witness(b.kind, start, end, &hit, MARGIN);
        at_start += hit.at_start;
    }
    assert_true(loose < wanted / 100 && loosest < 1e-4);
    print_message("%ld exact contacts, %ld of them from the start: none missed, %ld loose (%g)\n", wanted, at_start,
                  loose, loosest);
}

typedef long double real;

typedef struct real3 {
    real x, y, z;
} real3;

static real3 minus(real3 a, real3 b) { return (real3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static real3 cross(real3 a, real3 b) {
    return (real3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static real dot(real3 a, real3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static void where(const weft_vec3 *start, const weft_vec3 *end, real t, real3 x[4]) {
    for (int i = 0; i < 4; i++)
        x[i] = (real3){(1 - t) * start[i].x + t * end[i].x, (1 - t) * start[i].y + t * end[i].y,
                       (1 - t) * start[i].z + t * end[i].z};
}

static real volume(const weft_vec3 *start, const weft_vec3 *end, real t) {
    real3 x[4];
    where(start, end, t, x);
    return dot(minus(x[1], x[0]), cross(minus(x[2], x[0]), minus(x[3], x[0])));
}

/* By how much the coplanar features overlap, in barycentric coordinates. Negative if they do not. */
static real overlap(weft_pair_kind kind, const weft_vec3 *start, const weft_vec3 *end, real t) {
    real3 x[4];
    where(start, end, t, x);
    if (kind == WEFT_VERTEX_TRIANGLE) {
        real3 n = cross(minus(x[2], x[1]), minus(x[3], x[1]));
        real least = 1, square = dot(n, n);
        for (int i = 0; i < 3; i++) {
            real3 a = minus(x[1 + i], x[0]), b = minus(x[1 + (i + 1) % 3], x[0]);
            least = fminl(least, dot(cross(a, b), n) / square);
        }
        return least;
    }
    real3 p = minus(x[1], x[0]), q = minus(x[3], x[2]), r = minus(x[2], x[0]), n = cross(p, q);
    real square = dot(n, n), s = dot(cross(r, q), n) / square, u = dot(cross(r, p), n) / square;
    return fminl(fminl(s, 1 - s), fminl(u, 1 - u));
}

/* The first time in [0, 1] at which the volume changes its sign while the features overlap by more than `clear`, or 2
 * if there is none. The cubic is monotone between its extrema, so bisection finds each root. */
static real first_contact(weft_pair_kind kind, const weft_vec3 *start, const weft_vec3 *end, real clear) {
    real f0 = volume(start, end, 0), f1 = volume(start, end, 1), f2 = volume(start, end, 2),
         f3 = volume(start, end, -1);
    real b = (f1 + f3) / 2 - f0, a = (f2 - 2 * f1 + f0 - 2 * b) / 6, c = f1 - f0 - a - b;
    real at[4] = {0, 1, 1, 1};
    int count = 1;
    real inside = b * b - 3 * a * c;
    if (inside > 0 && a != 0) {
        real q = -(b + (b < 0 ? -1 : 1) * sqrtl(inside)), first = q / (3 * a), second = q != 0 ? c / q : first;
        for (int i = 0; i < 2; i++) {
            real extremum = i == 0 ? fminl(first, second) : fmaxl(first, second);
            if (extremum > 0 && extremum < 1)
                at[count++] = extremum;
        }
    }
    at[count++] = 1;
    for (int i = 0; i + 1 < count; i++) {
        real low = at[i], high = at[i + 1], sign = volume(start, end, low);
        if (sign * volume(start, end, high) >= 0)
            continue;
        for (int k = 0; k < 64; k++) {
            real middle = (low + high) / 2;
            *(volume(start, end, middle) * sign > 0 ? &low : &high) = middle;
        }
        if (overlap(kind, start, end, low) > clear)
            return low;
    }
    return 2;
}

static double uniform(double low, double high) { return low + (high - low) * weft_random(29, counter++); }

static void contacts_of_random_motions_are_found(void **state) {
    (void)state;
    loose = 0;
    long wanted = pairs_wanted(), sure = 0, reported = 0, left_out = 0;
    for (long n = 0; n < wanted; n++) {
        weft_pair_kind kind = (weft_pair_kind)(n % 2);
        double flat = n % 4 < 2 ? 1 : pow(10, uniform(-9, 0)), slow = pow(10, uniform(-4, 0.5));
        weft_vec3 start[4], end[4];
        for (int i = 0; i < 4; i++) {
            start[i] = weft_vec3_make(uniform(-1, 1), uniform(-1, 1), flat * uniform(-1, 1));
            end[i] = weft_vec3_make(start[i].x + slow * uniform(-1, 1), start[i].y + slow * uniform(-1, 1),
                                    start[i].z + flat * slow * uniform(-1, 1));
        }
        weft_ccd_hit hit;
        int apart = stays_apart(kind, start, end), found = weft_ccd(kind, start, end, MARGIN, &hit);
        real expected = first_contact(kind, start, end, 1e-9L);
        if (expected <= 1 && (!found || apart))
            fail_msg("pair %ld: missed a contact at %.15Lg", n, expected);
        if (expected <= 1 && hit.time > (double)expected + 1e-12)
            fail_msg("pair %ld: %.17g is after %.17Lg", n, hit.time, expected);
        if (found)
            check_witness(kind, start, end, &hit, MARGIN);
        sure += expected <= 1;
        reported += found;
        left_out += apart;
    }
    assert_true(sure > wanted / 100 && left_out > wanted / 100 && loose == 0);
    print_message(
        "%ld random motions: %ld contacts by the cubic, none missed; %ld reported, %ld rejected as too slow\n", wanted,
        sure, reported, left_out);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(exactly_constructed_contacts_are_found),
                                       cmocka_unit_test(contacts_of_random_motions_are_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
