"""The manifest and the dataset card: they agree with the shards, and the command on the card makes the dataset again."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
import shlex
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
import warp as wp

from warpsmith.core.datasets.dataset_card import card
from warpsmith.core.datasets.manifest import Manifest
from warpsmith.core.records.pair import SCHEMA_VERSION, Metadata, Pair

TEXTS = ("cpp_forward", "cpp_backward", "cuda_ir_forward", "cuda_ir_backward")


@pytest.fixture(scope="module")
def manifest(dataset: Path) -> dict[str, Any]:
    return json.loads((dataset / "manifest.json").read_text())


@pytest.fixture(scope="module")
def readme(dataset: Path) -> str:
    return (dataset / "README.md").read_text()


def test_the_manifest_has_the_digests_and_sizes_of_the_shards(dataset: Path, manifest: dict[str, Any]) -> None:
    assert [shard["file"] for shard in manifest["shards"]] == sorted(path.name for path in dataset.glob("pairs-*.jsonl"))
    for shard in manifest["shards"]:
        content = (dataset / shard["file"]).read_bytes()
        assert shard["sha256"] == hashlib.sha256(content).hexdigest()
        assert shard["bytes"] == len(content)
        assert shard["pairs"] == content.count(b"\n")
        assert shard["rejects"] == 0
    assert (dataset / "rejects.jsonl").read_bytes() == b""


def test_the_manifest_counts_the_lines(dataset: Path, manifest: dict[str, Any]) -> None:
    paths = dataset.glob("pairs-*.jsonl")
    shards = {path.name: [json.loads(line) for line in path.read_text().splitlines()] for path in paths}
    pairs = [pair for name in sorted(shards) for pair in shards[name]]
    assert manifest["pairs"] == len(pairs) == 100
    assert manifest["rejects"] == 0
    assert manifest["bytes"] == sum((dataset / name).stat().st_size for name in shards)
    assert manifest["text_bytes"] == sum(len(pair[text].encode()) for pair in pairs for text in TEXTS)
    assert manifest["categories"] == Counter(pair["metadata"]["category"] for pair in pairs)
    for shard in manifest["shards"]:
        assert shard["categories"] == Counter(pair["metadata"]["category"] for pair in shards[shard["file"]])


def test_the_manifest_has_arguments_and_versions(dataset: Path, manifest: dict[str, Any]) -> None:
    assert manifest["arguments"] == {
        "categories": sorted(manifest["categories"]),
        "count": 100,
        "seed": 2000,
        "device": "both",
        "backward": True,
        "codegen_only": True,
        "shard_size": 25,
        "profile": "default",
        "complexity": "medium",
    }
    with (dataset / "pairs-00000.jsonl").open() as shard:
        metadata = json.loads(next(shard))["metadata"]
    assert manifest["versions"] == {
        "warp": wp.__version__,
        "generator": metadata["generator_version"],
        "schema": SCHEMA_VERSION,
    }


def test_the_manifest_has_warps_preambles(manifest: dict[str, Any]) -> None:
    assert set(manifest["preambles"]) == {"cpu", "cuda"}
    assert '#include "builtin.h"' in manifest["preambles"]["cpu"]
    assert '#include "builtin.h"' in manifest["preambles"]["cuda"]
    assert "blockDim" not in manifest["preambles"]["cpu"]


def test_the_front_matter_has_the_fields_of_the_hub(readme: str) -> None:
    opening, matter, _ = readme.split("---\n", 2)
    assert opening == ""
    keys = re.findall(r"^([a-z_]+):", matter, re.MULTILINE)
    assert keys == [
        "pretty_name", "license", "language", "language_creators", "annotations_creators", "multilinguality", "source_datasets",
        "task_categories", "tags", "size_categories", "configs",
    ]  # fmt: skip
    assert all(
        re.fullmatch(r"pretty_name: [\w ,+]+|[a-z_]+:( [\w.-]+)?|- [\w<.-]+(: \w+)?|  [a-z_]+: [\w*.-]+", line)
        for line in matter.splitlines()
    )
    assert "data_files: pairs-*.jsonl\n" in matter
    assert "- n<1K\n" in matter


def test_the_card_has_a_row_for_each_field_of_a_record(readme: str) -> None:
    fields = readme.partition("## Fields")[2].partition("##")[0]
    named = {
        name for line in fields.splitlines() for name in re.findall(r"`([\w.]+)`(?= · | \|)", line.partition(" | ")[0] + " |")
    }
    members = {f"metadata.{field.name}" for field in dataclasses.fields(Metadata)}
    assert named == {field.name for field in dataclasses.fields(Pair)} - {"metadata"} | members


def test_the_card_shows_the_first_row_shortened(readme: str, dataset: Path) -> None:
    shown = json.loads(readme.partition("```json\n")[2].partition("\n```")[0])
    with (dataset / "pairs-00000.jsonl").open() as shard:
        first = json.loads(next(shard))
    assert shown["id"] == first["id"]
    assert shown.keys() == first.keys()
    assert shown["metadata"].keys() == first["metadata"].keys()
    assert shown["cuda_ir_forward"] == first["cuda_ir_forward"][:160] + "…"
    assert len(readme) < 12_000


@pytest.mark.parametrize("title", ["Fields", "Example", "Uses", "Limits", "Creation", "Citation", "Checks"])
def test_the_card_has_the_sections_of_the_template(readme: str, title: str) -> None:
    assert readme.count(f"\n## {title}\n\n") == 1


@pytest.mark.parametrize(
    ("pairs", "size"),
    [(999, "n<1K"), (1000, "1K<n<10K"), (30_000, "10K<n<100K"), (100_000, "100K<n<1M"), (1_000_000, "1M<n<10M")],
)
def test_the_front_matter_has_the_size_category(dataset: Path, pairs: int, size: str) -> None:
    manifest = Manifest.read(dataset)
    assert manifest is not None
    assert manifest.make_arguments is not None
    assert manifest.versions
    text = card(manifest.make_arguments, manifest.versions, msgspec.structs.replace(manifest, pairs=pairs))
    assert f"size_categories:\n- {size}\n" in text


def test_the_card_of_a_benchmark_says_that_it_is_not_for_training(dataset: Path, readme: str) -> None:
    manifest = Manifest.read(dataset)
    assert manifest is not None
    assert manifest.make_arguments is not None
    assert isinstance(manifest.arguments, dict)
    assert manifest.versions
    assert "Not for training" not in readme
    marked = msgspec.structs.replace(manifest, arguments={**manifest.arguments, "seed": 7_000_001})
    assert "\n## Not for training\n" in card(manifest.make_arguments, manifest.versions, marked)


def test_the_card_agrees_with_the_manifest(readme: str, manifest: dict[str, Any]) -> None:
    assert f"{manifest['pairs']} pairs of a Python kernel and the C++ and CUDA code" in readme
    assert f"NVIDIA Warp {wp.__version__} generates for it, forward and adjoint" in readme
    rows = dict(re.findall(r"^\| (\w+) \| (\d+) \|$", readme, re.MULTILINE))
    assert rows == {name: str(count) for name, count in manifest["categories"].items()}


def test_the_command_on_the_card_makes_the_dataset(
    small: Path, tmp_path: Path, run: Callable[..., Any], files: Callable[[Path], dict[str, str]]
) -> None:
    (command,) = re.findall(r"^warpsmith-synthesize (.+)$", (small / "README.md").read_text(), re.MULTILINE)
    run("synthesis", *shlex.split(command.replace("DIR", str(tmp_path / "again"))))
    assert files(tmp_path / "again") == files(small)
