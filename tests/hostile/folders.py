"""Datasets whose files are no regular files, are damaged, or were forged: shards, manifests, verdicts, statistics, outputs."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hostile.harness import SHARD

VERDICTS = "verdicts-00000.jsonl"
COMMANDS = ("validate", "filter", "export", "stats", "report", "gpu", "reduce")

Damage = Callable[[Path], object]


@dataclass(frozen=True, slots=True)
class FolderRow:
    """A hostile dataset, or a hostile place for an output.

    Attributes:
        name: the name.
        attempts: the description of the attack.
        damage: changes the folder of a dataset of harmless pairs with verdicts; beside it is the file ``victim``.
        commands: the commands that are tried.
        copies: whether `filter` may copy all pairs; False if their verdicts must not be used.
    """

    name: str
    attempts: str
    damage: Damage
    commands: tuple[str, ...] = COMMANDS
    copies: bool = True


def _instead(name: str, make: Callable[[Path], object]) -> Damage:
    """Return a damage that replaces a file."""

    def damage(folder: Path) -> None:
        (folder / name).unlink(missing_ok=True)
        make(folder / name)

    return damage


def _link(target: str) -> Callable[[Path], object]:
    return lambda path: path.symlink_to(target)


def _content(content: bytes) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(content)


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        before = Path.cwd()
        os.chdir(path.parent)  # names of sockets are short
        listener.bind(path.name)
        os.chdir(before)


OBJECTS: dict[str, Callable[[Path], object]] = {
    "folder": Path.mkdir,
    "pipe": os.mkfifo,
    "socket": _socket,
    "zeros": _link("/dev/zero"),
    "nothing": _link("/dev/null"),
    "full_device": _link("/dev/full"),
    "loop": lambda path: path.symlink_to(path.name),
    "dangling_link": _link("missing/elsewhere"),
    "link_outside": _link("../victim"),
    "own_descriptors": _link("/proc/self/fd/0"),
}
"""Things that a name can stand for besides a regular file."""

_DEEP = b"[" * 100_000 + b"]" * 100_000


def _each(prefix: str, name: str, *, commands: tuple[str, ...] = COMMANDS) -> tuple[FolderRow, ...]:
    return tuple(
        FolderRow(f"{prefix}_{thing}", f"Replaces {name} by: {thing.replace('_', ' ')}.", _instead(name, make), commands)
        for thing, make in OBJECTS.items()
    )


def _bytes(prefix: str, name: str, contents: dict[str, bytes], *, copies: bool = True) -> tuple[FolderRow, ...]:
    return tuple(
        FolderRow(f"{prefix}_{key}", f"Replaces the content of {name} by: {key.replace('_', ' ')}.",
                  _instead(name, _content(content)), copies=copies)
        for key, content in contents.items()
    )  # fmt: skip


def _manifest(name: str, attempts: str, edit: Callable[[dict[str, Any]], object], *, copies: bool = False) -> FolderRow:
    def damage(folder: Path) -> None:
        path = folder / "manifest.json"
        manifest = json.loads(path.read_bytes())
        edit(manifest)
        path.write_text(json.dumps(manifest))

    return FolderRow(f"manifest_{name}", attempts, damage, copies=copies)


def _more_shards(*names: str) -> Damage:
    def damage(folder: Path) -> None:
        for name in names:
            (folder / name).write_bytes((folder / SHARD).read_bytes())
        (folder / "manifest.json").unlink()

    return damage


SHARDS = (
    *_each("shard", SHARD),
    *_bytes("shard", SHARD, {"empty": b"", "newlines": b"\n" * 100_000, "null_bytes": b"\0" * 3_000_000, "nesting": _DEEP,
                             "half_a_line": b'{"id":"3-2000-0","python', "noise": bytes(range(256)) * 5_000}, copies=False),
    FolderRow("shard_reversed", "Reverses the lines after they were checked.",
              lambda folder: (folder / SHARD).write_bytes(
                  b"".join(reversed((folder / SHARD).read_bytes().splitlines(keepends=True)))), copies=False),
    FolderRow("shard_truncated", "Cuts a shard after it was checked.",
              lambda folder: (folder / SHARD).write_bytes((folder / SHARD).read_bytes()[:-1_000]), copies=False),
    FolderRow("shard_name_with_a_newline", "Has a newline in the name of a shard.", _more_shards("pairs-0\n1.jsonl")),
    FolderRow("shard_name_with_escapes", "Has escapes of terminals in the name of a shard.", _more_shards("pairs-\x1b[2J.jsonl")),
    FolderRow("shard_name_with_markup", "Has markup in the name of a shard.", _more_shards("pairs-<script>:bomb:[red].jsonl")),
    FolderRow("shard_name_without_unicode", "Has bytes that are not UTF-8 in the name of a shard.",
              _more_shards(os.fsdecode(b"pairs-\xff\xfe.jsonl"))),
    FolderRow("many_shards", "Has 300 shards of the same pairs.", _more_shards(*(f"pairs-{n:05}.jsonl" for n in range(1, 300))),
              ("filter", "export"), copies=False),
    FolderRow("many_empty_shards", "Has 5,000 empty shards.",
              lambda folder: [(folder / f"pairs-{n:05}.jsonl").touch() for n in range(1, 5_000)]),
)  # fmt: skip

MANIFESTS = (
    *_each("manifest", "manifest.json"),
    *_bytes("manifest", "manifest.json", {"empty": b"", "nesting": _DEEP, "null": b"null", "number": b"9" * 100_000,
                                          "not_unicode": b'{"pairs":"\xff"}', "surrogate": b'{"pairs":"\\ud800"}'}),
    _manifest("with_a_path", "Lists a shard above the folder.", lambda m: m["shards"][0].update(file="../victim")),
    _manifest("with_an_absolute_path", "Lists a file of the system.", lambda m: m["shards"][0].update(file="/etc/passwd")),
    _manifest("with_a_device", "Lists a device without end.", lambda m: m["shards"][0].update(file="/dev/zero")),
    _manifest("with_a_null", "Lists a name with a null character.", lambda m: m["shards"][0].update(file="a\0b")),
    _manifest("with_a_surrogate", "Lists a name with half of a character.", lambda m: m["shards"][0].update(file="\udcff")),
    _manifest("with_escapes", "Lists a name with escapes of terminals.", lambda m: m["shards"][0].update(file="\x1b[2J:bomb:")),
    _manifest("with_a_long_name", "Lists a name of a megabyte.", lambda m: m["shards"][0].update(file="a" * 1_000_000)),
    _manifest("with_the_folder", "Lists the folder itself.", lambda m: m["shards"][0].update(file=".")),
    _manifest("twice", "Lists a shard twice.", lambda m: m["shards"].append(m["shards"][0])),
    _manifest("of_another", "Has the digest of another file.", lambda m: m["shards"][0].update(sha256="0" * 64)),
    _manifest("of_no_digest", "Has text as a digest.", lambda m: m["shards"][0].update(sha256="\x1b[2J")),
    _manifest("of_many", "Lists 50,000 shards.", lambda m: m.update(shards=m["shards"] * 50_000)),
    _manifest("negative", "Counts fewer than no pairs.", lambda m: m.update(pairs=-1, bytes=-(2**62)), copies=True),
    _manifest("large", "Counts more pairs than 64 bits.", lambda m: m.update(pairs=2**70), copies=True),
    _manifest("categories", "Has markup as categories.", lambda m: m.update(categories={"</script>\n---\n": 1}), copies=True),
    _manifest("arguments", "Has odd arguments.", lambda m: m.update(
        arguments={"count": "many", "seed": -1, "require": 1, "\x1b[2J": []}, versions={"warp": "\x1b[2J", "generator": "2",
                                                                                     "schema": 1}), copies=True),
    _manifest("preambles", "Has odd preambles.", lambda m: m.update(preambles={"cpu": "</script>" * 10_000}), copies=True),
    _manifest("source", "Has an odd source.", lambda m: m.update(source={"a": {"b": [None] * 1_000}}), copies=True),
)  # fmt: skip


def _sidecar(name: str, make: Callable[[Path], object]) -> FolderRow:
    def damage(folder: Path) -> None:
        for suffix in (".sha256", ".json"):
            (folder / VERDICTS).with_suffix(suffix).unlink(missing_ok=True)
            make((folder / VERDICTS).with_suffix(suffix))

    return FolderRow(f"sidecar_{name}", f"Replaces the digest beside the verdicts by: {name.replace('_', ' ')}.", damage)


def _forge(folder: Path) -> None:
    """Turn all verdicts into passes and add one of a level that does not exist; the digest is that of the true verdicts."""
    lines = [json.loads(line) for line in (folder / VERDICTS).read_bytes().splitlines()]
    for line in lines:
        line.update(status="pass", ms=-1.0)
    lines.append(dict(lines[0], level="../../victim", reason="\x1b[2J"))
    (folder / VERDICTS).write_text("".join(json.dumps(line) + "\n" for line in lines))


def _of_another_shard(folder: Path) -> None:
    """Replace the shard by one with the same ids and other kernels."""
    records = [json.loads(line) for line in (folder / SHARD).read_bytes().splitlines()]
    for record in records:
        record["python_source"] = "import os\n"
    (folder / SHARD).write_text("".join(json.dumps(record) + "\n" for record in records))
    (folder / "manifest.json").unlink()


VERDICT_FILES = (
    *_each("verdicts", VERDICTS),
    *_bytes("verdicts", VERDICTS, {"empty": b"", "nesting": _DEEP, "null_bytes": b"\0" * 10_000, "half_a_line": b'{"id":"2-',
                                   "nulls": b"null\n" * 100, "numbers": b'{"id":1,"level":2,"status":"pass"}\n',
                                   "surrogate": b'{"id":"\\ud800","level":"parse","status":"pass","reason":"","ms":1}\n'}),
    *(_sidecar(thing, make) for thing, make in OBJECTS.items()),
    *(_sidecar(name, _content(content)) for name, content in {
        "empty": b"", "nesting": _DEEP, "noise": bytes(range(256)), "no_digest": b"0" * 64 + b"  pairs-00000.jsonl\n",
        "null": b"null", "versions": b'{"judge":"\\u001b[2J","warp":[],"levels":{},"shard":1}'}.items()),
    FolderRow("verdicts_forged", "Turns verdicts into passes.", _forge),
    FolderRow("verdicts_of_another_shard", "Has verdicts of pairs with the same ids.", _of_another_shard, copies=False),
)  # fmt: skip

STATISTICS = (
    *_each("stats", "stats.json", commands=("stats", "report")),
    *_bytes("stats", "stats.json", {"empty": b"", "nesting": _DEEP, "null": b"null", "list": b"[]", "foreign": b'{"version":1}',
                                    "noise": bytes(range(256)),
                                    "markup": b'{"pairs":"</script><script>alert(1)</script>","bytes":[{}]}'}),
    *_each("report", "report.html", commands=("report",)),
)  # fmt: skip


def _output(command: str) -> tuple[FolderRow, ...]:
    name = {"filter": "filtered", "export": "exported", "reduce": "reduced.jsonl"}[command]
    return tuple(
        FolderRow(f"{command}_to_{thing}", f"Writes the output of {command} to: {thing.replace('_', ' ')}.",
                  _instead(f"../{name}", make), (command,))
        for thing, make in OBJECTS.items()
    )  # fmt: skip


ROWS = (
    *SHARDS,
    *MANIFESTS,
    *VERDICT_FILES,
    *STATISTICS,
    *(row for command in ("filter", "export", "reduce") for row in _output(command)),
)
