"""Tasks about programs: the missing part, what the prompt shows, other parameters, and rows."""

from __future__ import annotations

import ast
from pathlib import Path
from random import Random

import pytest

from spreading_program import SOURCE, STATEMENTS
from warpsmith.core.errors import RecordError, WarpsmithError
from warpsmith.scoring.tasks.any_task import read_any_tasks
from warpsmith.scoring.tasks.parameter_changes import changed_versions
from warpsmith.scoring.tasks.program_gaps import MAIN, MISSING, host_gap, kernel_gap, missing_text, with_statements, without
from warpsmith.scoring.tasks.task import read_tasks
from warpsmith.scoring.tasks.task_kinds import kind_of

SCRIPT = """\
import warp as wp

if __name__ == "__main__":
    x = wp.zeros(3)
    wp.launch(clear, dim=3, inputs=[x])
    print(x.numpy())
"""

CLASS = """\
class Rod:
    def __init__(self, size=8):
        self.size = size

    def step(self):
        '''Spread.'''
        for _ in range(3):
            wp.launch(spread, dim=self.size, inputs=[self.now])
        return self.now
"""


def test_the_gap_reaches_from_the_first_to_the_last_launch() -> None:
    gap = host_gap(SOURCE)
    assert gap is not None
    assert (gap.name, gap.before, gap.after) == ("simulate", 5, 2)
    assert gap.handed_on == ("now", "sums", "total")
    assert missing_text(SOURCE, gap) == STATEMENTS
    shown = without(SOURCE, gap)
    assert MISSING in shown
    assert "wp.launch" not in shown


def test_scripts_and_methods_have_gaps() -> None:
    script, method = host_gap(SCRIPT), host_gap(CLASS)
    assert script is not None
    assert (script.name, script.function, script.handed_on) == (MAIN, "", ("x",))
    assert method is not None
    assert (method.name, method.function, method.handed_on) == ("Rod.step", "step", ("self",))
    assert host_gap("x = 1") is None
    assert host_gap("x =") is None


def test_the_gap_of_a_kernel_keeps_its_docstring() -> None:
    gap = kernel_gap(SOURCE, ["spread", "add_up"])
    assert gap is not None
    assert gap.name == "spread"
    assert '"""Move heat to the neighbours."""\n    ...' in without(SOURCE, gap)
    assert kernel_gap(SOURCE, []) is None


def test_statements_fill_the_gap_and_their_variables_are_recorded() -> None:
    gap = host_gap(SOURCE)
    assert gap is not None
    filled = with_statements(SOURCE, gap, STATEMENTS)
    assert "    _warpsmith_record(now=now, sums=sums, total=total)\n" in filled
    without_record = "".join(line for line in filled.splitlines(keepends=True) if "_warpsmith_record" not in line)
    assert ast.dump(ast.parse(without_record)) == ast.dump(ast.parse(SOURCE))


def test_other_parameters_change_the_shown_part_only() -> None:
    gap = host_gap(SOURCE)
    first, *_, last = changed_versions(SOURCE, gap, Random(5))  # noqa: S311
    changed = [new for old, new in zip(SOURCE.splitlines(), first.splitlines(), strict=True) if old != new]
    assert [line.partition("(")[0].partition(" =")[0] for line in changed] == ["SEED", "def simulate"]
    assert "rate=0.2" in first
    assert "size=12, steps=5" in last
    assert "SEED = 3\n" not in last
    assert changed_versions(SOURCE, gap, Random(5))[0] == first  # noqa: S311


def test_the_values_of_one_option_change_together() -> None:
    source = "def run(size=8):\n    wp.launch(k, dim=size)\n\n\ndef main():\n    parse.add_argument('--size', default=8)\n"
    version = changed_versions(source, host_gap(source), Random(1))[0]  # noqa: S311
    before, after = (text.count("8") for text in (source, version))
    assert (before, after) == (2, 0)


def test_tasks_about_programs_come_from_programs(tmp_path: Path) -> None:
    with pytest.raises(WarpsmithError, match="made from programs"):
        kind_of("program_host")
    file = tmp_path / "tasks.jsonl"
    file.write_text('{"task": "program_host", "task_id": "a", "prompt": "", "entry_point": "run"}\n')
    with pytest.raises(RecordError, match="program is missing"):
        list(read_any_tasks(file))
    with pytest.raises(RecordError, match="only tasks about pairs can be used here"):
        list(read_tasks(file))
