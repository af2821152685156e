"""A bake: exports the scene, runs weft in the background and copies its frames into the caches that Blender plays."""

import atexit
import json
import os
import re
import signal
import subprocess
import time

import bpy

from . import command, meshes, playback, point_cache, properties
from .command import WeftError
from .export import Export

_PATIENCE = 10  # s that weft gets to save its state when a bake is cancelled
_NOTICES = ("weft: notice: ", "weft: warning: ")
_EXPORT_SLICE = 0.1  # s of export work between two redraws

current = None  # the running bake


def folder_of(scene):
    """Where the bake of this .blend file is kept."""
    given = scene.weft.folder
    if given:
        if given.startswith("//") and not bpy.data.filepath:
            raise WeftError("Save the .blend file first: its bake is kept in a folder beside it")
        return os.path.abspath(bpy.path.abspath(given))
    if not bpy.data.filepath:
        raise WeftError("Save the .blend file first: its bake is kept in a folder beside it")
    name = os.path.splitext(os.path.basename(bpy.data.filepath))[0]
    return os.path.join(os.path.dirname(os.path.abspath(bpy.data.filepath)), "weft-" + name)


def record_of(folder):
    """What an earlier bake wrote down about itself, or None."""
    try:
        with open(os.path.join(folder, "bake.json"), encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return None


def checkpoints(folder):
    """Frames, counted from 0, at which the simulation can start again."""
    try:
        names = os.listdir(os.path.join(folder, "run", "checkpoints"))
    except OSError:
        return []
    matches = (re.fullmatch(r"frame_(\d+)\.checkpoint", name) for name in names)
    return sorted(int(match.group(1)) for match in matches if match)


def baked_range(scene):
    """The first and the last baked frame, or None."""
    try:
        folder = folder_of(scene)
    except WeftError:
        return None
    record = record_of(folder)
    if not record:
        return None
    counts = [point_cache.count_frames(os.path.join(folder, name + ".pc2")) for name in record["cloths"].values()]
    return (record["frame_start"], record["frame_start"] + min(counts) - 1) if counts and min(counts) > 0 else None


class Bake:
    """One bake. `tick` does a little work and returns whether there is more to do."""

    def __init__(self, scene, from_frame=None):
        self.scene_name, self.from_frame = scene.name, from_frame
        self.program = command.require()
        self.folder = folder_of(scene)
        self.process, self.log, self.cancelled_at = None, None, None
        self.writers, self.done = [], 0
        record = record_of(self.folder) if from_frame is not None else None
        self.export = Export(scene, self.folder, record["origin"] if record else None)
        if from_frame is not None:
            self._check_earlier(record, scene)
        os.makedirs(self.folder, exist_ok=True)
        self.exporting = None

    def _check_earlier(self, record, scene):
        if not record:
            raise WeftError(f"{self.folder}: has no bake to go on from. Bake from the start")
        if record["frame_start"] != self.export.first or record["rate"] != self.export.rate:
            raise WeftError("The first frame or the frame rate has changed. Bake from the start")
        if record["unit"] != meshes.unit_of(scene):
            raise WeftError("The unit scale has changed. Bake from the start")
        names = {cloth.object_name: cloth.name for cloth in self.export.cloths}
        if record["cloths"] != names:
            raise WeftError("The cloths are others than in the earlier bake. Bake from the start")
        wanted = self.from_frame - self.export.first
        usable = [frame for frame in checkpoints(self.folder) if frame <= wanted]
        if not usable:
            raise WeftError(f"The earlier bake has no state at or before frame {self.from_frame}. Bake from the start")
        self.restart = usable[-1]

    # -- phases --

    def tick(self, context):
        scene = bpy.data.scenes.get(self.scene_name)
        if scene is None:
            self.stop()
            raise WeftError("The scene was removed while it was baked")
        if self.process is None:
            return self._tick_export(context, scene)
        return self._tick_run(scene)

    def _tick_export(self, context, scene):
        if self.cancelled_at:
            self.exporting.close()
            return self._end(scene, "Cancelled before the simulation began")
        if self.exporting is None:
            self.exporting = self.export.work(context)
        end = time.monotonic() + _EXPORT_SLICE
        for share in self.exporting:
            self._tell(scene, 100 * share, f"Exporting: {100 * share:.0f} %")
            if time.monotonic() > end:
                return True
        self._start_weft(scene)
        return True

    def _start_weft(self, scene):
        words = [self.program, "run", "scene.yaml", "--out", "run", "--threads", str(scene.weft.threads)]
        kept = 0
        if self.from_frame is not None:
            kept = self.restart + 1
            words += ["--from", str(self.restart)]
        self._forget_later_frames(kept)
        self.done = kept
        for cloth in self.export.cloths:
            path = os.path.join(self.folder, cloth.name + ".pc2")
            self.writers.append(point_cache.PointCacheWriter(path, cloth.counts[0], kept))
        self._write_record(scene)
        self.log = open(os.path.join(self.folder, "weft.log"), "w+b")
        # Its own process group: Ctrl-C in Blender's terminal does not reach it.
        self.process = subprocess.Popen(
            words, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, start_new_session=True
        )
        self._tell(scene, 0, "Starting weft")

    def _forget_later_frames(self, kept):
        """weft truncates or removes its caches itself. This keeps old frames from being read before it has."""
        for cloth in self.export.cloths:
            path = os.path.join(self.folder, "run", cloth.name + ".pc2")
            if os.path.exists(path) and not os.path.exists(path + ".part"):
                os.rename(path, path + ".part")
            if not os.path.exists(path + ".part"):
                continue
            if kept == 0:
                os.remove(path + ".part")
            else:
                os.truncate(path + ".part", point_cache.frame_offset(len(cloth.used), kept))

    def _write_record(self, scene):
        record = {
            "version": command.needed_version(),
            "frame_start": self.export.first,
            "rate": self.export.rate,
            "unit": meshes.unit_of(scene),
            "origin": self.export.origin,
            "cloths": {cloth.object_name: cloth.name for cloth in self.export.cloths},
        }
        with open(os.path.join(self.folder, "bake.json"), "w", encoding="utf-8") as file:
            json.dump(record, file, indent=1)

    def _tick_run(self, scene):
        ended = self.process.poll() is not None  # before reading, so that the last frames are not missed
        self._copy_frames(scene)
        total = self.export.last - self.export.first + 1
        if not ended:
            if self.cancelled_at and time.monotonic() - self.cancelled_at > _PATIENCE:
                self.process.kill()
            self._tell(scene, 100 * self.done / total, f"Frame {self.export.first + self.done - 1} of {self.export.last}")
            return True
        status = self.process.returncode
        if self.cancelled_at:
            return self._end(scene, f"Cancelled after frame {self.export.first + self.done - 1}")
        if status != 0 or self.done < total:
            reason = self._reason(status)
            self._end(scene, reason, failed=True)
            raise WeftError(reason)
        warnings = [text for cloth in self.export.cloths for text in cloth.warnings]
        message = ". ".join([f"Baked frames {self.export.first} to {self.export.last}", *warnings])
        return self._end(scene, message + self._notices(), warned=bool(warnings))

    def _copy_frames(self, scene):
        before = self.done
        while True:
            frames = [self._new_frame(cloth) for cloth in self.export.cloths]
            if any(frame is None for frame in frames):
                break
            for cloth, writer, positions in zip(self.export.cloths, self.writers, frames):
                writer.add(cloth.to_object(positions, self.export.space, self.done))
            self.done += 1
        if before != self.done:
            self._show(scene)

    def _new_frame(self, cloth):
        path = os.path.join(self.folder, "run", cloth.name + ".pc2")
        for name in (path + ".part", path):
            positions = point_cache.read_frame(name, len(cloth.used), self.done)
            if positions is not None:
                return positions
        return None

    def _show(self, scene):
        for cloth in self.export.cloths:
            obj = scene.objects.get(cloth.object_name)
            if obj is None:
                continue
            path = os.path.join(self.folder, cloth.name + ".pc2")
            found = playback.modifier(obj)
            if not found or not playback.is_shown(obj) or found.frame_start != self.export.first:
                playback.show(obj, path, self.export.first)
            elif os.path.abspath(bpy.path.abspath(found.filepath)) != path:
                playback.show(obj, path, self.export.first)
            obj.update_tag(refresh={"DATA"})

    def _lines(self, notices):
        """What weft reported: its notices, or its errors."""
        with open(self.log.name, encoding="utf-8", errors="replace") as file:
            lines = [line.strip() for line in file if line.startswith("weft: ")]
        return [line for line in lines if line.startswith(_NOTICES) == notices]

    def _notices(self):
        lines = self._lines(True)
        first = lines[0].split(": ", 2)[2] if lines else ""
        return f". {len(lines)} notices in weft.log, the first: {first}" if lines else ""

    def _reason(self, status):
        """The last error line of weft."""
        lines = self._lines(False)
        if lines:
            return lines[-1]
        return f"weft ended with status {status} and said nothing; see {self.log.name}"

    def _end(self, scene, message, failed=False, warned=False):
        for writer in self.writers:
            writer.close()
        if self.log:
            self.log.close()
        self._tell(scene, 0, message, failed, warned)
        return False

    def _tell(self, scene, percent, message, failed=False, warned=False):
        settings = scene.weft
        settings.progress, settings.message, settings.failed, settings.warned = percent, message, failed, warned

    # -- stopping --

    def cancel(self):
        """Asks weft to save its state and to stop. The frames so far stay."""
        if self.cancelled_at is None:
            self.cancelled_at = time.monotonic()
            if self.process and self.process.poll() is None:
                self.process.send_signal(signal.SIGTERM)

    def stop(self):
        """Ends weft at once, without a word: the file is closed or the add-on is switched off."""
        if self.exporting:
            self.exporting.close()
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(_PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        for writer in self.writers:
            writer.close()
        if self.log:
            self.log.close()


def begin(scene, from_frame=None):
    global current
    if current is not None:
        raise WeftError("A bake is running already")
    current = Bake(scene, from_frame)
    return current


def advance(context):
    """Works on the current bake. Returns whether there is more to do."""
    global current
    more = False
    try:
        more = current.tick(context)
    except Exception as error:
        scene = bpy.data.scenes.get(current.scene_name)
        if scene:
            scene.weft.message, scene.weft.failed = str(error), True
        current.stop()
        raise
    finally:
        if not more:
            current = None
    return more


def free(scene):
    """Removes the files of the bake. Files of others stay."""
    folder = folder_of(scene)
    record = record_of(folder)
    for obj in scene.objects:
        if obj.weft.kind == "CLOTH":
            playback.switch_off(obj)
    if not record:
        return
    for root, _, names in os.walk(folder, topdown=False):
        for name in names:
            if re.search(r"\.(pc2|obj|yaml|inputs|json|log|csv|checkpoint|part)$|^checkpoint$", name):
                os.remove(os.path.join(root, name))
        if not os.listdir(root):
            os.rmdir(root)
    scene.weft.message, scene.weft.failed = "", False


@bpy.app.handlers.persistent
def _before_load(*_):
    global current
    if current is not None:
        current.stop()
        current = None


def register():
    atexit.register(_before_load)  # weft has its own process group, and would go on without Blender
    bpy.app.handlers.load_pre.append(_before_load)


def unregister():
    _before_load()
    atexit.unregister(_before_load)
    bpy.app.handlers.load_pre.remove(_before_load)
