/* Calibration of the springs to a fabric, so that the cloth stretches like the fabric at any resolution.
 *
 * In a surface with the homogeneous strains (ex, ey, g), a spring of stiffness k and length L at the angle t to the
 * weft stores 1/2 k L^2 (c^2 ex + s^2 ey + c s g)^2, with c = cos t and s = sin t. Springs on the total area A
 * therefore act as a membrane with
 *     C11 = sum k L^2 c^4 / A,   C22 = sum k L^2 s^4 / A,   C12 = C33 = sum k L^2 c^2 s^2 / A,
 *     C13 = sum k L^2 c^3 s / A, C23 = sum k L^2 c s^3 / A.
 * The relation C12 = C33 (Cauchy) is a limitation of springs. The Poisson effect follows from the shear modulus, and
 * the Poisson ratios of the fabric are not used. Each spring gets
 *     k = (alpha_x b_x + alpha_y b_y + alpha_s b_s) area / L^2
 * where `area` is the area that the spring represents (Van Gelder, Journal of Graphics Tools 1998: k = E sum(A) / L^2).
 * The basis functions are b_x, b_y = cos^2 2t within 45 degrees of the weft and of the warp, and b_s = sin^2 2t. The
 * three alphas >= 0 are chosen such that a strip pulled along weft or warp, free to narrow and to shear, has the moduli
 * of the fabric,
 *     1 / (C^-1)11 = E_x,   1 / (C^-1)22 = E_y,   and C33 = E_s.
 * If a lattice cannot satisfy all three, stretch takes precedence over shear. On a grid hx x hy a weft spring gets k =
 * C11 hy / hx, less the contribution of the diagonals, and half of it at borders. The diagonals of a square grid get k
 * = E_s (hx^2 + hy^2) / (2 hx hy). Without rest coordinates the weft is unknown. An isotropic lattice has E = sum k L^2
 * / (3 A), and E is set to the mean of E_x and E_y.
 *
 * A flexion spring of span L over a surface of curvature q shortens by L^3 q^2 / 24. Its energy is of fourth order in q
 * and cannot equal the fabric's 1/2 B q^2 area at every curvature. The two are made equal at q = 1 / (5 L), one tenth
 * of the inverse edge length: k = 14400 B area / L^4. It is at most MOST_FLEXION of the fabric's stretch stiffness. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "cloth/springs/springs.h"
#include "weft/vec.h"

#define MOST_FLEXION 0.2
enum { X, Y, S, XS, YS, PARTS, ROUNDS = 60 };

/* Weights of the misfits in C11, C22 and C33: stretch takes precedence over shear. */
static const double WEIGHT[3] = {1, 1, 0.01};

typedef struct lattice {
    double basis[PARTS][3]; /* basis[c][j]: the contribution of alpha_j = 1 to C11, C22, C33, C13, C23 */
    double fixed[PARTS];    /* the contributions of the flexion springs */
} lattice;

/* Cosine and sine of the angle to the weft. Springs whose ends have the same rest coordinates count as diagonal. */
static void direction_of(double weft, double *c, double *d) {
    *c = weft > 1 ? 0.7071067811865476 : weft;
    *d = sqrt(1 - *c * *c);
}

static int has_weft(const weft_springs *s) {
    for (int32_t i = 0; i < s->list.count; i++)
        if (s->list.weft[i] <= 1)
            return 1;
    return 0;
}

static void tensor_of(double c, double d, double tensor[PARTS]) {
    tensor[X] = c * c * c * c;
    tensor[Y] = d * d * d * d;
    tensor[S] = c * c * d * d;
    tensor[XS] = c * c * c * d;
    tensor[YS] = c * d * d * d;
}

static void basis_of(double c, double d, double basis[3]) {
    double along = (c * c - d * d) * (c * c - d * d);
    basis[X] = c * c >= d * d ? along : 0;
    basis[Y] = c * c >= d * d ? 0 : along;
    basis[S] = 4 * c * c * d * d;
}

static double squared_length(const weft_springs *s, int32_t i) {
    weft_vec3 d = weft_sub(s->mesh->position[s->list.end[i][1]], s->mesh->position[s->list.end[i][0]]);
    return weft_dot(d, d);
}

/* In a folded rest shape the ends of a flexion spring may coincide. The area then keeps the stiffness finite. */
static double flexion_stiffness(const weft_springs *s, int32_t i, const weft_fabric *fabric) {
    double area = s->list.area[i], squared = squared_length(s, i), c, d;
    direction_of(s->list.weft[i], &c, &d);
    double weft = c * c;
    double bend = weft * fabric->bend_weft + (1 - weft) * fabric->bend_warp;
    double stretch = weft * fabric->stretch_weft + (1 - weft) * fabric->stretch_warp;
    squared = squared > area ? squared : area;
    if (!(squared > 0))
        return 0;
    double wanted = 14400 * bend * area / (squared * squared), most = MOST_FLEXION * stretch * area / squared;
    return wanted < most ? wanted : most;
}

