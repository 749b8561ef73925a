"""Commands that install what is missing into the environment of this process, however its packages came there.

The packages of warpsmith may come from a checkout, from the address of a repository or from files, and need not be on an index.
Libraries of extras are therefore named themselves: they are on the index in any case.
"""

from __future__ import annotations

import importlib.util
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from urllib.parse import unquote, urlparse

import orjson

_REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)\s*(?:\[(?P<extras>[^\]]*)\])?(?P<versions>[^;]*)(?:;(?P<marker>.*))?")


def install_command(*requirements: str, libraries: bool = True) -> str:
    """Return the command that installs packages into this environment: pip, or uv in an environment without pip.

    Args:
        requirements: what to install, such as ``"pyarrow>=18"``, ``"warpsmith-core[export]"`` for the libraries of an extra, or
            options and paths.
        libraries: whether extras are replaced by their libraries, because their distribution need not be on an index.
    """
    words = [word for requirement in requirements for word in ((libraries and _libraries(requirement)) or [requirement])]
    return f"{_installer()} {' '.join(map(shlex.quote, dict.fromkeys(words)))}"


def sibling_command(*packages: str) -> str:
    """Return the command that installs packages of this repository from where `warpsmith-core` came.

    Args:
        packages: their folders in the repository, such as ``"validation"``.
    """
    folder = _checkout()
    if folder is None:
        return install_command("warpsmith[all] @ git+ADDRESS", libraries=False)
    return install_command(*(f"--editable={folder.with_name(name)}" for name in packages))


def has_module(name: str) -> bool:
    """Return whether a module is installed, without importing it."""
    return importlib.util.find_spec(name) is not None


def script(name: str) -> str | None:
    """Return a command of this environment, or of ``PATH``, as users type it; None if it is not installed."""
    beside = Path(sys.executable).with_name(name)
    return _relative(beside) if beside.is_file() else name if shutil.which(name) else None


def _installer() -> str:
    python = shlex.quote(_relative(Path(sys.executable)))
    if has_module("pip") or shutil.which("uv") is None:
        return f"{python} -m pip install"
    return f"uv pip install --python {python}"


def _relative(path: Path) -> str:
    """Return a path below the working directory as a relative one."""
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)


def _libraries(requirement: str) -> list[str]:
    """Return the requirements of the extras of an installed distribution; none if it is not installed or names no extra."""
    match = _REQUIREMENT.fullmatch(requirement)
    if match is None or not match["extras"]:
        return []
    try:
        lines = metadata.requires(match["name"]) or []
    except metadata.PackageNotFoundError:
        return []
    extras = {extra.strip() for extra in match["extras"].split(",")}
    return [found for line in lines for found in _of_extras(line, extras)]


def _of_extras(line: str, extras: set[str]) -> Iterator[str]:
    """Yield the requirement of a line of metadata if it belongs to one of some extras, or those of the extra that it names."""
    match = _REQUIREMENT.fullmatch(line)
    wanted = re.search(r"extra\s*==\s*['\"]([^'\"]+)", line)
    if match is not None and wanted is not None and wanted[1] in extras:
        text = line.partition(";")[0].strip()
        yield from _libraries(text) or [text]


def _checkout() -> Path | None:
    """Return the folder that `warpsmith-core` was installed from, if it is one of a checkout with its siblings."""
    try:
        text = metadata.distribution("warpsmith-core").read_text("direct_url.json")
    except metadata.PackageNotFoundError:
        return None
    origin = orjson.loads(text) if text else {}
    folder = Path(unquote(urlparse(origin.get("url", "")).path))
    return folder if "dir_info" in origin and folder.with_name("validation").is_dir() else None
