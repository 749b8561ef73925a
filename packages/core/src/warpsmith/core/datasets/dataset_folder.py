"""A dataset on disk: its shards, its manifest if there is one, and the verdicts next to the shards."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TypedDict

from warpsmith.core.datasets.manifest import Manifest, file_digest, is_plain_name
from warpsmith.core.datasets.sample_size import sample_size
from warpsmith.core.datasets.verdict_files import Judge, StoredVerdicts, VerdictKey, read_verdict_file, write_verdict_file
from warpsmith.core.errors import TargetError, WarpsmithError, describe
from warpsmith.core.files import storage
from warpsmith.core.records.jsonl import Line, raw_lines, read_lines
from warpsmith.core.records.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Dataset:
    r"""The shards of a folder, or one JSONL file.

    Attributes:
        folder: the folder of the shards, verdicts and statistics.
        shards: the files, in order.
        manifest: None if the folder has none, or the dataset is a single file.
        is_file: whether the dataset is a single file, which needs no manifest.
        verdict_folder: the folder in which verdicts are written; None for that of the dataset.

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
    is_file: bool = False
    verdict_folder: Path | None = None

    @staticmethod
    def open(path: Path | str) -> Dataset:
        """Open a folder with `pairs-*.jsonl`, or a JSONL file of pairs.

        Args:
            path: a path, or the address of a folder in an object store.

        Raises:
            TargetError: if there is no such dataset.
        """
        if isinstance(path, str):
            path = storage.open_path(path)
        try:
            return Dataset._open(path)
        except OSError as error:
            raise TargetError(f"cannot read {path}: {error.strerror or describe(error)}") from error

    @staticmethod
    def _open(path: Path) -> Dataset:
        if path.is_file():
            _check_name(path)
            _check_suffix(path)
            return Dataset(path.parent, (path,), None, is_file=True)
        if not path.is_dir():
            raise TargetError(f"no such dataset: {path}")
        shards = tuple(path / name for name in sorted(storage.names(path)) if fnmatchcase(name, "pairs-*.jsonl"))
        if not shards:
            raise TargetError(f"{path} holds no pairs-*.jsonl: name a dataset's folder or a JSONL file")
        for shard in shards:
            _check_name(shard)
            if storage.is_local(shard):
                storage.check_regular(shard)
        return Dataset(path, shards, Manifest.read(path))

    def problems(self) -> Iterator[str]:
        """Yield each reason why the dataset is incomplete: no manifest, or missing, unknown and changed shards."""
        if self.manifest is None:
            if not self.is_file and (len(self.shards) > 1 or self.shards[0].name.startswith("pairs-0")):
                yield "there is no manifest.json: the dataset is not complete"
            return
        yield from self.manifest.problems(self.folder, [shard.name for shard in self.shards])

    def stated_digests(self) -> dict[str, str] | None:
        """Return the SHA-256 of each shard as the manifest states it; None without a manifest, or if a shard has another size.

        No shard is read, so that a change that keeps the size remains unnoticed; `problems` notices it.
        """
        if self.manifest is None:
            return None
        listed = {shard.file: shard for shard in self.manifest.shards}
        sizes = {shard.name: shard.stat().st_size for shard in self.shards}
        if sizes != {name: shard.bytes for name, shard in listed.items()}:
            return None
        return {name: shard.sha256 for name, shard in listed.items()}

    def require_complete(self) -> None:
        """Check that the dataset is what its manifest describes.

        Raises:
            WarpsmithError: with the first problem if it is not.
        """
        for problem in self.problems():
            raise WarpsmithError(f"{self.folder} is not whole: {problem}; finish or repair it first")

    def digests(self) -> Digests:
        """Return the SHA-256 of each shard, and the SHA-256 of all verdicts."""
        listed = {shard.file: shard.sha256 for shard in self.manifest.shards} if self.manifest else {}
        verdicts = hashlib.sha256()
        for path in filter(Path.exists, map(self.verdict_file, self.shards)):
            with storage.reading(path) as file:
                while block := file.read(1 << 20):
                    verdicts.update(block)
        return {
            "of": listed or {shard.name: file_digest(shard) for shard in self.shards},
            "verdicts": verdicts.hexdigest(),
        }

    def sample_size(self, text: str | None) -> int | None:
        """Return the number of lines that ``--sample`` selects; None for all.

        Raises:
            WarpsmithError: if the text is no size, or selects nothing.
        """
        if text is None or text == "all":
            return None
        count = self.manifest.pairs if self.manifest else sum(1 for shard in self.shards for _ in raw_lines(shard))
        if (size := sample_size(text, max(count, 1))) == 0:
            raise WarpsmithError(f"--sample {text} selects no pair: name a larger sample")
        return size

    def lines(self) -> Iterator[Line]:
        """Yield every line of every shard."""
        for shard in self.shards:
            yield from read_lines(shard)

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the dataset against a second run. The locks of the operating system leave no file and end with the process.

        A folder is locked as a whole. A single file is locked alone, and its folder against runs on the whole folder: several
        files of one folder can be checked at a time. An object store has no locks; two runs write the same verdicts there.

        Raises:
            TargetError: if another run has locked it.
        """
        with contextlib.ExitStack() as stack:
            if storage.is_local(self.folder):
                shared = fcntl.LOCK_SH if self.is_file else fcntl.LOCK_EX
                stack.enter_context(_lock(self.folder, shared))
                for shard in self.shards if self.is_file else ():
                    stack.enter_context(_lock(shard, fcntl.LOCK_EX))
            yield

    def verdict_file(self, shard: Path) -> Path:
        """Return the path of a shard's verdicts."""
        return (self.verdict_folder or self.folder) / f"verdicts-{shard.stem.removeprefix('pairs-')}.jsonl"

    def read_verdicts(self, shard: Path) -> dict[VerdictKey, Verdict]:
        """Return the usable verdicts on a shard by (line number, level), see `stored_verdicts`."""
        return self.stored_verdicts(shard).verdicts

    def stored_verdicts(self, shard: Path, sha256: str | None = None) -> StoredVerdicts:
        """Return the verdicts on a shard; none if they are damaged, or the shard has changed since.

        A digest detects every change of a shard; modification times do not, because clocks jump and copies get new times.

        Args:
            shard: one of the shards.
            sha256: the SHA-256 of its content, computed if it is None.
        """
        path = self.verdict_file(shard)
        if self.verdict_folder is not None and not path.exists():
            path = self.folder / path.name
        if not path.exists() or not shard.exists():
            return StoredVerdicts()
        return read_verdict_file(path, sha256 or file_digest(shard))

    def write_verdicts(
        self,
        shard: Path,
        verdicts: Mapping[VerdictKey, Verdict],
        judges: Mapping[str, Judge],
        sha256: str | None = None,
    ) -> None:
        """Write the verdicts of a shard, and what they are about.

        Args:
            shard: one of the shards.
            verdicts: the verdicts by (line number, level).
            judges: the software that made them, by level.
            sha256: the SHA-256 of the content that was checked, computed if it is None.
        """
        write_verdict_file(self.verdict_file(shard), shard.name, sha256 or file_digest(shard), verdicts, judges)


class Digests(TypedDict):
    """The SHA-256 of each shard, and the SHA-256 of all verdicts."""

    of: dict[str, str]
    verdicts: str


def _check_name(shard: Path) -> None:
    if not is_plain_name(shard.name):
        raise TargetError(f"the name of {str(shard)!a} cannot be printed: rename the file")


def _check_suffix(path: Path) -> None:
    """Check that a file is named as JSON lines, so that no command judges another text, or writes beside it."""
    if path.suffix != ".jsonl":
        raise TargetError(f"{path} is no JSONL file: name a dataset's folder, or a file *.jsonl of pairs")


@contextlib.contextmanager
def _lock(path: Path, kind: int) -> Iterator[None]:
    """Lock a file or folder inside the ``with`` block.

    Raises:
        TargetError: if another run has locked it.
    """
    try:
        opened = os.open(path, os.O_RDONLY)
    except OSError as error:
        raise TargetError(f"cannot read {path}: {error.strerror}") from error
    try:
        try:
            fcntl.flock(opened, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            raise TargetError(f"another run validates the pairs in {path}; wait for it") from None
        except OSError as error:
            raise TargetError(f"cannot lock {path}: {error.strerror}; copy the dataset to another folder") from error
        yield
    finally:
        os.close(opened)
