/* Stiffness from a fabric, so that a cloth of springs stretches like the fabric at any resolution.
 *
 * In a surface that is deformed evenly by the strains (ex, ey, g) a spring of stiffness k and length L at the angle t
 * to the weft stores 1/2 k L^2 (c^2 ex + s^2 ey + c s g)^2, c = cos t, s = sin t. Springs of total area A therefore
 * act as a membrane with
 *     C11 = sum k L^2 c^4 / A,   C22 = sum k L^2 s^4 / A,   C12 = C33 = sum k L^2 c^2 s^2 / A.
 * The last equality (Cauchy's) is a limit of springs: the Poisson effect follows from the shear modulus, and the
 * fabric's Poisson ratios are not used. Each spring gets
 *     k = (alpha_x b_x + alpha_y b_y + alpha_s b_s) area / L^2
 * with the area that the spring stands for (Van Gelder, Journal of Graphics Tools 1998: k = E sum(A) / L^2) and
 * b_x, b_y = cos^2 2t within 45 degrees of weft and warp, b_s = sin^2 2t. The three alphas >= 0 are such that a strip
 * pulled along weft or warp with free sides has the fabric's moduli,
 *     C11 - C12^2 / C22 = E_x,   C22 - C12^2 / C11 = E_y,   and C33 = E_s;
 * where a lattice cannot have all three, stretching goes before shear. On a grid hx x hy this is k = C11 hy / hx less
 * what the diagonals add for a weft spring, half at borders, and k = E_s (hx^2 + hy^2) / (2 hx hy) for a square
 * grid's diagonals. Without rest coordinates there is no weft: an isotropic lattice has E = sum k L^2 / (3 A), with E
 * the mean of E_x and E_y.
 *
 * A flexion spring of span L over a surface with curvature q shortens by L^3 q^2 / 24: its energy is of fourth order in
 * q and cannot be the fabric's 1/2 B q^2 area. The two are made equal at q = 1 / (5 L), one tenth of the inverse edge:
 * k = 14400 B area / L^4, at most MOST_FLEXION of the fabric's stretch. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "model/springs.h"
#include "weft/vec.h"

#define MOST_FLEXION 0.2
enum { X, Y, S, ROUNDS = 60 };

/* What shear matters beside stretch where a lattice cannot have both. */
static const double WEIGHT[3] = {1, 1, 0.01};

typedef struct lattice {
    double basis[3][3]; /* basis[c][j]: what alpha_j = 1 adds to C11, C22, C33 */
    double fixed[3];    /* flexion's part of them */
} lattice;

static double weft_of(const weft_springs *s, int32_t i) { return s->list.weft[i] < 0 ? 0.5 : (double)s->list.weft[i]; }

static int has_weft(const weft_springs *s) {
    for (int32_t i = 0; i < s->list.count; i++)
        if (s->list.weft[i] >= 0)
            return 1;
    return 0;
}

/* c^4, s^4, c^2 s^2 from c^2 */
static void tensor_of(double weft, double tensor[3]) {
    tensor[X] = weft * weft;
    tensor[Y] = (1 - weft) * (1 - weft);
    tensor[S] = weft * (1 - weft);
}

static void basis_of(double weft, double basis[3]) {
    double along = (2 * weft - 1) * (2 * weft - 1);
    basis[X] = weft >= 0.5 ? along : 0;
    basis[Y] = weft >= 0.5 ? 0 : along;
    basis[S] = 4 * weft * (1 - weft);
}

static double squared_length(const weft_springs *s, int32_t i) {
    weft_vec3 d = weft_sub(s->mesh->position[s->list.end[i][1]], s->mesh->position[s->list.end[i][0]]);
    return weft_dot(d, d);
}

