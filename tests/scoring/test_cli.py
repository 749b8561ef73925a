"""`warpsmith-score` with a stub scorer: rows, tables, and inputs that end with one line and exit code 2."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from scoring_datasets import stored
from warpsmith.core import Pair
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.jsonl import MAX_LINE_BYTES
from warpsmith.scoring.commands.baselines_command import NAMES
from warpsmith.scoring.repair_forms import FORMS
from warpsmith.scoring.scores import Score
from warpsmith.scoring.tasks.task import make_task

LIMITS = {"seconds_per_answer": 10.0, "partial": False, "speed": False, "speed_weight": 0.0, "device": None}
"""The default arguments of the scorer of `run`."""


@pytest.fixture
def folder(samples: list[Pair], tmp_path: Path) -> Path:
    """Return a folder with tasks, three of each of two kinds, and with completions of five of them."""
    tasks = [make_task(kind, pair) for kind in ("python_to_cuda", "cuda_to_python") for pair in samples[:3]]
    rows = [task.to_row() for task in tasks if task]
    (tmp_path / "tasks.jsonl").write_bytes(b"".join(map(encode, rows)))
    completions = [
        {"task_id": row["task_id"], "completion": "right" if (index + sample) % 2 else "wrong", "model": "m"}
        for index, row in enumerate(rows[:5])
        for sample in range(2)
    ]
    (tmp_path / "completions.jsonl").write_bytes(b"".join(map(encode, completions)))
    return tmp_path


def run(command: Any, folder: Path, *options: Any) -> tuple[int, str, str]:
    result: tuple[int, str, str] = command(
        "run", folder / "tasks.jsonl", folder / "completions.jsonl", "-o", folder / "results.jsonl", *options
    )
    return result


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_the_table_shows_how_many_answers_are_fast(command: Any, scorer: Any, folder: Path) -> None:
    rows = rows_of(folder / "completions.jsonl")
    rows[0]["completion"] = "fast"  # one of ten completions of five tasks
    (folder / "completions.jsonl").write_bytes(b"".join(map(encode, rows)))
    code, out, _ = run(command, folder, "--speed", "--p", 1, "--p", 2, "--json")
    assert (code, scorer.made[0]["speed"]) == (0, True)
    shown = [row for row in json.loads(out)["rows"] if row["category"] == "all"]
    # three of the tasks are of the first kind; its other completions that pass have no speed, and do not count
    assert [row["fast_1"] and row["fast_1"]["value"] for row in shown] == [pytest.approx(1 / 3), None]
    assert shown[0]["fast_2"]["value"] == 0.0
    first = rows_of(folder / "results.jsonl")[0]["speed"]
    assert (first["ratio"], first["threads"], first["reference"]["microseconds"]) == (1.37, 1024, 15.0)
    assert json.loads(run(command, folder, "--speed", "--p", 1, "--p", 2, "--json")[1])["rows"] == json.loads(out)["rows"]
    assert sum(scorer.batches) == 10  # the second run prints what the first one has written


def test_results_repeat_the_completions_with_their_scores(command: Any, scorer: Any, folder: Path) -> None:
    code, _, _ = run(command, folder, "--seed", 7, "--unconfined")
    assert code == 0
    completions, results = rows_of(folder / "completions.jsonl"), rows_of(folder / "results.jsonl")
    assert len(results) == 10
    for completion, result in zip(completions, results, strict=True):
        right = completion["completion"] == "right"
        assert result == {
            **completion,
            "passed": right,
            "reward": 1.0 if right else 0.2,
            "level": "outputs",
            "status": "pass" if right else "fail",
            "reason": "" if right else "differs",
            "counterexample": None if right else {"launch": 3, "got": 1.5, "expected": 2.5},
        }
    assert scorer.made == [{"seed": 7, "unconfined": True, **LIMITS}]
    assert (scorer.batches, scorer.closed) == ([10], 1)


def test_results_can_be_scored_again(command: Any, scorer: Any, folder: Path) -> None:
    run(command, folder)
    first = rows_of(folder / "results.jsonl")
    (folder / "completions.jsonl").write_bytes((folder / "results.jsonl").read_bytes())
    assert run(command, folder, "--force")[0] == 0
    assert rows_of(folder / "results.jsonl") == first
    assert scorer.made == [{"seed": None, "unconfined": False, **LIMITS}] * 2


def test_limits_of_time_are_passed_on(command: Any, scorer: Any, folder: Path) -> None:
    assert run(command, folder, "--seconds-per-answer", "2.5", "--partial")[0] == 0
    assert scorer.made == [{"seed": None, "unconfined": False, **LIMITS, "seconds_per_answer": 2.5, "partial": True}]
    assert run(command, folder)[0] == 2, "results of other settings are not the ones of this run"
    assert run(command, folder, "--seconds-per-answer", "0")[0] == 2


def test_completions_are_scored_in_batches_of_64(command: Any, scorer: Any, folder: Path) -> None:
    row = (folder / "completions.jsonl").read_bytes().splitlines(keepends=True)[0]
    (folder / "completions.jsonl").write_bytes(row * 150)
    _, _, err = run(command, folder)
    assert scorer.batches == [64, 64, 22]
    assert "score: 150/150 completions" in err


def test_the_table_as_json(command: Any, scorer: Any, folder: Path, samples: list[Pair]) -> None:  # noqa: ARG001 - replaces the scorer
    code, out, _ = run(command, folder, "--json", "--k", 1, "--k", 2, "--k", 3)
    assert code == 0
    printed = json.loads(out)
    assert (printed["without_completions"], printed["inconclusive"]) == (1, 0)
    shown = {(row["task"], row["category"]): row for row in printed["rows"]}
    categories = {pair.metadata.category for pair in samples[:3]}
    assert {category for kind, category in shown if kind == "python_to_cuda"} == {"all", *categories}
    row = shown["python_to_cuda", "all"]
    assert (row["tasks"], row["completions"]) == (3, 6)
    assert row["reward"] == pytest.approx(0.6)
    assert row["pass@1"] == {"value": 0.5, "low": pytest.approx(0.2193, abs=1e-4), "high": pytest.approx(0.7807, abs=1e-4)}
    assert row["pass@2"] == {"value": 1.0, "low": pytest.approx(0.3825, abs=1e-4), "high": 1.0}
    assert row["pass@3"] is None


def test_the_table_shows_the_k_that_the_samples_allow(
    command: Any,
    scorer: Any,  # noqa: ARG001 - replaces the scorer
    folder: Path,
) -> None:
    _, out, err = run(command, folder)
    assert "pass@1 %" in out
    assert "pass@10" not in out
    assert "50.0 [21.9," in out  # a narrow terminal breaks the line here
    assert "1 tasks have no completions and do not count" in err


def test_completions_that_the_machine_could_not_judge_are_counted(command: Any, scorer: Any, folder: Path) -> None:  # noqa: ARG001
    task = rows_of(folder / "tasks.jsonl")[0]["task_id"]
    (folder / "completions.jsonl").write_bytes(encode({"task_id": task, "completion": "machine"}))
    _, _, err = run(command, folder)
    assert "1 completions could not be judged" in " ".join(err.split())


GOOD = '{"task_id": "TASK", "completion": "right"}\n'


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("completions.jsonl", GOOD + "{\n", "completions.jsonl:2: not JSON"),
        ("completions.jsonl", GOOD + '{"task_id": 3, "completion": ""}\n', "completions.jsonl:2: task_id is not a text"),
        ("completions.jsonl", GOOD + '{"task_id": "a"}\n', "completions.jsonl:2: completion is missing"),
        ("completions.jsonl", GOOD + '{"task_id": "no", "completion": ""}\n', "tasks.jsonl has no task 'no'"),
        ("completions.jsonl", "", "completions.jsonl contains no completions"),
        ("completions.jsonl", GOOD + "LONG", "completions.jsonl:2: longer than 64 MiB"),
        ("completions.jsonl", b"\xff\xfe\n", "completions.jsonl:1: not JSON"),
        ("completions.jsonl", None, "cannot read"),
        ("tasks.jsonl", "{}\n", "tasks.jsonl:1: task is missing"),
        ("tasks.jsonl", "nothing\n", "tasks.jsonl:1: not JSON"),
        ("tasks.jsonl", None, "cannot read"),
    ],
)
def test_bad_inputs_end_with_one_line(
    command: Any, scorer: Any, folder: Path, name: str, content: str | bytes | None, message: str
) -> None:
    if content is None:
        (folder / name).unlink()
    else:
        if isinstance(content, str):
            task = rows_of(folder / "tasks.jsonl")[0]["task_id"]
            content = content.replace("TASK", task).replace("LONG", "x" * MAX_LINE_BYTES).encode()
        (folder / name).write_bytes(content)
    code, out, err = run(command, folder)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1
    assert scorer.made == [], "nothing is scored"
    assert not (folder / "results.jsonl").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-o", "{folder}/tasks.jsonl"], "is read by this command: choose another file for --output"),
        (["-o", "{folder}/completions.jsonl"], "is read by this command"),
        (["-o", "{folder}/tasks.jsonl/results.jsonl"], "cannot write"),
        (["-o", "{folder}"], "is a folder, not a file"),
        (["--k", "0"], "0 is not in the range"),
        (["--seed", "-1"], "-1 is not in the range"),
    ],
)
def test_bad_options_end_with_one_line(command: Any, scorer: Any, folder: Path, options: list[str], message: str) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    code, out, err = run(command, folder, *(option.format(folder=folder) for option in options))
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1
    assert scorer.batches == []
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_failing_scorer_leaves_no_file(command: Any, scorer: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(scorer, "score_all", fail)
    code, _, err = run(command, folder)
    assert code == 2
    assert "not enough memory" in err
    assert sorted(path.name for path in folder.iterdir()) == ["completions.jsonl", "tasks.jsonl"]


def test_tasks_are_written_with_their_pairs(command: Any, samples: list[Pair], tmp_path: Path) -> None:
    stored(tmp_path / "data", samples[:3], {}, {"gradient": "fail"}, {})
    output = tmp_path / "tasks.jsonl"
    code, out, err = command("tasks", tmp_path / "data", "--task", "forward_to_adjoint", "-o", output)
    assert code == 0
    assert "forward_to_adjoint" in out
    assert "forward_to_adjoint: 1 pairs that do not pass every level left out" in err
    assert [row["pair"]["id"] for row in rows_of(output)] == [samples[0].id, samples[2].id]


def test_a_dataset_without_tasks_is_an_error(command: Any, samples: list[Pair], tmp_path: Path) -> None:
    stored(tmp_path / "data", samples[:1], {"gradient": "fail"})
    code, _, err = command("tasks", tmp_path / "data", "--task", "forward_to_adjoint", "-o", tmp_path / "tasks.jsonl")
    assert code == 2
    assert "became a task: forward_to_adjoint: 1 pairs that do not pass every level left out" in err
    assert not (tmp_path / "tasks.jsonl").exists()


def test_tasks_without_verdicts_names_both_ways(command: Any, root: Path, tmp_path: Path) -> None:
    samples = tmp_path / "data"
    samples.mkdir()
    (samples / "pairs-00000.jsonl").write_bytes((root / "data" / "samples" / "pairs-00000.jsonl").read_bytes())
    code, out, err = command("tasks", samples, "-o", tmp_path / "tasks.jsonl")
    assert (code, out) == (2, "")
    assert "--level gradient first, or give --check" in err
    assert len(err.splitlines()) == 1
    assert not (tmp_path / "tasks.jsonl").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{folder}/none"], "no such dataset"),
        (["{folder}", "--task", "no"], "unknown task 'no': choose from python_to_cuda"),
        (["{folder}", "--limit", "0"], "0 is not in the range"),
        (["{folder}/tasks.jsonl"], "is read by this command"),
    ],
)
def test_tasks_with_bad_arguments(command: Any, folder: Path, arguments: list[str], message: str) -> None:
    code, out, err = command("tasks", *(one.format(folder=folder) for one in arguments), "-o", folder / "tasks.jsonl")
    assert (code, out) == (2, "")
    assert message in err or "holds no pairs-*.jsonl" in err
    assert len(err.splitlines()) == 1


def test_an_interrupted_run_continues(command: Any, scorer: Any, folder: Path) -> None:
    lines = (folder / "completions.jsonl").read_bytes() * 15
    (folder / "completions.jsonl").write_bytes(lines)
    whole = scorer.score_all

    def interrupted(self: Any, candidates: Any) -> Any:
        if len(self.batches) == 1:
            raise KeyboardInterrupt
        return whole(self, candidates)

    scorer.score_all = interrupted
    assert run(command, folder)[0] == 130
    assert not (folder / "results.jsonl").exists()
    [partial] = folder.glob(".results.jsonl.*.partial")
    assert partial.read_bytes().count(b"\n") == 64
    partial.write_bytes(partial.read_bytes() + b'{"task_id": "half')
    scorer.score_all = whole
    scorer.batches.clear()
    code, _, err = run(command, folder)
    assert (code, scorer.batches) == (0, [64, 22])
    assert "150/150" in err
    assert len(rows_of(folder / "results.jsonl")) == 150
    assert [row["task_id"] for row in rows_of(folder / "results.jsonl")] == [
        json.loads(line)["task_id"] for line in lines.splitlines()
    ]
    assert list(folder.glob(".*.partial")) == []


def test_a_finished_run_is_not_repeated(command: Any, scorer: Any, folder: Path) -> None:
    _, first, _ = run(command, folder, "--seed", 7)
    before = (folder / "results.jsonl").read_bytes()
    code, again, err = run(command, folder, "--seed", 7)
    assert (code, again) == (0, first)
    assert "results.jsonl is complete: nothing was scored (--force scores again)" in err
    assert (folder / "results.jsonl").read_bytes() == before
    assert len(scorer.made) == 1
    assert run(command, folder, "--seed", 7, "--force")[0] == 0
    assert len(scorer.made) == 2


@pytest.mark.parametrize("change", ["completions", "seed", "results", "mark"])
def test_results_of_another_run_are_not_replaced(command: Any, scorer: Any, folder: Path, change: str) -> None:
    run(command, folder, "--seed", 7)
    if change == "completions":
        (folder / "completions.jsonl").write_bytes((folder / "completions.jsonl").read_bytes() * 2)
    elif change == "results":
        (folder / "results.jsonl").write_text("mine\n")
    elif change == "mark":
        for path in folder.glob(".*.done"):
            path.unlink()
    before = (folder / "results.jsonl").read_bytes()
    options = ("--seed", 8 if change == "seed" else 7)
    code, out, err = run(command, folder, *options)
    assert (code, out) == (2, "")
    assert "results.jsonl exists" in err
    assert "--force" in err
    assert (folder / "results.jsonl").read_bytes() == before
    assert len(scorer.made) == 1
    assert run(command, folder, *options, "--force")[0] == 0
    assert (folder / "results.jsonl").read_bytes() != b"mine\n"
    assert run(command, folder, *options)[0] == 0
    assert len(scorer.made) == 2
    assert len(list(folder.glob(".results.jsonl.*"))) == 1


@pytest.mark.usefixtures("scorer")
@pytest.mark.parametrize("name", ["tasks", "run"])
def test_missing_folders_of_outputs_are_made(command: Any, folder: Path, samples: list[Pair], name: str) -> None:
    dataset = stored(folder / "dataset", samples[:2], {}, {})
    inputs = (folder / "tasks.jsonl", folder / "completions.jsonl") if name == "run" else (dataset.folder,)
    code, _, err = command(name, *inputs, "-o", folder / "missing" / "deeper" / "x.jsonl")
    assert code == 0, err
    assert (folder / "missing" / "deeper" / "x.jsonl").read_bytes()


@pytest.mark.usefixtures("scorer")
@pytest.mark.parametrize("name", ["tasks", "repairs", "run"])
def test_an_output_below_a_file_is_one_line(command: Any, folder: Path, samples: list[Pair], name: str) -> None:
    dataset = stored(folder / "dataset", samples[:2], {}, {})
    inputs = (folder / "tasks.jsonl", folder / "completions.jsonl") if name == "run" else (dataset.folder,)
    code, _, err = command(name, *inputs, "-o", folder / "tasks.jsonl" / "x.jsonl")
    assert code == 2
    assert err.splitlines()[-1].startswith("error: cannot write")
    assert "free space" not in err


def test_partial_results_of_other_completions_are_not_continued(command: Any, scorer: Any, folder: Path) -> None:
    old = folder / ".results.jsonl.0123456789abcdef.partial"
    old.write_text('{"passed": true}\n')
    assert run(command, folder)[0] == 0
    assert scorer.batches == [10]
    assert not old.exists()


def test_tasks_of_each_category_with_references_that_are_judged(
    command: Any, scorer: Any, all_samples: list[Pair], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing, *others = all_samples[:20]
    stored(tmp_path / "data", all_samples[:20], *[{}] * 20)
    monkeypatch.setattr(scorer, "_score", lambda _, text: Score(1.0, failing.python_source not in text, "", "", "", None))
    output = tmp_path / "tasks.jsonl"
    options = ("--task", "cuda_to_python", "--per-category", 1, "--judge", "--seed", 3, "-o", output)
    code, _, err = command("tasks", tmp_path / "data", *options)
    assert code == 0
    first = {pair.metadata.category: pair.id for pair in reversed(others)}
    assert sorted(row["pair"]["id"] for row in rows_of(output)) == sorted(first.values())
    assert "cuda_to_python: 1 tasks whose reference does not score 1 left out" in err
    assert scorer.made == [{"seed": 3, "unconfined": False}]


def reference_scorer(pairs: list[Pair]) -> Any:
    texts = {text.strip("\n") for pair in pairs for text in (pair.python_source, *map(str, pair.code("cuda")))}

    def judge(_: Any, text: str) -> Score:
        passed = "\n".join(text.split("\n")[1:-1]) in texts
        return Score(1.0 if passed else 0.2, passed, "run", "pass" if passed else "fail", "" if passed else "differs", None)

    return judge


@pytest.mark.parametrize("form", FORMS)
def test_repairs_are_written_in_all_forms(
    command: Any, scorer: Any, samples: list[Pair], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    stored(tmp_path / "data", samples[:3], *[{}] * 3)
    monkeypatch.setattr(scorer, "_score", reference_scorer(samples[:3]))
    output = tmp_path / "repairs.jsonl"
    options = ("--form", form, "--seed", 5, "--limit", 4, "--per-pair", 2, "-o", output, "--json")
    code, out, _ = command("repairs", tmp_path / "data", *options)
    assert code == 0
    counts = {"python_to_cuda": 4, "forward_to_adjoint": 4, "cuda_to_python": 4}
    assert json.loads(out)["repairs"] == counts
    rows = rows_of(output)
    assert len(rows) == 12
    assert {row["repairs"] for row in rows} == set(counts)
    assert scorer.made == [{"seed": 5, "unconfined": False}]
    first = output.read_bytes()
    command("repairs", tmp_path / "data", *options)
    assert output.read_bytes() == first


def test_repairs_of_nothing_are_an_error(command: Any, scorer: Any, samples: list[Pair], tmp_path: Path) -> None:
    wrong = next(pair for pair in samples if not re.search("right|fast|machine", pair.python_source))  # for the scorer
    stored(tmp_path / "data", [wrong], {})
    code, _, err = command("repairs", tmp_path / "data", "--task", "cuda_to_python", "-o", tmp_path / "repairs.jsonl")
    assert code == 2
    assert "became a repair: cuda_to_python: 1 tasks whose reference does not score 1 left out" in err
    assert not (tmp_path / "repairs.jsonl").exists()
    assert scorer.closed == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--task", "repair"], "tasks of the kind repair are made by warpsmith-score repairs"),
        (["--form", "other"], "'other' is not one of"),
        (["--per-pair", "0"], "0 is not in the range"),
        (["--exclude", "{folder}/none"], "no such file of benchmark texts"),
    ],
)
def test_repairs_with_bad_arguments(
    command: Any, samples: list[Pair], tmp_path: Path, arguments: list[str], message: str
) -> None:
    stored(tmp_path / "data", samples[:1], {})
    formatted = (one.format(folder=tmp_path) for one in arguments)
    code, out, err = command("repairs", tmp_path / "data", *formatted, "-o", tmp_path / "repairs.jsonl")
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1


def test_baselines_are_a_table(
    command: Any, scorer: Any, samples: list[Pair], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scorer, "_score", reference_scorer(samples[:3]))
    stored(folder / "train", samples[3:6], {}, {}, {})
    code, out, _ = command("baselines", folder / "tasks.jsonl", "--train", folder / "train", "--seed", 4, "--json")
    assert code == 0
    rows = json.loads(out)["rows"]
    assert [(row["baseline"], row["task"]) for row in rows] == [
        (name, kind) for name in NAMES for kind in ("python_to_cuda", "cuda_to_python")
    ]
    copied = [1.0, 0.2]  # by the stub scorer, all texts of a pair are right
    assert [row["reward"] for row in rows] == pytest.approx([1.0, 1.0, 0.2, 0.2, *copied, 0.2, 0.2, 0.2, 0.2])
    assert scorer.made == [{"seed": 4, "unconfined": False}]
    _, out, _ = command("baselines", folder / "tasks.jsonl", "--baseline", "empty")
    assert "empty" in out
    assert "reference" not in out


def test_the_nearest_neighbour_needs_a_training_set(command: Any, scorer: Any, folder: Path) -> None:
    code, _, err = command("baselines", folder / "tasks.jsonl", "--baseline", "nearest")
    assert code == 2
    assert "the baseline nearest needs --train" in err
    assert scorer.made == []
