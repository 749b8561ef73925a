"""The history of bench runs: which falls of a ratio are errors, what a page shows, and what a weekly job downloads."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from bench import compare, download
from bench.figures import Ratio
from bench.history import HistoryError, Machine, Run, read_history, this_machine
from bench.history_page import machine_letters, page

ROOT = Path(__file__).parents[1]
THIS = Machine("EPYC", 4, "3.11", "1.19.0")
OTHER = [replace(THIS, cpu="Xeon"), replace(THIS, cores=2), replace(THIS, python="3.13"), replace(THIS, warp="1.18.0")]
NAME = "worker over baseline"


def run(value: float, spread: float | None = 0.0, machine: Machine = THIS, commit: str = "abc", name: str = NAME) -> Run:
    return Run(commit, "2026-01-01T00:00:00+00:00", machine, {name: Ratio(value, spread, "times Warp")})


def past(*values: float, spread: float | None = 0.0) -> list[Run]:
    return [run(value, spread, commit=f"past{number}") for number, value in enumerate(values)]


def fallen(new: Run, history: Sequence[Run]) -> bool:
    (comparison,) = compare.compare(new, history)
    return comparison.fallen


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        ([2.0], 1.81, False),
        ([2.0], 1.79, True),
        ([2.0], 3.0, False),
        ([2.0, 2.0, 9.0], 1.81, False),  # a single fast run does not count
        ([2.0, 2.0, 2.0, 2.0, 1.0], 1.7, True),  # nor does a single slow one
        ([9.0] * 6 + [2.0] * 5, 1.9, False),  # the last five count
        ([2.0, 2.0, 2.0, 1.5, 1.5], 1.5, True),  # a fall is reported three times
        ([2.0, 2.0, 1.5, 1.5, 1.5], 1.5, False),  # and is then the usual ratio
        ([2.0, 1.5, 2.5, 1.6, 2.4], 1.7, False),  # runs that vary by 0.4
    ],
)
def test_a_ratio_is_compared_with_the_median_of_the_last_runs(before: list[float], now: float, expected: bool) -> None:
    assert fallen(run(now), past(*before)) is expected


def test_a_fall_within_the_spread_of_either_run_is_noise() -> None:
    assert not fallen(run(1.6, spread=0.25), past(2.0))
    assert not fallen(run(1.6), past(2.0, spread=0.25))
    assert fallen(run(1.5, spread=0.25), past(2.0, spread=0.25))


def test_a_ratio_without_spread_needs_three_runs() -> None:
    assert not fallen(run(1.0, None), past(2.0, 2.0, spread=None))
    assert "needs 3 runs" in str(*compare.compare(run(1.0, None), past(2.0, 2.0, spread=None)))
    assert fallen(run(1.0, None), past(2.0, 2.0, 2.0, spread=None))


@pytest.mark.parametrize("machine", OTHER)
def test_other_machine_classes_and_other_ratios_are_not_compared(machine: Machine) -> None:
    history = [run(2.0, machine=machine, commit="x"), run(2.0, name="another", commit="y")]
    assert not fallen(run(1.0), history)
    assert "no earlier run on this machine class" in str(*compare.compare(run(1.0), history))


def stored(folder: Path, new: Run, history: Sequence[Run] = ()) -> Path:
    (folder / "run.json").write_text(new.to_json() + "\n")
    if history:
        (folder / "history.jsonl").write_text("".join(f"{one.to_json()}\n" for one in history))
    return folder


def test_a_fallen_ratio_ends_the_command_with_an_error(tmp_path: Path) -> None:
    stored(tmp_path, run(1.5, commit="slow"), past(2.0, 2.0, 2.0))
    command = [sys.executable, "-m", "bench.compare", "--folder", str(tmp_path)]
    path = os.pathsep.join([str(ROOT / "tests"), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": path})
    assert done.returncode == 1
    assert done.stderr.splitlines()[0] == (
        "error: fallen by more than 10%: worker over baseline: 1.50 ± 0.00 times Warp; "
        "-25% of the median 2.00 of the last 3 runs, which varies by 0.00"
    )
    assert [one.commit for one in read_history(tmp_path / "history.jsonl")] == ["past0", "past1", "past2", "slow"]


def test_a_run_is_added_once_and_never_compared_with_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stored(tmp_path, run(1.5, commit="slow"), past(2.0))
    for _ in range(2):
        assert compare.main(["--folder", str(tmp_path)]) == 1
    assert capsys.readouterr().err.count("-25% of the median 2.00 of the last run,") == 2
    assert len(read_history(tmp_path / "history.jsonl")) == 2


def test_the_first_run_passes_with_a_remark(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    new = run(1.5)
    assert compare.main(["--folder", str(stored(tmp_path, new))]) == 0
    assert "this is the first run on this machine class" in capsys.readouterr().out
    assert read_history(tmp_path / "history.jsonl") == [new]


def test_a_run_without_ratios_passes_and_is_not_stored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compare.main(["--folder", str(stored(tmp_path, replace(run(1.0), ratios={})))]) == 0
    assert "nothing to compare" in capsys.readouterr().out
    assert not (tmp_path / "history.jsonl").exists()


LINE = json.loads(run(2.0).to_json())
BROKEN = {
    "": "Expecting value",
    '{"commit": "ab': "Unterminated string",
    "[]": "not a run",
    json.dumps({**LINE, "machine": {"cpu": "x"}}): "not a run",
    json.dumps({key: value for key, value in LINE.items() if key != "date"}): "'date' is missing",
    json.dumps({**LINE, "ratios": [{"name": NAME, "value": 2.0, "unit": "times"}]}): "'spread' is missing",
    json.dumps({**LINE, "ratios": [{**LINE["ratios"][0], "value": "2"}]}): "not a run",
    run(float("nan")).to_json(): "nan with spread 0.0 is no ratio",
    run(0.0).to_json(): "0.0 with spread 0.0 is no ratio",
    run(1.0, -1.0).to_json(): "1.0 with spread -1.0 is no ratio",
}


@pytest.mark.parametrize("line", BROKEN)
def test_a_broken_line_is_an_error_that_names_the_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str) -> None:
    stored(tmp_path, run(1.5), past(2.0))
    content = (tmp_path / "history.jsonl").read_text() + line + "\n"
    (tmp_path / "history.jsonl").write_text(content)
    assert compare.main(["--folder", str(tmp_path)]) == 2
    (message,) = capsys.readouterr().err.splitlines()
    assert "history.jsonl, line 2: " in message
    assert BROKEN[line] in message
    assert message.endswith("remove the line")
    assert (tmp_path / "history.jsonl").read_text() == content


def test_a_missing_or_broken_run_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compare.main(["--folder", str(tmp_path)]) == 2
    assert "run.json does not exist: `nox -s bench` writes it" in capsys.readouterr().err
    (tmp_path / "run.json").write_text("{}")
    assert compare.main(["--folder", str(tmp_path)]) == 2
    assert "run.json: 'ratios' is missing" in capsys.readouterr().err


def test_a_run_stays_the_same_in_a_history(tmp_path: Path) -> None:
    runs = [run(2.0, None), run(1.25, 0.5, this_machine("1.19.0"))]
    (tmp_path / "history.jsonl").write_text("".join(f"{one.to_json()}\n" for one in runs))
    assert read_history(tmp_path / "history.jsonl") == runs
    assert read_history(tmp_path / "none") == []
    with pytest.raises(HistoryError):
        read_history(stored(tmp_path, run(1.0), [replace(run(1.0), commit=7)]) / "history.jsonl")  # type: ignore[arg-type]


def test_the_page_has_a_point_for_every_run_at_the_height_of_its_ratio() -> None:
    pytest.importorskip("matplotlib", reason="plots need the extra `report`")
    history = [
        *past(2.0, 2.1, 1.4, 2.2, spread=0.1),
        *(run(value, machine=OTHER[0], commit=f"other{value}") for value in (3.0, 3.3)),
        run(7.0, name="<another>", commit="<b>"),
    ]
    text = page(history)
    plots = [ET.fromstring(svg) for svg in re.findall(r"<svg .*?</svg>", text, re.DOTALL)]  # noqa: S314 - our own
    assert len(plots) == 2
    points = {
        group.get("id"): [
            (float(use.get("x", "")), float(use.get("y", ""))) for use in group.iter("{http://www.w3.org/2000/svg}use")
        ]
        for plot in plots
        for group in plot.iter("{http://www.w3.org/2000/svg}g")
        if (group.get("id") or "").startswith("ratio-")
    }
    assert {name: len(places) for name, places in points.items()} == {"ratio-0-A": 4, "ratio-0-B": 2, "ratio-1-A": 1}
    both = points["ratio-0-A"] + points["ratio-0-B"]
    steps = {round(right[0] - left[0], 2) for left, right in pairwise(both)}
    assert len(steps) == 1  # runs have equal distances
    values = [2.0, 2.1, 1.4, 2.2, 3.0, 3.3]
    scale = (both[5][1] - both[0][1]) / (values[5] - values[0])
    assert scale < 0  # larger ratios are above
    assert [y - both[0][1] for _, y in both] == pytest.approx([(value - 2.0) * scale for value in values], abs=0.01)
    assert all(f"<td>{one.commit}</td>" in text for one in history[:-1])
    assert "<b>" not in text.replace("<li><b>", "")  # names and commits are escaped
    assert "&lt;another&gt;" in text


def test_every_machine_class_has_its_own_letters() -> None:
    letters = machine_letters([run(1.0, machine=replace(THIS, cores=cores)) for cores in range(1, 60)])
    assert list(letters.values())[:2] == ["A", "B"]
    assert len(set(letters.values())) == 59


def artifact(run_id: int, created: str, **changes: Any) -> dict[str, Any]:
    origin = {"id": run_id, "head_branch": "main", "repository_id": 1, "head_repository_id": 1}
    row = {"name": "bench", "expired": False, "created_at": created, "workflow_run": origin}
    origin.update({key: value for key, value in changes.items() if key in origin})
    return {**row, **{key: value for key, value in changes.items() if key in row}}


NEWER = "2026-03-01T00:00:00Z"
LISTED = [
    artifact(1, "2026-01-01T00:00:00Z"),
    artifact(2, "2026-02-01T00:00:00Z"),
    artifact(3, NEWER, expired=True),
    artifact(4, NEWER, name="fuzz"),
    artifact(5, NEWER, head_branch="other"),
    artifact(6, NEWER, head_repository_id=2),
]

GH = """#!{python}
import json, sys
from pathlib import Path
with Path("calls").open("a") as calls:
    calls.write(" ".join(sys.argv[1:]) + "\\n")
