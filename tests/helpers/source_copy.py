"""A copy of the sources, in which tests change and add files as a contributor does."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from source_tree import ROOT


class Sources:
    """A copy of the sources of all packages.

    Attributes:
        environment: variables with which Python imports the copy.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        for package in (ROOT / "packages").iterdir():
            shutil.copytree(package / "src", folder / package.name, ignore=shutil.ignore_patterns("__pycache__"))
        self.environment = {"PYTHONPATH": os.pathsep.join(str(path) for path in folder.iterdir())}

    def path(self, name: str) -> Path:
        """Return the path of a file of the copy, such as ``core/errors.py``."""
        return self._folder / name.partition("/")[0] / "warpsmith" / name

    def changed(self) -> list[str]:
        """Return the files that were changed or added."""
        return [name for name in map(self._name, self._files()) if self._differs(name)]

    def _files(self) -> list[Path]:
        return sorted(path for path in self._folder.rglob("*") if path.suffix in (".py", ".ideas"))

    def _name(self, path: Path) -> str:
        return path.relative_to(self._folder).as_posix().partition("/warpsmith/")[2]

    def _differs(self, name: str) -> bool:
        original = ROOT / "packages" / name.partition("/")[0] / "src" / "warpsmith" / name
        return not original.exists() or original.read_bytes() != self.path(name).read_bytes()
