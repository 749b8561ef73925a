"""Intent and specification of generated and of extracted records."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from warpsmith.core.commands.describe_command import repeated_shares
from warpsmith.core.descriptions.levels import describe_pair
from warpsmith.core.errors import WarpsmithError
from warpsmith.core.records.ir import Code, KernelIR
from warpsmith.core.records.jsonl import read_lines
from warpsmith.core.records.pair import Pair

EXTRACTED = '''
import warp as wp

LIMIT = wp.constant(3.0)


@wp.struct
class Body:
    mass: float
    com: wp.vec3


@wp.func
def clamp_speed(v: wp.vec3, limit: float):
    """Limit a speed."""
    return wp.normalize(v) * wp.min(wp.length(v), limit)


@wp.kernel(module="unique", enable_backward=False)
def integrate_bodies(
    x: wp.array(dtype=wp.vec3), v: wp.array(dtype=wp.vec3), body: Body, dt: float, x_out: wp.array(dtype=wp.vec3)
):
    """Integrate the positions of all bodies.

    Fast bodies are slowed down first.

    Args:
        x: positions in m,
            one for each body
        dt (float): time step in s.
    """
    tid = wp.tid()
    if tid >= x.shape[0] or body.mass == 0.0:
        return
    slow = clamp_speed(v[tid], LIMIT)
    x_out[tid] = x[tid] + slow * dt
'''


@pytest.fixture(scope="module")
def extracted() -> Pair:
    ir = KernelIR("integrate_bodies", "cuda", {"cuda": Code("integrate_bodies", "forward", None)}, None)
    return Pair.from_ir(ir, identity="x", python_source=EXTRACTED, category="harvested", warp_version="1")


@pytest.fixture(scope="module")
def pairs(small: Path) -> list[Pair]:
    return [line.checked() for path in sorted(small.glob("pairs-*.jsonl")) for line in read_lines(path)]


def test_the_intent_of_an_extracted_kernel_is_its_docstring(extracted: Pair) -> None:
    assert describe_pair(extracted, "intent") == "Integrate the positions of all bodies."


def test_without_a_docstring_the_intent_is_made_of_names(extracted: Pair) -> None:
    undocumented = replace(extracted, python_source=re.sub(r'    """Integrate.*?"""\n', "", EXTRACTED, flags=re.DOTALL))
    assert describe_pair(undocumented, "intent") == "Integrate bodies."


def test_the_specification_of_an_extracted_kernel(extracted: Pair) -> None:
    assert (
        describe_pair(extracted, "specification")
        == """\
Kernel `integrate_bodies`. Integrate the positions of all bodies.
`tid` is the index of the thread.

Parameters, in this order:
- `x`: `wp.array(dtype=wp.vec3)`, read. Positions in m, one for each body.
- `v`: `wp.array(dtype=wp.vec3)`, read.
- `body`: `Body`, read.
- `dt`: `float`, read. Time step in s.
- `x_out`: `wp.array(dtype=wp.vec3)`, written.

Constants:
- `LIMIT` = 3.0

Structs:
- `Body` with the members mass: float, com: wp.vec3

Functions:
- `clamp_speed(v: wp.vec3, limit: float)`: the result is normalize(v) * min(length(v), limit).

Rule for each thread:
- If tid >= x.shape[0] or body.mass == 0.0:
  - This thread ends here.
- Write x[tid] + clamp_speed(v[tid], LIMIT) * dt to x_out[tid].

Edge cases:
- A thread with tid >= x.shape[0] or body.mass == 0.0 writes nothing.

Form:
- The decorator is `@wp.kernel(module="unique", enable_backward=False)`."""
    )


def test_generated_records_have_purposes_meanings_and_roles(pairs: list[Pair]) -> None:
    meant = 0
    for pair in pairs:
        intent, text = describe_pair(pair, "intent"), describe_pair(pair, "specification")
        assert pair.metadata.description.startswith(intent.split(". ")[0].rstrip("."))
        assert 1 <= len(re.findall(r"\.(?= |$)", intent)) <= 3
        assert not re.search(r"[=*\[\]]|\w\(", intent)
        assert pair.metadata.launch is not None
        for argument in pair.metadata.launch.args:
            (line,) = re.findall(rf"^- `{argument.name}`: .*", text, re.MULTILINE)
            meaning = re.search(rf"[ ;]{argument.name} \([\w -]+, ([^;()]*?)\)(?:; |\. )", pair.metadata.description)
            meant += meaning is not None
            assert meaning is None or line.endswith(f"{meaning[1][1:]}.")
        for statement in ast.walk(ast.parse(pair.python_source)):
            if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Subscript):
                assert re.search(rf" to {ast.unparse(statement.targets[0].value)}\b", text)
    assert meant > 3 * len(pairs)


def test_intents_repeat_at_most_half_of_the_code_and_descriptions_nearly_all(pairs: list[Pair]) -> None:
    shares = repeated_shares(pairs)
    assert shares["intent"]["max"] <= 0.5
    assert shares["description"]["mean"] > 0.85
    assert shares["intent"]["mean"] < shares["specification"]["mean"] < shares["description"]["mean"]


def test_the_command_prints_a_text_and_the_shares(run: Any, small: Path, pairs: list[Pair]) -> None:
    text = run("core", "describe", small, pairs[3].id, "--level", "intent").stdout
    assert text == describe_pair(pairs[3], "intent") + "\n"
    figures = json.loads(run("core", "describe", small, "--json").stdout)
    assert figures == repeated_shares(pairs)


def test_a_record_without_its_kernel_is_an_error(extracted: Pair) -> None:
    with pytest.raises(WarpsmithError, match="defines no kernel integrate_bodies"):
        describe_pair(replace(extracted, python_source="import warp as wp\n"), "intent")
