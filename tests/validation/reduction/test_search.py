"""A reduced pair is small and fails the same level, and only sandboxed workers read its Python."""

from __future__ import annotations

import ast
import itertools
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import known_adjoints as known
from checked_lines import verdicts_of
from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.errors import TargetError, WarpsmithError
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.jsonl import Line, decode
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.verdict import Verdict
from warpsmith.synthesis.kernel_key import KernelKey
from warpsmith.synthesis.writing.generate import write_kernel
from warpsmith.validation.levels.registry import levels_to
from warpsmith.validation.reduction import search
from warpsmith.validation.reduction.candidates import smaller_pairs, weight
from warpsmith.validation.reduction.merging import merge
from warpsmith.validation.reduction.rebuild import rebuild
from warpsmith.validation.reduction.reduce_command import reduce_command
from warpsmith.validation.reduction.search import Reduction, reduce, reduce_in
from warpsmith.validation.reduction.statement_edits import kernel_of
from warpsmith.validation.sandbox.supervisor import Supervisor

LARGE = {
    "product": """
        # unrelated statements
        first = x[i] * 0.37 + y[i]
        second = wp.sin(first) * 1.7
        if second > 1.2:
            third = second * x[i]
        else:
            third = second + y[i] * 0.25
        w[i] = times(third, first)
        s = float(1.0)
        rest = float(0.0)
        for k in range(n):
            t = xx[i, k] * 0.8 + 0.1
            s = s * t
            rest = rest + t * y[i]
            if t > 5.0:
                rest = rest + 1.0
        extra = times(rest, 0.75)
        out[i] = s * 0.6 + extra
    """,
    "break": """
        base = wp.cos(x[i]) + times(y[i], 0.5)
        w[i] = base * base
        c = int(0)
        for k in range(3):
            c = c + k
        p = wp.vec3(base, 1.3, x[i])
        vout[i] = wp.cross(p, v[i])
        s = float(0.2)
        for k in range(n):
            step = times(xx[i, k], 0.5) + 0.15 * base
            s = s + step
            if s > 1.4:
                break
        least = wp.min(base, 0.9)
        out[i] = s * 1.5 + least * float(c)
    """,
    "component": """
        g = wp.abs(x[i] - y[i])
        w[i] = g * 2.5
        p = wp.vec3(1.0, g, 0.3)
        r = m[i] * p
        h = float(0.0)
        for k in range(n):
            d = xx[i, k] - 0.35
            p[1] = p[1] * (d + 1.1)
            h = h + d * d
            if d > 0.8:
                h = h + x[i]
        vout[i] = p + r * 0.4
        out[i] = h * y[i]
    """,
}


def _pair(seed: int, index: int) -> Pair:
    """Return a generated pair without code, which these tests do not need."""
    sample = write_kernel(KernelKey(seed, index))
    pair: Pair = known.pair_of("any", "out[i] = x[i]")
    return replace(pair, python_source=sample.source, metadata=replace(pair.metadata, launch=sample.launch))


@pytest.mark.exhaustive
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32), index=st.integers(0, 1000))
def test_every_candidate_is_complete_and_smaller(seed: int, index: int) -> None:
    pair = _pair(seed, index)
    current = weight(ast.parse(pair.python_source), pair.metadata.launch)
    seen = set()
    for number, candidate in enumerate(itertools.islice(smaller_pairs(pair), 300)):
        tree = ast.parse(candidate.python_source)
        launch = candidate.metadata.launch
        kernel = kernel_of(tree)
        assert launch is not None
        assert kernel is not None
        assert [argument.arg for argument in kernel.args.args] == [argument.name for argument in launch.args]
        assert weight(tree, launch) < current or (number == 0 and weight(tree, launch) == current)
        assert len(candidate.python_source.splitlines()) <= len(pair.python_source.splitlines())
        assert min(launch.dim) > 0
        assert all(size > 0 for argument in launch.args for size in argument.shape)
        assert candidate.id == pair.id
        assert candidate.metadata.structure is None
        assert candidate.code("cpu") == candidate.code("cuda") == (None, None)
        seen.add((candidate.python_source, launch))
    assert len(seen) == number + 1


