"""The cached catalogue is that of the files, whatever happens to the cache or the files."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from warpsmith.core.files.user_cache import VARIABLE
from warpsmith.synthesis.writing.catalogue import idea_files, parsed_domains
from warpsmith.synthesis.writing.ideas.parts import Domain


@pytest.fixture
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def catalogue(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A catalogue of two domains, which tests may change."""
    for name in ("tiles", "graphs"):
        shutil.copytree(Path(idea_files.__file__).with_name(name), tmp_path / "catalogue" / name)
    monkeypatch.setattr(idea_files, "__file__", str(tmp_path / "catalogue" / "idea_files.py"))
    return tmp_path / "catalogue"


def no_reading(folder: Path) -> Domain:
    raise AssertionError(f"{folder} is read again")


def test_cached_domains_are_those_of_the_files(monkeypatch: pytest.MonkeyPatch, cache: Path) -> None:
    read = parsed_domains.parsed_domains()
    assert [path.suffix for path in cache.iterdir()] == [".msgpack"]
    monkeypatch.setattr(parsed_domains, "read_domain", no_reading)
    cached = parsed_domains.parsed_domains()
    assert repr(cached) == repr(read), "numbers keep their types, too"
    assert [domain.parameters for domain in cached] == [domain.parameters for domain in read], (
        "there is one object of each type"
    )
    assert [domain.anonymous for domain in cached] == [domain.anonymous for domain in read]


def test_a_changed_file_is_read_again(cache: Path, catalogue: Path) -> None:
    graphs, _ = parsed_domains.parsed_domains()
    path = catalogue / "graphs" / "new.ideas"
    path.write_text("number fresh_key: float32 0..1 | fresh | a number\n")
    changed, _ = parsed_domains.parsed_domains()
    assert {row.key for row in changed.parameters} - {row.key for row in graphs.parameters} == {"fresh_key"}
    path.unlink()
    assert repr(parsed_domains.parsed_domains()[0]) == repr(graphs)
    assert len(list(cache.iterdir())) == 2


@pytest.mark.usefixtures("catalogue")
def test_a_damaged_cache_is_replaced(cache: Path) -> None:
    read = parsed_domains.parsed_domains()
    (path,) = cache.iterdir()
    content = path.read_bytes()
    path.write_bytes(content[:-10])
    assert repr(parsed_domains.parsed_domains()) == repr(read)
    assert path.read_bytes() == content
