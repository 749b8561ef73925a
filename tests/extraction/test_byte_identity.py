"""Preamble and code of a pair are byte for byte the file that Warp's own `compile_aot_module` writes.

The reference implementation (`tests/oracles/aot.py`) imports each pair's Python from a file, calls Warp's public functions and
keeps the files.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import warp as wp

from pair_text import whole_text
from warpsmith.core.records.ir import TARGETS
from warpsmith.core.records.jsonl import read_pairs
from warpsmith.core.records.pair import Pair

SUFFIX = {"cpu": "cpp", "cuda": "cu"}
ORACLE = Path(__file__).parents[1] / "oracles" / "aot.py"

Files = dict[tuple[str, str], str]
Write = Callable[[Sequence[Pair], int, bool], Files]


@pytest.fixture(scope="module")
def written_by_warp(tmp_path_factory: pytest.TempPathFactory) -> Write:
    """Let Warp write the files of pairs, and return their texts by (id, target).

    The first of every ``fresh`` pairs is written by public functions alone in a new process, which compiles it too. All other
    pairs are compiled only if ``compiled`` is true.
    """

    def compile_all(pairs: Sequence[Pair], fresh: int, compiled: bool) -> Files:
        folder = tmp_path_factory.mktemp("aot")
        alone = set(range(0, len(pairs), fresh)) if fresh else set()
        jobs = [
            {
                "source": pair.python_source,
                "options": pair.metadata.module_options,
                "targets": TARGETS[pair.metadata.device],
                # Kernels that name the same module share it, so each of them needs its own process.
                "fresh": position in alone or "module=" in pair.python_source,
                "compiled": position in alone or compiled,
            }
            for position, pair in enumerate(pairs)
        ]
        (folder / "jobs.json").write_text(json.dumps(jobs))
        environment = {**os.environ, "PYTHONHASHSEED": "0", "TMPDIR": str(folder)}  # NVRTC leaves 77 MB there
        subprocess.run(
            [sys.executable, ORACLE, folder / "jobs.json", folder], check=True, env=environment, stderr=subprocess.DEVNULL
        )
        files: Files = {}
        for position, pair in enumerate(pairs):
            for target in TARGETS[pair.metadata.device]:
                file, error = folder / f"{position}.{SUFFIX[target]}", folder / f"{position}.{target}.error"
                assert file.exists(), (
                    f"{pair.id}: Warp did not compile it: {error.read_text() if error.exists() else 'it died'}"
                )
                files[pair.id, target] = file.read_text()
        return files

    return compile_all


def assert_identical(pairs: Sequence[Pair], files: Files) -> None:
    # The only intended difference: paths of Warp's own functions are relative to Warp, not paths of this machine.
    installed = f"// {Path(wp.__file__).parents[1]}/"
    for pair in pairs:
        for target in TARGETS[pair.metadata.device]:
            assert whole_text(pair, target) == files[pair.id, target].replace(installed, "// "), f"{pair.id} {target}"


COMPILED = [pytest.param(False, id="written"), pytest.param(True, id="compiled", marks=pytest.mark.exhaustive)]
"""Whether Warp compiles the text that it writes, which takes minutes."""


@pytest.mark.parametrize("compiled", COMPILED)
def test_synthesized_kernels(compiled: bool, dataset: Path, written_by_warp: Write) -> None:
    pairs = [pair for shard in sorted(dataset.glob("pairs-*.jsonl")) for pair in read_pairs(shard)]
    if not compiled:  # the shortest of each category
        pairs = sorted(pairs, key=lambda pair: -len(pair.cuda_ir_backward or ""))
        pairs = list({pair.metadata.category: pair for pair in pairs}.values())
    assert len({pair.metadata.category for pair in pairs}) == 10
    files = written_by_warp(pairs, 40 if compiled else 20, compiled)
    assert_identical(pairs, files)
    # The comparison detects a change of one byte anywhere.
    pair = pairs[7]
    assert pair.cuda_ir_backward is not None
    for at in (0, len(pair.cuda_ir_backward) // 2, -1):
        text = bytearray(pair.cuda_ir_backward.encode())
        text[at] ^= 1
        changed = {**{name: getattr(pair, name) for name in pair.__slots__}, "cuda_ir_backward": text.decode("latin-1")}
        with pytest.raises(AssertionError):
            assert_identical([Pair(**changed)], files)


@pytest.mark.parametrize(
    ("examples", "least", "fresh", "compiled"),
    [
        pytest.param("warp.examples.core", 40, 0, False, id="core", marks=pytest.mark.exhaustive),
        pytest.param("warp.examples", 80, 25, True, id="all", marks=pytest.mark.exhaustive),
    ],
)
def test_kernels_of_the_examples_of_warp(
    examples: str, least: int, fresh: int, compiled: bool, tmp_path: Path, run, written_by_warp: Write
) -> None:
    out = tmp_path / "examples.jsonl"
    # Two of the examples clear the cache of compiled kernels when they are imported, which stops every other compilation.
    environment = {"DISPLAY": "", "WARP_CACHE_PATH": str(tmp_path / "cache")}
    done = run("extraction", examples, "-d", "both", "-b", "-o", out, expect=None, env=environment)
    assert done.returncode in (0, 1), done.stderr
    pairs = list(read_pairs(out))
    assert len(pairs) >= least
    for line in out.with_suffix(".rejects.jsonl").read_text().splitlines():
        reject = json.loads(line)
        refused_by_warp = reject["stage"] == "codegen" and (
            "on CPU" in reject["error"] or "Error while parsing" in reject["error"]
        )
        assert reject["stage"] == "import" or "without overloads" in reject["error"] or refused_by_warp, reject
    assert_identical(pairs, written_by_warp(pairs, fresh, compiled))


@pytest.mark.parametrize("compiled", COMPILED)
@pytest.mark.parametrize(("target", "count"), [("kernels.py", 19), ("project", 19)])
def test_kernels_with_every_feature(
    target: str, count: int, compiled: bool, tmp_path: Path, run, written_by_warp: Write
) -> None:
    out, folder = tmp_path / "features.jsonl", Path(__file__).parent
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    named = folder / target if target.endswith(".py") else target
    run("extraction", named, "-d", "both", "-b", "-o", out, expect=None, env={"PYTHONPATH": path})
    pairs = list(read_pairs(out))
    assert len(pairs) == count
    assert_identical(pairs, written_by_warp(pairs, 6 if compiled else 0, compiled))


def test_generic_kernels_with_an_overload(tmp_path: Path, run, written_by_warp: Write) -> None:
    arguments = ("-n", 12, "-d", "both", "-b", "--categories", "generic", "-o", tmp_path / "generic")
    run("synthesis", "make", *arguments)
    pairs = [pair for pair in read_pairs(tmp_path / "generic" / "pairs-00000.jsonl") if "wp.overload(" in pair.python_source]
    assert len(pairs) >= 3
    assert_identical(pairs, written_by_warp(pairs, 0, False))


@pytest.mark.exhaustive
def test_synthesized_kernels_without_backward(tmp_path: Path, run, written_by_warp: Write) -> None:
    run("synthesis", "make", "-n", 10, "-d", "both", "-o", tmp_path / "forward")
    pairs = list(read_pairs(tmp_path / "forward" / "pairs-00000.jsonl"))
    assert {pair.metadata.has_backward for pair in pairs} == {False}
    assert_identical(pairs, written_by_warp(pairs, 0, False))
