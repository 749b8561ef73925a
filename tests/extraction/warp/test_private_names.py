"""The folder of Warp's private names: other releases are rejected, and Warp's registries are restored."""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
import warp as wp

from warpsmith.core.errors import UnsupportedWarpError
from warpsmith.extraction.targets.loading import loaded_kernel
from warpsmith.extraction.warp import registries
from warpsmith.extraction.warp.supported import check_supported

COMMANDS = {
    "extraction": ["json"],
    "synthesis": ["make", "-n", "1", "-d", "cuda", "-o", "new"],
    "validation": ["run", "pairs.jsonl"],
    "scoring": ["tasks", "pairs.jsonl", "--check", "-o", "tasks.jsonl"],
    "gpu_checks": ["smoke"],
}


@pytest.mark.parametrize("release", ["1.17.0", "1.20.0", "2.0.0", "0.9"])
def test_other_releases_are_rejected(release: str) -> None:
    with pytest.raises(UnsupportedWarpError, match=rf"warp-lang {release} is not supported.*pip install .*'warp-lang"):
        check_supported(release)


def test_the_installed_release_is_supported() -> None:
    check_supported(wp.__version__)
    assert version("warp-lang") == wp.__version__, "`check_installed` reads the metadata of the distribution"


@pytest.mark.parametrize("tool", COMMANDS)
def test_a_command_with_another_release_prints_one_line(tool: str, run: Any, tmp_path: Path) -> None:
    (tmp_path / "pairs.jsonl").write_text("{}\n")
    described = tmp_path / "warp_lang-1.5.0.dist-info"
    described.mkdir()
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: warp-lang\nVersion: 1.5.0\n")
    other = tmp_path / "warp"
    other.mkdir()
    (other / "__init__.py").write_text("__version__ = '1.5.0'\nclass Kernel: ...\n")
    path = f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}"
    done = run(tool, *COMMANDS[tool], expect=2, env={"PYTHONPATH": path}, cwd=tmp_path)
    (line,) = done.stderr.splitlines()
    assert "warp-lang 1.5.0 is not supported" in line
    assert "pip install" in line


def test_the_registry_is_restored() -> None:
    context = wp._src.context
    before = dict(context.user_modules)
    with loaded_kernel("import warp as wp\n\n@wp.kernel\ndef k(x: wp.array(dtype=float)):\n    x[0] = 1.0\n"):
        assert not set(context.user_modules) & set(before)
    assert context.user_modules == before


def test_an_imported_package_stays_in_the_registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "some_package_of_kernels.py").write_text(
        "import warp as wp\n\n@wp.kernel\ndef k(x: wp.array(dtype=float)):\n    x[0] = 1.0\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    with contextlib.closing(registries.PrivateRegistry()) as private, private:
        package = importlib.import_module("some_package_of_kernels")
    assert package.k in registries.live_kernels()
    del sys.modules["some_package_of_kernels"]


def test_builtins_are_read_from_warp() -> None:
    overloads = registries.builtin_overloads("dot")
    assert overloads
    assert registries.builtin_overloads("no_such_builtin") is None
    assert any(len(arguments) == 2 for arguments, _ in overloads)
