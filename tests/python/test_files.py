"""Files and pictures."""

import re
import struct
import subprocess

import numpy as np
import pytest

import weft
from conftest import make_sheet


def test_a_run_writes_what_the_command_reads(sheet, command, tmp_path):
    sheet.name = "towel"
    sheet.run(3, out=tmp_path / "run", write=["obj", ("pc2", {"up": "z"})])
    assert sorted(path.name for path in (tmp_path / "run" / "obj").iterdir()) == [
        f"towel_{i:04}.obj" for i in range(4)
    ]
    cache = (tmp_path / "run" / "sheet.pc2").read_bytes()
    assert cache[:11] == b"POINTCACHE2" and struct.unpack("<i", cache[16:20])[0] == 49
    last = np.frombuffer(cache[-49 * 12 :], "<f4").reshape(-1, 3)
    x = sheet.cloths[0].positions
    np.testing.assert_allclose(last, np.stack([x[:, 0], -x[:, 2], x[:, 1]], 1), atol=1e-6)
    subprocess.run(
        [command, "render", tmp_path / "run", "--frame", "3", "--size", "32x24", "--out", tmp_path / "a.png", "--quiet"],
        check=True,
    )
    assert (tmp_path / "a.png").exists()


def test_a_recorder_completes_its_files(sheet, tmp_path):
    with pytest.raises(RuntimeError):
        with sheet.record(tmp_path / "bad", frames=2) as recorder:
            recorder.write()
            raise RuntimeError
    assert (tmp_path / "bad" / "frames.weft.part").exists()
    with sheet.record(tmp_path / "good", ["ply"], frames=1, strain=True) as recorder:
        recorder.write()
        sheet.advance()
        recorder.write()
    assert (tmp_path / "good" / "frames.weft").exists() and len(list((tmp_path / "good" / "ply").iterdir())) == 2
    with pytest.raises(ValueError, match="closed"):
        recorder.write()


def test_checkpoints(tmp_path):
    sim, other = make_sheet(), make_sheet()
    sim.run(2)
    sim.save(tmp_path / "checkpoint")
    other.resume(tmp_path / "checkpoint")
    assert other.state_hash == sim.state_hash and other.frame == 2
    sim.run(2), other.run(2)
    assert other.state_hash == sim.state_hash
    data = (tmp_path / "checkpoint").read_bytes()
    (tmp_path / "cut").write_bytes(data[: len(data) // 2])
    with pytest.raises(weft.BadInputError, match="cut"):
        other.resume(tmp_path / "cut")
    with pytest.raises(weft.Error):
        make_sheet((3, 3)).resume(tmp_path / "checkpoint")


def test_pictures(sheet):
    sheet.run(2)
    seen = sheet.cloths[0].positions
    picture = sheet.picture(80, 60, samples=2)
    assert picture[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", picture[16:24]) == (80, 60)
    assert picture._repr_png_() == bytes(picture) and "PNG" in repr(picture)
    assert not seen.stale  # a picture changes nothing
    assert sheet.picture(80, 60, samples=2) == picture
    assert sheet.picture(80, 60, samples=2, color="strain-weft") != picture


def test_views_are_pages_in_themselves(sheet, tmp_path):
    sheet.add_body("sphere", radius=0.1, at=(0.5, -2, 0))
    page = sheet.view()
    film = weft.Film(sheet)
    sheet.run(3, each=film.add)
    assert len(film) == 4
    for made in (page, film.view()):
        assert made.startswith("<!doctype html>") and "weft-data" in made
        assert not re.search(r"<(script|link|img)[^>]*(src|href)=", made)
        assert "three" in made.lower()
    assert "srcdoc=" in page._repr_html_() and "<script>" not in page._repr_html_()
    page.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == str(page)


def test_progress(sheet, capsys):
    sheet.run(2, progress=True)
    assert "frame 2 of 2" in capsys.readouterr().err


def test_reports(sheet):
    report = sheet.step(0.005)
    assert report.status == "ok" and report.dt == 0.005 and report.steps == 1
    assert report._asdict()["iterations"] == report.iterations > 0
    assert set(report.seconds) >= {"integrate", "contact"} and "status='ok'" in repr(report)
    assert sheet.advance().steps == 3  # the rest of the frame
    assert "1 cloths" in repr(sheet) and "sheet" in repr(sheet.cloths)
