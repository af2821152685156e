/** @file
 * Models: the internal forces of one cloth. A model component provides a weft_model_functions table.
 * docs/writing-a-component.md builds one step by step. */
#ifndef WEFT_MODEL_H
#define WEFT_MODEL_H

#include "weft/base.h"
#include "weft/component.h"
#include "weft/fabric.h"
#include "weft/map.h"
#include "weft/mesh.h"
#include "weft/tailoring.h"
#include "weft/work.h"

WEFT_BEGIN

/** What a model offers and what an integrator needs, as bits. */
enum {
    WEFT_FORCES = 1,      /**< force; energy too, unless reports may leave it out */
    WEFT_CONSTRAINTS = 2, /**< relax */
    WEFT_HESSIANS = 4,    /**< element_lists and element_blocks */
    WEFT_RESHAPES = 8,    /**< the mesh, which has triangles only, may change; see weft_model_functions::reshape */
    WEFT_LINKS = 16,      /**< link_count and link_at; the model resists along its links only */
    WEFT_MAPS = 32,       /**< uses the maps of stretch and bend */
    WEFT_SPLITS = 64,     /**< the mesh may come apart along its edges; its faces stay. See
                             weft_model_functions::reshape */
    WEFT_TAILORS = 128    /**< uses weft_cloth::tailoring */
};

/** The constants of one cloth. They outlive the model made from them. */
typedef struct weft_cloth {
    const char *name;          /**< as in the scene; never null */
    const weft_mesh *mesh;     /**< at rest */
    const weft_fabric *fabric; /**< in SI units */
    const double *mass;        /**< kg (mesh->vertex_count); includes the density map */
    const double *area;        /**< m2 at rest (mesh->vertex_count) */
    /** Factors on the fabric's properties (mesh->vertex_count); null means 1 everywhere. */
    const double *map[WEFT_MAP_COUNT];
    const weft_tailoring *tailoring; /**< what sewing added; null: nothing */
} weft_cloth;

/** Elements of one kind: a spring is a pair of vertices, a triangle a triple. An element couples all its vertices.
 * Fields after `vertex` are optional; leave them 0 or null. */
typedef struct weft_elements {
    int32_t count;         /**< number of elements */
    int32_t arity;         /**< vertices per element, 2 to WEFT_ARITY_MAX */
    const int32_t *vertex; /**< distinct within an element (count x arity) */
    /** For each element, its number in the list before the last reshape, or WEFT_NONE if it is new (count). Null: not
     * known. */
    const int32_t *from;
    int32_t same; /**< set by the simulation: the list has not changed since the integrator last read it */
    /** For each element, the corner (0 to arity - 1) that takes no part in its forces, or -1 (count). Null: all take
     * part. */
    const int8_t *idle;
    int32_t tensor; /**< built-in models only: all blocks of an element are one tensor times a weight */
} weft_elements;

/** Limits of elements. */
enum {
    WEFT_ARITY_MAX = 8 /**< most vertices of one element */
};

/** A line between two vertices, for pictures, reports and constraint solvers. */
typedef struct weft_link {
    int32_t a;          /**< first vertex */
    int32_t b;          /**< second vertex */
    int32_t type;       /**< WEFT_STRUCTURAL, WEFT_SHEAR or WEFT_FLEXION */
    double rest_length; /**< m */
    double stiffness;   /**< N/m; 0 if broken */
} weft_link;

/** Types of links. */
enum {
    WEFT_STRUCTURAL, /**< along an edge */
    WEFT_SHEAR,      /**< across a face */
    WEFT_FLEXION,    /**< resists bending */
    WEFT_LINK_TYPES  /**< number of types */
};

/** Strain and stress of a triangle: along the weft, along the warp, and engineering shear. */
typedef struct weft_strain {
    double strain[3]; /**< dimensionless */
    double stress[3]; /**< N/m */
} weft_strain;

/** How the present mesh differs from the previous one. Unmarked triangles and vertices are the same in both and keep
 * their numbers. */
typedef struct weft_reshape {
    const weft_mesh *before; /**< valid during the call */
    const uint8_t *changed;  /**< 1: the triangle has other corners or rest coordinates (mesh->triangle_count) */
    const uint8_t *touched;  /**< 1: the vertex belongs to a changed triangle or lies opposite one
                                (mesh->vertex_count) */
} weft_reshape;

/** A triangle of a surface other than the model's own, for trial energies of remeshing. */
typedef struct weft_facet {
    weft_vec3 rest[3]; /**< corners at rest, m */
    weft_vec3 x[3];    /**< corners now, m */
    weft_vec2 uv[3];   /**< rest coordinates of the corners, m */
    int32_t has_uv;    /**< whether uv is set */
    double stretch[3]; /**< map factors of stretch at the corners */
    double bend[3];    /**< map factors of bend at the corners */
} weft_facet;

/** Fast paths of the built-in models. Not part of the public API. */
typedef struct weft_model_kernels weft_model_kernels;

/** The functions of a model. Positions, velocities and forces are those of the cloth's own vertices
 * (mesh->vertex_count). Functions that a model does not offer are null. It must have create, destroy and those that
 * `gives` promises; weft_registry_add checks this. `self` is what create made. Functions that take a weft_work are
 * called on one thread and may use its loops and scratch memory. Functions without one, such as element_blocks, may be
 * called from several threads at once. */
