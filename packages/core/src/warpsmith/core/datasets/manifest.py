"""The manifest of a dataset: arguments, versions, preambles, counts and the SHA-256 of each shard."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec
import orjson
from msgspec import UNSET, UnsetType

from warpsmith.core.errors import TargetError, single_line
from warpsmith.core.files import storage
from warpsmith.core.files.atomic import write_atomic
from warpsmith.core.records.ir import Device

MANIFEST = "manifest.json"

MAX_MANIFEST_BYTES = 1 << 28
"""The longest manifest that is read: that of some hundred thousand shards."""

MAX_SHOWN_CHARACTERS = 200
"""The most characters of another run's argument that an error repeats."""

_ADDITIONS = ("ptx", "plain")
"""Arguments that add something to every record."""

Count = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
"""A number of pairs or bytes."""


class Versions(msgspec.Struct, frozen=True, kw_only=True):
    """The versions that determine the bytes of a dataset, together with its arguments."""

    warp: str
    generator: str
    schema: int
    nvrtc: str | UnsetType = UNSET

    def __str__(self) -> str:
        return ", ".join(f"{name} {value}" for name, value in self.stated().items())

    def stated(self) -> dict[str, str | int]:
        """Return the versions by name; that of NVRTC only if the dataset has PTX."""
        return {name: value for name, value in msgspec.structs.asdict(self).items() if value is not UNSET}


