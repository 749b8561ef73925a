"""A level is one file with a row; the registry finds it, orders it and checks its needs."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.verdict import LEVELS as NAMES
from warpsmith.validation.levels.context import BatchContext, UndeclaredNeed
from warpsmith.validation.levels.level_results import LAUNCHES
from warpsmith.validation.levels.registry import _JUDGING, LEVELS, Level, levels_to, ordered, read_row
from warpsmith.validation.worker.check_worker import check_batch

TOY = """
from warpsmith.validation.levels.finding import PASS
from warpsmith.validation.levels.registry import Level

LEVEL = Level(
    name="toy",
    seconds=1.0,
    order=35,
    needs=("regenerate",),
    summary="a level of one file",
)


def check(lines, context):
    return [PASS for _ in lines]
"""


def test_the_levels_are_in_order_of_cost() -> None:
    names = ["schema", "parse", "regenerate", "compile", "execute", "emulate", "oracle", "gradient", "simt"]
    assert (*names, "gpu") == NAMES
    assert [level.name for level in LEVELS if level.name in names] == names
    assert [level.name for level in levels_to("execute") if level.name in names] == names[:5]
    assert levels_to("execute")[-1].name == "execute"
    assert [level.order for level in LEVELS] == sorted(level.order for level in LEVELS)


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.name)
def test_a_row_read_from_the_source_equals_the_row_of_the_module(level: Level) -> None:
    module = importlib.import_module(level.entry_point.partition(":")[0])
    assert level == module.LEVEL
    assert callable(module.check)
    assert level.summary


def test_a_new_level_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: list[Line]) -> None:
    file = tmp_path / "toy.py"
    file.write_text(TOY)
    row = read_row(file)
    assert row == Level("toy", 1.0, 35, ("regenerate",), summary="a level of one file")
    names = [level.name for level in ordered([*LEVELS, row])]
    toy = names.index("toy")
    assert names[toy - 1 : toy + 2] == ["regenerate", "toy", "compile"]
    monkeypatch.setattr("warpsmith.validation.levels.__path__", [str(tmp_path)])
    verdicts = list(check_batch(lines[:2], [row], BatchContext(tmp_path)))
    assert [(verdict.level, verdict.status) for verdict in verdicts] == 2 * [("toy", "pass")]


def test_a_file_without_a_row_is_not_a_level() -> None:
    assert read_row(Path(__file__)) is None


@pytest.mark.parametrize(
    "extra",
    [
        Level("early", 1.0, 5, needs=("schema",)),
        Level("lost", 1.0, 99, needs=("nowhere",)),
        Level("schema", 1.0, 99),
        Level("twin", 1.0, 10),
    ],
    ids=lambda level: level.name,
)
def test_invalid_rows_are_errors(extra: Level) -> None:
    with pytest.raises(ValueError, match=r"does not come before it|the same name or the same order"):
        ordered([*LEVELS, extra])


def test_a_level_reads_only_results_that_it_declares(tmp_path: Path) -> None:
    context = BatchContext(tmp_path)
    for name, allowed in (("execute", True), ("emulate", True), ("compile", False)):
        context.begin(next(level for level in LEVELS if level.name == name))
        if allowed:
            assert context.results(LAUNCHES) == {}
        else:
            with pytest.raises(UndeclaredNeed, match="level compile reads results of execute"):
                context.results(LAUNCHES)


def test_the_supervisor_imports_no_implementation() -> None:
    code = (  # the client reads the measures that a worker reports, which `confinement` defines
        "import sys, warpsmith.validation.sandbox.supervisor, warpsmith.validation.sandbox.client\n"
        "loaded = [name for name in sys.modules if name.startswith('warpsmith.validation.')]\n"
        "allowed = ('levels', 'levels.registry', 'allowlist', 'confinement')\n"
        "bad = [n for n in loaded if not n.startswith('warpsmith.validation.sandbox') and n[21:] not in allowed"
        " and not n[21:].startswith(('allowlist.', 'confinement.'))]\n"
        "bad += [n for n in ('numpy', 'warp', 'warpsmith.validation.worker.check_worker') if n in sys.modules]\n"
        "sys.exit(' '.join(bad) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def imported_by(module: str, root: Path) -> set[str]:
    """Return the modules of validation that a module imports."""
    tree = ast.parse((root / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8"))
    names = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    found = (name.removeprefix("warpsmith.validation.") for name in names if name.startswith("warpsmith.validation."))
    return {name for name in found if (root / f"{name.replace('.', '/')}.py").exists()}


def test_verdicts_depend_on_all_that_levels_import() -> None:
    root = Path(sys.modules[Level.__module__].__file__ or "").parents[1]
    pending = [".".join(path.relative_to(root).with_suffix("").parts) for path in root.glob("levels/**/*.py")]
    for module in pending:  # grows while it is read
        pending += sorted(imported_by(module, root).difference(pending))
    folders = {f"warpsmith.validation.{module.partition('.')[0]}" for module in pending}
    assert len(folders) > 5
    assert folders <= set(_JUDGING)
