"""A dataset as those see it who have not made it: files of lines, a manifest if there is one, and the verdicts beside them."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from warpsmith.core.datasets import storage
from warpsmith.core.datasets.manifest import Manifest, file_digest
from warpsmith.core.errors import TargetError
from warpsmith.core.records.jsonl import Line, encode, read_lines, write_atomic
from warpsmith.core.records.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Dataset:
    """The shards of a folder, or one JSONL file.

    Attributes:
        folder: where verdicts and statistics are written.
        shards: the files, in order.
        manifest: None if the folder has none, or the dataset is a single file.
    """

    folder: Path
    shards: tuple[Path, ...]
    manifest: Manifest | None

    @staticmethod
    def open(path: Path) -> Dataset:
        """Open a folder with `pairs-*.jsonl`, or any JSONL file.

        Raises:
            TargetError: if there is nothing to judge.
        """
        if path.is_file():
            return Dataset(path.parent, (path,), None)
        if not path.is_dir():
            raise TargetError(f"no such dataset: {path}")
        shards = tuple(sorted(path.glob("pairs-*.jsonl")))
        if not shards:
            raise TargetError(f"{path} holds no pairs-*.jsonl: name a dataset's folder or a JSONL file")
        return Dataset(path, shards, Manifest.read(path))

    def problems(self) -> Iterator[str]:
        """Yield what contradicts the manifest: shards that are missing, strange or changed."""
        if self.manifest is None:
            if len(self.shards) > 1 or self.shards[0].name.startswith("pairs-0"):
                yield "there is no manifest.json: the dataset is not complete"
            return
        yield from self.manifest.problems(self.folder, [shard.name for shard in self.shards])

    def digests(self) -> dict[str, Any]:
        """What the dataset is: the SHA-256 of each shard, and one of all verdicts."""
        listed = {shard.file: shard.sha256 for shard in self.manifest.shards} if self.manifest else {}
        verdicts = hashlib.sha256()
        for path in filter(Path.exists, map(self.verdict_file, self.shards)):
            verdicts.update(path.read_bytes())
        return {
            "of": listed or {shard.name: file_digest(shard) for shard in self.shards},
            "verdicts": verdicts.hexdigest(),
        }

    def lines(self) -> Iterator[Line]:
        """Yield every line of every shard."""
        for shard in self.shards:
            yield from read_lines(shard)

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Keep a second run out of the folder. The lock is the system's own: it leaves no file and ends with the process.

        A store has no locks; there two runs write the same verdicts.

        Raises:
            TargetError: if another run is at work there.
        """
        if not storage.is_local(self.folder):
            yield
            return
        folder = os.open(self.folder, os.O_RDONLY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(folder)
            raise TargetError(f"another run judges the pairs in {self.folder}; wait for it") from None
        try:
            yield
        finally:
            os.close(folder)

    def verdict_file(self, shard: Path) -> Path:
        """Where the verdicts of a shard stand."""
        return self.folder / f"verdicts-{shard.stem.removeprefix('pairs-')}.jsonl"

    def read_verdicts(self, shard: Path) -> dict[tuple[str, str], Verdict]:
        """Return earlier verdicts by (id, level); none if they are on another content of the shard, or damaged."""
        path = self.verdict_file(shard)
        if not path.exists() or not shard.exists():
            return {}
        try:
            if path.with_suffix(".sha256").read_text() != _checksum(shard):
                return {}
            verdicts = [msgspec.json.decode(line, type=Verdict) for line in path.read_bytes().splitlines()]
        except (FileNotFoundError, UnicodeDecodeError, msgspec.DecodeError, msgspec.ValidationError):
            return {}
        return {(verdict.id, verdict.level): verdict for verdict in verdicts}

    def write_verdicts(self, shard: Path, verdicts: Iterable[Verdict]) -> None:
        """Write the verdicts of a shard, whole, and what the shard holds, in the form that ``sha256sum --check`` reads.

        Dates would not tell whether a shard changed since: clocks jump, and copies have dates of their own.
        """
        path = self.verdict_file(shard)
        write_atomic(path, b"".join(encode(verdict) for verdict in verdicts))
        write_atomic(path.with_suffix(".sha256"), _checksum(shard).encode())  # the last: without it there are no verdicts


def _checksum(shard: Path) -> str:
    return f"{file_digest(shard)}  {shard.name}\n"
