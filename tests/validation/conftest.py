"""What the tests of validation share: lines of a real dataset, lines with one thing changed, and limited children to ask."""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from warpsmith.extraction.jsonl import Line, decode, read_lines
from warpsmith.validation.judge import Judge
from warpsmith.validation.ladder import LADDER
from warpsmith.validation.verdict import Verdict

Spoil = Callable[[Line, Callable[[dict[str, Any]], object]], Line]
Ask = Callable[..., list[Verdict]]


@pytest.fixture(scope="session")
def lines(dataset: Path) -> list[Line]:
    """Every line of `dataset`."""
    return [line for shard in sorted(dataset.glob("pairs-*.jsonl")) for line in read_lines(shard)]


@pytest.fixture(scope="session")
def spoil() -> Spoil:
    """Change the JSON of a line in place, or give another value, and decode the result as a reader would."""

    def change(line: Line, damage: Callable[[dict[str, Any]], object]) -> Line:
        record = json.loads(line.raw)
        damage(record)
        return decode(json.dumps(record).encode() + b"\n", line.path, line.number)

    return change


@pytest.fixture(scope="session")
def ask() -> Iterator[Ask]:
    """Judge lines by the named levels in a limited child that stays for the session."""
    table = {level.name: level for level in LADDER}
    with ExitStack() as stack:
        children: dict[tuple[str, ...], Judge] = {}

        def judge(lines: list[Line], *levels: str) -> list[Verdict]:
            if levels not in children:
                children[levels] = stack.enter_context(Judge([table[name] for name in levels]))
            return children[levels].verdicts(lines)

        yield judge


@pytest.fixture
def ladder(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The levels of `hostile_ladder`, which children then find by that name."""
    here = str(Path(__file__).parent)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([here, os.environ.get("PYTHONPATH", "")]))
    monkeypatch.syspath_prepend(here)
    return importlib.import_module("hostile_ladder").LADDER
