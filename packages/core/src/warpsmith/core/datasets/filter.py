"""Takes pairs with certain verdicts out of a dataset into one of their own: the clean set, or the compiler's errors."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from warpsmith.core.commands.terminal import progress
from warpsmith.core.datasets.card import category_table, front_matter
from warpsmith.core.datasets.conditions import Condition, meets
from warpsmith.core.datasets.folder import Dataset
from warpsmith.core.errors import TargetError
from warpsmith.core.records.jsonl import Line, read_lines, write_atomic
from warpsmith.core.records.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Filtered:
    """How many pairs there were, and how many of them were taken."""

    pairs: int
    taken: int
    categories: dict[str, int]


def filter_dataset(dataset: Dataset, required: Sequence[Condition], only: Sequence[Condition], output: Path) -> Filtered:
    """Write the lines of ``dataset`` that meet all conditions, byte for byte, with their verdicts.

    Args:
        dataset: a dataset that was judged.
        required: what must hold; ``not_applicable`` counts as ``pass``.
        only: what must hold to the letter.
        output: a folder that does not exist or is empty; what the same command left there is not made again.

    Raises:
        TargetError: if the folder cannot be used.
        WarpsmithError: if pairs lack the verdicts that are asked for.
    """
    arguments = _arguments(dataset, required, only)
    if (done := _done_before(output, arguments)) is not None:
        return done
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise TargetError(f"{output} is not an empty folder: choose another, or delete it")
    output.mkdir(parents=True, exist_ok=True)
    total = sum(1 for _ in dataset.lines())
    shards: list[dict[str, Any]] = []
    with progress("filter", total, "lines") as advance:
        for shard in dataset.shards:
            verdicts = dataset.read_verdicts(shard)
            taken: list[Line] = []
            for line in read_lines(shard):
                if meets(line, verdicts, required, only):
                    taken.append(line)
                advance()
            if taken:
                shards.append(_write_shard(taken, verdicts, shard.name, output))
    return _filtered(_write_manifest(dataset, arguments | {"pairs": total}, shards, output))


def _arguments(dataset: Dataset, required: Sequence[Condition], only: Sequence[Condition]) -> dict[str, Any]:
    """What decides the content of the new dataset, as its manifest says it."""
    return {
        "require": [str(condition) for condition in required],
        "only": [str(condition) for condition in only],
        **dataset.digests(),
    }


def _done_before(output: Path, arguments: dict[str, Any]) -> Filtered | None:
    try:
        manifest = orjson.loads((output / "manifest.json").read_bytes())
        return _filtered(manifest) if arguments.items() <= manifest["arguments"].items() else None
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return None


def _filtered(manifest: dict[str, Any]) -> Filtered:
    return Filtered(manifest["arguments"]["pairs"], manifest["pairs"], manifest["categories"])


def _write_shard(lines: list[Line], verdicts: dict[tuple[str, str], Verdict], name: str, output: Path) -> dict[str, Any]:
    content = b"".join(line.raw if line.raw.endswith(b"\n") else line.raw + b"\n" for line in lines)
    write_atomic(output / name, content)
    identities = {line.identity for line in lines}
    kept = (verdict for (identity, _), verdict in verdicts.items() if identity in identities)
    Dataset(output, (), None).write_verdicts(output / name, kept)
    categories = Counter(line.pair.metadata.category for line in lines if line.pair is not None)
    return {
        "file": name,
        "pairs": len(lines),
        "bytes": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
        "categories": dict(sorted(categories.items())),
    }


def _write_manifest(dataset: Dataset, arguments: dict[str, Any], shards: list[dict[str, Any]], output: Path) -> dict[str, Any]:
    path = dataset.folder / "manifest.json"
    source = orjson.loads(path.read_bytes()) if dataset.manifest is not None else {}
    categories: Counter[str] = Counter()
    for shard in shards:
        categories.update(shard["categories"])
    manifest = {
        "arguments": arguments,
        **{key: source[key] for key in ("versions", "preambles") if key in source},
        "source": source.get("source") or source.get("arguments"),
        "pairs": sum(categories.values()),
        "bytes": sum(shard["bytes"] for shard in shards),
        "categories": dict(sorted(categories.items())),
        "shards": shards,
    }
    write_atomic(output / "README.md", "".join(_card(manifest)).encode())
    write_atomic(output / "manifest.json", orjson.dumps(manifest, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
    return manifest


def _card(manifest: dict[str, Any]) -> Iterator[str]:
    yield front_matter(manifest["pairs"], "pairs-*.jsonl") + "\n"
    yield "# Warp kernels and the code generated for them\n\n"
    yield f"{manifest['pairs']:,} pairs, taken out of a larger dataset by their verdicts: "
    arguments = manifest["arguments"]
    yield f"{' and '.join(f'`{condition}`' for condition in [*arguments['require'], *arguments['only']])}.\n"
    yield "`verdicts-*.jsonl` holds what each check said of each pair.\n"
    yield "\n" + category_table(manifest["categories"])
