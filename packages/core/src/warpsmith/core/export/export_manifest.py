"""`export.json`: the arguments, counts, leakage, verdicts and files of an export, and the origin of its pairs."""

from __future__ import annotations

from pathlib import Path

import msgspec
import orjson
from msgspec import UNSET, UnsetType

from warpsmith.core.datasets.manifest import MAX_MANIFEST_BYTES, Manifest, Origin, file_digest, is_plain_name
from warpsmith.core.datasets.uncopied_lines import left_out_lines
from warpsmith.core.errors import TargetError
from warpsmith.core.export.token_counts import Quantiles
from warpsmith.core.files import storage
from warpsmith.core.files.atomic import write_atomic

EXPORT_MANIFEST = "export.json"

LARGE_CLUSTER = 0.3
"""A cluster with a larger share of all pairs is reported if a split therefore lacks the requested size."""

MET = 0.01
"""How far the share of a split may be from the requested one."""


class Benchmark(msgspec.Struct, frozen=True, kw_only=True):
    """A file of ``--exclude``."""

    file: str
    sha256: str


class ExportArguments(msgspec.Struct, frozen=True, kw_only=True):
    """The arguments that determine the bytes of an export, with the digests of the dataset and of its verdicts."""

    format: str
    tasks: tuple[str, ...]
    split: dict[str, float]
    require: tuple[str, ...]
    only: tuple[str, ...]
    exclude: tuple[Benchmark, ...]
    shard_size: int
    of: dict[str, str]
    verdicts: str
    split_by: str = "structure"
    tokenizer: str = ""
    tokenizer_sha256: str = ""
    max_tokens: int | None = None

    def differences(self, other: ExportArguments) -> list[str]:
        """Return the names of all members with different values."""
        return sorted(name for name in self.__struct_fields__ if getattr(self, name) != getattr(other, name))


class Source(Origin, frozen=True, kw_only=True):
    """The dataset that was exported: those fields of its manifest that do not describe its files."""

    preambles: dict[str, str] | UnsetType = UNSET
    source: dict[str, object] | UnsetType | None = UNSET
    filters: tuple[dict[str, object], ...] | UnsetType = UNSET

    @staticmethod
    def of(manifest: Manifest | None) -> Source:
        """Return the origin of a dataset with this manifest."""
        if manifest is None:
            return Source()
        return Source(**{name: getattr(manifest, name) for name in Source.__struct_fields__})


class ExcludedCounts(msgspec.Struct, frozen=True, kw_only=True):
    """The pairs that are close to a benchmark, its texts that pairs are compared with, and its texts that are too short."""

    pairs: int
    texts: int
    too_short: int


class LeftOut(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The number of lines that were not exported, by reason; ``close_to`` is by benchmark file.

    ``long_rows`` counts the rows over ``max_tokens``, and ``too_long`` the pairs that have no other rows.

    Lines that are no records, and lines whose id another line has, are never exported; a count of 0 of these is absent.
    """

    by_verdict: int
    without_texts_of_tasks: int
    close_to: dict[str, ExcludedCounts]
    too_long: int = 0
    long_rows: int = 0
    repeated_ids: int = 0
    not_records: int = 0

    def remarks(self) -> list[str]:
        """Return a remark for each reason that applies, and for each benchmark."""
        remarks = []
        for name, counts in self.close_to.items():
            short = f", {counts.too_short:,} texts too short to compare" if counts.too_short else ""
            remarks.append(f"{name}: {counts.pairs:,} pairs close to one of {counts.texts:,} texts{short}")
        remarks += left_out_lines(self.repeated_ids, self.not_records)
        if self.by_verdict:
            remarks.append(f"{self.by_verdict:,} pairs left out because of their verdicts")
        if self.without_texts_of_tasks:
            remarks.append(f"{self.without_texts_of_tasks:,} pairs left out because they lack the texts of the tasks")
        if self.long_rows:
            pairs = f", and {self.too_long:,} pairs without any other row" if self.too_long else ""
            remarks.append(f"{self.long_rows:,} rows left out because they have more than --max-tokens{pairs}")
        return remarks


class SplitCounts(msgspec.Struct, frozen=True, kw_only=True):
    """The content of one split; ``families`` is the number of its clusters."""

    pairs: int
    share: float
    lines: int
    families: int
    bytes: int
    categories: dict[str, int]
    tasks: dict[str, int]


class ClusterCounts(msgspec.Struct, frozen=True, kw_only=True):
    """The number of clusters, of clusters with several pairs, the size of the largest, and the similarity threshold."""

    count: int
    of_several: int
    largest: int
    jaccard: float


class Leak(msgspec.Struct, frozen=True, kw_only=True):
    """The pairs of a split that resemble a pair of an earlier split, and their share of the split."""

    pairs: int
    share: float

    def __str__(self) -> str:
        return f"{self.pairs:,} ({self.share:.2%})"


class ExportedFile(msgspec.Struct, frozen=True, kw_only=True):
    """One file of an export."""

    file: str
    split: str
    pairs: int
    lines: int
    bytes: int
    sha256: str


class ExportManifest(msgspec.Struct, frozen=True, kw_only=True):
    """The content of `export.json`.

    Attributes:
        texts: the number of pairs that have each text.
        families: the clusters of similar pairs.
        leakage: by split, and by ``"structure"``, ``"python"`` and ``"code"``.
        proofs: the number of verdicts, by level and status.
        tokens: the tokens of rows by task, of question and answer together; of whole records by text.
    """

    arguments: ExportArguments
    source: Source
    pairs: int
    lines: int
    bytes: int
    texts: dict[str, int]
    left_out: LeftOut
    splits: dict[str, SplitCounts]
    families: ClusterCounts
    leakage: dict[str, dict[str, Leak]]
    proofs: dict[str, dict[str, int]]
    files: tuple[ExportedFile, ...]
    tokens: dict[str, Quantiles] = {}

    @property
    def counted(self) -> str:
        """What the numbers of tokens are about: ``"task"`` for rows, ``"text"`` for whole records."""
        return "task" if self.arguments.tasks else "text"

    @property
    def has_large_cluster(self) -> bool:
        """Whether the largest cluster is so large that the splits do not have the requested sizes."""
        wanted = self.arguments.split
        missed = any(abs(split.share - wanted[name]) > MET for name, split in self.splits.items())
        return missed and self.families.largest > LARGE_CLUSTER * self.pairs

    @staticmethod
    def read(folder: Path) -> ExportManifest:
        """Read the manifest of an export.

        Raises:
            TargetError: if there is none, or it is damaged.
        """
        path = folder / EXPORT_MANIFEST
        raw = storage.read_file(path, MAX_MANIFEST_BYTES)
        if raw is None:
            raise TargetError(f"{folder} is not empty and holds no export: choose another --output, or empty it")
        try:
            return msgspec.json.decode(raw, type=ExportManifest)
        except (UnicodeDecodeError, msgspec.DecodeError, RecursionError):
            raise TargetError(f"{path} is damaged: choose another --output, or delete {folder}") from None

    def write(self, folder: Path) -> None:
        """Write `export.json`."""
        content = orjson.dumps(msgspec.to_builtins(self), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
        write_atomic(folder / EXPORT_MANIFEST, content)

    def check_files(self, folder: Path) -> None:
        """Check that all files are there and unchanged.

        Raises:
            TargetError: naming the first that is not.
        """
        for entry in self.files:
            path = folder / entry.file
            if not is_plain_name(entry.file) or not path.is_file() or file_digest(path) != entry.sha256:
                raise TargetError(f"{path} is missing or not the file that was written: delete {folder} and run this again")
