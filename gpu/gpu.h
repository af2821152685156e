/* The simulation in the memory of the device: one struct of pointers and numbers that every kernel gets by value. */
#ifndef WEFT_GPU_GPU_H
#define WEFT_GPU_GPU_H

#include "contact_types.h"
#include "level.h"
#include "pair.h"
#include "sim/device_backend.h"

enum {
    GPU_BLOCK = 128,          /* rows whose terms are summed together; also the threads of a block */
    GPU_SLICE = 32,           /* rows of the matrix that are stored together */
    GPU_SUMS = 3,             /* sums that one pass may compute */
    GPU_SPREAD = 1024,        /* sums of blocks are added in so many classes, then by halving */
    GPU_HEAD = 9,             /* floats of a block between neighbours in a triangle or pair */
    GPU_SYMMETRIC = 6,        /* floats of a symmetric block: xx xy xz yy yz zz */
    GPU_AXIAL = 4,            /* floats a, m of a block a 1 + m m^T, with the sign of a before m m^T */
    GPU_TRIANGLE_BLOCKS = 27, /* numbers that an element writes: blocks of a triangle, a pair, a hinge */
    GPU_PAIR_BLOCKS = 9,
    GPU_HINGE_BLOCKS = 54,
    GPU_TRIANGLE_FORCES = 9, /* and forces on its vertices */
    GPU_BEND_FORCES = 3 * WEFT_DEVICE_BEND_VERTICES,
    GPU_PAIR_FORCES = 6,
    GPU_FACET_NUMBERS = 9 /* force and block of a facet */
};

/* A vector in float. */
typedef struct gpu_float3 {
    float x, y, z;
} gpu_float3;

typedef enum gpu_pcg_status { GPU_PCG_RUNS, GPU_PCG_CONVERGED, GPU_PCG_CAP, GPU_PCG_BROKEN } gpu_pcg_status;

/* Scalars of the conjugate gradient method (Chronopoulos and Gear 1989). */
typedef struct gpu_pcg {
    double alpha, beta, gamma;
    double alpha_before; /* alpha of the last iteration */
    double scale;        /* norm to which residuals are relative */
    double residual;     /* relative */
    double least_energy; /* r.u at which the iteration ends, or -1 */
    int32_t iterations;
    int32_t status;  /* gpu_pcg_status */
    int32_t fresh;   /* 1: the next iteration is the first of a (re)start */
    int32_t pending; /* 1: dv still lacks alpha p */
} gpu_pcg;

/* Sums that a step leaves for the host, which reads them all at once. */
typedef enum gpu_sum_slot {
    GPU_SLOT_REFERENCE, /* |S (b - A z)|^2 */
    GPU_SLOT_RESIDUAL,  /* |S (b - A dv)|^2 */
    GPU_SLOT_MOTION,    /* residual of the equations of motion */
    GPU_SLOT_PROMISE,   /* of an update: see gpu_promise */
    GPU_SLOT_INSANE,
    GPU_SLOT_BEFORE,                              /* four parts of the potential before an update */
    GPU_SLOT_AFTER = GPU_SLOT_BEFORE + 4,         /* and after it */
    GPU_SLOT_CONTACT_BEFORE = GPU_SLOT_AFTER + 4, /* barrier and friction, likewise */
    GPU_SLOT_CONTACT_AFTER = GPU_SLOT_CONTACT_BEFORE + 2,
    GPU_SLOT_COUNT = GPU_SLOT_CONTACT_AFTER + 2, /* other sums of contact */
    GPU_SLOT_DISSIPATION,
    GPU_SLOT_STRAYED,
    GPU_SLOTS
} gpu_sum_slot;

typedef struct gpu_numbers {
    double sum[GPU_SLOTS][GPU_SUMS];
    gpu_pcg pcg;
} gpu_numbers;

/* Matrix in slices of GPU_SLICE rows. Row i of the product is E_i x_i + sum_j A_ij (x_j - x_i). Entry k of a row lies
 * at (base + k) GPU_SLICE + lane, and number c of its block at ((base + k) floats + c) GPU_SLICE + lane. Missing
 * entries have the row itself as their column. The tail holds neighbours that only bending couples: it has fewer floats
 * per entry where all such blocks are symmetric, have one axis, or are multiples of the identity. */
typedef struct gpu_slices {
    const int32_t *base;     /* first entry of each slice (slices + 1) */
    const int32_t *slice_of; /* slice of each entry (base[slices]) */
    const int32_t *column;   /* (base[slices] x GPU_SLICE) */
    const int16_t *ahead; /* column minus row, or null where that needs more than 16 bits (base[slices] x GPU_SLICE) */
    float *value;         /* (base[slices] x floats x GPU_SLICE) */
    int32_t entries;      /* base[slices] */
    int32_t floats;       /* per entry */
} gpu_slices;

/* From element blocks to matrix entries. The entries of row i are [entry[i], entry[i + 1]), first those of the head.
 * Entry e is the sum of the blocks block[block_start[e] ..) and of weighted bending tensors, in that order. */
typedef struct gpu_gather {
    const int32_t *entry;      /* (count + 1) */
    const int32_t *head_count; /* entries of the head of each row (count) */
    const int32_t *block_start;
    const int32_t *block; /* 2 x place of the first number of a block, + 1 if it is transposed */
    const int32_t *tensor_start;
    const int32_t *tensor; /* bending element */
    const float *weight;   /* k_a k_b */
} gpu_gather;

