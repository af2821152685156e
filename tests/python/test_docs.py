"""The Python code of docs/python.md runs as it is printed, from top to bottom."""

import re

import pytest


def test_the_manual_runs(source, tmp_path, monkeypatch, capsys):
    with open(f"{source}/docs/python.md", encoding="utf-8") as file:
        blocks = re.findall(r"^```python\n(.*?)^```", file.read(), re.M | re.S)
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