@dataclass(frozen=True, slots=True, kw_only=True)
class MakeArguments:
    """The arguments of ``warpsmith-synthesize make`` that determine the bytes of a dataset.

    Attributes:
        count: the number of pairs.
        seed: the seed of all kernels.
        device: the targets of the generated code.
        backward: whether the pairs contain adjoints.
        codegen_only: whether kernels are not built.
        categories: names, in the order of the table of categories.
        shard_size: the number of pairs in a shard.
        profile: ``"stress"`` for constructs that Warp's compiler handles incorrectly.
        complexity: how long kernels get.
        ptx: the architecture of the PTX, such as ``"sm_80"``; None for records without PTX.
        plain: whether the records have stand-alone CUDA.
    """

    count: int
    seed: int
    device: Device
    backward: bool
    codegen_only: bool
    categories: tuple[str, ...]
    shard_size: int
    profile: str = "default"
    complexity: str = "medium"
    ptx: str | None = None
    plain: bool = False

    def stated(self) -> dict[str, object]:
        """Return the arguments as the manifest has them: an option that adds to the records only where it was given."""
        return {name: value for name, value in asdict(self).items() if name not in _ADDITIONS or value}


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterArguments:
    """The arguments of ``warpsmith-dataset filter``, and the dataset that they were applied to.

    Attributes:
        require: conditions for which ``not_applicable`` counts as ``pass``.
        only: conditions that hold exactly.
        of: the SHA-256 of each shard of the original dataset.
        verdicts: the SHA-256 of all its verdicts.
        pairs: the number of its lines.
        repeated_ids: the number of its lines whose id another line has; they are never taken.
        not_records: the number of its lines that are no records; they are never taken.
    """

    require: tuple[str, ...]
    only: tuple[str, ...]
    of: dict[str, str]
    verdicts: str
    pairs: int
    repeated_ids: int = 0
    not_records: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Return the arguments as JSON values; the counts of lines that are never taken are absent where they are 0."""
        never_taken = ("repeated_ids", "not_records")
        return {name: value for name, value in asdict(self).items() if value or name not in never_taken}


def is_plain_name(name: str) -> bool:
    """Return whether a name belongs to a file in the same folder and can be printed.

    Examples:
        >>> is_plain_name("pairs-00000.jsonl"), is_plain_name("../pairs-00000.jsonl")
        (True, False)
    """
    return name.isprintable() and name not in ("", ".", "..") and "/" not in name and "\\" not in name


def missing_file(name: str) -> str:
    """Return the problem of a shard that the manifest lists and the folder lacks."""
    return f"{name} is missing"


def changed_file(name: str) -> str:
    """Return the problem of a shard whose content is not that of the manifest."""
    return f"{name} is not the file that was made: its SHA-256 differs from the manifest's"


class Shard(msgspec.Struct, frozen=True, kw_only=True):
    """One shard: its file, counts and SHA-256. A filtered dataset has neither ``text_bytes`` nor ``rejects`` nor ``plain``."""

    file: str
    pairs: Count
    bytes: Count
    text_bytes: Count | UnsetType = UNSET
    sha256: str
    categories: dict[str, Count]
    rejects: Count | UnsetType = UNSET
    plain: dict[str, Count] | UnsetType = UNSET

    def problem(self, path: Path) -> str | None:
        """Return how the file at ``path`` differs from this entry, or None if it is the same file."""
        if not path.exists():
            return missing_file(self.file)
        if file_digest(path) != self.sha256:
            return changed_file(self.file)
        return None


class Origin(msgspec.Struct, frozen=True, kw_only=True):
    """The arguments and versions that a dataset was made with.

    Attributes:
        arguments: plain JSON, kept as read because other releases have other arguments; see `make_arguments` and
            `filter_arguments` for the typed form.
        versions: None if the manifest has none.
    """

    arguments: dict[str, Any] | UnsetType = UNSET
    versions: Versions | UnsetType = UNSET

    @property
    def make_arguments(self) -> MakeArguments | None:
        """The arguments of a generated dataset, None for any other dataset."""
        return typed_arguments(self.arguments, MakeArguments)

    @property
    def filter_arguments(self) -> FilterArguments | None:
        """The arguments of a filtered dataset, None for any other dataset."""
        return typed_arguments(self.arguments, FilterArguments)


class Manifest(Origin, frozen=True, kw_only=True):
    """The content of `manifest.json`, which is written last: a folder with a manifest is a finished dataset.

    Attributes:
        pairs: the number of pairs; ``rejects``, ``bytes`` and ``text_bytes`` (generated code only) are totals, too.
        categories: the number of pairs by category.
        plain: the number of pairs by what became of their stand-alone CUDA; unset where it was not requested.
        preambles: the text that all generated files start with, by target.
        source: the arguments of the dataset that a filtered one was taken from; unset for a generated dataset.
        filters: the arguments of earlier filters, the first one first; unset where a dataset was filtered once at most.
        shards: all shards in order.
    """

    pairs: Count
    rejects: Count | UnsetType = UNSET
    bytes: Count
    text_bytes: Count | UnsetType = UNSET
    categories: dict[str, Count]
    plain: dict[str, Count] | UnsetType = UNSET
    preambles: dict[str, str] | UnsetType = UNSET
    source: dict[str, Any] | UnsetType | None = UNSET
    filters: tuple[dict[str, object], ...] | UnsetType = UNSET
    shards: tuple[Shard, ...]

    @staticmethod
    def read(folder: Path) -> Manifest | None:
        """Return the manifest of the dataset in ``folder``, or None if it has none.

        Raises:
            TargetError: if the file is damaged.
        """
        manifest = read_origin(folder / MANIFEST, Manifest)
        for shard in manifest.shards if manifest else ():
            if not is_plain_name(shard.file):
                raise TargetError(f"{folder / MANIFEST} is damaged: {shard.file!a} is not the name of a shard")
        return manifest

    def write(self, folder: Path) -> None:
        """Write `manifest.json`."""
        content = orjson.dumps(self.to_dict(), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
        write_atomic(folder / MANIFEST, content)

    def to_dict(self) -> dict[str, Any]:
        """Return the manifest as JSON values, in the order of the file."""
        plain = msgspec.to_builtins(self)
        first = () if self.source is UNSET else ("arguments", "versions", "preambles", "source")
        return {**{name: plain[name] for name in first if name in plain}, **plain}  # the order of filtered datasets

    def problems(self, folder: Path, present: Collection[str]) -> Iterator[str]:
        """Yield each difference between the manifest and the shards in ``folder``, whose names are ``present``."""
        listed = {shard.file: shard for shard in self.shards}
        if len(listed) < len(self.shards):
            yield "the manifest lists a shard twice"
        for name in sorted(listed.keys() | set(present)):
            if name not in listed:
                yield f"{name} is not in the manifest"
            elif problem := listed[name].problem(folder / name):
                yield problem


Content = TypeVar("Content", bound=Origin)
Arguments = TypeVar("Arguments", MakeArguments, FilterArguments)


def read_origin(path: Path, kind: type[Content]) -> Content | None:
    """Return the content of ``path``, or None if there is no such file.

    Raises:
        TargetError: if the file is damaged or cannot be read.
    """
    raw = storage.read_file(path, MAX_MANIFEST_BYTES)
    if raw is None:
        return None
    try:
        content = msgspec.json.decode(raw, type=kind)
        orjson.dumps(msgspec.to_builtins(content))  # numbers of more than 64 bits and deep nesting cannot be written again
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, orjson.JSONEncodeError) as error:
        raise TargetError(
            f"{path} is damaged ({error}): choose another folder, or delete this one and make the dataset again"
        ) from error
    return content


def differing_arguments(found: Mapping[str, Any], expected: Mapping[str, Any]) -> Iterator[str]:
    """Yield each argument or version in ``expected`` that has another value in ``found``, with both values."""
    for name, value in expected.items():
        if found.get(name) != value and (name in found or value):  # an option that a manifest lacks is off
            yield f"{name} is {single_line(repr(found.get(name)), MAX_SHOWN_CHARACTERS)} there and {value!r} now"


def typed_arguments(raw: Mapping[str, Any] | UnsetType | None, kind: type[Arguments]) -> Arguments | None:
    """Return ``raw`` as arguments of a command, or None if they are not arguments of that command."""
    if not raw or not raw.keys() <= kind.__dataclass_fields__.keys():
        return None
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError:
        return None


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file as hexadecimal digits.

    Raises:
        TargetError: if it cannot be read.
    """
    digest = hashlib.sha256()
    with storage.reading(path) as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