if sys.argv[1] == "api":
    sys.exit(print(json.dumps({{"artifacts": {listed!r}}})) or {status})
"""


@pytest.fixture
def job(tmp_path: Path) -> Any:
    """Return a function that runs the download with a `gh` that lists the given artifacts."""

    def call(listed: list[dict[str, Any]], status: int = 0) -> tuple[int, list[str]]:
        stub = tmp_path / "gh"
        stub.write_text(GH.format(python=sys.executable, listed=listed, status=status))
        stub.chmod(0o755)
        environment = {**os.environ, "GITHUB_REPOSITORY": "us/ours", "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
        command = [sys.executable, download.__file__]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        return done.returncode, (tmp_path / "calls").read_text().splitlines()

    return call


def test_a_job_downloads_the_last_history_of_the_main_branch(job: Any) -> None:
    code, (_, call) = job(LISTED)
    assert code == 0
    assert call == "run download 2 --name bench --dir build/bench"


def test_the_first_job_starts_a_history_and_a_failed_request_is_an_error(job: Any) -> None:
    code, calls = job(LISTED[2:])
    assert (code, len(calls)) == (0, 1)
    code, calls = job(LISTED, status=1)
    assert (code, len(calls)) == (1, 2)


def test_the_weekly_job_downloads_measures_and_uploads_after_a_failure_too() -> None:
    yaml = pytest.importorskip("yaml", reason="reading workflows needs PyYAML, which comes with datasets")
    bench = yaml.safe_load((ROOT / ".github" / "workflows" / "weekly.yml").read_text())["jobs"]["bench"]
    assert bench["permissions"] == {"contents": "read", "actions": "read"}
    commands = [step["run"] for step in bench["steps"] if "run" in step]
    assert commands == ["python tests/bench/download.py", "make .venv/bin/nox", ".venv/bin/nox -s bench"]
    last = bench["steps"][-1]
    assert last["if"] == "always()"
    assert (last["with"]["name"], last["with"]["path"]) == (download.NAME, download.FOLDER)
