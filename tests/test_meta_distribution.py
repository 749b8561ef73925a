"""The distribution `warpsmith` has no code. It requires the packages: by path for pip in a checkout, by version elsewhere."""

from __future__ import annotations

import email
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from source_tree import ROOT

PACKAGES = {
    path.parent.name: f"warpsmith-{path.parent.name.replace('_', '-')}" for path in ROOT.glob("packages/*/pyproject.toml")
}


def build(folder: Path, target: str, out: Path, **environment: str) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(out)]
    plain = {name: value for name, value in os.environ.items() if name != "PIP_BUILD_TRACKER"}
    subprocess.run(command, cwd=folder, env=plain | environment, check=True, capture_output=True)
    (built,) = out.iterdir()
    return built


def requirements(wheel: Path) -> tuple[list[str], list[Requirement]]:
    """Return the files of a wheel that are not metadata, and what it requires."""
    with zipfile.ZipFile(wheel) as archive:
        code = [name for name in archive.namelist() if ".dist-info/" not in name]
        (metadata,) = [name for name in archive.namelist() if name.endswith("/METADATA")]
        headers = email.message_from_bytes(archive.read(metadata))
    return code, [Requirement(text) for text in headers.get_all("Requires-Dist")]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the build reads."""
    folder = tmp_path_factory.mktemp("a checkout")
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    for package in PACKAGES:
        (folder / "packages" / package).mkdir(parents=True)
    return folder


def test_pip_finds_the_packages_beside_it(checkout: Path, tmp_path: Path) -> None:
    code, required = requirements(build(checkout, "wheel", tmp_path / "wheel", PIP_BUILD_TRACKER="/tmp"))  # noqa: S108 - a mark
    assert code == []
    paths = {one.name: one.url for one in required}
    assert paths == {name: (checkout / "packages" / folder).as_uri() for folder, name in PACKAGES.items()}


def test_a_built_distribution_names_versions(checkout: Path, tmp_path: Path) -> None:
    source = build(checkout, "sdist", tmp_path / "source")
    with tarfile.open(source) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # Python 3.11.3 and older have none
        archive.extractall(tmp_path)  # noqa: S202 - a distribution that this test has built
        assert not [name for name in archive.getnames() if "packages" in name]
    unpacked = tmp_path / source.name.removesuffix(".tar.gz")
    for folder, wheel in ((checkout, tmp_path / "one"), (unpacked, tmp_path / "two")):
        _, required = requirements(build(folder, "wheel", wheel))
        assert {one.name for one in required} == set(PACKAGES.values())
        assert {str(one.specifier) for one in required} == {"==0.1.0"}
        assert {one.url for one in required} == {None}
    assert {one.name for one in required if one.marker and one.marker.evaluate({"extra": "all"})} >= {"warpsmith-core"}


def test_the_workspace_and_the_versions_agree() -> None:
    tomllib = pytest.importorskip("tomllib", reason="reading pyproject.toml needs Python 3.11")
    root = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert set(root["tool"]["uv"]["sources"]) == {"warpsmith", *PACKAGES.values()}
    versions = {root["project"]["version"]}
    for folder in PACKAGES:
        versions.add(tomllib.loads((ROOT / "packages" / folder / "pyproject.toml").read_text())["project"]["version"])
    assert len(versions) == 1


def test_the_extra_all_names_extras_that_exist() -> None:
    tomllib = pytest.importorskip("tomllib", reason="reading pyproject.toml needs Python 3.11")
    namespace: dict[str, dict[str, tuple[str, ...]]] = {}
    exec((ROOT / "hatch_build.py").read_text(), namespace)  # noqa: S102 - a file of this repository
    for required in (Requirement(text) for texts in namespace["EXTRAS"].values() for text in texts):
        project = tomllib.loads((ROOT / "packages" / required.name / "pyproject.toml").read_text())["project"]
        assert required.extras <= set(project["optional-dependencies"])
