"""The table ``[tool.warpsmith]`` of a project's ``pyproject.toml``: defaults of the options of commands."""

from __future__ import annotations

import difflib
import importlib
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec

from warpsmith.core.errors import WarpsmithError

FILE = "pyproject.toml"


_Count = Annotated[int, msgspec.Meta(ge=0)]
_Positive = Annotated[int, msgspec.Meta(ge=1)]
_Seconds = Annotated[float, msgspec.Meta(ge=0)]


class ProjectSettings(msgspec.Struct, frozen=True, kw_only=True, rename="kebab", forbid_unknown_fields=True):
    """The settings of a project; None and empty lists where it has none.

    Attributes:
        only: the packages or modules whose kernels are checked.
        kernels: the most kernels that are checked.
        seconds: the time after which no check is started.
        per_kernel: how many launches of a kernel are kept.
        copy_mib: the most MiB of arguments that are copied.
        tapes: whether backward passes of tapes are checked.
        strict: whether everything fails that does not show that a kernel is right.
        baseline: the file of known failures.
        intended: patterns of kernels whose adjoints by hand are meant to differ.
        sarif: the file of results in SARIF.
        junit: the file of results in JUnit's XML.
        summary: the file of results in Markdown.
        output: the file of the pairs.
        folder: the folder of the project; files of settings are relative to it.
    """

    only: tuple[str, ...] = ()
    kernels: _Count | None = None
    seconds: _Seconds | None = None
    per_kernel: _Positive | None = None
    copy_mib: _Positive | None = None
    tapes: bool | None = None
    strict: bool | None = None
    baseline: str | None = None
    intended: tuple[str, ...] = ()
    sarif: str | None = None
    junit: str | None = None
    summary: str | None = None
    output: str | None = None
    folder: str = ""

    def file(self, name: str | None) -> Path | None:
        """Return the path of a file that a setting names, or None."""
        return None if name is None else Path(self.folder, name)


KEYS = tuple(name for name in ProjectSettings.__struct_encode_fields__ if name != "folder")
"""The keys of the table."""


def read_settings(start: Path) -> ProjectSettings:
    """Return the settings of the closest project at or above a folder; empty ones if there is none.

    Raises:
        WarpsmithError: if the file cannot be read, or has an unknown key or a value of another type.
    """
    start = start.absolute()
    path = next((folder / FILE for folder in (start, *start.parents) if (folder / FILE).is_file()), None)
    table = None if path is None else _table(path)
    if path is None or table is None:
        return ProjectSettings()
    for key in table:
        if key not in KEYS:
            near = difflib.get_close_matches(key, KEYS, n=1, cutoff=0.0)
            raise WarpsmithError(f"{path}: [tool.warpsmith] has no key {key!r}: did you mean {near[0]!r}?")
    try:
        return msgspec.convert({**table, "folder": str(path.parent)}, ProjectSettings)
    except msgspec.ValidationError as error:
        raise WarpsmithError(f"{path}: [tool.warpsmith]: {error}") from error


def _table(path: Path) -> Mapping[str, Any] | None:
    """Return the table of a file, or None if it has none."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise WarpsmithError(f"cannot read {path}: {error}") from error
    if "warpsmith" not in text:
        return None
    try:
        toml = importlib.import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    except ModuleNotFoundError as error:
        raise WarpsmithError(f"reading [tool.warpsmith] in {path} needs Python 3.11, or pip install tomli") from error
    try:
        tools = toml.loads(text).get("tool", {})
    except ValueError as error:
        raise WarpsmithError(f"{path} is no TOML: {error}") from error
    table = tools.get("warpsmith") if isinstance(tools, dict) else None
    if table is not None and not isinstance(table, dict):
        raise WarpsmithError(f"{path}: tool.warpsmith is no table")
    return table
