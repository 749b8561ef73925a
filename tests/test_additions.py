"""Toy additions to a copy of the sources: each one works, and the number of files that it takes is counted."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from source_tree import ROOT

CATEGORY = '''"""Toy kernels: scaled samples."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.catalogue.vocabulary.data import SIGNAL
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.domain_template import DomainTemplate, array, output, value
from warpsmith.synthesis.writing.skeletons.templates import Template

PARAMETERS = (array("x", FLOAT, -1.0, 1.0, "samples"), value("a", 0.5, 2.0, "gain"), output("y", FLOAT, "scaled"))
TEMPLATES = (Template("a scaled sample", "{y}[{i}] = {a} * {x}[{i}] ⟨* 0.5|+ 0.25⟩", (), ()),)
WEIGHTS = ProductionWeights((("arithmetic", 1.0),))
DOMAIN = DomainTemplate((SIGNAL,), TEMPLATES, ("scale",), PARAMETERS)
CATEGORY = Category("toy", DOMAIN.draw, WEIGHTS, "by a gain", "domains", dry_run=False)
'''

LEVEL = '''"""Level `toy`: the description of a kernel is not empty."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from warpsmith.core.records.jsonl import Line
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.finding import PASS, Finding, fail
from warpsmith.validation.levels.registry import Level

LEVEL = Level(name="toy", seconds=10.0, order=15, summary="the description is not empty")


def check(lines: Sequence[Line], _: BatchContext) -> Iterator[Finding]:
    for line in lines:
        yield PASS if line.pair and line.pair.metadata.description else fail("no description")
'''

FORMAT = """        Format(
            name="toy",
            extension="toy.jsonl",
            writer=Lines,
            help="the records unchanged, with another extension",
        ),
"""


class Sources:
    """A copy of the sources of all packages.

    Attributes:
        environment: variables with which Python imports the copy.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        for package in (ROOT / "packages").iterdir():
            shutil.copytree(package / "src", folder / package.name, ignore=shutil.ignore_patterns("__pycache__"))
        self.environment = {"PYTHONPATH": os.pathsep.join(str(path) for path in folder.iterdir())}

    def path(self, name: str) -> Path:
        """Return the path of a file of the copy, such as ``core/errors.py``."""
        return self._folder / name.partition("/")[0] / "warpsmith" / name

    def changed(self) -> list[str]:
        """Return the files that were changed or added."""
        return [name for name in map(self._name, sorted(self._folder.rglob("*.py"))) if self._differs(name)]

    def _name(self, path: Path) -> str:
        return path.relative_to(self._folder).as_posix().partition("/warpsmith/")[2]

    def _differs(self, name: str) -> bool:
        original = ROOT / "packages" / name.partition("/")[0] / "src" / "warpsmith" / name
        return not original.exists() or original.read_bytes() != self.path(name).read_bytes()


@pytest.fixture
def sources(tmp_path: Path) -> Sources:
    return Sources(tmp_path / "sources")


def test_a_category_is_one_file(run: Any, tmp_path: Path, sources: Sources) -> None:
    sources.path("synthesis/writing/catalogue/categories/toy.py").write_text(CATEGORY)
    made = tmp_path / "made"
    arguments = ("-n", 3, "-d", "cuda", "--codegen-only", "--categories", "toy", "--workers", 1, "-o", made)
    run("synthesis", "make", *arguments, env=sources.environment)
    records = [json.loads(line) for line in (made / "pairs-00000.jsonl").read_text().splitlines()]
    assert [record["metadata"]["category"] for record in records] == ["toy"] * 3
    assert len({record["python_source"] for record in records}) > 1
    assert sources.changed() == ["synthesis/writing/catalogue/categories/toy.py"]


def test_a_level_is_one_file(run: Any, sources: Sources, own_small: Path) -> None:
    sources.path("validation/levels/toy.py").write_text(LEVEL)
    shard = min(own_small.glob("pairs-*.jsonl"))
    first, *others = shard.read_text().splitlines()
    record = json.loads(first)
    record["metadata"]["description"] = ""
    shard.write_text("".join(f"{line}\n" for line in (json.dumps(record), *others)))
    done = run("validation", "run", shard, "--level", "toy", "--json", expect=1, env=sources.environment)
    result = json.loads(done.stdout)
    assert result["levels"]["toy"]["pass"] == len(others)
    assert [(failure["id"], failure["reason"]) for failure in result["failures"]] == [(record["id"], "no description")]
    assert "the description is not empty" in run("validation", "--help", env=sources.environment).stdout
    assert sources.changed() == ["validation/levels/toy.py"]


def test_an_export_format_is_one_row(run: Any, tmp_path: Path, sources: Sources, small: Path) -> None:
    formats = sources.path("core/export/formats.py")
    text = formats.read_text()
    formats.write_text(text.replace("        Format(\n", FORMAT + "        Format(\n", 1))
    exported = tmp_path / "exported"
    run("core", "export", small, "--format", "toy", "-o", exported, env=sources.environment)
    written = [line for path in exported.rglob("*.toy.jsonl") for line in path.read_text().splitlines()]
    assert sorted(written) == sorted(line for path in small.glob("pairs-*") for line in path.read_text().splitlines())
    assert sources.changed() == ["core/export/formats.py"]
