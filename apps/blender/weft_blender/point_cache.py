"""PC2 point caches: a header of 32 bytes, then single-precision positions, frame by frame."""

import os
import struct

import numpy as np

_HEADER = struct.Struct("<12siiffi")
_MAGIC = b"POINTCACHE2\0"
_COUNT_AT = 28


class PointCacheWriter:
    """Writes a cache whose header always has the number of complete frames. So it can be played while it grows."""

    def __init__(self, path, points, kept=0):
        """`kept`: frames of an existing file to go on after."""
        self.points, self.frames = points, kept
        self.file = open(path, "r+b" if kept else "w+b")
        if kept:
            self.file.truncate(frame_offset(points, kept))
        self._put_count()

    def _put_count(self):
        self.file.seek(0)
        self.file.write(_HEADER.pack(_MAGIC, 1, self.points, 0.0, 1.0, self.frames))
        self.file.flush()

    def add(self, positions):
        """Appends a frame; `positions` is (points, 3)."""
        self.file.seek(frame_offset(self.points, self.frames))
        self.file.write(np.ascontiguousarray(positions, dtype="<f4").tobytes())
        self.file.flush()
        self.frames += 1
        self._put_count()

    def close(self):
        self.file.close()


def frame_offset(points, frame):
    return _HEADER.size + frame * points * 12


def count_frames(path):
    """The number of complete frames of a cache, by its header and its size; 0 if there is none."""
    try:
        with open(path, "rb") as file:
            magic, _, points, _, _, frames = _HEADER.unpack(file.read(_HEADER.size))
        room = (os.path.getsize(path) - _HEADER.size) // (12 * points) if points > 0 else 0
    except (OSError, struct.error):
        return 0
    return min(frames, room) if magic == _MAGIC else 0


def read_frame(path, points, frame):
    """The positions of a frame, or None if the file does not have it yet."""
    try:
        with open(path, "rb") as file:
            file.seek(frame_offset(points, frame))
            data = file.read(points * 12)
    except OSError:
        return None
    return np.frombuffer(data, dtype="<f4").reshape(points, 3) if len(data) == points * 12 else None
