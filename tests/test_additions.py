"""The examples of `CONTRIBUTING.md` work in a copy of the sources, and each takes the number of files that the page states."""

from __future__ import annotations

import json
import re
from pathlib import Path
from textwrap import indent
from typing import Any

from source_copy import Sources
from source_tree import ROOT
from warpsmith.synthesis.writing.catalogue.categories import CORE, all_categories
from warpsmith.validation.levels.registry import LEVELS


def section(heading: str) -> str:
    """Return the text below a heading of the third level."""
    return (ROOT / "CONTRIBUTING.md").read_text().partition(f"\n### {heading}\n")[2].partition("\n##")[0]


def examples(heading: str) -> list[str]:
    """Return the examples below a heading: Python, and rows of the catalogue."""
    return re.findall(r"^```(?:python|text)\n(.*?)^```$", section(heading), re.DOTALL | re.MULTILINE)


def test_a_category_and_an_idea_are_a_row_each(run: Any, tmp_path: Path, sources: Sources) -> None:
    (idea,), (category,) = examples("An idea"), examples("A category")
    files = ["synthesis/writing/catalogue/categories.py", "synthesis/writing/catalogue/particles/motion.ideas"]
    categories, ideas = map(sources.path, files)
    head, opening, rest = categories.read_text().partition("CATEGORIES = (\n")
    assert opening
    categories.write_text(head + opening + indent(category.rstrip("\n"), " " * 4) + ",\n" + rest)
    with ideas.open("a") as file:
        file.write(f"\n{idea}")
    made = tmp_path / "made"
    arguments = ("-n", 6, "-d", "cuda", "--categories", "impulses", "--workers", 1, "-o", made)
    run("synthesis", "make", *arguments, env=sources.environment)
    records = [json.loads(line) for line in (made / "pairs-00000.jsonl").read_text().splitlines()]
    assert [record["metadata"]["category"] for record in records] == ["impulses"] * 6
    assert len({record["python_source"] for record in records}) == 6
    assert {record["metadata"]["kernel_name"].removesuffix("_kernel").removeprefix("_") for record in records} <= {
        "scatter_group",
        "apply_impulse",
    }
    assert sources.changed() == files


def test_the_groups_of_categories_are_listed() -> None:
    listed = re.findall(
        r"`(\w+)`", re.sub(r"\s+", " ", section("A category")).partition("The groups are ")[2].partition(".")[0]
    )
    assert listed == sorted({category.group for category in all_categories()} - {CORE})


def test_the_orders_of_the_levels_are_listed() -> None:
    orders = {level.name: str(level.order) for level in LEVELS}
    listed = dict(re.findall(r"`(\w+)` (\d+)", section("A level")))
    assert list(listed) == ["schema", "parse", "regenerate", "compile", "execute", "emulate", "oracle", "gradient", "simt"]
    assert listed.items() <= orders.items()


def test_a_level_is_one_file(run: Any, sources: Sources, own_small: Path) -> None:
    (example,) = examples("A level")
    orders = {level.name: level.order for level in LEVELS}
    order = next(order for order in (25, *range(21, 30)) if order not in orders.values())
    assert "order=25," in example
    sources.path("validation/levels/docstring.py").write_text(example.replace("order=25,", f"order={order},"))
    shard = min(own_small.glob("pairs-*.jsonl"))
    records = [json.loads(line) for line in shard.read_text().splitlines()]
    without = [record["id"] for record in records if '"""' not in record["python_source"]]
    done = run("validation", "run", shard, "--level", "docstring", "--json", expect=int(bool(without)), env=sources.environment)
    result = json.loads(done.stdout)
    assert list(result["levels"]) == [*(name for name in orders if orders[name] < order), "docstring"]
    assert result["levels"]["docstring"]["pass"] == len(records) - len(without) > 0
    assert [(failure["id"], failure["reason"]) for failure in result["failures"]] == [
        (identity, "the Python has no docstring") for identity in without
    ]
    assert "the Python has a docstring" in run("validation", "--help", env=sources.environment).stdout
    assert sources.changed() == ["validation/levels/docstring.py"]


def test_an_export_format_is_one_row(run: Any, tmp_path: Path, sources: Sources, small: Path) -> None:
    (example,) = examples("An export format")
    formats = sources.path("core/export/formats.py")
    head, first, rest = formats.read_text().partition("        Format(\n")
    formats.write_text(head + indent(example.rstrip("\n"), " " * 8) + ",\n" + first + rest)
    exported = tmp_path / "exported"
    run("core", "export", small, "--format", "lines", "-o", exported, env=sources.environment)
    written = [line for path in exported.rglob("*.lines") for line in path.read_text().splitlines()]
    assert sorted(written) == sorted(line for path in small.glob("pairs-*") for line in path.read_text().splitlines())
    assert sources.changed() == ["core/export/formats.py"]
