"""The promise of `verify`: what was made is found as it was made, and whatever is not is named."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from warpsmith.core.errors import WarpsmithError
from warpsmith.synthesis.production.verify import sample_size, verify

SHARD = "pairs-00001.jsonl"  # the second of four shards of the fixture `small`: pairs 10 to 19
CHANGED = f"{SHARD} is not the file that was made: its SHA-256 differs from the manifest's"

Run = Callable[..., Any]
Lines = list[bytes]


def test_the_samples_are_what_this_generator_makes(root: Path) -> None:
    assert verify(root / "data" / "samples", "all", 2).differences == ()


def test_other_kinds_of_kernels(run: Run, tmp_path: Path) -> None:
    chosen = ("--categories", "tile,vector,struct", "--profile", "stress", "--complexity", "small", "--shard-size", 7)
    run("synthesis", "make", "-n", 16, "-d", "cuda", "--codegen-only", "--workers", 1, *chosen, "-o", tmp_path / "some")
    found = json.loads(run("synthesis", "verify", tmp_path / "some", "--sample", "50%", "--workers", 1, "--json").stdout)
    assert found == {"shards": 3, "pairs": 8, "differences": []}


def change(old: bytes, new: bytes) -> Callable[[Lines], Lines]:
    def changed(lines: Lines) -> Lines:
        assert old in lines[3]
        return [*lines[:3], lines[3].replace(old, new, 1), *lines[4:]]

    return changed


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (change(b'"cpp_forward":"', b'"cpp_forward":" '), [f"{SHARD}: 2-2000-13 differs in cpp_forward"]),
        (change(b'"seed":2000', b'"seed":2001'), [f"{SHARD}: 2-2000-13 differs in metadata.seed"]),
        (change(b'{"id":', b'{"more":1,"id":'), [f"{SHARD}: 2-2000-13 differs in more"]),
        (change(b'{"id":', b'{"id" :'), [f"{SHARD}: 2-2000-13 is written in another way"]),
        (change(b'"2-2000-13"', b'"2-2000-99"'), ["2-2000-13 is missing", "2-2000-99 does not belong there"]),
        (lambda lines: lines[1:], [f"{SHARD}: 2-2000-10 is missing"]),
        (lambda lines: [lines[0], *lines], [f"{SHARD}: 2-2000-10 occurs more than once"]),
        (lambda lines: [*lines[:-1], lines[-1][:500]], ["2-2000-19 is missing", "a line that is no pair"]),
        (lambda lines: [*lines, b"7\n", b"{}\n"], ["a line that is no pair"]),
        (lambda _: [], ["2-2000-10 is missing", "2-2000-19 is missing"]),
        (lambda lines: lines[::-1], []),
    ],
)
def test_what_differs_is_named(own_small: Path, damage: Callable[[Lines], Lines], said: list[str]) -> None:
    path = own_small / SHARD
    path.write_bytes(b"".join(damage(path.read_bytes().splitlines(keepends=True))))
    first, *others = verify(own_small, "0", 1).differences
    assert first == CHANGED
    for words in said:
        assert any(other.endswith(words) for other in others), others
    assert bool(others) == bool(said)


def test_a_change_that_the_manifest_agrees_with(own_small: Path) -> None:
    """Digests find nothing where somebody made new ones; pairs that are made again do."""
    path = own_small / SHARD
    path.write_bytes(path.read_bytes().replace(b"wp::add(", b"wp::sub(", 1))
    agree(own_small)
    assert verify(own_small, "0", 1).differences == ()
    (said,) = verify(own_small, "all", 1).differences
    assert " differs in cpp_" in said


def agree(folder: Path) -> None:
    """Write the digest of `SHARD` into the manifest."""
    manifest = json.loads((folder / "manifest.json").read_text())
    content = (folder / SHARD).read_bytes()
    manifest["shards"][1] |= {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    (folder / "manifest.json").write_text(json.dumps(manifest))


@pytest.mark.parametrize(
    ("stage", "said"), [("build", []), ("generate", [f"{SHARD}: 2-2000-13 is no longer what was rejected: generate: E"])]
)
def test_a_pair_that_was_rejected(own_small: Path, stage: str, said: list[str]) -> None:
    path = own_small / SHARD
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:3], *lines[4:]]))
    reject = {"id": "2-2000-13", "seed": 2000, "index": 13, "stage": stage, "error": "E"}
    (own_small / "rejects.jsonl").write_text(json.dumps(reject) + "\n")
    agree(own_small)
    manifest = json.loads((own_small / "manifest.json").read_text())
    manifest["shards"][1]["rejects"] = 1
    (own_small / "manifest.json").write_text(json.dumps(manifest))
    assert list(verify(own_small, "all", 1).differences) == said


def test_files_that_are_missing_or_strange(run: Run, own_small: Path) -> None:
    (own_small / SHARD).rename(own_small / "pairs-00009.jsonl")
    done = run("synthesis", "verify", own_small, "--workers", 1, expect=1)
    assert f"differs: {SHARD} is missing\ndiffers: pairs-00009.jsonl is not in the manifest\n" in done.stderr
    assert done.stdout == "4 shards and 1 pairs compared: 2 differences\n"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda manifest: manifest["versions"].update(warp="1.18.0"), "verify it with warp-lang==1.18.0"),
        (lambda manifest: manifest["versions"].update(generator="1"), "verify it with a warpsmith of generator version 1"),
        (lambda manifest: manifest.pop("versions"), "does not say which versions made the dataset"),
        (lambda manifest: manifest["arguments"].pop("seed"), "a dataset that was filtered is verified where it was taken from"),
        (lambda manifest: manifest["arguments"].update(shard_size=0), "contradicts itself"),
        (lambda manifest: manifest["arguments"].update(count=400), "contradicts itself"),
        (lambda manifest: manifest["arguments"].update(categories=["unheard_of"]), "unknown category unheard_of"),
        (lambda manifest: manifest["shards"].pop(), "contradicts itself"),
        (lambda manifest: manifest["shards"][0].pop("sha256"), "is damaged"),
        (lambda manifest: manifest.update(shards=7), "is damaged"),
    ],
)
def test_a_manifest_that_cannot_be_followed(own_small: Path, change: Callable[[dict[str, Any]], Any], said: str) -> None:
    manifest = json.loads((own_small / "manifest.json").read_text())
    change(manifest)
    (own_small / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(WarpsmithError) as error:
        verify(own_small, "0", 1)
    assert said in str(error.value)
    assert str(own_small) in str(error.value) or "category" in said
    assert error.value.exit_code == 2


def test_where_there_is_no_manifest(run: Run, tmp_path: Path) -> None:
    (error,) = run("synthesis", "verify", tmp_path, expect=2).stderr.splitlines()
    assert error.endswith("has no manifest.json, so nothing says what it should hold: name the folder of a complete dataset")


@pytest.mark.parametrize(
    ("text", "size"), [("1%", 3), ("0.1%", 1), ("100%", 250), ("0%", 0), ("all", 250), ("17", 17), ("999", 250), ("0", 0)]
)
def test_sizes_of_samples(text: str, size: int) -> None:
    assert sample_size(text, 250) == size


@pytest.mark.parametrize("text", ["", "x", "-1", "101%", "1.5", "%", "1 %", "1e3"])
def test_sizes_that_are_none(text: str) -> None:
    with pytest.raises(WarpsmithError, match="--sample is a number of pairs, a percentage such as 1%, or 'all'"):
        sample_size(text, 250)
