"""The ledger of bugs of Warp: a folder of scripts, each with a header of facts, read without running them."""

from __future__ import annotations

import ast
import importlib
import re
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec

from warpsmith.core.errors import WarpsmithError

FOLDER = Path("notes/warp_bugs")
"""The folder of the ledger in a checkout."""

RUNNER = "run_all.py"
"""The script of the folder that runs the others."""

ISSUES = "https://github.com/NVIDIA/warp/issues"

Topic = Literal["loops", "components", "arrays", "functions", "tiles", "forward", "gpu"]
TOPICS: dict[Topic, str] = {
    # topic: its heading in the index
    "loops": "Loops",
    "components": "Components of vectors, matrices, quaternions and transforms",
    "arrays": "Arrays",
    "functions": "Functions",
    "tiles": "Tiles",
    "forward": "Forward results",
    "gpu": "Only on a GPU",
}

_HEADER = re.compile(r"^# /// script\n(?P<lines>(?:#.*\n)+?)# ///\n", re.MULTILINE)


class _Facts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table ``tool.warp-bug`` in the header of a script."""

    topic: Topic
    kind: Literal["gradient", "forward", "compile", "crash", "hang", "race"]
    status: Literal["new", "known", "documented"]
    cause: str
    workaround: str
    versions: tuple[str, ...] = ()
    issues: tuple[int, ...] = ()
    related: tuple[int, ...] = ()
    forms: tuple[str, ...] = ()
    device: Literal["cpu", "cuda"] = "cpu"
    evidence: str = ""
    heavy: bool = False


@dataclass(frozen=True, slots=True)
class Bug:
    """A bug of Warp.

    Attributes:
        name: the name of its script without the suffix.
        title: what is wrong, in one line.
        text: the description, without the title.
        code: the script without its header.
        topic: the part of Warp, a key of `TOPICS`.
        kind: what goes wrong: a gradient, a forward result, a compilation, the process, or a race of threads.
        status: ``new`` if nothing describes the bug, ``known`` if an issue or a comment in Warp's sources does, ``documented``
            if Warp's manual describes the limitation.
        cause: the place in Warp's sources and the reason.
        workaround: what is right in place of the form.
        versions: the versions of Warp that show it.
        issues: the numbers of Warp's issues that describe it.
        related: the numbers of issues about something similar.
        forms: which clusters of `warpsmith-fuzz` are this bug, see `knows`.
        device: where the script shows the bug.
        evidence: where the bug of a CUDA device was seen.
        heavy: whether the script needs a process of its own.
    """

    name: str
    title: str
    text: str
    code: str
    topic: Topic
    kind: str
    status: str
    cause: str
    workaround: str
    versions: tuple[str, ...]
    issues: tuple[int, ...]
    related: tuple[int, ...]
    forms: tuple[str, ...]
    device: str
    evidence: str
    heavy: bool


def read_ledger(folder: Path = FOLDER) -> list[Bug]:
    """Return the bugs of a ledger, in the order of topics, and by name in each.

    Raises:
        WarpsmithError: if the folder has no script, or the header of one is not readable.
    """
    paths = [path for path in sorted(folder.glob("*.py")) if path.name != RUNNER]
    if not paths:
        raise WarpsmithError(f"{folder} contains no ledger: pass the folder notes/warp_bugs of a checkout with --ledger")
    order = list(TOPICS)
    return sorted((_bug(path) for path in paths), key=lambda bug: (order.index(bug.topic), bug.name))


def _bug(path: Path) -> Bug:
    source = path.read_text(encoding="utf-8")
    found = _HEADER.search(source)
    if found is None:
        raise WarpsmithError(f"{path} has no header: it begins with the line '# /// script'")
    header = "\n".join(line[2:] for line in found["lines"].splitlines())
    try:
        facts = msgspec.convert(_toml(header)["tool"]["warp-bug"], _Facts)
    except (KeyError, msgspec.ValidationError, ValueError) as error:
        raise WarpsmithError(f"{path}: the header is not readable: {error}") from error
    title, _, text = (ast.get_docstring(ast.parse(source)) or "").partition("\n")
    code = source[: found.start()] + source[found.end() :]
    return Bug(path.stem, title, text.strip(), code, **msgspec.structs.asdict(facts))


def _toml(text: str) -> Any:
    try:
        module = importlib.import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    except ModuleNotFoundError as error:
        raise WarpsmithError("reading the ledger needs Python 3.11, or pip install tomli") from error
    return module.loads(text)


def knows(bug: Bug, kind: str, features: Sequence[str], needed: Collection[str] = ()) -> bool:
    """Return whether a bug explains a fault of this kind with these features, such as ``target=vec_name``.

    A line of `Bug.forms` has kinds and patterns ``axis=value|value``; the value ``*`` is any. It matches if the fault has one
    of the values for each of the axes, and if the line mentions all axes that are ``needed``.
    """
    have = dict(feature.partition("=")[::2] for feature in features)
    for line in bug.forms:
        kinds, *patterns = line.split()
        wanted = dict(pattern.partition("=")[::2] for pattern in patterns)
        fits = all(values == "*" or have.get(axis, "") in values.split("|") for axis, values in wanted.items())
        if kind in kinds.split("|") and fits and set(needed) <= wanted.keys():
            return True
    return False


def issue_text(bug: Bug, printed: str, environment: str) -> str:
    """Return the text of an issue for Warp's tracker, with the script and its output, the cause and a workaround."""
    known = [f"{word} #{number}" for word, numbers in (("See", bug.issues), ("Related:", bug.related)) for number in numbers]
    parts = [
        f"# {bug.title}",
        bug.text,
        *([". ".join(known) + "."] if known else []),
        "## Reproducer\n\nThe script exits with 1 while the bug is there, else with 0.",
        f"```python\n{bug.code.strip()}\n```",
        f"## Output\n\n```\n{printed.strip()}\n```",
        f"## Cause\n\n{bug.cause}",
        f"## Workaround\n\n{bug.workaround}",
        f"## Environment\n\n{environment}",
    ]
    return "\n\n".join(parts) + "\n"


def index(bugs: Sequence[Bug]) -> str:
    """Return the tables of `notes/explanation/warp_findings.md`, one for each topic."""
    parts = []
    for topic, heading in TOPICS.items():
        rows = [_row(bug) for bug in bugs if bug.topic == topic]
        parts.append("\n".join([f"## {heading}", "", "| bug | status | right in its place |", "|---|---|---|", *rows]))
    return "\n\n".join(parts) + "\n"


def _row(bug: Bug) -> str:
    numbers = ", ".join(f"[#{number}]({ISSUES}/{number})" for number in bug.issues)
    status = bug.status + (f", {numbers}" if numbers else "")
    workaround = re.sub(r"\|", r"\\|", bug.workaround)
    return f"| [{bug.title}](../warp_bugs/{bug.name}.py) | {status} | {workaround} |"
