"""The verdicts of a shard on disk: rows in `verdicts-00000.jsonl`, and their origin in `verdicts-00000.json`.

Rows belong to lines, by number. They are used only if the shard and the rows have the SHA-256 that the origin names. The
digests detect damage and mistakes; somebody who can write to the folder can replace all three files.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated

import msgspec
import orjson

from warpsmith.core.datasets.manifest import Count, file_digest
from warpsmith.core.files import storage
from warpsmith.core.files.atomic import replacing, write_atomic
from warpsmith.core.files.leftovers import remove_leftovers
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.jsonl import raw_lines
from warpsmith.core.records.verdict import Status, Verdict

VerdictKey = tuple[int, str]
"""The number of a line and the name of a level."""

OLDER_RELEASE = "an older release wrote them, without line numbers"
NO_ORIGIN = "the file that states their origin is missing"
DAMAGED = "their files are damaged or changed"
OTHER_SHARD = "the shard changed since"

_MAX_ORIGIN_BYTES = 1 << 20

_LOGGER = logging.getLogger(__name__)


class Judge(msgspec.Struct, frozen=True):
    """The software that made verdicts.

    Attributes:
        version: the version of the checks.
        warp: the version of Warp.
    """

    version: str
    warp: str

    def __str__(self) -> str:
        return f"{self.version} with Warp {self.warp}"


class VerdictsOrigin(msgspec.Struct, frozen=True, kw_only=True):
    """The content of `verdicts-00000.json`, which is written last.

    Attributes:
        shard: the name of the shard; ``shard_sha256`` is its SHA-256.
        rows: the number of verdicts; ``rows_sha256`` is the SHA-256 of their file.
        levels: the levels of the verdicts, with the software that made them.
    """

    shard: str
    shard_sha256: str
    rows: Count
    rows_sha256: str
    levels: dict[str, Judge]


class _Row(msgspec.Struct, frozen=True, kw_only=True):
    """One line of `verdicts-00000.jsonl`."""

    line: Annotated[int, msgspec.Meta(ge=1, le=2**63 - 1)]
    id: str
    level: str
    status: Status
    reason: str
    ms: float


_ROW = msgspec.json.Decoder(_Row)


@dataclass(frozen=True, slots=True)
class StoredVerdicts:
    """The verdicts that a reader may use.

    Attributes:
        verdicts: the verdicts by line and level.
        judges: the software that made them, by level.
        problem: why existing rows cannot be used, or None.
        unusable: the number of these rows.
    """

    verdicts: dict[VerdictKey, Verdict] = field(default_factory=dict)
    judges: dict[str, Judge] = field(default_factory=dict)
    problem: str | None = None
    unusable: int = 0


def origin_file(path: Path) -> Path:
    """Return the file that states the origin of the verdicts in ``path``."""
    return path.with_suffix(".json")


def _older_origin_file(path: Path) -> Path:
    return path.with_suffix(".sha256")


def read_verdict_file(path: Path, shard_sha256: str) -> StoredVerdicts:
    """Return the verdicts in ``path`` on a shard with this SHA-256.

    Raises:
        TargetError: if a file is no regular file or cannot be read.
    """
    if not path.exists():
        return StoredVerdicts()
    origin = _read_origin(origin_file(path))
    if origin is None:
        missing = not origin_file(path).exists()
        problem = DAMAGED if not missing else OLDER_RELEASE if _older_origin_file(path).exists() else NO_ORIGIN
    elif file_digest(path) != origin.rows_sha256:
        problem = DAMAGED
    elif origin.shard_sha256 != shard_sha256:
        problem = OTHER_SHARD
    elif (verdicts := _read_rows(path, origin)) is None:
        problem = DAMAGED
    else:
        return StoredVerdicts(verdicts, origin.levels)
    return StoredVerdicts(problem=problem, unusable=sum(1 for _ in raw_lines(path)))


def _read_origin(path: Path) -> VerdictsOrigin | None:
    raw = storage.read_file(path, _MAX_ORIGIN_BYTES)
    try:
        return None if raw is None else msgspec.json.decode(raw, type=VerdictsOrigin)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _read_rows(path: Path, origin: VerdictsOrigin) -> dict[VerdictKey, Verdict] | None:
    """Return the rows of a file, or None if they are no verdicts of the levels that the origin names."""
    verdicts: dict[VerdictKey, Verdict] = {}
    for _, raw in raw_lines(path):
        try:
            row = _ROW.decode(raw or b"")
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return None
        if row.level not in origin.levels or (row.line, row.level) in verdicts:
            return None
        verdicts[row.line, row.level] = Verdict(row.id, row.level, row.status, row.reason, row.ms)
    return verdicts if len(verdicts) == origin.rows else None


def write_verdict_file(
    path: Path, shard: str, shard_sha256: str, verdicts: Mapping[VerdictKey, Verdict], judges: Mapping[str, Judge]
) -> None:
    """Write verdicts in the order of lines, and their origin.

    Args:
        path: the file of the rows.
        shard: the name of the shard.
        shard_sha256: the SHA-256 of the content that was checked.
        verdicts: the verdicts by line and level.
        judges: the software that made them, by level.

    Raises:
        TargetError: if a file cannot be written.
    """
    for target in (path, origin_file(path)):
        remove_leftovers(target)
    digest = hashlib.sha256()
    with replacing(path) as file:
        for (line, _), verdict in sorted(verdicts.items(), key=lambda item: item[0][0]):
            row = encode({"line": line, **asdict(verdict)})
            digest.update(row)
            file.write(row)
    levels = {level: judges[level] for level in dict.fromkeys(level for _, level in verdicts)}
    origin = VerdictsOrigin(
        shard=shard, shard_sha256=shard_sha256, rows=len(verdicts), rows_sha256=digest.hexdigest(), levels=levels
    )
    content = orjson.dumps(msgspec.to_builtins(origin), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    write_atomic(origin_file(path), content)  # last: rows without it are not used
    _LOGGER.info("%s: %d verdicts", path, len(verdicts))
    with contextlib.suppress(OSError):
        _older_origin_file(path).unlink(missing_ok=True)
