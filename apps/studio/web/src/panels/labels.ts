// Labels of parameters and of their groups in users' words. A name without an entry is shown as its table spells it.

const titles: Record<string, string> = {
    adapt: "Mesh adaptation",
    time: "Time",
    air: "Air",
    contact: "Contact and self-collision",
    "contact.barrier": "Contact: barrier",
    "contact.constraints": "Contact: constraints",
    "contact.impulses": "Contact: impulses",
};

// Keys are GROUP.NAME. All cloths share the groups "cloth.fabric" and "cloth.model"; so do all forces and all bodies.
const labels: Record<string, string> = {
    "time.step": "time step",
    "time.frames": "number of frames",
    "time.rate": "frame rate",
    "time.mode": "step lengths",
    "time.jitter": "step jitter",
    "time.accuracy": "step accuracy",
    "time.halvings": "step halvings",
    "air.seed": "random seed",
    "integrator.precondition": "preconditioner",
    "integrator.newton": "Newton iterations",
    "integrator.newton_tolerance": "Newton tolerance",
    "integrator.finish": "extra solves",
    "contact.mode": "accuracy",
    "contact.margin": "search margin",
    "contact.self": "self-collision",
    "contact.bodies": "cloth on body",
    "contact.layers": "cloth on cloth",
    "contact.solves": "linear solves",
    "contact.sweeps": "contact passes",
    "contact.iterations": "impulse rounds",
    "contact.zones": "rigid zone rounds",
    "contact.halvings": "step halvings",
    "contact.stretch": "stretch per step",
    "contact.search": "broad phase",
    "contact.repair": "untangle at start",
    "contact.audit": "count intersections",
    "contact.sleep": "sleep below",
    "adapt.max_generation": "finest level",
    "adapt.max_triangles": "most triangles",
    "adapt.refine": "refine mesh",
    "adapt.coarsen": "coarsen mesh",
    "adapt.contact": "refine at contact",
    "adapt.strain": "refine at strain",
    "adapt.jump": "largest strain jump",
    "adapt.energy": "energy budget",
    "adapt.avoid": "avoid collisions",
    "adapt.every": "interval, steps",
    "cloth.fabric.density": "weight per area",
    "cloth.fabric.stretch_weft": "stretch stiffness, weft",
    "cloth.fabric.stretch_warp": "stretch stiffness, warp",
    "cloth.fabric.shear": "shear stiffness",
    "cloth.fabric.bend_weft": "bending stiffness, weft",
    "cloth.fabric.bend_warp": "bending stiffness, warp",
    "cloth.fabric.damping": "damping time",
    "cloth.fabric.drag": "air drag",
    "cloth.fabric.lift": "air lift",
    "cloth.fabric.tear_weft": "tearing strain, weft",
    "cloth.fabric.tear_warp": "tearing strain, warp",
    "cloth.fabric.tear_zone": "tearing zone",
    "cloth.fabric.poisson_weft": "Poisson, weft",
    "cloth.fabric.poisson_warp": "Poisson, warp",
    "cloth.panels.density": "weight per area",
    "cloth.panels.stretch": "stretch stiffness",
    "cloth.panels.bend": "bending stiffness",
    "cloth.panels.width": "width",
    "cloth.panels.length": "length",
    "cloth.ease.width": "width of all panels",
    "cloth.ease.length": "length of all panels",
    "cloth.model.stiffness": "stiffness from",
    "cloth.model.damping_kind": "damping acts",
    "cloth.model.limit": "elongation limit",
    "cloth.model.limit_passes": "limit rounds",
    "cloth.model.tear": "tearing ratio",
    "forces.speed": "wind speed",
    "forces.strength": "wind strength",
    "forces.randomness": "gustiness",
    "forces.gust_frequency": "gusts per second",
    "forces.coefficient": "air resistance",
    "forces.per": "applied per",
    "bodies.at": "position",
    "bodies.rotate": "rotation",
};

/** "contact.self" -> "self" */
export function leaf(path: string): string {
    return path.slice(path.lastIndexOf(".") + 1);
}

/** "cloth.flag.fabric.density" -> "density", "contact.self" -> "self-collision" */
export function labelOf(path: string): string {
    const words = path.split(".");
    const group = words[0] === "cloth" ? `cloth.${words[2]}` : words[0];
    return labels[`${group}.${leaf(path)}`] ?? leaf(path).replaceAll("_", " ");
}

/** "cloth.tshirt.panels.front" -> "Panel front", "cloth.flag.fabric" -> "Fabric", "forces.air-damping" -> "Air damping", "adapt" -> "Mesh adaptation" */
export function titleOf(group: string): string {
    const words = group.split(".");
    if (words[2] === "panels") return `Panel ${words[3]}`;
    const isListed = words[0] === "cloth" || words[0] === "forces" || words[0] === "bodies";
    const name = isListed ? words[words.length - 1] : words[0];
    return titles[group] ?? name.charAt(0).toUpperCase() + name.slice(1).replaceAll("-", " ");
}
