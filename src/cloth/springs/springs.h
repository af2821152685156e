/* Internals of the mass-spring model (Provot 1995): the list of springs, their memory layout, and the functions on
 * them. */
#ifndef WEFT_CLOTH_SPRINGS_SPRINGS_H
#define WEFT_CLOTH_SPRINGS_SPRINGS_H

#include "cloth/model_kernels.h"
#include "cloth/pair_rows.h"
#include "weft/model.h"

/* Where a stiffness comes from. WEFT_SPRINGS_AUTO: from the settings if it is above 0 there, otherwise from the fabric.
 */
typedef enum weft_spring_source { WEFT_SPRINGS_AUTO, WEFT_SPRINGS_GIVEN, WEFT_SPRINGS_FABRIC } weft_spring_source;
typedef enum weft_spring_damping { WEFT_SPRINGS_ALONG, WEFT_SPRINGS_ISOTROPIC } weft_spring_damping;

typedef struct weft_springs_settings {
    int32_t on[WEFT_LINK_TYPES];
    double stiffness[WEFT_LINK_TYPES]; /* N/m per spring */
    double rest[WEFT_LINK_TYPES];      /* m, 0: from the rest shape */
    int32_t source;                    /* weft_spring_source */
    double damping;                    /* kg/s per spring */
    double damping_time;               /* s */
    int32_t damping_kind;              /* weft_spring_damping */
    double limit;                      /* tau, 0: off */
    int32_t limit_passes;
    double tear; /* ratio, 0: off */
} weft_springs_settings;

/* All springs that the mesh can have, sorted by type, including types that are switched off. Structural springs are the
 * edges of the mesh, in the same order. */
typedef struct weft_spring_list {
    int32_t count;
    int32_t first[WEFT_LINK_TYPES + 1]; /* type t is [first[t], first[t + 1]) */
    int32_t (*end)[2];                  /* vertices (count) */
    float *area;                        /* m2 of surface that the spring represents (count) */
    float *weft;        /* cosine of the angle to the weft in rest coordinates, its sine >= 0; 2 if unknown (count) */
    int32_t (*span)[2]; /* the edges e or faces ~f that must be intact for the spring to exist (count) */
    double surface;     /* m2 */
} weft_spring_list;

enum {
    WEFT_SPRINGS_BLOCK = WEFT_STREAM_BLOCK, /* vertices per block: positions and forces stay in the L1 and L2 caches */
    WEFT_SPRINGS_LOCAL = 2047, /* most vertices in a block: its own and its halo, the vertices across its border */
    WEFT_SPRINGS_LANES = 4,
    WEFT_SPRINGS_STRIDE = 64 /* bytes per vertex in the block's array for stars: position and force */
};

/* Consecutive vertices in memory: first of the halo, then owned, then of the halo. */
typedef struct weft_spring_row {
    int32_t vertex;        /* the first vertex */
    uint16_t local, count; /* index of the first vertex in the block's order of runs; number of vertices */
    uint16_t own, owned;   /* vertices before the owned ones; owned vertices */
} weft_spring_row;

/* A patch of nearby vertices and the springs that touch it. A spring across the border is computed by both blocks, and
 * each block writes only the forces of its own vertices. */
typedef struct weft_spring_block {
    int64_t vertex;      /* first of the block's vertices in layout.vertex: the owned ones, then the halo */
    int32_t owned, halo; /* counts */
    /* First slot, then the number of slots of each kind. Either all slots are runs, or they are stars followed by
     * pairs. A run is a group of springs from a, a + 1, ... to b, b + 1, ... in the order of rows. A star is four
     * springs with a common vertex. All kinds are padded to full lanes. */
    int64_t slot;
    int32_t runs, stars, pairs;
    /* First entry in layout.offset. Runs: for each four consecutive ranks the number of groups that start there, then
     * the first other end of each group. Stars: 5 entries each (centre and four leaves). Pairs: 2 entries each. */
    int64_t offset;
    int64_t row; /* first row in layout.row, for runs */
    int32_t row_count;
    int64_t inner; /* first spring inside the block in layout.inner, for relaxation, sorted by colour */
    int32_t inner_count;
} weft_spring_block;

/* Depends only on the mesh and on which spring types are switched on. weft_springs_refresh fills in rest lengths and
 * stiffnesses. */
