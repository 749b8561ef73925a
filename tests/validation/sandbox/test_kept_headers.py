"""Headers that an earlier run precompiled: used if they are whole and nobody else could have written them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from checked_lines import verdicts_of
from warpsmith.core.files.user_cache import VARIABLE
from warpsmith.core.records.jsonl import Line
from warpsmith.validation.compiling import clang
from warpsmith.validation.levels.registry import levels_to
from warpsmith.validation.sandbox import kept_headers
from warpsmith.validation.sandbox.headers import Headers
from warpsmith.validation.sandbox.supervisor import Supervisor


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a cache directory for this test, which does not exist yet."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache"


def precompiled(scratch: Path, content: bytes = b"header") -> Callable[[], object]:
    """Return a function that writes a header into ``scratch``."""
    return lambda: (scratch / "headers_256.pch").write_bytes(content)


def refuse() -> None:
    raise AssertionError("precompiled again")


def install(scratch: Path, precompile: Callable[[], object] = refuse) -> bytes:
    """Return the header that a worker of a new run gets."""
    scratch.mkdir()
    with Headers() as headers:
        headers.install(scratch, precompile)
    return (scratch / "headers_256.pch").read_bytes()


def found(folder: Path) -> list[str]:
    """Return the names of the headers that a new run finds."""
    folder.mkdir(exist_ok=True)
    return [path.name for path in kept_headers.copy_to(folder)]


def test_a_later_run_finds_the_headers(cache: Path, tmp_path: Path) -> None:
    assert found(tmp_path / "none") == []
    install(tmp_path / "first", precompiled(tmp_path / "first"))
    assert install(tmp_path / "second") == b"header"
    assert [path.name for path in cache.iterdir()] == [kept_headers._name()]
    assert cache.stat().st_mode & 0o777 == 0o700


@pytest.mark.usefixtures("cache")
def test_other_sources_have_other_headers(tmp_path: Path) -> None:
    install(tmp_path / "first", precompiled(tmp_path / "first"))
    sources = list(kept_headers._sources())
    assert {Path(clang.__file__), *clang.EMULATION.path.glob("*.h")} < set(sources)
    assert any(path.match("warp/native/builtin.h") for path in sources)
    assert any("warp-clang" in path.name for path in sources)
    changed = tmp_path / "changed.h"
    changed.write_text("")
    other = replace(kept_headers.HEADERS, sources=lambda: iter([*sources, changed]))
    (tmp_path / "other").mkdir()
    assert kept_headers.copy_to(tmp_path / "other", other) == []
    assert kept_headers._name(other) != kept_headers._name()


@pytest.mark.parametrize("mode", [0o770, 0o707])
def test_a_folder_that_others_can_write_to_is_not_used(cache: Path, tmp_path: Path, mode: int) -> None:
    install(tmp_path / "first", precompiled(tmp_path / "first"))
    cache.chmod(mode)
    assert install(tmp_path / "second", precompiled(tmp_path / "second", b"own")) == b"own"


def test_a_run_works_without_a_cache_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    for named in ("", str(tmp_path / "file"), str(tmp_path / "file" / "below")):
        monkeypatch.setenv(VARIABLE, named)
        scratch = tmp_path / f"scratch{len(named)}"
        assert install(scratch, precompiled(scratch)) == b"header"
        assert found(tmp_path / "none") == []


def test_only_the_headers_used_last_stay(cache: Path, tmp_path: Path) -> None:
    for number in range(kept_headers.KEPT + 2):
        folder = cache / f"headers-{number}"
        folder.mkdir(mode=0o700, parents=True)
        os.utime(folder, (number, number))
    install(tmp_path / "first", precompiled(tmp_path / "first"))
    assert {path.name for path in cache.iterdir()} == {kept_headers._name(), "headers-3", "headers-4", "headers-5"}


def _cut(folder: Path) -> None:
    (folder / "headers_256.pch").write_bytes(b"head")


def _replace_all(folder: Path) -> None:
    (folder / "headers_256.pch").write_bytes(b"planted")
    (folder / "digest").write_text(hashlib.sha256(b"planted").hexdigest())


DAMAGES: dict[str, Callable[[Path], object]] = {
    "cut": _cut,
    "replaced": _replace_all,
    "one bit": lambda folder: (folder / "headers_256.pch").write_bytes(b"headeR"),
    "another header": lambda folder: (folder / "headers_64.pch").write_bytes(b"planted"),
    "renamed": lambda folder: (folder / "headers_256.pch").rename(folder / "headers_64.pch"),
    "no digest": lambda folder: (folder / "digest").unlink(),
    "an empty digest": lambda folder: (folder / "digest").write_text(""),
    "a digest that is no text": lambda folder: (folder / "digest").write_bytes(b"\xff"),
    "a folder as header": lambda folder: (folder / "a.pch").mkdir(),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_headers_that_differ_from_their_digest_are_precompiled_again(cache: Path, tmp_path: Path, damage: str) -> None:
    install(tmp_path / "first", precompiled(tmp_path / "first"))
    DAMAGES[damage](cache / kept_headers._name())
    assert install(tmp_path / "second", precompiled(tmp_path / "second", b"again")) == b"again"
    assert install(tmp_path / "third") == b"again"
    assert not (tmp_path / "third" / "headers_64.pch").exists()


def test_the_compiled_machine_is_shared_and_kept(cache: Path, tmp_path: Path) -> None:
    def install_machine(headers: Headers, name: str, compile_machine: Callable[[Path], object]) -> bytes:
        folder = tmp_path / name / ".cache" / "warpsmith"
        headers.install_machine(tmp_path / name, lambda: compile_machine(folder / "simt_machine.o"))
        return (folder / "simt_machine.o").read_bytes()

    def refuse_path(_: Path) -> None:
        refuse()

    with Headers() as headers:
        assert install_machine(headers, "first", lambda path: path.write_bytes(b"code")) == b"code"
        assert install_machine(headers, "second", refuse_path) == b"code"
    with Headers() as headers:
        assert install_machine(headers, "third", refuse_path) == b"code"
        headers.reject()
        assert install_machine(headers, "fourth", lambda path: path.write_bytes(b"other")) == b"other"
    assert [path.name for path in cache.iterdir()] == [kept_headers._name(kept_headers.MACHINE)]


@pytest.mark.exhaustive
def test_damaged_headers_are_precompiled_again(cache: Path, tmp_path: Path, lines: list[Line]) -> None:
    install(tmp_path / "first", precompiled(tmp_path / "first", b"damaged"))
    with Supervisor(levels_to("compile")) as supervisor:
        verdicts = verdicts_of(supervisor, lines[:1])
    assert [verdict.status for verdict in verdicts] == ["pass"] * len(levels_to("compile"))
    (kept,) = cache.glob("*/headers_256.pch")
    assert kept.stat().st_size > 1_000_000