@given(index=st.integers(0, 100))
@settings(max_examples=2, deadline=None)
def test_the_order_of_candidates_is_deterministic(index: int) -> None:
    pair = _pair(7, index)
    first, second = (list(itertools.islice(smaller_pairs(pair), 200)) for _ in range(2))
    assert first == second


def test_equal_sizes_shrink_together() -> None:
    pair = known.pair_of("sum", known.RIGHT["sum in a loop"])
    launches = [candidate.metadata.launch for candidate in smaller_pairs(pair)]
    assert any(launch.dim == (4,) and {one.shape[0] for one in launch.args if one.shape} == {4} for launch in launches)
    fills = {one.domain.low for launch in launches for one in launch.args if one.name == "n"}
    assert fills == {2, 4}


def test_no_candidate_has_an_endless_while() -> None:
    sources = [one.python_source for one in smaller_pairs(known.pair_of("while", known.RIGHT["while that adds"]))]
    assert len(sources) > 10
    assert all("k = k + 1" in source for source in sources if "while" in source)


def test_targets_keep_their_index() -> None:
    sources = [one.python_source for one in smaller_pairs(known.pair_of("sum", known.WRONG["product in a loop"]))]
    assert all("out[i] =" in source for source in sources if "out[" in source)


def test_merging_combines_all_changes_that_do_not_overlap() -> None:
    base = "a = 1\nb = 2\nc = 3\n"
    assert merge(base, ["b = 2\nc = 3\n", "a = 1\nb = 2\n"]) == "b = 2\n"
    assert merge(base, ["a = 5\nb = 2\nc = 3\n", "a = 6\nb = 2\nc = 3\n", "a = 1\nb = 2\nc = 7\n"]) == "a = 5\nb = 2\nc = 7\n"


def test_rebuilding_gives_the_code_that_warp_generates() -> None:
    pair = known.pair_of("sum", known.RIGHT["sum in a loop"], "both")
    stale = replace(pair, cpp_forward="old", cpp_backward=None, cuda_ir_forward="old", cuda_ir_backward="old")
    broken = replace(stale, python_source=stale.python_source.replace("s + ", "s + nothing + "))
    (rebuilt, rejected) = rebuild([known.line_of(stale), known.line_of(broken)])["pairs"]
    assert decode(rebuilt.encode(), Path("x"), 1).pair == pair
    assert rejected is None


@pytest.fixture(scope="module")
def supervisor() -> Iterator[Supervisor]:
    with Supervisor(levels_to("gradient")) as one:
        yield one


@pytest.fixture(scope="module")
def reductions() -> dict[str, Reduction]:
    """Return the reductions of `LARGE`, computed in parallel because they mostly wait for workers."""
    lines = [known.line_of(known.pair_of(name, body)) for name, body in LARGE.items()]
    with ThreadPoolExecutor(len(lines)) as threads:
        return dict(zip(LARGE, threads.map(lambda line: reduce(line, "gradient"), lines), strict=True))


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", LARGE)
def test_wrong_adjoints_become_small_and_still_fail(
    name: str, reductions: dict[str, Reduction], supervisor: Supervisor
) -> None:
    reduction = reductions[name]
    small = reduction.pair
    kernel = kernel_of(ast.parse(small.python_source))
    assert kernel is not None
    assert len(_lines(kernel)) <= 8
    assert "times" not in small.python_source
    assert small.id == f"known-{name}"
    assert reduction.tried > reduction.steps > 3
    *below, last = verdicts_of(supervisor, [known.line_of(small)])
    assert {verdict.status for verdict in below} <= {"pass", "not_applicable"}
    assert (last.level, last.status, last.reason) == ("gradient", "fail", reduction.reason)