typedef struct weft_spring_layout {
    int32_t block_count;
    weft_spring_block *block;
    int32_t *vertex;
    int64_t slot_count;
    /* Streamed by the force kernel: less than 16 bytes per spring. */
    uint16_t *offset; /* of vertices in the block's array, in doubles: the array has a stride of WEFT_SPRINGS_STRIDE, or
                         of one double for runs */
    weft_spring_row *row;
    double *rest;     /* m (slot_count) */
    float *stiffness; /* N/m, 0 when broken or padding (slot_count) */
    int32_t *spring;  /* index in the list, WEFT_NONE for padding (slot_count) */
    /* Springs for which a block of WEFT_SPRINGS_LOCAL vertices had no room: those at vertices of very high degree. */
    int32_t loose_count;
    int32_t *loose;
    /* For relaxation: springs inside blocks. Neighbours in the list share no vertex, so none has to wait for the
     * previous one. */
    uint16_t (*inner)[2]; /* indices among the block's vertices */
    int32_t *inner_spring;
    /* Springs between blocks, sorted by colour. Springs of one colour share no vertex. The last range holds the springs
     * that were left when the colours ran out. It is processed serially. */
    int32_t colour_count;
    int32_t *colour_start; /* (colour_count + 2) */
    int32_t *between;
} weft_spring_layout;

/* Converts an offset of stars and pairs into an index among the block's vertices. */
static inline uint16_t weft_springs_local(uint16_t offset) {
    return (uint16_t)(offset / (WEFT_SPRINGS_STRIDE / sizeof(double)));
}

typedef struct weft_springs {
    weft_springs_settings settings;
    const weft_mesh *mesh;
    weft_spring_list list;
    weft_elements elements; /* the list as pairs of vertices */
    double *rest;           /* m (list.count) */
    float *stiffness;       /* N/m of the whole spring (list.count) */
    weft_pair_law *law; /* current law of each spring, also for springs that are switched off or broken (list.count) */
    uint8_t *broken;    /* one bit per spring, lowest bit first ((list.count + 7) / 8) */
    int32_t broken_count;
    weft_spring_layout layout;
    /* Calibrated moduli for stiffness from the fabric: the contributions of springs along the weft, along the warp and
     * diagonal to both, N/m (spring_tune.c). */
    double alpha[3];
    /* A spring of stiffness k > 0 has the damping damping_constant + damping_time k, kg/s. */
    double damping_constant, damping_time;
    /* Sums over the springs at each vertex, as if none were broken (vertex_count). */
    double *stiffness_sum, *damping_sum;
} weft_springs;

static inline int weft_springs_type(const weft_springs *s, int32_t spring) {
    return spring < s->list.first[1] ? WEFT_STRUCTURAL : spring < s->list.first[2] ? WEFT_SHEAR : WEFT_FLEXION;
}

static inline int weft_springs_is_broken(const weft_springs *s, int32_t spring) {
    return s->broken[spring >> 3] >> (spring & 7) & 1;
}

static inline void weft_springs_break(weft_springs *s, int32_t spring) {
    s->broken[spring >> 3] |= (uint8_t)(1u << (spring & 7));
    s->broken_count++;
}

/* Links are the springs whose type is switched on. */
static inline int32_t weft_springs_of_link(const weft_springs *s, int32_t link) {
    for (int type = 0; type < WEFT_LINK_TYPES; type++)
        if (!s->settings.on[type] && link >= s->list.first[type])
            link += s->list.first[type + 1] - s->list.first[type];
    return link;
}

/* springs.c: the arrays over the springs of s->list. After a failure they must be freed as well. */
weft_result weft_springs_allocate(weft_springs *s, const weft_mesh *mesh);
/* Frees the list, the arrays and the layout. */
void weft_springs_free(weft_springs *s);

/* spring_list.c */
weft_result weft_springs_build(const weft_mesh *mesh, weft_spring_list *list);
void weft_springs_build_free(weft_spring_list *list);

/* spring_blocks.c. Without `runs` the layout uses only stars and pairs. */
weft_result weft_springs_arrange(const weft_mesh *mesh, const weft_spring_list *list, const int32_t *on, int runs,
                                 weft_spring_layout *layout);
void weft_springs_arrange_free(weft_spring_layout *layout);
/* Copies rest lengths and stiffnesses into the slots. */
void weft_springs_refresh(weft_springs *s);

