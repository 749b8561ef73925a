"""A dataset on disk: its shards, its manifest if there is one, and the verdicts next to the shards."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

import msgspec

from warpsmith.core.datasets import storage
from warpsmith.core.datasets.manifest import Manifest, file_digest
from warpsmith.core.errors import TargetError
from warpsmith.core.records.jsonl import Line, encode, read_lines, write_atomic
from warpsmith.core.records.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Dataset:
    r"""The shards of a folder, or one JSONL file.

    Attributes:
        folder: the folder of the shards, verdicts and statistics.
        shards: the files, in order.
        manifest: None if the folder has none, or the dataset is a single file.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = Path(folder, "pairs-00000.jsonl").write_text("{}\n")
        ...     dataset = Dataset.open(folder)
        ...     [line.error for line in dataset.lines()]
        ['Object missing required field `id`']
    """

    folder: Path
    shards: tuple[Path, ...]
    manifest: Manifest | None

    @staticmethod
    def open(path: Path | str) -> Dataset:
        """Open a folder with `pairs-*.jsonl`, or any JSONL file.

        Args:
            path: a path, or the address of a folder in an object store.

        Raises:
            TargetError: if there is no such dataset.
        """
        if isinstance(path, str):
            path = storage.open_path(path)
        if path.is_file():
            return Dataset(path.parent, (path,), None)
        if not path.is_dir():
            raise TargetError(f"no such dataset: {path}")
        shards = tuple(sorted(path.glob("pairs-*.jsonl")))
        if not shards:
            raise TargetError(f"{path} holds no pairs-*.jsonl: name a dataset's folder or a JSONL file")
        return Dataset(path, shards, Manifest.read(path))

    def problems(self) -> Iterator[str]:
        """Yield each reason why the dataset is incomplete: no manifest, or missing, unknown and changed shards."""
        if self.manifest is None:
            if len(self.shards) > 1 or self.shards[0].name.startswith("pairs-0"):
                yield "there is no manifest.json: the dataset is not complete"
            return
        yield from self.manifest.problems(self.folder, [shard.name for shard in self.shards])

    def digests(self) -> Digests:
        """Return the SHA-256 of each shard, and the SHA-256 of all verdicts."""
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
    def locked(self) -> Iterator[None]:
        """Lock the folder against a second run. The lock of the operating system leaves no file and ends with the process.

        An object store has no locks; two runs write the same verdicts there.

        Raises:
            TargetError: if another run has locked it.
        """
        if not storage.is_local(self.folder):
            yield
            return
        folder = os.open(self.folder, os.O_RDONLY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(folder)
            raise TargetError(f"another run validates the pairs in {self.folder}; wait for it") from None
        try:
            yield
        finally:
            os.close(folder)

    def verdict_file(self, shard: Path) -> Path:
        """Return the path of a shard's verdicts."""
        return self.folder / f"verdicts-{shard.stem.removeprefix('pairs-')}.jsonl"

    def read_verdicts(self, shard: Path) -> dict[tuple[str, str], Verdict]:
        """Return earlier verdicts by (id, level); none if they are damaged, or the shard has changed since."""
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
        """Write the verdicts of a shard, and its digest in the format of ``sha256sum --check``.

        A digest detects every change of a shard; modification times do not, because clocks jump and copies get new times.
        """
        path = self.verdict_file(shard)
        write_atomic(path, b"".join(encode(verdict) for verdict in verdicts))
        write_atomic(path.with_suffix(".sha256"), _checksum(shard).encode())  # last: verdicts without a digest are ignored


class Digests(TypedDict):
    """The SHA-256 of each shard, and the SHA-256 of all verdicts."""

    of: dict[str, str]
    verdicts: str


def _checksum(shard: Path) -> str:
    return f"{file_digest(shard)}  {shard.name}\n"