typedef struct weft_model_functions {
    unsigned gives; /**< WEFT_FORCES, ... */
    /** Makes the model of a cloth. `settings` is the component's settings struct. */
    weft_result (*create)(const void *settings, const weft_cloth *cloth, void **self);
    /** Frees what create made. */
    void (*destroy)(void *self);
    /** Settings, fabric or masses changed: take over the new values and keep the state. cloth->mass and cloth->area may
     * have moved to another place. */
    weft_result (*retune)(void *self, const void *settings, const weft_cloth *cloth);
    /** Elastic energy, J. */
    double (*energy)(const void *self, const weft_work *work, const weft_vec3 *x);
    /** Adds the forces to f, N. */
    void (*force)(const void *self, const weft_work *work, const weft_vec3 *x, const weft_vec3 *v, weft_vec3 *f);
    /** Makes `passes` rounds over all distance constraints, moving x. inverse_mass is 0 where a vertex is held. */
    void (*relax)(const void *self, const weft_work *work, const double *inverse_mass, int passes, weft_vec3 *x);
    /** For implicit schemes: the element lists whose energies add up to that of the model. They stay the same until the
     * topology changes. Returns the number of lists. */
    int32_t (*element_lists)(const void *self, const weft_elements **lists);
    /** Second derivatives of `count` elements of a list: the blocks d2E / dxa dxb (stiffness, N/m) and -dfa / dvb
     * (damping, kg/s). There is one row-major block per vertex pair of an element, in the order 01 02 .. 12 ..
     * (count x pairs x 9). Diagonal blocks follow from these, because internal forces are invariant under translation.
     * Terms that would make the matrix indefinite are left out. `damping` may be null. */
    void (*element_blocks)(const void *self, int32_t list, const int32_t *element, int32_t count, const weft_vec3 *x,
                           const weft_vec3 *v, double *stiffness, double *damping);
    /** Shortens what is longer than its strain limit. A move d of x adds d / dt to v. Returns whether anything moved.
     */
    int (*limit)(const void *self, const weft_work *work, const double *inverse_mass, double dt, weft_vec3 *x,
                 weft_vec3 *v);
    /** Breaks overstretched links and marks their faces in face_open (face_count). Returns how many broke. */
    int (*tear)(void *self, const weft_work *work, const weft_vec3 *x, uint8_t *face_open);
    /** Bytes of what changed since create, such as broken links, for snapshots. */
    size_t (*state_size)(const void *self);
    /** Writes state_size bytes. */
    void (*state_save)(const void *self, void *buffer);
    /** Reads what state_save wrote; refuses anything else. */
    weft_result (*state_load)(void *self, const void *buffer, size_t size);
    /** Upper bound of the highest angular frequency, 1/s. Explicit schemes are stable for steps below about 2 / it. */
    double (*highest_frequency)(const void *self, const double *mass);
    /** Number of links, broken ones included. */
    int32_t (*link_count)(const void *self);
    /** Link `index`; its stiffness is 0 if it is broken. */
    weft_link (*link_at)(const void *self, int32_t index);
    /** For implicit schemes: adds -df/dv of forces that depend on the velocity of one vertex alone. The blocks are
     * symmetric and positive: xx xy xz yy yz zz per vertex, kg/s (vertex_count x 6). */
    void (*vertex_damping)(const void *self, const weft_work *work, const weft_vec3 *x, const weft_vec3 *v,
                           double *block);
    /** Strain and stress of every triangle (mesh->triangle_count). */
    void (*measure)(const void *self, const weft_work *work, const weft_vec3 *x, weft_strain *strain);
    /** Makes the model of a changed mesh from the previous one, reusing what did not change. `self` stays valid. Null
     * for a model that WEFT_RESHAPES or WEFT_SPLITS: create is called instead. The result equals what create would
     * make, except that broken links stay broken. If only WEFT_SPLITS is given, faces and corners keep their numbers.
     */
    weft_result (*reshape)(const void *self, const void *settings, const weft_cloth *cloth, const weft_reshape *change,
                           void **made);
    /** Corners of a triangle at rest, m, with x along the weft and y along the warp, in the order of mesh->triangle.
     * Null: the weft is that of the mesh's rest coordinates, or x. */
    void (*rest)(const void *self, int32_t triangle, weft_vec2 corner[3]);
    /** For meshes that change: the energy of a single triangle, J. May be null. The sum of facet_energy and edge_energy
     * over a surface equals `energy` of a model made for it. */
    double (*facet_energy)(const void *self, const weft_facet *facet);
    /** The energy of a single edge, J; may be null. The edge runs from the first to the second corner of `left`, and
     * back in `right`, which is null at a boundary. `joined`: the third corners of both also share an edge. */
    double (*edge_energy)(const void *self, const weft_facet *left, const weft_facet *right, int joined);
    /** The area of a triangle at rest, m2, from which the masses follow. Negative: that of the mesh's positions, as
     * with null. */
    double (*rest_area)(const void *settings, const weft_mesh *mesh, int32_t triangle);
    const weft_model_kernels *kernels; /**< built-in models only; otherwise null */
    /** Why the model does not use a property of the fabric, such as "bend_weft", with these settings: one static line.
     * Null if it uses it, or if the property is not a model's concern. The function may be null: uses all. */
    const char *(*unused)(const void *settings, const char *property);
} weft_model_functions;

WEFT_END
#endif
