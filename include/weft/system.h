/** @file
 * The system that an integrator advances: all vertices of the simulation with the forces and elements that act on them.
 *
 * A weft_system is filled in by the simulation for one step. All pointers are views, valid during that step. */
#ifndef WEFT_SYSTEM_H
#define WEFT_SYSTEM_H

#include "weft/base.h"
#include "weft/model.h"
#include "weft/work.h"

WEFT_BEGIN

/** Why a step could not be made at its full length. */
typedef enum weft_trouble {
    WEFT_TROUBLE_NONE,       /**< it could */
    WEFT_TROUBLE_FAR,        /**< a body or a pin goes farther than an edge is long */
    WEFT_TROUBLE_WAITING,    /**< contact keeps pins or bodies from their places */
    WEFT_TROUBLE_UPDATES,    /**< Newton's method needs too many updates */
    WEFT_TROUBLE_ENERGY,     /**< the step would gain energy, although nothing drives it */
    WEFT_TROUBLE_BLOCKED,    /**< the barrier finds no way, and constraints took over */
    WEFT_TROUBLE_COLLISIONS, /**< impulses left collisions, or stretched edges too far */
    WEFT_TROUBLE_DIVERGED    /**< a solve or the state diverged */
} weft_trouble;

/** What the solver did in a step. */
typedef struct weft_solve {
    int32_t newton;               /**< linear solves */
    int32_t iterations;           /**< of the linear solver, summed over all solves */
    double residual;              /**< relative residual of the last solve */
    int32_t not_converged;        /**< linear solves that stopped at the iteration limit */
    int32_t newton_not_converged; /**< steps whose Newton iteration stopped above its tolerance */
    double assembly_seconds;      /**< wall time of assembly, s */
    double solve_seconds;         /**< wall time of the linear solves, s */
    double iteration_bytes;       /**< least memory traffic of an iteration: matrix, vectors, preconditioner */
    double assembly_bytes;        /**< least memory traffic of an assembly: matrix, positions, velocities */
    weft_trouble trouble;         /**< why the step failed; integrators may leave it at WEFT_TROUBLE_NONE */
} weft_solve;

/** Models and forces of the system. Opaque. */
typedef struct weft_equations weft_equations;
/** Contact constraints for the solve. Opaque; use weft_system_constraints. */
typedef struct weft_contact_solver weft_contact_solver;

/** All vertices of the simulation. A held vertex (by a pin or drag) has inverse_mass 0 and ends the step at its target.
 */
typedef struct weft_system {
    int32_t count;                      /**< of vertices */
    double time;                        /**< at the start of the step, s */
    const double *mass;                 /**< kg (count) */
    const double *inverse_mass;         /**< 1/kg, 0 where held (count) */
    const uint8_t *held;                /**< 1 where held, else 0 (count) */
    const weft_vec3 *target;            /**< m, where held (count) */
    const weft_vec3 *x;                 /**< positions at the start of the step, m (count) */
    const weft_vec3 *v;                 /**< velocities at the start of the step, m/s (count) */
    const weft_vec3 *x_before;          /**< positions one step earlier, m (count) */
    const weft_vec3 *v_before;          /**< velocities one step earlier, m/s (count) */
    double dt_before;                   /**< length of the previous step, s; 0 at the start and after a jump, when
                                           x_before and v_before are not set */
    weft_vec3 *x_next;                  /**< to be filled: positions at the end of the step, m (count) */
    weft_vec3 *v_next;                  /**< to be filled: velocities at the end of the step, m/s (count) */
    const weft_work *work;              /**< threads and scratch memory */
    void *self;                         /**< what the integrator's create made */
    weft_solve *solve;                  /**< to be filled by schemes that solve equations; may be null */
    const weft_equations *equations;    /**< models and forces */
    const weft_contact_solver *contact; /**< null when the solve does not have to respect contacts */
} weft_system;

/** Positions of all vertices at rest, m (count). They change only with the meshes, not with the state. */
WEFT_API void weft_system_rest(const weft_system *system, weft_vec3 *x);
/** All forces at `system->time`, N (count). Overwrites f. */
WEFT_API void weft_system_force(const weft_system *system, const weft_vec3 *x, const weft_vec3 *v, weft_vec3 *f);
/** The external forces alone: gravity, air, wind, N (count). Overwrites f. */
WEFT_API void weft_system_external_force(const weft_system *system, const weft_vec3 *x, const weft_vec3 *v,
                                         weft_vec3 *f);