static void set_stiffness(weft_springs *s, int32_t i, double k) {
    s->stiffness[i] = k < (double)FLT_MAX ? (float)k : FLT_MAX;
}

/* Residual of the weighted least squares at alpha. */
static double misfit(const lattice *l, const double target[3], const double alpha[3]) {
    double sum = 0;
    for (int c = 0; c < 3; c++) {
        double value = l->fixed[c] - target[c];
        for (int j = 0; j < 3; j++)
            value += l->basis[c][j] * alpha[j];
        sum += WEIGHT[c] * (value / target[c]) * (value / target[c]);
    }
    return sum;
}

/* Solves the least squares problem for the alphas in the set `active`, the others being 0. Uses the normal equations
 * and elimination. A ridge term keeps them solvable if directions are missing. */
static void solve_free(const lattice *l, const double target[3], unsigned active, double alpha[3]) {
    double matrix[3][4] = {{0}};
    for (int i = 0; i < 3; i++) {
        for (int c = 0; c < 3 && (active >> i & 1); c++) {
            double weight = WEIGHT[c] / (target[c] * target[c]);
            for (int j = 0; j < 3; j++)
                matrix[i][j] += (active >> j & 1) ? weight * l->basis[c][i] * l->basis[c][j] : 0;
            matrix[i][3] += weight * l->basis[c][i] * (target[c] - l->fixed[c]);
        }
    }
    for (int i = 0; i < 3; i++)
        matrix[i][i] = matrix[i][i] > 0 ? matrix[i][i] * (1 + 1e-9) : 1;
    for (int i = 0; i < 3; i++) {
        for (int row = i + 1; row < 3; row++) {
            double factor = matrix[row][i] / matrix[i][i];
            for (int j = i; j < 4; j++)
                matrix[row][j] -= factor * matrix[i][j];
        }
    }
    for (int i = 2; i >= 0; i--) {
        alpha[i] = matrix[i][3];
        for (int j = i + 1; j < 3; j++)
            alpha[i] -= matrix[i][j] * alpha[j];
        alpha[i] = (active >> i & 1) ? alpha[i] / matrix[i][i] : 0;
    }
}

static void solve_positive(const lattice *l, const double target[3], double alpha[3]) {
    double least = INFINITY;
    for (unsigned active = 0; active < 8; active++) {
        double candidate[3];
        solve_free(l, target, active, candidate);
        if (candidate[0] < 0 || candidate[1] < 0 || candidate[2] < 0)
            continue;
        double m = misfit(l, target, candidate);
        if (m < least) {
            least = m;
            memcpy(alpha, candidate, sizeof candidate);
        }
    }
}

/* The difference between C11 and the modulus of a pulled strip that is free to narrow and to shear. With the
 * corresponding arguments, the same for C22. */
static double relief(double other, double c12, double own_shear, double other_shear, double c33) {
    double determinant = other * c33 - other_shear * other_shear;
    if (determinant > 1e-9 * other * c33)
        return (c33 * c12 * c12 - 2 * other_shear * c12 * own_shear + other * own_shear * own_shear) / determinant;
    return other > 0 ? c12 * c12 / other : 0;
}

/* The targets for C11 and C22 include the relief, which depends on the result. The iteration converges quickly. */
static void calibrate(const lattice *l, const weft_fabric *fabric, double alpha[3]) {
    /* Misfits are relative. A fabric without shear stiffness gets a millionth of its stretch stiffness instead. */
    double least = 1e-6 * (fabric->stretch_weft + fabric->stretch_warp);
    double target[3] = {fabric->stretch_weft, fabric->stretch_warp, fabric->shear > least ? fabric->shear : least};
    for (int round = 0; round < ROUNDS; round++) {
        double c[PARTS];
        solve_positive(l, target, alpha);
        for (int i = 0; i < PARTS; i++)
            c[i] = l->fixed[i] + l->basis[i][X] * alpha[X] + l->basis[i][Y] * alpha[Y] + l->basis[i][S] * alpha[S];
        target[X] = fabric->stretch_weft + relief(c[Y], c[S], c[XS], c[YS], c[S]);
        target[Y] = fabric->stretch_warp + relief(c[X], c[S], c[YS], c[XS], c[S]);
    }
}

static void add_to_lattice(const weft_springs *s, int32_t i, lattice *l) {
    double c, d, tensor[PARTS], basis[3];
    direction_of(s->list.weft[i], &c, &d);
    tensor_of(c, d, tensor);
    basis_of(c, d, basis);
    int is_flexion = i >= s->list.first[WEFT_FLEXION];
    for (int part = 0; part < PARTS; part++) {
        double share = tensor[part] / s->list.surface;
        l->fixed[part] += is_flexion ? s->stiffness[i] * squared_length(s, i) * share : 0;
        for (int j = 0; j < 3 && !is_flexion; j++)
            l->basis[part][j] += s->list.area[i] * basis[j] * share;
    }
}