/* Where the rest shape is folded the ends of a flexion spring may meet: its area keeps the stiffness finite. */
static double flexion_stiffness(const weft_springs *s, int32_t i, const weft_fabric *fabric) {
    double area = s->list.area[i], weft = weft_of(s, i), squared = squared_length(s, i);
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

/* Least squares over the alphas in the set `active`, the others 0: normal equations, elimination. The ridge chooses the
 * smallest solution where directions are missing. */
static void solve_free(const lattice *l, const double target[3], unsigned active, double alpha[3]) {
    double matrix[3][4] = {{0}}, trace = 0;
    for (int i = 0; i < 3; i++) {
        for (int c = 0; c < 3 && (active >> i & 1); c++) {
            double weight = WEIGHT[c] / (target[c] * target[c]);
            for (int j = 0; j < 3; j++)
                matrix[i][j] += (active >> j & 1) ? weight * l->basis[c][i] * l->basis[c][j] : 0;
            matrix[i][3] += weight * l->basis[c][i] * (target[c] - l->fixed[c]);
        }
        trace += matrix[i][i];
    }
    for (int i = 0; i < 3; i++)
        matrix[i][i] += trace > 0 ? 1e-10 * trace : 1;
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

/* The targets for C11 and C22 hold the Poisson effect of the lattice as it comes out: a few rounds settle it. */
static void calibrate(const lattice *l, const weft_fabric *fabric, double alpha[3]) {
    double target[3] = {fabric->stretch_weft, fabric->stretch_warp, fabric->shear};
    for (int round = 0; round < ROUNDS; round++) {
        double c[3];
        solve_positive(l, target, alpha);
        for (int i = 0; i < 3; i++)
            c[i] = l->fixed[i] + l->basis[i][X] * alpha[X] + l->basis[i][Y] * alpha[Y] + l->basis[i][S] * alpha[S];
        double coupling = c[S] * c[S];
        if (c[X] > 0 && c[Y] > 0) {
            target[X] = fabric->stretch_weft + coupling / c[Y];
            target[Y] = fabric->stretch_warp + coupling / c[X];
        }
    }
}

static void tune_woven(weft_springs *s, const weft_fabric *fabric) {
    lattice l = {{{0}}, {0}};
    for (int32_t i = 0; i < s->list.count; i++) {
        int type = weft_springs_type(s, i);
        double tensor[3], basis[3];
        tensor_of(weft_of(s, i), tensor);
        basis_of(weft_of(s, i), basis);
        if (!s->settings.on[type])
            continue;
        for (int c = 0; c < 3; c++) {
            if (type == WEFT_FLEXION)
                l.fixed[c] += s->stiffness[i] * squared_length(s, i) * tensor[c] / s->list.surface;
            for (int j = 0; j < 3 && type != WEFT_FLEXION; j++)
                l.basis[c][j] += s->list.area[i] * basis[j] * tensor[c] / s->list.surface;
        }
    }
    double alpha[3] = {0};
    calibrate(&l, fabric, alpha);
    for (int32_t i = 0; i < s->list.first[WEFT_FLEXION]; i++) {
        double basis[3];
        basis_of(weft_of(s, i), basis);
        set_stiffness(s, i,
                      (alpha[X] * basis[X] + alpha[Y] * basis[Y] + alpha[S] * basis[S]) * s->list.area[i] /
                          squared_length(s, i));
    }
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
    double modulus = area > 0 && wanted > 0 ? wanted / area : 0;
    for (int32_t i = 0; i < s->list.first[WEFT_FLEXION]; i++)
        set_stiffness(s, i, modulus * s->list.area[i] / squared_length(s, i));
}

static void sum_up(weft_springs *s) {
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

void weft_springs_tune(weft_springs *s, const weft_fabric *fabric) {
    const weft_springs_settings *settings = &s->settings;
    for (int32_t i = 0; i < s->list.count; i++) {
        int type = weft_springs_type(s, i);
        s->rest[i] = settings->rest[type] > 0 ? settings->rest[type] : sqrt(squared_length(s, i));
        set_stiffness(s, i, settings->stiffness[type]);
    }
    s->damping_constant = settings->damping;
    s->damping_time = settings->damping_time;
    if (settings->source == WEFT_SPRINGS_FABRIC) {
        for (int32_t i = s->list.first[WEFT_FLEXION]; i < s->list.count; i++)
            set_stiffness(s, i, flexion_stiffness(s, i, fabric));
        if (has_weft(s))
            tune_woven(s, fabric);
        else
            tune_isotropic(s, fabric);
        s->damping_time += fabric->damping;
    }
    sum_up(s);
}
