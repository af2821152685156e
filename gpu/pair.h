/* One spring, or one interaction of `buckling`: the formulas of src/cloth/springs/spring_force.c, spring_hessian.c,
 * src/cloth/buckling/beam_force.c and beam_hessian.c. */
#ifndef WEFT_GPU_PAIR_H
#define WEFT_GPU_PAIR_H

#include "cloth/device_elements.h"
#include "host_device.h"

/* A polynomial of buckling/sinc_fit.h at s in [0, 1]. */
WEFT_HD double gpu_sinc_at(const double *coefficient, double s) {
    const int degree = WEFT_DEVICE_SINC_TERMS - 1;
    double t = 2 * s - 1, square = t * t, odd = coefficient[degree], even = coefficient[degree - 1];
    for (int i = degree - 2; i > 0; i -= 2) {
        odd = odd * square + coefficient[i];
        even = even * square + coefficient[i - 1];
    }
    return even + t * odd;
}

/* Coefficients of q, q' and q''. */
typedef double gpu_sinc[3][WEFT_DEVICE_SINC_TERMS];

/* Force along a pair, positive in tension, N. `bends`: it is that of the bent beam. */
WEFT_HD double gpu_pair_tension(const weft_device_pair *a, const gpu_sinc *sinc, double stretch, int *bends) {
    *bends = 0;
    if (!a->beams)
        return a->stiffness * stretch;
    double line = (stretch > 0) == (a->stiffness >= 0) ? fabs(a->stiffness) * stretch : 0;
    if (!(line < -a->critical))
        return line;
    double beam = a->critical / 6 * gpu_sinc_at((*sinc)[1], 1 + stretch / a->rest);
    *bends = beam >= line;
    return *bends ? beam : line;
}

/* Force on the first end, N. d and e: difference of the ends' positions and velocities. */
WEFT_HD weft_vec3 gpu_pair_force(const weft_device_pair *a, const weft_device_material *c, const gpu_sinc *sinc,
                                 weft_vec3 d, weft_vec3 e) {
    const double smallest = 1e-280;
    int bends;
    double squared = gpu_dot(d, d) + smallest, length = sqrt(squared);
    double coefficient = gpu_pair_tension(a, sinc, length - a->rest, &bends) / length;
    if (c->isotropic)
        return gpu_axpy(gpu_scale(coefficient, d), a->damping, e);
    return gpu_scale(coefficient + a->damping * (gpu_dot(d, e) / squared), d);
}

WEFT_HD double gpu_beam_energy(const weft_device_pair *a, const gpu_sinc *sinc, double length) {
    double s = length / a->rest, upper = gpu_max(s, a->curve[1]), middle = gpu_max(s, a->curve[0]);
    double energy = -0.5 * a->stiffness * a->rest * a->rest * (1 - upper) * (1 - upper);
    if (s < a->curve[1])
        energy += a->critical * a->rest / 6 * (gpu_sinc_at((*sinc)[0], middle) - gpu_sinc_at((*sinc)[0], a->curve[1]));
    if (s < a->curve[0])
        energy += -0.5 * a->stiffness * a->rest * a->rest * ((1 - s) * (1 - s) - (1 - middle) * (1 - middle));
    return energy;
}

WEFT_HD double gpu_pair_energy(const weft_device_pair *a, const gpu_sinc *sinc, weft_vec3 d) {
    double length = gpu_length(d), stretch = length - a->rest;
    if (!a->beams)
        return 0.5 * a->stiffness * stretch * stretch;
    if (a->stiffness >= 0)
        return stretch > 0 ? 0.5 * a->stiffness * stretch * stretch : 0;
    return stretch < 0 && a->critical > 0 ? gpu_beam_energy(a, sinc, length) : 0;
}

/* Stiffness along and across a pair of this length, N/m. */
WEFT_HD void gpu_pair_stiffness(const weft_device_pair *a, const gpu_sinc *sinc, double length, double *along,
                                double *across) {
    double stretch = length - a->rest;
    int bends;
    *along = *across = 0;
    if (!(length > 0))
        return;
    if (!a->beams) {
        *along = a->stiffness;
        *across = stretch > 0 ? a->stiffness * (1 - a->rest / length) : 0;
    } else if (a->stiffness >= 0) {
        if (stretch >= 0) {
            *along = a->stiffness;
            *across = a->stiffness * (stretch / length);
        }
    } else if (a->critical > 0 && stretch < 0) {
        gpu_pair_tension(a, sinc, stretch, &bends);
        *along = bends ? a->critical / (6 * a->rest) * gpu_sinc_at((*sinc)[2], 1 + stretch / a->rest) : -a->stiffness;
    }
}

/* -(along d d^T + across (1 - d d^T)), row-major, for a unit vector d */
WEFT_HD void gpu_pair_fill(weft_vec3 d, double along, double across, double *block) {
    for (int r = 0; r < 3; r++)
        for (int s = 0; s < 3; s++)
            block[3 * r + s] = -(along - across) * (&d.x)[r] * (&d.x)[s] - (r == s ? across : 0);
}

/* The blocks between the two ends: stiffness, N/m, and damping, kg/s (9 each). */
WEFT_HD void gpu_pair_blocks(const weft_device_pair *a, const weft_device_material *c, const gpu_sinc *sinc,
                             weft_vec3 d, double *stiffness, double *damping) {
    double length = gpu_length(d), along, across;
    weft_vec3 unit = gpu_unit(d);
    gpu_pair_stiffness(a, sinc, length, &along, &across);
    gpu_pair_fill(unit, along, across, stiffness);
    gpu_pair_fill(unit, length > 0 ? a->damping : 0, c->isotropic ? a->damping : 0, damping);
}

#endif
