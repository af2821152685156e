"""Builds the wheel of the package (PEP 517), with nothing but the standard library, cmake and a C compiler.

The wheel has the tag cp39-abi3: one file for all Python versions from 3.9 on. WEFT_PYTHON_PACKAGE may name a folder
`weft` that is built already; then it is only packed.

python backend/weft_backend.py FOLDER writes the wheel to FOLDER.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import subprocess
import sys
import sysconfig
import zipfile
from typing import Any, Optional

_HERE = os.path.dirname(os.path.abspath(__file__))
_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(_HERE)))


def _version() -> str:
    with open(os.path.join(_ROOT, "CMakeLists.txt"), encoding="utf-8") as file:
        found = re.search(r"^project\(.*VERSION ([0-9.]+)", file.read(), re.M)
    if not found:
        raise RuntimeError("CMakeLists.txt has no version")
    return found.group(1)


def _build() -> str:
    """Builds the package and returns its folder."""
    ready = os.environ.get("WEFT_PYTHON_PACKAGE")
    if ready:
        return ready
    folder = os.path.join(_ROOT, "build", "release", "python", "weft")
    stamp = os.path.join(folder, "parameters.pyi")
    command = [os.path.join(_ROOT, "tools", "build"), "release", f"-DWEFT_PYTHON={sys.executable}"]
    if os.path.exists(stamp):
        os.remove(stamp)
    subprocess.run(command, env={**os.environ, "TARGETS": "weft_python_package"}, check=True)
    if not os.path.exists(stamp):
        raise RuntimeError("the package was not built; see build/release/configure.log")
    return folder


def _metadata() -> str:
    lines = [
        "Metadata-Version: 2.1",
        "Name: weft",
        f"Version: {_version()}",
        "Summary: Cloth simulation",
        "License: MIT",
        "Requires-Python: >=3.9",
        "Requires-Dist: numpy>=1.20",
    ]
    return "\n".join(lines) + "\n"


def _tag() -> str:
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"cp39-abi3-{platform}"


def _pack(package: str, path: str) -> None:
    """Writes the wheel. The same files give the same bytes."""
    info = f"weft-{_version()}.dist-info"
    files = {
        f"{info}/METADATA": _metadata().encode(),
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: weft\nRoot-Is-Purelib: false\nTag: {_tag()}\n".encode(),
    }
    for name in sorted(os.listdir(package)):
        if name.endswith((".py", ".pyi", ".so", ".js", ".typed")):
            with open(os.path.join(package, name), "rb") as file:
                files[f"weft/{name}"] = file.read()
    with open(os.path.join(_ROOT, "LICENSE"), "rb") as file:
        files[f"{info}/LICENSE"] = file.read()
    record = ""
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(data)}\n"
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    with zipfile.ZipFile(path + ".part", "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name)  # the date is fixed
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if name.endswith(".so") else 0o644) << 16
            wheel.writestr(entry, data)
    os.replace(path + ".part", path)


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: Optional[str] = None) -> str:
    """Builds the wheel and returns its name."""
    name = f"weft-{_version()}-{_tag()}.whl"
    _pack(_build(), os.path.join(wheel_directory, name))
    return name


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    """Refuses: the sources are those of the whole project."""
    raise RuntimeError("weft has no source distribution of its own: build it from the repository")


if __name__ == "__main__":
    os.makedirs(sys.argv[1], exist_ok=True)
    print(os.path.join(sys.argv[1], build_wheel(sys.argv[1])))
