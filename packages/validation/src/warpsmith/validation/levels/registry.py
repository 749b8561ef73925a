"""The table of levels, in order of cost: a pair that fails one level is not checked by the levels after it.

Each row is written next to its check, as ``LEVEL = Level(...)`` in a file of this folder. The registry reads the rows as text
and does not import these files, because they load NumPy, Warp and compilers; only a sandboxed worker imports a check.
"""

from __future__ import annotations

import ast
import functools
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.extras import Extra

SECONDS_PER_EXTRACTED_LINE = 60.0
"""The time that a line with an extracted kernel adds: launches of programs have up to millions of threads."""


@dataclass(frozen=True, slots=True)
class Level:
    """One row of the table.

    Attributes:
        name: the name that users type and verdicts contain.
        seconds: the time limit for the next finding.
        order: the place of the level in `LEVELS`, ascending; cheap levels come first.
        needs: the names of earlier levels whose results the check reads, see `BatchContext.results`.
        takes_batches: whether the check works on all lines of a batch and returns all findings at once.
        line_seconds: the time that each line of such a batch adds to the limit, about twenty times what a line takes. A text
            that a compiler hangs on is still found, by halving the batch, in minutes.
        compiles: whether the check compiles, so that its workers share precompiled headers.
        uses_machine: whether the check runs the SIMT machine, whose code its workers share.
        packages: further packages that verdicts depend on, which come with the extra of this distribution that has the level's
            name.
        share: how many pairs there are for each that is checked; a pair is chosen by its id.
        summary: one line for the command's help.
        check: ``module:function`` of the check; ``warpsmith.validation.levels.<name>:check`` if it is empty.
    """

    name: str
    seconds: float
    order: int = 0
    needs: tuple[str, ...] = ()
    takes_batches: bool = False
    line_seconds: float = 1.0
    compiles: bool = False
    uses_machine: bool = False
    packages: tuple[str, ...] = ()
    share: int = 1
    summary: str = ""
    check: str = ""

    def time_limit(self, lines: int, extracted: int = 0) -> float:
        """Return the seconds that the next finding on a batch of ``lines`` lines may take, ``extracted`` of real kernels."""
        additional = self.line_seconds * lines + SECONDS_PER_EXTRACTED_LINE * extracted
        return self.seconds + additional * self.takes_batches

    @property
    def entry_point(self) -> str:
        """``module:function`` of the check."""
        return self.check or f"{__package__}.{self.name}:check"


def read_row(file: Path) -> Level | None:
    """Return the row that a level's file declares, or None if the file declares none. The file is not imported."""
    source = file.read_text(encoding="utf-8")
    for node in ast.parse(source).body if "\nLEVEL = Level(" in source else ():
        match node:
            case ast.Assign([ast.Name("LEVEL")], ast.Call(ast.Name("Level"), [], keywords)):
                return Level(**{str(keyword.arg): ast.literal_eval(keyword.value) for keyword in keywords})
    return None


def ordered(rows: Iterable[Level]) -> tuple[Level, ...]:
    """Return ``rows`` in their order.

    Raises:
        ValueError: if a level needs one that does not come before it, or two levels have the same name or the same order.
    """
    levels = tuple(sorted(rows, key=lambda level: level.order))
    if len({level.name for level in levels}) < len(levels) or len({level.order for level in levels}) < len(levels):
        raise ValueError("two levels have the same name or the same order")
    earlier: set[str] = set()
    for level in levels:
        if missing := set(level.needs) - earlier:
            raise ValueError(f"level {level.name} needs {', '.join(sorted(missing))}, which does not come before it")
        earlier.add(level.name)
    return levels


LEVELS = ordered(row for file in Path(__file__).parent.glob("*.py") if (row := read_row(file)) is not None)
"""All levels of this package, in the order in which a pair passes them."""


def levels_to(name: str) -> tuple[Level, ...]:
    """Return the levels of `LEVELS` up to and including ``name``.

    Raises:
        WarpsmithError: if there is no such level, or its extra is not installed.
    """
    names = [level.name for level in LEVELS]
    if name not in names:
        raise WarpsmithError(f"unknown level {name!r}: choose from {', '.join(names)}")
    levels = LEVELS[: names.index(name) + 1]
    for level in levels:
        _require_packages(level)
    return levels


def with_sample(levels: Sequence[Level], name: str, share: int) -> tuple[Level, ...]:
    """Return ``levels`` and the level ``name``, which checks one pair in ``share``.

    Raises:
        WarpsmithError: if its extra is not installed, or ``levels`` lack a level that it needs.
    """
    (sampled,) = (replace(level, share=share) for level in LEVELS if level.name == name)
    _require_packages(sampled)
    names = [level.name for level in levels]
    if missing := [need for need in sampled.needs if need not in names]:
        raise WarpsmithError(f"--{name} needs level {missing[-1]}: use --level {missing[-1]} or a later level")
    return ordered([level for level in levels if level.name != name] + [sampled])


def _require_packages(level: Level) -> None:
    """Raise an error that names the extra of a level if the extra is not installed."""
    if any(find_spec(package) is None for package in level.packages):
        raise WarpsmithError(Extra(f"warpsmith-validation[{level.name}]", f"the level {level.name}").missing)


_JUDGING = (
    "warpsmith.core.inputs",
    "warpsmith.core.records",
    "warpsmith.extraction",
    "warpsmith.validation.allowlist",
    "warpsmith.validation.branches",
    "warpsmith.validation.calls",
    "warpsmith.validation.compiling",
    "warpsmith.validation.confinement",
    "warpsmith.validation.levels",
    "warpsmith.validation.oracle",
    "warpsmith.validation.running",
    "warpsmith.validation.sandbox",
    "warpsmith.validation.simt_launches",
)
"""The packages that verdicts depend on."""


def judge_version(level: Level) -> str:
    """Return a text that changes with each release, and with each change of a file that the verdicts of a level depend on.

    It consists of the version of this distribution and a digest of the files. Files of the compilers are not included.
    """
    module = level.entry_point.partition(":")[0]
    package = module.rpartition(".")[0] or module
    external = () if package.startswith(f"{__package__.rpartition('.')[0]}.") else (package,)
    return f"{version('warpsmith-validation')}+{_digest((*_JUDGING, *external, *level.packages))[:16]}"


@functools.cache
def _digest(packages: tuple[str, ...]) -> str:
    digest = hashlib.sha256()
    for package in packages:
        for root in _locations(package):
            for file in sorted(root.rglob("*")) if root.is_dir() else [root]:
                if file.is_file() and "__pycache__" not in file.parts:
                    name = f"{package}/{file.relative_to(root)}"
                    digest.update(hashlib.sha256(name.encode() + b"\0" + file.read_bytes()).digest())
    return digest.hexdigest()


def _locations(package: str) -> list[Path]:
    """Return the folders of a package, or the file of a module, without importing it."""
    spec = find_spec(package)
    if spec is None:
        return []
    return [Path(location) for location in spec.submodule_search_locations or [spec.origin or ""]]
