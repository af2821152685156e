"""Pictures and interactive views for notebooks."""

from __future__ import annotations

import base64
import html
import json
import os
from typing import Any, Union

import numpy as np

from .errors import UnsupportedError

_CLOTHS = ((0.70, 0.20, 0.17), (0.18, 0.42, 0.65), (0.85, 0.62, 0.20), (0.33, 0.55, 0.35))
_BODY = (0.62, 0.62, 0.60)


class Picture(bytes):
    """PNG bytes. A notebook shows the picture."""

    def _repr_png_(self) -> bytes:
        return bytes(self)

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Write the picture to a PNG file."""
        with open(path, "wb") as file:
            file.write(self)

    def __repr__(self) -> str:
        return f"<picture, {len(self)} bytes of PNG>"


class Page(str):
    """An HTML page in itself: all scripts and data are inside. A notebook shows it in a frame."""

    height = 420

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{html.escape(self)}" style="width:100%;height:{self.height}px;border:0" '
            'sandbox="allow-scripts"></iframe>'
        )

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Write the page to a file, which any browser opens."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self)

    def __repr__(self) -> str:
        return f"<page, {len(self)} characters of HTML>"


def _encode(array: Any, kind: Any) -> str:
    return base64.b64encode(np.ascontiguousarray(array, dtype=kind).tobytes()).decode("ascii")


def _script() -> str:
    path = os.path.join(os.path.dirname(__file__), "view.js")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if not text:
        raise UnsupportedError("the interactive view was not built, because npm was missing when the package was built")
    return text.replace("</script", "<\\/script")


class Film:
    """Frames of a simulation for an interactive view. It starts with the present state.

    film = weft.Film(sim); sim.run(60, each=film.add); film.view()
    """

    def __init__(self, sim: Any) -> None:
        self._sim = sim
        self._cloths: list[dict[str, Any]] = []
        self._bodies: list[dict[str, Any]] = []
        self.add(sim)

    @staticmethod
    def _surface(name: str, triangles: Any, colour: Any) -> dict[str, Any]:
        return {"name": name, "triangles": _encode(triangles, "<u4"), "frames": [], "colour": colour}

    def _triangles(self, cloth: Any) -> Any:
        """The triangles that are not torn open. Faces have the numbers of triangles only if all are triangles."""
        open_faces = np.asarray(cloth.open_faces)
        whole = np.asarray(cloth.triangles)
        return whole[~open_faces] if len(open_faces) == len(whole) else whole

    def add(self, sim: Any) -> None:
        """Add the present state as a frame."""
        first = not self._cloths
        if not first and any(cloth.mesh_changes for cloth in sim.cloths):
            raise UnsupportedError("a film needs meshes that do not change; view() shows a single state")
        for i, cloth in enumerate(sim.cloths):
            if first:
                colour = _CLOTHS[i % len(_CLOTHS)]
                self._cloths.append(self._surface(cloth.name, self._triangles(cloth), colour))
            self._cloths[i]["frames"].append(_encode(cloth.positions.copy(), "<f4"))
        for i, body in enumerate(sim.bodies):
            x, triangles = body.surface()
            if first:
                self._bodies.append(self._surface(body.name, triangles, _BODY))
            frame = _encode(x, "<f4")
            frames = self._bodies[i]["frames"]
            frames.append(frame if not frames or frame != frames[-1] else frames[-1])

    def __len__(self) -> int:
        return len(self._cloths[0]["frames"]) if self._cloths else 0

    def view(self, height: int = 420) -> Page:
        """An interactive view: drag to turn, scroll to zoom, and a slider for the time if there are several frames."""
        bodies = [
            {**body, "frames": body["frames"][:1] if len(set(body["frames"])) == 1 else body["frames"]}
            for body in self._bodies
        ]
        data = json.dumps({"cloths": self._cloths, "bodies": bodies, "rate": float(self._sim.time.rate)})
        page = Page(
            '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Weft</title>'
            "<style>html,body,#weft-view{margin:0;height:100%;overflow:hidden;font:14px sans-serif}</style></head>"
            f'<body><div id="weft-view"></div><script type="application/json" id="weft-data">{data}</script>'
            f"<script>{_script()}</script></body></html>"
        )
        page.height = height
        return page