typedef struct weft_gpu {
    int32_t count, triangle_count, bend_count, pair_count, facet_count;
    int32_t hinges; /* 1: bending elements have blocks of their own, 0: they are tensors */

    /* constants */
    const double *mass, *area;
    const int32_t *material_of;
    const weft_device_material *material;
    const weft_device_triangle *triangle;
    const weft_device_bend *bend;
    const weft_device_pair *pair;
    const weft_device_facet *facet;
    const gpu_sinc *sinc;
    /* Places of the forces of elements on vertex i: force_index[force_start[i] .. force_start[i + 1]). Facets likewise.
     * The y and z of a force follow its x at distances of GPU_SLICE. */
    const int32_t *force_start, *force_index, *facet_start, *facet_index;
    const double *facet_share; /* part of the vertex in each facet */
    gpu_slices head, tail;
    gpu_gather gather;

    /* state: at the start of the step, one step earlier, and the iterate (count) */
    weft_vec3 *x_start, *v_start, *x_before, *v_before, *x, *v;
    uint8_t *held; /* 1 where a pin or drag holds the vertex */
    weft_vec3 *target;
    const int32_t *held_list;
    const weft_vec3 *held_target;

    /* scratch of a step (count, unless noted) */
    weft_vec3 *X, *V, *f, *external, *b, *dv, *x_last;
    weft_vec3 *search; /* external forces at the start of a line search */
    /* Numbers of elements lie as gpu_number says, so that threads of neighbouring elements write side by side. */
    double *element_force;   /* of triangles, bending elements, pairs */
    double *facet_number;    /* force and block xx xy xz yy yz zz */
    float *element_block;    /* h^2 stiffness + h damping: of triangles, pairs, hinges */
    float *tensor;           /* of bending elements: even, m; the tensor is even 1 + m m^T (bend_count x 4) */
    double *damping;         /* by air and mass: number c of row i at c count + i (6 x count) */
    float *excess, *inverse; /* E_i, and the inverse diagonal block: number c of row i at c count + i (6 x count) */

    /* conjugate gradients (count) */
    weft_vec3 *z;              /* prescribed values */
    gpu_float3 *r, *p, *s, *w; /* residual, direction, A p, A u */
    float *u;                  /* four floats per vertex */
    double *partial;           /* sums of blocks (blocks x GPU_SUMS) */
    gpu_numbers *numbers;
    int32_t slot;    /* where the next sum goes */
    int32_t limit;   /* of iterations */
    int32_t restart; /* 1: the iteration starts again from the present dv */
    int32_t paired;  /* 1: both norms at the start are sums of GPU_SLOT_REFERENCE */
    double tolerance;
    double energy; /* tolerance on the ratio of the residuals in the norm r.M^-1 r, from a guess of 0; 0: none. The
                      iteration ends when either tolerance is met (src/solve/pcg.h). */

    /* the additive Schwarz preconditioner; without levels it is block-Jacobi */
    gpu_level level[GPU_LEVELS];
    int32_t level_count, now_level;

    /* numbers of the step */
    double dt, h, now, before, fraction;
    double inertia, acceleration; /* Verlet */
    int32_t first;                /* 1: first Newton iteration, where X + h v differs from x */
    int32_t frozen; /* 1: external forces are linear about the start of the step, where they are `search` */
    int32_t scheme;
    int32_t guess; /* 0: zero, 1: the last change of velocity, 2: free fall */
    double guess_ratio;
    const weft_vec3 *at_x; /* positions at which energies are summed */
    weft_device_air air;

    gpu_contact contact;
    gpu_coupling coupling; /* without terms outside of steps with contact */
} weft_gpu;

/* Number of sums of blocks over n items. */
WEFT_HD int32_t gpu_blocks(int64_t n) { return (int32_t)((n + GPU_BLOCK - 1) / GPU_BLOCK); }

/* Place of number c of element i, where each element has `width` numbers: they are stored in groups of GPU_SLICE
 * elements, so that one follows the next at a distance of GPU_SLICE. */
WEFT_HD int64_t gpu_number(int64_t i, int width, int c) {
    return (i / GPU_SLICE * width + c) * GPU_SLICE + i % GPU_SLICE;
}

/* Room for the numbers of n elements. */
WEFT_HD int64_t gpu_numbers_room(int64_t n, int width) { return (n + GPU_SLICE - 1) / GPU_SLICE * GPU_SLICE * width; }

/* First places of the forces of bending elements and of pairs, and the room for all. */
WEFT_HD int64_t gpu_bend_forces_at(int64_t triangles) { return gpu_numbers_room(triangles, GPU_TRIANGLE_FORCES); }

WEFT_HD int64_t gpu_pair_forces_at(int64_t triangles, int64_t bends) {
    return gpu_bend_forces_at(triangles) + gpu_numbers_room(bends, GPU_BEND_FORCES);
}

/* First places of the blocks of pairs and of hinges. */
WEFT_HD int64_t gpu_pair_blocks_at(int64_t triangles) { return gpu_numbers_room(triangles, GPU_TRIANGLE_BLOCKS); }

WEFT_HD int64_t gpu_hinge_blocks_at(int64_t triangles, int64_t pairs) {
    return gpu_pair_blocks_at(triangles) + gpu_numbers_room(pairs, GPU_PAIR_BLOCKS);
}

#endif
