"""Meshes as Blender evaluates them, in Weft's axes and metres."""

import numpy as np

from .command import WeftError


class Space:
    """From Blender's world to Weft's: metres, y up, near `origin`, so that single precision is enough."""

    def __init__(self, origin, unit):
        self.origin, self.unit = np.asarray(origin, dtype=float), unit

    def matrix(self, matrix_world):
        """From the coordinates of an object to Weft's, 4 x 4, double precision."""
        turn = np.array([[1, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1]], dtype=float)
        turn[:3] *= self.unit
        shift = np.eye(4)
        shift[:3, 3] = -self.origin
        return turn @ shift @ np.array(matrix_world, dtype=float)


def unit_of(scene):
    """Metres per Blender unit."""
    settings = scene.unit_settings
    return 1.0 if settings.system == "NONE" else settings.scale_length


def transform(matrix, points):
    return points @ matrix[:3, :3].T + matrix[:3, 3]


class Shape:
    """The faces of an evaluated mesh, its positions in the object's coordinates, and its place in the world."""

    def __init__(self, obj, depsgraph, faces="none"):
        """`faces`: "none", "polygons", or "triangles", as Blender cuts polygons of any shape."""
        evaluated = obj.evaluated_get(depsgraph)
        mesh = evaluated.to_mesh()
        try:
            if mesh is None:
                raise WeftError(f"{obj.name}: has no mesh that Weft could use")
            self.local = np.empty(3 * len(mesh.vertices), dtype=np.float32)
            mesh.vertices.foreach_get("co", self.local)
            self.local = self.local.reshape(-1, 3).astype(float)
            self.matrix_world = np.array(evaluated.matrix_world, dtype=float)
            self.counts = (len(mesh.vertices), len(mesh.polygons), len(mesh.loops))
            if faces == "polygons":
                self._take_polygons(mesh)
            elif faces == "triangles":
                self._take_triangles(mesh)
        finally:
            evaluated.to_mesh_clear()

    def _take_triangles(self, mesh):
        mesh.calc_loop_triangles()
        self.corners = np.empty(3 * len(mesh.loop_triangles), dtype=np.int32)
        mesh.loop_triangles.foreach_get("vertices", self.corners)
        self.sizes = np.full(len(mesh.loop_triangles), 3)

    def _take_polygons(self, mesh):
        self.corners = np.empty(len(mesh.loops), dtype=np.int32)
        mesh.loops.foreach_get("vertex_index", self.corners)
        self.sizes = np.empty(len(mesh.polygons), dtype=np.int32)
        mesh.polygons.foreach_get("loop_total", self.sizes)
        self.uv = {}
        for layer in mesh.uv_layers:
            uv = np.empty(2 * len(mesh.loops), dtype=np.float32)
            layer.data.foreach_get("uv", uv)
            self.uv[layer.name] = uv.reshape(-1, 2)

    def is_mirrored(self):
        return np.linalg.det(self.matrix_world[:3, :3]) < 0


def write_obj(path, positions, shape, numbers=None, uv=None):
    """Writes polygons. `numbers` gives each vertex its number in the file, from 1 on; without it they are in order.

    A mirrored object gets its faces turned, so that they stay counter-clockwise from outside.
    """
    if numbers is None:
        numbers = np.arange(1, len(positions) + 1)
    with open(path, "w", encoding="ascii") as file:
        file.writelines("v %.9g %.9g %.9g\n" % tuple(p) for p in positions)
        if uv is not None:
            file.writelines("vt %.9g %.9g\n" % tuple(t) for t in uv)
        begin, mirrored = 0, shape.is_mirrored()
        for size in shape.sizes:
            corners = range(begin, begin + size)
            begin += size
            if mirrored:
                corners = reversed(corners)
            words = (
                f"{numbers[shape.corners[c]]}" if uv is None else f"{numbers[shape.corners[c]]}/{c + 1}"
                for c in corners
            )
            file.write("f " + " ".join(words) + "\n")


def weights(obj, group_name, count):
    """The weight of each vertex of the mesh data in a vertex group."""
    group = obj.vertex_groups.get(group_name)
    if group is None:
        raise WeftError(f"{obj.name}: has no vertex group '{group_name}', which is its pin group")
    values = np.zeros(count)
    for vertex in obj.data.vertices:
        for element in vertex.groups:
            if element.group == group.index:
                values[vertex.index] = element.weight
    return values
