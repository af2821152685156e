"""The Python code of README.md and docs/python.md runs as it is printed, from top to bottom."""

import re

import pytest


def python_blocks(path):
    with open(path, encoding="utf-8") as file:
        return re.findall(r"^```python\n(.*?)^```", file.read(), re.M | re.S)


def test_the_readme_runs(source, capsys):
    (block,) = python_blocks(f"{source}/README.md")
    exec(compile(block, "README.md", "exec"), {})
    # a sheet of 1 m hung up at two corners: its middle sags, since wool shears easily
    assert -1.3 < float(capsys.readouterr().out) < -1


def test_the_manual_runs(source, tmp_path, monkeypatch, capsys):
    blocks = python_blocks(f"{source}/docs/python.md")
    assert len(blocks) >= 9
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in blocks:
        try:
            exec(compile(block, "docs/python.md", "exec"), names)
        except Exception as error:  # show which block
            pytest.fail(f"{block}\n{type(error).__name__}: {error}")
    printed = capsys.readouterr().out
    assert "moved on" in printed and "forces.wind.speed: -1.0 is below 0 (m/s)" in printed
    assert (tmp_path / "flag.html").exists() and (tmp_path / "out" / "flag" / "frames.weft").exists()
