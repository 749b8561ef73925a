"""The verdicts of level gradient about probes: as generated pairs, and as kernels that a user's program launches."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
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
from warpsmith.core.records.jsonl import Line, decode, encode
from warpsmith.core.records.launch import Launch
from warpsmith.core.records.pair import Pair
from warpsmith.extraction.extract import extract_ir
from warpsmith.extraction.loading import loaded_kernel

TESTS = Path(__file__).parents[2]
TILES = {"enable_mathdx_gemm": False, "enable_mathdx_solver": False, "enable_mathdx_fft": False}
TYPING = "from typing import Any\n\n"


@dataclass(frozen=True)
class Answer:
    """A verdict: the first one that is ``fail``, or the one of level gradient."""

    status: str
    reason: str
    level: str = "gradient"


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


def generated(probes: Mapping[str, Probe], folder: Path) -> dict[str, Answer]:
    """Return the verdicts about probes as generated pairs, by name."""
    path = folder / "generated.jsonl"
    lines = [generated_line(name, one, number) for number, (name, one) in enumerate(probes.items())]
    path.write_bytes(b"".join(line.raw.rstrip(b"\n") + b"\n" for line in lines))
    return _by_name(probes, _validated(path))


def launched(probes: Mapping[str, Probe], folder: Path) -> dict[str, Answer]:
    """Return the verdicts about probes as kernels that a program launches, by name."""
    script, pairs = folder / "simulation.py", folder / "launched.jsonl"
    numbered = dict(enumerate(probes.values()))
    script.write_text(program(numbered), encoding="utf-8")
    np.savez(folder / "inputs.npz", **dict(_numbers(numbered)))
    _command("extraction", "-d", "both", "-b", "-o", pairs, "--run", script, environment={FILE: str(folder / "inputs.npz")})
    return _by_name(probes, _validated(pairs))


def _numbers(probes: Mapping[int, Probe]) -> Iterator[tuple[str, np.ndarray]]:
    for number, one in probes.items():
        with loaded_kernel(whole_source(one), "kernel", dict(one.options)) as kernel:
            yield from ((f"{number}.{leaf}", values) for leaf, values in arguments(one, kernel)[1].items())


def _by_name(probes: Mapping[str, Probe], found: Mapping[int, Answer]) -> dict[str, Answer]:
    missing = Answer("no pair", "the program's launch did not become a pair", "extraction")
    return {name: found.get(number, missing) for number, name in enumerate(probes)}


def _validated(path: Path) -> dict[int, Answer]:
    """Return the answers by the number of the probe, which the id ends with."""
    _command("validation", "run", path, "--level", "gradient", "--workers", 1)
    found: dict[int, Answer] = {}
    for text in path.with_name(f"verdicts-{path.name}").read_text(encoding="utf-8").splitlines():
        verdict = json.loads(text)
        match = re.search(r"(\d+)$", verdict["id"])
        assert match
        number, answer = int(match[1]), Answer(verdict["status"], verdict["reason"], verdict["level"])
        if verdict["status"] == "fail" or (verdict["level"] == "gradient" and number not in found):
            found.setdefault(number, answer)
    return found


def _command(tool: str, *arguments: object, environment: Mapping[str, str] | None = None) -> None:
    """Run a command of the project; it may report failures."""
    path = os.pathsep.join([str(TESTS), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-c", start_code(tool), *map(str, arguments)], capture_output=True, check=False, text=True,
        env={**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": path, **(environment or {})},
    )  # fmt: skip
    assert done.returncode in {0, 1}, f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