/* spring_stars.c: the order of springs inside a block. */
enum { WEFT_SPRINGS_COLOURS = 64 };
/* A spring inside a block; its ends are indices among the block's vertices. */
typedef struct weft_local_spring {
    int32_t spring;
    uint16_t end[2];
} weft_local_spring;
/* Scratch for blocks of up to `most` springs. The free function accepts null arrays. */
typedef struct weft_spring_packer {
    int32_t most;
    int32_t *adjacent; /* springs at each vertex (2 most) */
    uint8_t *taken;    /* (most) */
    uint8_t *colour;   /* (most) */
} weft_spring_packer;
int weft_spring_packer_create(int32_t most, weft_spring_packer *packer); /* returns 0 when out of memory */
void weft_spring_packer_free(weft_spring_packer *packer);
/* Fills the block's slots, and its offsets from block->offset on. Returns the number of offsets. */
int64_t weft_springs_pack_stars(weft_spring_packer *packer, const weft_local_spring *springs, int32_t count,
                                weft_spring_block *block, weft_spring_layout *layout);
/* The same with runs. Also fills the block's rows in layout->row from block->row on. Returns 0 and fills nothing if
 * runs would take more than weft_springs_run_slots(count) slots. */
int64_t weft_springs_pack_runs(weft_spring_packer *packer, const weft_local_spring *springs, int32_t count,
                               weft_spring_block *block, weft_spring_layout *layout);
static inline int64_t weft_springs_run_slots(int64_t count) { return (count + count / 4) / 4 * 4 + 4; }
/* Fills the block's inner springs from block->inner on. */
void weft_springs_pack_inner(weft_spring_packer *packer, const weft_local_spring *springs, int32_t count,
                             weft_spring_block *block, weft_spring_layout *layout);
/* Marks and returns the lowest colour that is unused at both ends, or returns WEFT_SPRINGS_COLOURS if there is none. */
int weft_springs_take_colour(uint64_t *used_a, uint64_t *used_b);

/* spring_tune.c: sets rest lengths, stiffnesses, their sums and the damping from settings and fabric. */
void weft_springs_tune(weft_springs *s, const weft_cloth *cloth);
/* The stiffness of a structural or shear spring, calibrated to the fabric, N/m. `area` and `weft` are as in the list,
 * `squared` is the squared length, m2. */
/* Whether a stiffness with the value `given` in the settings comes from the fabric. */
static inline int weft_springs_ask_fabric(int32_t source, double given) {
    return source == WEFT_SPRINGS_FABRIC || (source == WEFT_SPRINGS_AUTO && !(given > 0));
}
int weft_springs_any_fabric(const weft_springs_settings *settings);
double weft_springs_stiffness(const weft_springs *s, double area, double weft, double squared);

/* spring_force.c */
void weft_springs_force(const void *self, const weft_work *work, const weft_vec3 *x, const weft_vec3 *v, weft_vec3 *f);
void weft_springs_force_by(weft_isa isa, const weft_springs *s, const weft_work *work, const weft_vec3 *x,
                           const weft_vec3 *v, weft_vec3 *f);
/* Returns 0 if there are loose springs, because their forces come after all blocks. */
int weft_springs_force_runs(const void *self, const weft_work *work, const weft_vec3 *x, const weft_vec3 *v,
                            const weft_force_stream *runs);
double weft_springs_energy(const void *self, const weft_work *work, const weft_vec3 *x);
double weft_springs_highest_frequency(const void *self, const double *mass);

/* spring_hessian.c */
int32_t weft_springs_element_lists(const void *self, const weft_elements **lists);
void weft_springs_element_blocks(const void *self, int32_t list, const int32_t *element, int32_t count,
                                 const weft_vec3 *x, const weft_vec3 *v, double *stiffness, double *damping);
void weft_springs_pair_rows(const void *self, const weft_pair_rows *rows, float *block, weft_pair_sum *sum);
/* Fills the laws. weft_springs_refresh calls it after every change. */
void weft_springs_set_laws(weft_springs *s);

/* spring_device.c: describe of cloth/model_kernels.h. Broken springs and those switched off are left out. */
void weft_springs_describe(const void *self, int32_t first, int32_t number, weft_device_material *material,
                           weft_device_lists *lists);

/* spring_relax.c */
void weft_springs_relax(const void *self, const weft_work *work, const double *inverse_mass, int passes, weft_vec3 *x);
int weft_springs_limit(const void *self, const weft_work *work, const double *inverse_mass, double dt, weft_vec3 *x,
                       weft_vec3 *v);

/* spring_tear.c */
int weft_springs_tear(void *self, const weft_work *work, const weft_vec3 *x, uint8_t *face_open);
/* spring_split.c: breaks the copies of springs that are broken in `before`, the model before its mesh came apart. */
weft_result weft_springs_keep_broken(weft_springs *s, const weft_springs *before);

extern const weft_component weft_springs_model;

#endif
