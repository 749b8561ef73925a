"""Random edits of good sources by the grammar of Python: loading a source that the allow list accepts runs nothing."""

from __future__ import annotations

import ast
import json
import sys
from collections import Counter
from pathlib import Path

import pytest

from hostile.fuzzing import SECONDS, SHORT, rounds
from hostile.grammar import DEEDS, edited_sources, load
from hostile.row import HARMLESS, neighbours
from warpsmith.validation.allowlist.kernel_file import source_violation

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the confinement of workers requires Linux")

IMPORTS = "import enum\nimport math\nimport types\nimport typing\nimport numpy as np\n"
PLAIN = [HARMLESS, *(json.loads(line)["python_source"] for line in neighbours(30))]
GOOD = [*PLAIN, *(IMPORTS + source for source in PLAIN)]


class Sources:
    """The target of the fuzzer, with the number of accepted and refused sources."""

    def __init__(self, folder: Path) -> None:
        self.marker = folder / "marker"
        self.current = folder / "current"
        self.current.mkdir()
        self.counts: Counter[str] = Counter()

    def check(self, source: str) -> None:
        """Load a source without a sandbox if the allow list accepts it; none of its deeds runs."""
        refusal = _refusal(source)
        self.counts["accepted" if refusal is None else "refused"] += 1
        if refusal is None:
            load(source, _kernel_name(source), self.current)
            assert not self.marker.exists(), "a deed ran"
            assert list(self.current.iterdir()) == [], "the source wrote a file"


def _refusal(source: str) -> str | None:
    try:
        return source_violation(source, ast.parse(source))
    except (SyntaxError, ValueError, RecursionError) as error:
        return str(error)


def _kernel_name(source: str) -> str:
    return next(
        (node.name for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef) and node.decorator_list), "k"
    )


@pytest.fixture
def sources(tmp_path: Path) -> Sources:
    return Sources(tmp_path)


def test_a_deed_is_noticed(sources: Sources) -> None:
    for number, deed in enumerate(DEEDS[:3]):
        load(f"import warp as wp\nX = {deed.replace('MARKER', str(sources.marker) + str(number))}", "k", sources.current)
    assert len(list(sources.marker.parent.glob("marker*"))) == 3


def test_edited_sources_run_nothing(sources: Sources) -> None:
    rounds(sources.check, edited_sources(GOOD, sources.marker), SHORT)
    assert min(sources.counts["accepted"], sources.counts["refused"]) > 0


@pytest.mark.exhaustive
def test_edited_sources_run_nothing_for_minutes(sources: Sources) -> None:
    rounds(sources.check, edited_sources(GOOD, sources.marker), SECONDS / 3)
