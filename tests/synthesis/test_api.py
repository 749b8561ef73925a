"""The public API: pairs equal those of datasets byte for byte, whatever the hash seed of the calling process is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import warpsmith.synthesis
from warpsmith.core.errors import WarpsmithError
from warpsmith.core.records.encoding import encode
from warpsmith.synthesis import generate, pairs
from warpsmith.synthesis.kernel_key import GENERATOR_VERSION
from warpsmith.synthesis.production import stream

Run = Callable[..., subprocess.CompletedProcess[str]]


def lines_by_id(folder: Path) -> dict[str, bytes]:
    lines = [line for path in sorted(folder.glob("pairs-*.jsonl")) for line in path.read_bytes().splitlines(keepends=True)]
    return {json.loads(line)["id"]: line for line in lines}


def test_a_pair_equals_the_one_in_a_dataset(dataset: Path) -> None:
    lines = lines_by_id(dataset)
    for arguments in ({"index": 17}, {"index": 7, "category": "vector"}, {"index": 0, "category": "arithmetic"}):
        pair = generate(seed=2000, device="both", **arguments)
        assert encode(pair) == lines[pair.id]


def test_a_category_outside_the_core_is_numbered_separately(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "tiles"
    run("synthesis", "make", "-n", 3, "-d", "cuda", "--categories", "tile", "--workers", 1, "-o", folder)
    pair = generate(2000, 2, "tile", "cuda", backward=False)
    assert pair.id == f"{GENERATOR_VERSION}.tile-2000-2"
    assert encode(pair) == lines_by_id(folder)[pair.id]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("category", "message"), [("vectors", "unknown category vectors; choose from "), ("all", "all is a group of categories")]
)
def test_an_unknown_category_is_an_error(category: str, message: str) -> None:
    with pytest.raises(WarpsmithError, match=f"^{message}"):
        generate(2000, 17, category)
    with pytest.raises(WarpsmithError, match=r"^unknown category vectors"):
        next(pairs(2000, "vectors"))


def test_the_stream_has_the_pairs_of_a_dataset_in_order(dataset: Path) -> None:
    stream = pairs(2000, start=40)
    assert [encode(pair) for pair in islice(stream, 60)] == list(lines_by_id(dataset).values())[40:100]


def test_another_hash_seed_gives_the_same_bytes_and_loads_no_warp(dataset: Path) -> None:
    code = (
        "import sys; from warpsmith.synthesis import generate; from warpsmith.core.records.encoding import encode;"
        "sys.stdout.buffer.write(encode(generate(2000, 17))); assert 'warp' not in sys.modules"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {"PYTHONHASHSEED": "3"}, stdout=subprocess.PIPE, check=True
    )
    assert done.stdout == lines_by_id(dataset)[f"{GENERATOR_VERSION}-2000-17"]


def test_the_second_process_ends_with_the_iterator(monkeypatch: pytest.MonkeyPatch) -> None:
    processes: list[Any] = []
    popen = subprocess.Popen

    def record(*arguments: Any, **options: Any) -> Any:
        processes.append(popen(*arguments, **options))
        return processes[-1]

    monkeypatch.setattr(subprocess, "Popen", record)
    stream = pairs(2000, "vector", device="cpu")
    assert next(stream).metadata.category == "vector"
    stream.close()  # type: ignore[attr-defined]
    assert [process.poll() for process in processes] == [-9]


def test_a_second_process_that_dies_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/true")
    with pytest.raises(WarpsmithError, match=r"^the process that generates pairs ended"):
        next(pairs(2000))


def test_public_names_are_listed_and_loaded_at_first_use() -> None:
    assert set(dir(warpsmith.synthesis)) == {"Pair", "ProgramRecord", "__version__", "generate", "generate_program", "pairs"}
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = warpsmith.synthesis.nothing


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (
            "import sys; sys.exit('no table of gradients')",
            "ended with exit code 1; the last line printed: no table of gradients$",
        ),
        ("import os; os.kill(os.getpid(), 9)", "was killed by SIGKILL, perhaps for lack of memory$"),
    ],
)
def test_the_error_says_how_the_second_process_ended(code: str, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "module_command", lambda *_: [sys.executable, "-c", code])
    with pytest.raises(WarpsmithError, match=f"^the process that generates pairs {reason}"):
        next(pairs(seed=2000))
