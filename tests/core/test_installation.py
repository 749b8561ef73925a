"""Commands that install what is missing fit the environment and do not need warpsmith on an index."""

from __future__ import annotations

import shlex
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from warpsmith.core import installation
from warpsmith.core.extras import EXPORT, HUB, NEAR, RAY, REMOTE
from warpsmith.core.installation import install_command, script, sibling_command

tomllib = pytest.importorskip("tomllib", reason="reading pyproject.toml needs Python 3.11")


def named(command: str) -> set[str]:
    """Return the names of the packages that a command installs."""
    words = shlex.split(command.partition(" install ")[2])
    return {word.split("<")[0].split(">")[0].split("=")[0].split(";")[0].strip() for word in words if not word.startswith("-")}


@pytest.mark.parametrize("extra", [EXPORT, HUB, NEAR, RAY, REMOTE])
def test_a_missing_extra_is_installed_by_its_libraries(extra: Any, root: Path) -> None:
    declared = tomllib.loads((root / "packages" / "core" / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    wanted = declared[extra.name.partition("[")[2].rstrip("]")]
    assert {name.split("<")[0].split(">")[0] for name in wanted} <= named(extra.missing)
    assert not any(name.startswith("warpsmith") for name in named(extra.missing))


def test_extras_that_name_extras_are_resolved() -> None:
    assert "rensa" in named(install_command("warpsmith-validation[stats]"))
    assert "ray" in named(install_command("warpsmith-synthesis[ray]"))


def test_the_command_starts_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The words before the packages are a program that installs into the environment of this process."""
    monkeypatch.chdir(tmp_path)
    for with_pip in (True, False):
        monkeypatch.setattr(installation, "has_module", lambda _, found=with_pip: found)
        monkeypatch.setattr(installation.shutil, "which", lambda name: f"/bin/{name}")
        words = shlex.split(install_command("some-package"))
        python = str(Path(sys.executable))
        if with_pip:
            assert words == [python, "-m", "pip", "install", "some-package"]
        else:
            assert words == ["uv", "pip", "install", "--python", python, "some-package"]
    monkeypatch.chdir(Path(sys.executable).parents[1])
    assert shlex.split(install_command("p"))[4] == f"bin/{Path(sys.executable).name}"


class Origin:
    """A distribution that states where it was installed from."""

    def __init__(self, text: str | None) -> None:
        self.text = text

    def read_text(self, name: str) -> str | None:
        assert name == "direct_url.json"
        return self.text


def test_a_checkout_installs_siblings_from_its_folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("core", "validation"):
        (tmp_path / "my packages" / name).mkdir(parents=True)
    url = (tmp_path / "my packages" / "core").as_uri()
    origin = Origin(f'{{"dir_info": {{"editable": true}}, "url": "{url}"}}')
    monkeypatch.setattr(metadata, "distribution", lambda _: origin)
    words = shlex.split(sibling_command("extraction", "validation"))
    assert words[-2:] == [f"--editable={tmp_path}/my packages/{name}" for name in ("extraction", "validation")]


@pytest.mark.parametrize(
    "text", [None, '{"vcs_info": {}, "url": "https://example.org/x"}', '{"dir_info": {}, "url": "file:///gone/core"}']
)
def test_other_installations_name_the_address(monkeypatch: pytest.MonkeyPatch, text: str | None) -> None:
    monkeypatch.setattr(metadata, "distribution", lambda _: Origin(text))
    assert sibling_command("validation").endswith(" 'warpsmith[all] @ git+ADDRESS'")


def test_scripts_are_named_as_they_can_be_called(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bin" / "python"))
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    assert script("hf") is None
    for folder, expected in (("path", "hf"), ("bin", str(tmp_path / "bin" / "hf"))):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "hf").write_text("#!/bin/sh\n")
        (tmp_path / folder / "hf").chmod(0o755)
        assert script("hf") == expected


def test_the_next_steps_use_what_is_installed(small: Path) -> None:
    """Nothing is printed that needs a library which is absent."""
    code = (
        "import importlib.util as u, sys; find = u.find_spec; "
        "u.find_spec = lambda name, *rest: None if name == 'datasets' else find(name, *rest); "
        "sys.argv = ['warpsmith-dataset', 'show', sys.argv[1]]; from warpsmith.core.commands.dataset import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code, str(small)], capture_output=True, text=True, check=True)
    assert "load_dataset" not in done.stdout
    assert "hf upload" not in done.stdout
    (step,) = [line.partition("  the same pairs")[0].strip() for line in done.stdout.splitlines() if "the same pairs" in line]
    printed = subprocess.run(
        [sys.executable, "-c", f"import warpsmith.core; print(len(list({step})))"], capture_output=True, text=True, check=True
    )
    assert printed.stdout == "40\n"
