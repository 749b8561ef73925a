"""The manifest, written last: what a dataset is, so that anyone can check it and make it again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import orjson

from warpsmith.core.datasets.card import card
from warpsmith.core.errors import WarpsmithError
from warpsmith.core.records.ir import TARGETS, Device
from warpsmith.core.records.jsonl import encode, write_atomic
from warpsmith.core.records.pair import SCHEMA_VERSION, Reject
from warpsmith.synthesis.kernel_key import GENERATOR_VERSION
from warpsmith.synthesis.production.chunks import Summary
from warpsmith.synthesis.production.local import ask
from warpsmith.synthesis.production.plan import Plan

MANIFEST = "manifest.json"


def versions() -> dict[str, Any]:
    """What decides the bytes of a dataset beside its arguments; loads Warp."""
    import warp as wp

    return {"warp": wp.__version__, "generator": GENERATOR_VERSION, "schema": SCHEMA_VERSION}


def preambles(device: Device) -> dict[str, str]:
    """What all generated files open with, by target; loads Warp."""
    from warpsmith.extraction.warp import codegen

    return {target: codegen.preamble(target) for target in TARGETS[device]}


def write_manifest(plan: Plan, summaries: Sequence[Summary], folder: Path) -> dict[str, Any]:
    """Write rejects, the dataset card and the manifest, in this order, and return the manifest."""
    rejects = [reject for summary in summaries for reject in summary.rejects]
    categories: Counter[str] = Counter()
    for summary in summaries:
        categories.update(summary.categories)
    manifest = {
        "arguments": plan.arguments(),
        "versions": ask(versions),
        "pairs": sum(summary.pairs for summary in summaries),
        "rejects": len(rejects),
        "bytes": sum(summary.bytes for summary in summaries),
        "text_bytes": sum(summary.text_bytes for summary in summaries),
        "categories": {name: categories[name] for name in plan.categories},
        "preambles": ask(preambles, plan.device),
        "shards": [{**msgspec.to_builtins(summary), "rejects": len(summary.rejects)} for summary in summaries],
    }
    write_atomic(folder / "rejects.jsonl", b"".join(encode(reject) for reject in rejects))
    write_atomic(folder / "README.md", card(manifest).encode())
    write_atomic(folder / MANIFEST, orjson.dumps(manifest, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
    return manifest


def summaries_of(manifest: dict[str, Any], folder: Path) -> dict[str, Summary]:
    """Return the summaries of a complete dataset by file, their rejects read back from `rejects.jsonl`."""
    path = folder / "rejects.jsonl"
    lines = path.read_bytes().splitlines() if path.exists() else []
    try:
        rejects = iter([msgspec.json.decode(line, type=Reject) for line in lines])
        return {
            entry["file"]: msgspec.convert({**entry, "rejects": list(islice(rejects, entry["rejects"]))}, Summary)
            for entry in manifest["shards"]
        }
    except (msgspec.DecodeError, LookupError, TypeError) as error:
        raise WarpsmithError(
            f"{folder / MANIFEST} is damaged ({error}); choose another --output, or empty the folder"
        ) from error


def read_json(path: Path) -> dict[str, Any] | None:
    """Read a JSON object, or None if there is no such file.

    Raises:
        WarpsmithError: if it is not a JSON object.
    """
    try:
        content = orjson.loads(path.read_bytes())
    except FileNotFoundError:
        return None
    except orjson.JSONDecodeError as error:
        raise WarpsmithError(f"{path} is damaged ({error}); choose another --output, or empty the folder") from error
    if not isinstance(content, dict):
        raise WarpsmithError(f"{path} is not a JSON object; choose another --output, or empty the folder")
    return content
