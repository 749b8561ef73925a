"""The search: clusters by the simplest form, what the ledger knows, and a run that a later one continues."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from source_tree import ROOT
from warpsmith.core.errors import WarpsmithError
from warpsmith.validation.fuzz import fuzz_run
from warpsmith.validation.fuzz.case_runs import Result, Wrong
from warpsmith.validation.fuzz.comparisons import Fault
from warpsmith.validation.fuzz.fault_clusters import Cluster, known_as
from warpsmith.validation.fuzz.form_search import Finding, reduced
from warpsmith.validation.fuzz.fuzz_run import FuzzRequest, search
from warpsmith.validation.fuzz.fuzz_state import FuzzState
from warpsmith.validation.fuzz.grammar.cases import Case, case_of
from warpsmith.validation.fuzz.grammar.forms import parse_form
from warpsmith.validation.fuzz.ledger import FOLDER, read_ledger
from warpsmith.validation.fuzz.reproducer_text import SUMMARIES, reproducer
from warpsmith.validation.fuzz.search_plot import curves_of
from warpsmith.validation.fuzz.source_search import reduced_source

pytest.importorskip("tomllib", reason="reading the ledger needs Python 3.11")

BUGS = read_ledger(ROOT / FOLDER)


def fake(cases: Sequence[Case]) -> list[Result]:
    """Return results in which ``p.y`` has a wrong gradient in dynamic loops, and ``frac`` everywhere."""
    wrong = [Wrong("x", (0,), 1.0, 2.0)]
    return [
        Result("ok", wrong=wrong if ("p.y" in case.source and "range(n)" in case.source) or "wp.frac" in case.source else [])
        for case in cases
    ]


def wrong_in_while(cases: Sequence[Case]) -> list[Result]:
    """Return results in which each while loop has a wrong gradient."""
    return [Result("ok", wrong=[Wrong("x", (0,), 1.0, 2.0)] if "while " in case.source else []) for case in cases]


FOUND = (("vec_name", "one", 5.0), ("vec_index", "one", 7.0), ("member", "", 100.0))


FAULTS = (
    "assign target=vec_name context=dynamic operator=mul use=square",
    "expression builtin=frac dtype=double index=negative",
)


class FakeWorker:
    """A worker without a process."""

    warp = "9.9.9"

    def __init__(self, *_: str) -> None:
        self.runs = 0

    def __enter__(self) -> FakeWorker:
        return self

    def __exit__(self, *_: object) -> None: ...

    def run(self, cases: Sequence[Case]) -> list[Result]:
        self.runs += len(cases)
        return fake(cases)


def test_a_fault_is_reduced_to_the_features_that_it_needs() -> None:
    form = parse_form("assign target=vec_name context=dynamic use=square source=product dtype=double")
    found = reduced(Finding(form, Fault("gradient", "")), fake)
    assert found.form == parse_form("assign target=vec_name context=dynamic")


def test_an_l_value_keeps_its_operator() -> None:
    """The assignment has the same fault in this search, and is another bug."""
    form = parse_form("assign target=vec_name operator=add context=dynamic use=square dtype=double")
    found = reduced(Finding(form, Fault("gradient", "")), fake)
    assert found.form == parse_form("assign target=vec_name operator=add context=dynamic")


def test_a_loop_keeps_its_operator() -> None:
    """A sum in a while loop and a plain assignment in it have wrong gradients for different reasons."""
    found = reduced(
        Finding(parse_form("assign operator=add context=while_last use=square"), Fault("gradient", "")), wrong_in_while
    )
    assert found.form == parse_form("assign operator=add context=while_last")
    assignment = Cluster("gradient", "assign context=while_last", "")
    assert not assignment.explains(found)
    assert assignment.explains(Finding(parse_form("assign context=while_last use=square"), Fault("gradient", "")))


def test_a_cluster_explains_forms_with_its_features() -> None:
    cluster = Cluster("gradient", "assign target=vec_name context=dynamic", "")
    fault = Fault("gradient", "")
    assert cluster.explains(Finding(parse_form("assign target=vec_name context=dynamic use=square"), fault))
    assert not cluster.explains(Finding(parse_form("assign target=vec_name use=square"), fault))
    assert not cluster.explains(Finding(parse_form("assign target=vec_name context=dynamic operator=add"), fault))
    assert not cluster.explains(Finding(parse_form("assign target=vec_name context=dynamic"), Fault("crash", "")))


@pytest.mark.parametrize(
    ("kind", "form", "bug"),
    [
        ("gradient", "expression builtin=frac", "frac"),
        ("gradient", "assign target=member_index", "struct_member_component"),
        ("gradient", "assign target=local_element", "local_array"),
        ("gradient", "assign target=argument_member", "struct_argument"),
        ("compile", "expression compare=vec_not_equal", "vector_not_equal"),
        ("compile", "expression member=ret", "member_ret"),
        ("gradient", "tile tile=scan", "tile_missing_adjoints"),
        ("crash", "tile tile=reload", "tile_loaded_again"),
        ("forward", "expression statement=condition_changed", "condition_changed"),
        ("forward", "expression statement=exchange_in_loop", "tuple_exchange"),
        ("forward", "expression statement=exchange_elements", "tuple_elements"),
        ("forward", "expression statement=while_else", "loop_else"),
        ("gradient", "expression statement=call_after_and", "condition_call"),
        ("gradient", "expression statement=reversed_slice options=overwrites", "reversed_slice"),
        ("gradient", "expression builtin=curlnoise", "curlnoise_parameters"),
        ("compile", "expression statement=to_bool dtype=half", "half_bool"),
        ("gradient", "assign target=local", ""),
        ("gradient", "assign target=member_index options=fast_math", ""),
        ("crash", "assign target=member_index", ""),
    ],
)
def test_the_ledger_knows_clusters(kind: str, form: str, bug: str) -> None:
    assert known_as(BUGS, Cluster(kind, form, "")) == bug


def test_the_ledger_knows_clusters_of_pairs() -> None:
    form, other = "expression builtin=pnoise order=none", "expression builtin=pnoise_period_before order=none"
    cluster = Cluster("pair-values", form, "", other, "builtin=pnoise~pnoise_period_before")
    assert known_as(BUGS, cluster) == "periodic_noise"


def test_a_search_is_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz_run, "CaseWorker", FakeWorker)
    shown: list[int] = []
    request = FuzzRequest(tmp_path, 5, 60.0, tuple(BUGS), batches=2, reduce_seconds=0.0)
    first = search(request, lambda state: shown.append(state.batches))
    assert shown == [1, 2]
    assert first.kernels == sum(first.statuses.values()) > 100
    second = search(request, lambda state: shown.append(state.batches))
    assert shown == [1, 2, 3, 4]
    assert second.kernels > first.kernels
    assert 0 < len(second.forms) <= second.kernels
    assert json.loads((tmp_path / "state.json").read_text())["batches"] == 4
    report = (tmp_path / "report.md").read_text()
    assert "| accepted by Warp | 100.0% |" in report
    assert "![Over time](over_time.svg)" in report
    picture = ET.parse(tmp_path / "over_time.svg").getroot()  # noqa: S314 - our own file
    labels = " ".join(picture.itertext())
    assert all(word in labels for word in ("minutes", "kernels", "distinct forms", "clusters", "bugs of the ledger"))


def test_without_a_plotting_library_the_report_has_its_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    monkeypatch.setattr(fuzz_run, "CaseWorker", FakeWorker)
    search(FuzzRequest(tmp_path, 5, 60.0, tuple(BUGS), batches=1, reduce_seconds=0.0), lambda _: None)
    assert not (tmp_path / "over_time.svg").exists()
    assert "| minutes | kernels |" in (tmp_path / "report.md").read_text()


def test_the_curves_of_a_search_end_with_its_figures() -> None:
    clusters = [Cluster("gradient", f"assign target={name}", "", bug=bug, seconds=at) for name, bug, at in FOUND]
    state = FuzzState(1, "9.9.9", statuses={"ok": 90}, timeline=[(60.0, 40, 30, 2), (120.0, 90, 70, 3)], clusters=clusters)
    curves = curves_of(state)
    assert curves["minutes"] == [1.0, 2.0]
    assert curves["kernels"] == [40, 90]
    assert curves["distinct forms"] == [30, 70]
    assert curves["bugs of the ledger"] == [1, 1]
    assert curves["clusters"] == [2, 3]


def test_what_a_batch_has_no_time_to_reduce_is_reduced_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz_run, "CaseWorker", FakeWorker)
    monkeypatch.setattr(fuzz_run, "REDUCTIONS", 1)
    monkeypatch.setattr(fuzz_run, "draw_forms", lambda _, batch, *__: [parse_form(form) for form in (FAULTS, [])[batch > 0]])
    request = FuzzRequest(tmp_path, 5, 60.0, tuple(BUGS), batches=1, reduce_seconds=0.0)
    state = search(request, lambda _: None)
    assert [form for form, _ in state.postponed] == [parse_form(form).text for form in FAULTS[1:]]
    assert len(state.clusters) == 1
    state = search(request, lambda _: None)
    assert not state.postponed
    assert {parse_form(cluster.form) for cluster in state.clusters} == {
        parse_form("assign target=vec_name context=dynamic operator=mul"),
        parse_form("expression builtin=frac"),
    }


def test_two_parts_of_a_search_find_what_one_search_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz_run, "CaseWorker", FakeWorker)

    def states(folder: str, *parts: int) -> object:
        for batches in parts:
            request = FuzzRequest(tmp_path / folder, 5, 600.0, tuple(BUGS), batches=batches, reduce_seconds=0.0)
            state = search(request, lambda _: None)
        return [(cluster.kind, cluster.form, cluster.count) for cluster in state.clusters], state.forms

    assert states("whole", 12) == states("parts", 5, 7)


def test_a_folder_of_another_seed_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz_run, "CaseWorker", FakeWorker)
    search(FuzzRequest(tmp_path, 5, 60.0, tuple(BUGS), batches=1), lambda _: None)
    with pytest.raises(WarpsmithError, match="choose another folder with -o"):
        search(FuzzRequest(tmp_path, 6, 60.0, tuple(BUGS), batches=1), lambda _: None)


def test_text_is_reduced_by_the_edits_of_validation() -> None:
    form = parse_form("expression builtin=frac dtype=double")
    case = case_of(form)
    small = reduced_source(form, case, "gradient", fake, 20.0)
    assert len(small) < len(case.source)
    assert "wp.frac" in small


@pytest.mark.parametrize("kind", SUMMARIES)
def test_reproducers_are_python_files(kind: str) -> None:
    form, other = parse_form("assign target=vec_index call=closure"), parse_form("assign target=vec_name call=closure")
    pair = case_of(other) if kind.startswith("pair") else None
    text = reproducer(kind, "x[1]: Warp 4, differences 5", form.text, case_of(form), other=pair)
    ast.parse(text)
    assert "warpsmith." not in text


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("kind", "detail", "text", "other"),
    [
        ("gradient", "x[6]: Warp 0, differences 2.9", "assign target=member_index", ""),
        ("gradient", "x[6]: Warp 0, differences 2.9", "assign target=local", ""),
        ("compile", "", "expression compare=vec_not_equal", ""),
        ("crash", "", "tile tile=reload", ""),
        ("pair-values", "", "assign target=transform_part operator=add", "assign target=transform_index operator=add"),
    ],
)
def test_reproducers_show_the_fault(kind: str, detail: str, text: str, other: str, tmp_path: Path) -> None:
    second = case_of(parse_form(other)) if other else None
    script = reproducer(kind, detail, text, case_of(parse_form(text)), other=second)
    (tmp_path / "shown.py").write_text(script)
    done = subprocess.run([sys.executable, str(tmp_path / "shown.py")], capture_output=True, text=True, check=False)
    assert done.returncode == (text != "assign target=local"), done.stdout + done.stderr
    assert "right" in done.stdout


@pytest.mark.exhaustive
def test_a_search_with_warp_finds_known_bugs(tmp_path: Path) -> None:
    state = search(FuzzRequest(tmp_path, 1, 600.0, tuple(BUGS), batches=2, reduce_seconds=0.0), lambda _: None)
    assert state.accepted > 0.9
    assert len({cluster.bug for cluster in state.clusters if cluster.bug}) >= 5
