"""Wrong kernels of ten kinds: each is reported at its marked line, and its right twin is clean and right."""

from __future__ import annotations

import pytest

from simt.corpus.corpus_case import FOLDER, Case, Table
from simt.corpus.corpus_run import Mark, assert_results, marks, run_case
from simt.corpus.tables import control, division, memory, races
from warpsmith.simt import Finding

TABLES = [table for module in (races, memory, control, division) for table in vars(module).values() if isinstance(table, Table)]
CASES = {case.source.removeprefix("kernels/").removesuffix(".cu"): case for table in TABLES for case in table.cases.values()}


@pytest.mark.sampled(8)
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_right_twins_are_clean_and_right(case: Case) -> None:
    outcome = run_case(case)
    assert not outcome.findings
    assert_results(case, outcome)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_wrong_twins_are_reported_at_marked_lines(case: Case) -> None:
    marked = marks(case.path.read_text())
    findings = run_case(case, wrong=True).findings
    assert any(finding.kind in mark.required for finding in findings if (mark := marked.get(finding.line)))
    assert not [finding for finding in findings if not explained(finding, marked)]


def explained(finding: Finding, marked: dict[int, Mark]) -> bool:
    """Return whether the source marks the line of a finding, and the second line of a race, with its kind."""
    places = [finding.line, *([finding.other.line] if finding.other else [])]
    return all(line in marked and finding.kind in marked[line].allowed for line in places)


def test_each_source_has_a_launch_and_marks() -> None:
    sources = {str(path.relative_to(FOLDER)) for path in FOLDER.glob("kernels/*/*.cu")}
    assert sources == {case.source for case in CASES.values()}
    assert len(sources) >= 60
    assert all(marks(case.path.read_text()) for case in CASES.values())


def test_each_kind_has_six_kernels() -> None:
    kinds = [name.partition("/")[0] for name in CASES]
    assert len(set(kinds)) == 10
    assert all(kinds.count(kind) >= 6 for kind in kinds)


PLACES = {
    "out_of_bounds/off_by_one": ("out_of_bounds", (1, 0, 0), (36, 0, 0), 1, 100),
    "out_of_bounds/wrong_stride": ("out_of_bounds", (0, 0, 0), (7, 0, 0), 0, 280),
    "out_of_bounds/vector_tail": ("out_of_bounds", (0, 0, 0), (47, 0, 0), 0, 188),
    "misaligned/vector_rows": ("misaligned", (0, 0, 0), (1, 0, 0), 0, 10),
    "trap/index_assertion": ("assertion", (1, 0, 0), (5, 0, 0), -1, -1),
    "trap/finite_assertion": ("assertion", (0, 0, 0), (17, 0, 0), -1, -1),
    "division/tiles_of_image": ("divided_by_zero", (0, 0, 0), (0, 0, 0), -1, -1),
    "divergent_barrier/early_return": ("divergent_barrier", (1, 0, 0), (0, 0, 0), -1, -1),
    "endless/missing_producer": ("step_limit", (3, 0, 0), (0, 0, 0), -1, -1),
}
"""For some wrong twins, kind, block, thread, argument and element of their first finding, by hand."""


@pytest.mark.parametrize("name", PLACES)
def test_findings_name_thread_and_element(name: str) -> None:
    finding = run_case(CASES[name], wrong=True).findings[0]
    assert (finding.kind, finding.block, finding.thread, finding.argument, finding.element) == PLACES[name]


def test_races_name_two_threads() -> None:
    finding = run_case(CASES["global_race/flag_without_fence"], wrong=True).findings[0]
    assert finding.other
    assert {finding.block, finding.other.block} == {(0, 0, 0), (1, 0, 0)}
    assert finding.argument == 1
    assert {finding.element} <= {finding.thread[0], finding.other.thread[0]}
