"""Finds the command `weft`, checks its version and asks it for its parameter table."""

import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass

import bpy

_BUNDLED = os.path.join(os.path.dirname(__file__), "table.json")
_TIMEOUT = 20  # s


class WeftError(Exception):
    """A failure with one line for the user."""


@dataclass
class Found:
    good: bool
    text: str


def bundled_table():
    """The table of the version that this add-on was built with."""
    with open(_BUNDLED, encoding="utf-8") as file:
        return json.load(file)


def needed_version():
    return bundled_table()["version"]


def _preference():
    addon = bpy.context.preferences.addons.get(__package__)
    return bpy.path.abspath(addon.preferences.command).strip() if addon and addon.preferences else ""


def path():
    """The program that the preferences name, or the one in PATH."""
    given = _preference()
    if not given:
        found = shutil.which("weft")
        if not found:
            raise WeftError(
                "The command weft was not found in PATH. Install Weft, or set the command in "
                "Preferences > Add-ons > Weft"
            )
        return found
    if os.path.isdir(given):
        given = os.path.join(given, "weft")
    if not os.path.isfile(given):
        raise WeftError(f"{given}: there is no such program. Correct it in Preferences > Add-ons > Weft")
    if not os.access(given, os.X_OK):
        raise WeftError(f"{given}: is not a program that may be executed")
    return given


def _ask(program, *words):
    try:
        done = subprocess.run(
            [program, *words], capture_output=True, text=True, errors="replace", timeout=_TIMEOUT, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise WeftError(f"{program}: could not be run: {error}") from error
    return done


def version(program):
    answer = _ask(program, "--version").stdout.strip()
    match = re.fullmatch(r"weft (\S+)", answer)
    if not match:
        raise WeftError(f"{program}: is not weft; its --version is '{answer[:60]}'")
    return match.group(1)


def require():
    """The path of a usable weft. Raises WeftError if it is missing or of another version."""
    program = path()
    there, needed = version(program), needed_version()
    if there != needed:
        raise WeftError(
            f"{program} is weft {there}, but this add-on needs weft {needed}. Install that version, or the add-on "
            f"of weft {there}"
        )
    return program


def describe():
    """What the preferences show."""
    try:
        return Found(True, f"weft {needed_version()}: {require()}")
    except WeftError as error:
        return Found(False, str(error))


def table():
    """The table of the installed command. Without a usable command, or if it fails, the bundled one."""
    try:
        done = _ask(require(), "help", "--json")
        if done.returncode == 0:
            return json.loads(done.stdout)
    except (WeftError, ValueError):
        pass
    return bundled_table()