/** Adds the models' forces to f, N (count). */
WEFT_API void weft_system_internal_force(const weft_system *system, const weft_vec3 *x, const weft_vec3 *v,
                                         weft_vec3 *f);
/** Returns whether the external forces are the masses times one acceleration, and stores that, m/s2. */
WEFT_API int weft_system_acceleration(const weft_system *system, weft_vec3 *acceleration);
/** Elastic energy of all models, J. */
WEFT_API double weft_system_energy(const weft_system *system, const weft_vec3 *x);
/** -df/dv of the external forces and of model forces on single vertices, symmetric and positive: xx xy xz yy yz zz per
 * vertex, kg/s (count x 6). Returns 0 and leaves the blocks alone when there is none. */
WEFT_API int weft_system_external_damping(const weft_system *system, const weft_vec3 *x, const weft_vec3 *v,
                                          double *block);
/** Number of element lists of all models together. */
WEFT_API int32_t weft_system_list_count(const weft_system *system);
/** List `list`, from 0 on. `*first` is to be added to its vertices. */
WEFT_API weft_elements weft_system_list(const weft_system *system, int32_t list, int32_t *first);
/** Blocks of `count` elements of a list, as weft_model_functions::element_blocks. x and v are those of the system. */
WEFT_API void weft_system_element_blocks(const weft_system *system, int32_t list, const int32_t *element, int32_t count,
                                         const weft_vec3 *x, const weft_vec3 *v, double *stiffness, double *damping);
/** Number of links of all models together. */
WEFT_API int32_t weft_system_link_count(const weft_system *system);
/** Link `index`, with vertices of the system. */
WEFT_API weft_link weft_system_link(const weft_system *system, int32_t index);
/** Makes `passes` rounds of constraint relaxation by the models, moving x. */
WEFT_API void weft_system_relax(const weft_system *system, int passes, weft_vec3 *x);

/** Whether a contact constraint is inactive, slides or sticks. */
typedef enum weft_constraint_state {
    WEFT_IS_FREE, /**< not active */
    WEFT_SLIDES,  /**< acts along the normal */
    WEFT_STICKS   /**< acts in all directions */
} weft_constraint_state;

/** A contact that an implicit solve can respect. The constrained point is w0 x0 + .. + w3 x3. Its weights are those of
 * a gap: of the contact's own feature minus those of the other. The point shall end the step at `end`: along `normal`
 * when it slides, in all directions when it sticks. */
typedef struct weft_constraint {
    int32_t vertex[4];     /**< vertices of the system */
    double weight[4];      /**< 0: no vertex there; 1, 0, 0, 0 for a vertex on a body */
    int32_t state;         /**< weft_constraint_state */
    weft_vec3 normal;      /**< unit length; the force along it is positive or zero */
    weft_vec3 end;         /**< m */
    double friction;       /**< Coulomb friction coefficient */
    double slip_stiffness; /**< when sliding, friction force over slip, N/m; 0: not known yet */
    weft_vec3 impulse;     /**< by which the last solve held it, set by two-step schemes, kg m/s */
    int32_t jumps;         /**< set by the step: whether the contact stopped an impact */
} weft_constraint;

/** Contacts at the start of a step of length dt. Returns their number: 0 when there are none, -1 when memory is out. A
 * null list means that contact is handled after the solve; an empty list may still grow by weft_system_reconsider. Uses
 * x_next and v_next as scratch. The list is valid until the next call or the end of the step. */
WEFT_API int32_t weft_system_constraints(const weft_system *system, double dt, weft_constraint **list);
/** Updates the constraints after a solve with step factor h, in which a force moves a free vertex by h^2 / m times the
 * force. `x_end`: positions at the end of
 * the step, m (count); `force`: by which each constraint was held, N (*count). Changes states, friction and ends, and
 * may append. Returns how many changes matter, so that another solve is due, or -1 when memory is out. */
WEFT_API int32_t weft_system_reconsider(const weft_system *system, double h, const weft_vec3 *x_end,
                                        const weft_vec3 *force, weft_constraint **list, int32_t *count);
/** How many solves of one step the constraints may ask for. */
WEFT_API int32_t weft_system_constraint_solves(const weft_system *system);

WEFT_END
#endif