static void tune_woven(weft_springs *s, const weft_fabric *fabric) {
    lattice l = {{{0}}, {0}};
    for (int32_t i = 0; i < s->list.count; i++)
        if (s->settings.on[weft_springs_type(s, i)])
            add_to_lattice(s, i, &l);
    s->alpha[X] = s->alpha[Y] = s->alpha[S] = 0;
    calibrate(&l, fabric, s->alpha);
}

static void tune_isotropic(weft_springs *s, const weft_fabric *fabric) {
    double flexion = 0, area = 0;
    for (int32_t i = 0; i < s->list.count; i++) {
        int type = weft_springs_type(s, i);
        if (!s->settings.on[type])
            continue;
        if (type == WEFT_FLEXION)
            flexion += s->stiffness[i] * squared_length(s, i);
        else
            area += s->list.area[i];
    }
    double wanted = 3 * 0.5 * (fabric->stretch_weft + fabric->stretch_warp) * s->list.surface - flexion;
    s->alpha[X] = s->alpha[Y] = s->alpha[S] = area > 0 && wanted > 0 ? wanted / area : 0;
}

double weft_springs_stiffness(const weft_springs *s, double area, double weft, double squared) {
    double c, d, basis[3];
    direction_of(weft, &c, &d);
    basis_of(c, d, basis);
    double modulus = s->alpha[X] * basis[X] + s->alpha[Y] * basis[Y] + s->alpha[S] * basis[S];
    return modulus * area / squared;
}

static void sum_at_vertices(weft_springs *s) {
    size_t bytes = (size_t)s->mesh->vertex_count * sizeof *s->stiffness_sum;
    memset(s->stiffness_sum, 0, bytes);
    memset(s->damping_sum, 0, bytes);
    for (int32_t i = 0; i < s->list.count; i++) {
        double k = s->settings.on[weft_springs_type(s, i)] ? (double)s->stiffness[i] : 0;
        double damping = k > 0 ? s->damping_constant + s->damping_time * k : 0;
        for (int e = 0; e < 2; e++) {
            s->stiffness_sum[s->list.end[i][e]] += k;
            s->damping_sum[s->list.end[i][e]] += damping;
        }
    }
}

static void apply_map(weft_springs *s, int32_t begin, int32_t end, const double *map) {
    for (int32_t i = begin; map && i < end; i++)
        set_stiffness(s, i, weft_map_mean(map, s->list.end[i], 2) * (double)s->stiffness[i]);
}

int weft_springs_any_fabric(const weft_springs_settings *settings) {
    int any = settings->source == WEFT_SPRINGS_FABRIC;
    for (int type = 0; type < WEFT_LINK_TYPES; type++)
        any |= settings->on[type] && weft_springs_ask_fabric(settings->source, settings->stiffness[type]);
    return any;
}

/* The calibration assumes that all stiffnesses come from the fabric. Given ones replace its results. */
static void tune_to_fabric(weft_springs *s, const weft_fabric *fabric) {
    const weft_springs_settings *settings = &s->settings;
    for (int32_t i = s->list.first[WEFT_FLEXION]; i < s->list.count; i++)
        set_stiffness(s, i, flexion_stiffness(s, i, fabric));
    if (has_weft(s))
        tune_woven(s, fabric);
    else
        tune_isotropic(s, fabric);
    for (int32_t i = 0; i < s->list.count; i++) {
        int type = weft_springs_type(s, i);
        if (!weft_springs_ask_fabric(settings->source, settings->stiffness[type]))
            set_stiffness(s, i, settings->stiffness[type]);
        else if (type != WEFT_FLEXION)
            set_stiffness(s, i, weft_springs_stiffness(s, s->list.area[i], s->list.weft[i], squared_length(s, i)));
    }
    s->damping_time += fabric->damping;
}

void weft_springs_tune(weft_springs *s, const weft_cloth *cloth) {
    const weft_springs_settings *settings = &s->settings;
    for (int32_t i = 0; i < s->list.count; i++) {
        int type = weft_springs_type(s, i);
        s->rest[i] = settings->rest[type] > 0 ? settings->rest[type] : sqrt(squared_length(s, i));
        set_stiffness(s, i, settings->stiffness[type]);
    }
    s->damping_constant = settings->damping;
    s->damping_time = settings->damping_time;
    if (weft_springs_any_fabric(settings))
        tune_to_fabric(s, cloth->fabric);
    apply_map(s, 0, s->list.first[WEFT_FLEXION], cloth->map[WEFT_MAP_STRETCH]);
    apply_map(s, s->list.first[WEFT_FLEXION], s->list.count, cloth->map[WEFT_MAP_BEND]);
    sum_at_vertices(s);
}
