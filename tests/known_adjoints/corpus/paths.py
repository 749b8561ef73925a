"""The verdicts of level gradient about probes: as generated pairs, and as kernels that a user's program launches."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import warp as wp

from command_line import start_code
from known_adjoints.corpus.arguments import arguments
from known_adjoints.corpus.given import FILE
from known_adjoints.corpus.probe import Probe
from known_adjoints.corpus.program import program
from warpsmith.core.inputs.stored import encode_values
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.jsonl import Line, decode
from warpsmith.core.records.launch import Launch
from warpsmith.core.records.pair import Pair
from warpsmith.extraction.codegen.extract import extract_ir
from warpsmith.extraction.targets.loading import loaded_kernel


@dataclass(frozen=True)
class Answer:
    """A verdict: the first one that is ``fail``, or the one of level gradient."""

    status: str
    reason: str
    level: str = "gradient"


TESTS = Path(__file__).parents[2]
MISSING = Answer("no pair", "the program's launch did not become a pair", "extraction")
TILES = {"enable_mathdx_gemm": False, "enable_mathdx_solver": False, "enable_mathdx_fft": False}
TYPING = "from typing import Any\n\n"


def whole_source(probe: Probe) -> str:
    """Return the Python file of a generated pair."""
    return (TYPING if "Any" in probe.source else "") + "import warp as wp\n\n\n" + probe.source


def generated_line(name: str, probe: Probe, number: int) -> Line:
    """Return a probe as a pair that was generated."""
    options = {**probe.options, **({**TILES, "block_dim": probe.block} if probe.block else {})}
    source = whole_source(probe)
    with loaded_kernel(source, "kernel", options) as kernel:
        args, values = arguments(probe, kernel)
        ir = extract_ir(kernel, "both")
    stored = {leaf: encode_values(numbers) for leaf, numbers in values.items() if _is_stored(probe, leaf)}
    dim = (*probe.dim, probe.block) if probe.block else probe.dim
    pair = Pair.from_ir(
        ir, identity=f"0-0-{number}", python_source=source, category="known", warp_version=wp.__version__, seed=0, index=number,
        generator_version="0", module_options=options, launch=Launch(dim=dim, args=args, stored=stored), description=name,
    )  # fmt: skip
    return decode(encode(pair), Path("probes.jsonl"), number)


def _is_stored(probe: Probe, leaf: str) -> bool:
    return isinstance(probe.values.get(leaf.rpartition(".")[2]), (list, np.ndarray))


def generated(probes: Mapping[str, Probe], _: Path) -> bytes:
    """Return the lines of probes as generated pairs; their ids end with the number of the probe."""
    lines = (generated_line(name, one, number) for number, (name, one) in enumerate(probes.items()))
    return b"".join(line.raw.rstrip(b"\n") + b"\n" for line in lines)


def launched(probes: Mapping[str, Probe], folder: Path) -> bytes:
    """Return the lines of probes that a program launches; their ids end with the number of the probe."""
    script, pairs = folder / "simulation.py", folder / "launched.jsonl"
    numbered = dict(enumerate(probes.values()))
    script.write_text(program(numbered), encoding="utf-8")
    np.savez(folder / "inputs.npz", **dict(_numbers(numbered)))
    _command("extraction", "-d", "both", "-b", "-o", pairs, "--run", script, environment={FILE: str(folder / "inputs.npz")})
    return pairs.read_bytes()


PATHS = {"generated": generated, "launched": launched}


def answers(probes: Mapping[str, Probe], folder: Path, paths: Iterable[str] = PATHS) -> dict[str, dict[str, Answer]]:
    """Return the verdicts by path and by the name of the probe.

    Args:
        probes: the probes by name.
        folder: an empty folder.
        paths: keys of `PATHS`.
    """
    file = folder / "pairs.jsonl"
    file.write_bytes(b"".join(PATHS[path](probes, folder) for path in paths))
    _command("validation", "run", file, "--level", "gradient", "--workers", 1)
    found = verdicts(file.with_name("verdicts-pairs.jsonl"))
    return {path: {name: found[path].get(number, MISSING) for number, name in enumerate(probes)} for path in paths}


def verdicts(file: Path) -> dict[str, dict[int, Answer]]:
    """Return the first verdict of each pair that is ``fail``, or that of level gradient, by path and number of the probe."""
    found: dict[str, dict[int, Answer]] = {path: {} for path in PATHS}
    for text in file.read_text(encoding="utf-8").splitlines():
        verdict = json.loads(text)
        match = re.search(r"(\d+)$", verdict["id"])
        assert match
        path = "generated" if verdict["id"].startswith("0-0-") else "launched"
        if verdict["status"] == "fail" or verdict["level"] == "gradient":
            found[path].setdefault(int(match[1]), Answer(verdict["status"], verdict["reason"], verdict["level"]))
    return found


def _numbers(probes: Mapping[int, Probe]) -> Iterator[tuple[str, np.ndarray]]:
    for number, one in probes.items():
        with loaded_kernel(whole_source(one), "kernel", dict(one.options)) as kernel:
            yield from ((f"{number}.{leaf}", values) for leaf, values in arguments(one, kernel)[1].items())


def _command(tool: str, *arguments: object, environment: Mapping[str, str] | None = None) -> None:
    """Run a command of the project; it may report failures."""
    path = os.pathsep.join([str(TESTS), str(TESTS / "helpers"), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-c", start_code(tool), *map(str, arguments)], capture_output=True, check=False, text=True,
        env={**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": path, **(environment or {})},
    )  # fmt: skip
    assert done.returncode in {0, 1}, f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