def _lines(kernel: ast.FunctionDef) -> list[str]:
    return [line for statement in kernel.body for line in ast.unparse(statement).splitlines()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a dataset with a correct pair and a small incorrect pair."""
    pairs = [known.pair_of("sum", known.RIGHT["sum in a loop"]), known.pair_of("scaled", known.WRONG["component scaled"])]
    (tmp_path / "pairs-00000.jsonl").write_bytes(b"".join(map(encode, pairs)))
    return tmp_path


def test_a_passing_pair_is_an_error(folder: Path) -> None:
    with pytest.raises(WarpsmithError, match=r"known-sum does not fail level gradient: it has pass at gradient"):
        reduce_in(Dataset.open(folder), "known-sum", "gradient")


def test_a_pair_that_fails_an_earlier_level_is_an_error() -> None:
    line = known.line_of(known.pair_of("sum", known.RIGHT["sum in a loop"]))
    with pytest.raises(WarpsmithError, match=r"known-sum does not fail level execute: it has fail at regenerate"):
        reduce(_with(line, cpp_forward=line.pair.cpp_forward.replace("var_1", "var_2")), "execute")


def test_unknown_ids_and_levels(folder: Path) -> None:
    with pytest.raises(TargetError, match="no pair 'nobody'"):
        reduce_in(Dataset.open(folder), "nobody", "gradient")
    with pytest.raises(WarpsmithError, match="unknown level 'truth'"):
        reduce_in(Dataset.open(folder), "known-sum", "truth")
    with pytest.raises(WarpsmithError, match="there is nothing to reduce"):
        reduce_in(Dataset.open(folder), "known-sum", "regenerate")


def test_the_command_prints_and_writes_the_reduced_pair(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output, reproducer, report = tmp_path / "left.jsonl", tmp_path / "reproducer.py", tmp_path / "report.md"
    assert reduce_command(folder, "known-scaled", "gradient", output, True, "1", reproducer=reproducer, report=report) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (reproducer.read_text(), report.read_text()) == (answer["reproducer"], answer["report"])
    assert f"```python\n{answer['reproducer']}```" in answer["report"]
    assert answer["level"] == "gradient"
    assert "central differences" in answer["reason"]
    assert json.loads(output.read_bytes()) == answer["pair"]
    assert len(answer["pair"]["python_source"]) < len(known.source_of(known.WRONG["component scaled"])[0])


def _with(line: Line, **changes: Any) -> Line:
    assert line.pair is not None
    changed: Line = known.line_of(replace(line.pair, **changes))
    return changed


def test_hostile_python_is_not_run(tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    line = known.line_of(known.pair_of("sum", known.RIGHT["sum in a loop"]))
    payload = f"open({str(marker)!r}, 'w')\n"
    hostile = _with(line, python_source=line.pair.python_source + payload)
    with pytest.raises(WarpsmithError, match="it has fail at parse"):
        reduce(hostile, "gradient")
    assert rebuild([hostile]) == {"pairs": [None]}  # also without the checks of a worker
    assert not marker.exists()


def test_the_client_parses_no_python(monkeypatch: pytest.MonkeyPatch) -> None:
    line = known.line_of(known.pair_of("scaled", known.WRONG["component scaled"]))

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("the client read the Python of a pair")

    with monkeypatch.context() as patch:
        patch.setattr(ast, "parse", refuse)
        patch.setattr("warpsmith.extraction.targets.loading.loaded_kernel", refuse)
        patch.setattr("warpsmith.validation.running.kernel_loader.loaded_kernel", refuse)
        assert reduce(line, "gradient", seconds=1.0).reason


def test_batches_fit_into_the_time_that_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    now, limit, check = [0.0], 30.0, 5.0
    undelayed = Supervisor.check

    def slow(supervisor: Supervisor, lines: list[Line]) -> list[list[Verdict]]:
        now[0] += check * len(lines)
        return undelayed(supervisor, lines)

    monkeypatch.setattr(search, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(Supervisor, "check", slow)
    line = known.line_of(known.pair_of("scaled", known.WRONG["component scaled"]))
    assert reduce(line, "gradient", seconds=limit).tried > 2
    assert now[0] <= limit + check


def test_invalid_answers_of_a_worker_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    line = known.line_of(known.pair_of("scaled", known.WRONG["component scaled"]))
    other = encode(known.pair_of("another", known.RIGHT["branch"])).decode()
    monkeypatch.setattr(Supervisor, "run_task", lambda *_, **__: {"pairs": [17, None, "{", "[]", other]})
    reduction = reduce(line, "gradient")
    assert (reduction.pair, reduction.steps) == (line.pair, 0)
