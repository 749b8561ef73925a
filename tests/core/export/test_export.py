"""The promise of `warpsmith-dataset export`: the same request gives the same bytes, benchmarks stay out, and whatever is
wrong with a request, a dataset or a folder ends in a line that names the way out, with nothing left behind.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shlex
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import filelock
import pytest

from core.export.exports import all_rows, records_of
from warpsmith.core.commands import options
from warpsmith.core.commands.dataset import cli
from warpsmith.core.datasets.folder import Dataset
from warpsmith.core.records.jsonl import read_lines
from warpsmith.core.records.verdict import Verdict

Here = Callable[..., tuple[int, str, str]]


@pytest.fixture
def here(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Here:
    """Run the command in this process; return its exit code, stdout and stderr."""

    def start(*arguments: Any) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["warpsmith-dataset", "export", *map(str, arguments)])
        return options.run(cli), *capsys.readouterr()

    return start


@pytest.fixture
def summary(here: Here) -> Callable[..., dict[str, Any]]:
    """Export in this process and return what ``--json`` prints."""

    def export(*arguments: Any) -> dict[str, Any]:
        code, out, err = here(*arguments, "--json")
        assert code == 0, err
        return dict(json.loads(out))

    return export


# ------------------------------------------------------------------------------------------------------------- the same


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("form", ["parquet", "chat"])
def test_the_same_request_gives_the_same_bytes(run: Any, small: Path, tmp_path: Path, form: str) -> None:
    for name in ("one", "two"):
        run("core", "export", small, "--format", form, "-o", tmp_path / name)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_what_is_complete_is_not_made_again(here: Here, small: Path, tmp_path: Path) -> None:
    command = (small, "--format", "jsonl", "-o", tmp_path / "out")
    code, first, said = here(*command)
    assert (code, "already complete" in said) == (0, False)
    stamps = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").iterdir()}
    code, second, said = here(*command)
    assert (code, second) == (0, first)
    assert "already complete: nothing was written" in said
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "out").iterdir()} == stamps


def test_commands_on_the_card_make_it_again(run: Any, small: Path, tmp_path: Path) -> None:
    run("core", "export", small, "--format", "chat", "--task", "cuda-python", "--split", "0.8,0.2", "-o", tmp_path / "one")
    commands = re.findall(r"^warpsmith-(\w+) (.+)$", (tmp_path / "one" / "README.md").read_text(), re.MULTILINE)
    tools = {"synthesize": "synthesis", "dataset": "core"}
    folders = {"DATASET": str(tmp_path / "small"), "DIR": str(tmp_path / "two")}
    for tool, command in commands:
        run(tools[tool], *(folders.get(word, word) for word in shlex.split(command)))
    assert contents(tmp_path / "small") == contents(small)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_warp_is_not_needed(run: Any, small: Path, tmp_path: Path) -> None:
    (tmp_path / "warp.py").write_text("raise ImportError('not needed')\n")
    environment = {"PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])}
    run("core", "export", small, "-o", tmp_path / "out", env=environment)
    assert len(all_rows(tmp_path / "out")) == 40


# ------------------------------------------------------------------------------------------------------------ benchmarks


class Rename(ast.NodeTransformer):
    """Other names for all variables, arguments and functions that a file defines."""

    def __init__(self, tree: ast.Module) -> None:
        names = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
        names |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        names |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        self.names = {name: f"renamed{number}" for number, name in enumerate(sorted(names))}

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.names.get(node.id, node.id), node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(self.names[node.arg], node.annotation and self.visit(node.annotation))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        node.name = self.names[node.name]
        return node


def renamed_python(record: dict[str, Any]) -> str:
    """The same kernel in other words: names changed, comments gone, lines laid out anew."""
    tree = ast.parse(record["python_source"])
    return "# something in front\n" + ast.unparse(Rename(tree).visit(tree))


def renamed_code(text: str) -> str:
    return re.sub(r"[ \t]+", "  ", re.sub(r"(?<!::)\b(var|adj)_(\w+)", r"\1iable_of_\2", text))


@pytest.mark.parametrize("form", ["py", "cu", "forward.cu", "jsonl", "txt"])
def test_pairs_close_to_a_benchmark_stay_out(
    summary: Callable[..., dict[str, Any]], small: Path, tmp_path: Path, form: str
) -> None:
    record = records_of(small)[23]
    texts = {
        "py": renamed_python(record),
        "cu": renamed_code(record["cuda_ir_forward"] + record["cuda_ir_backward"]),
        "forward.cu": renamed_code(record["cuda_ir_forward"]),
        "jsonl": json.dumps({"id": "x", "tests": [{"solution": renamed_python(record), "timeout": 3}]}) + "\n\n",
        "txt": "    " + renamed_python(record).replace("\n", "\n    "),
    }
    benchmark = tmp_path / f"benchmark.{form}"
    benchmark.write_text(texts[form])
    found = summary(small, "--exclude", benchmark, "-o", tmp_path / "out")
    left = {row["id"] for row in all_rows(tmp_path / "out")}
    assert {row["id"] for row in records_of(small)} - left == {record["id"]}
    assert found["left_out"]["close_to"][benchmark.name] == {"pairs": 1, "texts": 1, "too_short": int(form == "jsonl")}
    assert found["pairs"] == 39


def test_what_has_nothing_to_do_with_a_pair_leaves_it_in(
    summary: Callable[..., dict[str, Any]], small: Path, tmp_path: Path
) -> None:
    others = {
        "this_test.py": Path(__file__).read_text(),
        "saxpy.cu": "__global__ void saxpy(int n, float a, float* x, float* y) { int i = blockIdx.x * blockDim.x + threadIdx.x;"
        " if (i < n) y[i] = a * x[i] + y[i]; }\n",
        "kernel.py": "import warp as wp\n\n@wp.kernel\ndef k(a: wp.array(dtype=float)):\n    i = wp.tid()\n    a[i] *= 2.0\n",
        "prose.txt": "A kernel is a function that many threads run. " * 20,
        "empty.txt": "",
    }
    options: list[Any] = []
    for name, text in others.items():
        (tmp_path / name).write_text(text)
        options += ["--exclude", tmp_path / name]
    found = summary(small, *options, "-o", tmp_path / "out")
    assert found["pairs"] == 40
    counts = found["left_out"]["close_to"]
    assert {name: count["pairs"] for name, count in counts.items()} == dict.fromkeys(others, 0)
    assert counts["empty.txt"] == {"pairs": 0, "texts": 0, "too_short": 1}
    assert counts["saxpy.cu"]["texts"] == counts["this_test.py"]["texts"] == 1


# -------------------------------------------------------------------------------------------------------------- verdicts


@pytest.fixture
def judged(own_small: Path) -> Path:
    """`small` with made-up verdicts: every fourth pair fails `gradient`, every fourth has none to give, all pass `parse`."""
    dataset = Dataset.open(own_small)
    statuses: tuple[Any, ...] = ("pass", "fail", "not_applicable", "pass")
    for shard in dataset.shards:
        verdicts = [
            Verdict(line.identity, level, status, "", 1.0)
            for number, line in enumerate(read_lines(shard))
            for level, status in (("parse", "pass"), ("gradient", statuses[number % 4]))
        ]
        dataset.write_verdicts(shard, verdicts)
    return own_small


def test_pairs_are_taken_by_their_verdicts(summary: Callable[..., dict[str, Any]], judged: Path, tmp_path: Path) -> None:
    expected = Counter(number % 10 % 4 for number in range(40))
    found = summary(judged, "--require", "gradient=pass", "-o", tmp_path / "clean")
    assert found["left_out"]["by_verdict"] == expected[1]
    assert found["pairs"] == len(all_rows(tmp_path / "clean")) == 40 - expected[1]
    assert found["proofs"] == {
        "parse": {"pass": 40 - expected[1]},
        "gradient": {"not_applicable": expected[2], "pass": expected[0] + expected[3]},
    }
    card = (tmp_path / "clean" / "README.md").read_text()
    assert f"| gradient | {expected[0] + expected[3]} | 0 | 0 | {expected[2]} | 0 |\n" in card
    assert "--require gradient=pass" in card
    assert summary(judged, "--only", "gradient=not_applicable", "-o", tmp_path / "none")["pairs"] == expected[2]


def test_a_filtered_dataset_says_where_it_comes_from(run: Any, judged: Path, tmp_path: Path) -> None:
    run("core", "filter", judged, "--require", "gradient=pass", "-o", tmp_path / "clean")
    run("core", "export", tmp_path / "clean", "-o", tmp_path / "out")
    card = (tmp_path / "out" / "README.md").read_text()
    commands = card.partition("## Reproduction")[2].partition("```\n")[2].partition("```")[0].splitlines()
    assert [" ".join(command.split()[:2]) for command in commands] == [
        "warpsmith-synthesize make",
        "warpsmith-validate run",
        "warpsmith-dataset filter",
        "warpsmith-dataset export",
    ]
    assert "FILTERED" in commands[-1]


# -------------------------------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--split", "0.9"), "--split is one to three shares that add up to 1"),
        (("--split", "0.9,0.2"), "--split is"),
        (("--split", "0.5,0.25,0.125,0.125"), "--split is"),
        (("--split", "1.5,-0.5"), "--split is"),
        (("--split", "nan,1"), "--split is"),
        (("--split", "most"), "--split is"),
        (("--split", ""), "--split is"),
        (("--format", "csv"), "'csv' is not one of"),
        (("--format", "chat", "--task", "python-rust"), "unknown task python-rust; choose from python-cuda"),
        (("--task", "python-cuda"), "--task goes with --format chat or completion"),
        (("--require", "gradient"), "is not LEVEL=STATUS"),
        (("--require", "gradient=pass"), "has no verdict of the level 'gradient': run warpsmith-validate"),
        (("--exclude", "no-such-file.py"), "no such file of benchmark texts: no-such-file.py"),
        (("--shard-size", 0), "0 is not in the range"),
    ],
)
def test_a_wrong_request_is_one_line(here: Here, small: Path, tmp_path: Path, options: tuple[Any, ...], said: str) -> None:
    code, out, err = here(small, "-o", tmp_path / "out", *options)
    assert (code, out) == (2, "")
    assert said in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("torn.jsonl", b'{"a": "b"}\n{"a": ', "torn.jsonl:2: not JSON"),
        ("binary.txt", b"\xff\xfe\x00", "cannot read"),
    ],
)
def test_a_wrong_benchmark_is_one_line(here: Here, small: Path, tmp_path: Path, name: str, content: bytes, said: str) -> None:
    (tmp_path / name).write_bytes(content)
    code, _, err = here(small, "-o", tmp_path / "out", "--exclude", tmp_path / name)
    assert code == 2
    assert said in err
    assert [path.name for path in tmp_path.iterdir()] == [name]


def tear(folder: Path) -> None:
    path = folder / "pairs-00002.jsonl"
    path.write_bytes(path.read_bytes()[:-500])


def remove_manifest(folder: Path) -> None:
    (folder / "manifest.json").unlink()


def damage_manifest(folder: Path) -> None:
    (folder / "manifest.json").write_text('{"shards": [{"file"')


def change_arguments(folder: Path) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps(manifest | {"arguments": ["none"]}))


def remove_shard(folder: Path) -> None:
    (folder / "pairs-00001.jsonl").unlink()


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (tear, "is not whole: pairs-00002.jsonl is not the file that was made"),
        (remove_manifest, "is not whole: there is no manifest.json"),
        (damage_manifest, "manifest.json is damaged"),
        (change_arguments, "manifest.json is damaged"),
        (remove_shard, "is not whole: pairs-00001.jsonl is missing"),
    ],
)
def test_a_dataset_that_is_not_whole_is_not_exported(
    here: Here, own_small: Path, tmp_path: Path, spoil: Callable[[Path], None], said: str
) -> None:
    spoil(own_small)
    code, out, err = here(own_small, "-o", tmp_path / "out")
    assert (code, out) == (2, "")
    assert said in err
    assert [path.name for path in tmp_path.iterdir()] == ["copy"]


def test_a_torn_line_is_named(here: Here, small: Path, tmp_path: Path) -> None:
    lines = (small / "pairs-00000.jsonl").read_bytes()
    (tmp_path / "torn.jsonl").write_bytes(lines[:-100])
    code, _, err = here(tmp_path / "torn.jsonl", "-o", tmp_path / "out")
    assert code == 2
    assert "torn.jsonl:10: not JSON" in err
    assert [path.name for path in tmp_path.iterdir()] == ["torn.jsonl"]


def test_a_folder_with_other_things_is_left_alone(here: Here, small: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    code, _, err = here(small, "-o", tmp_path)
    assert code == 2
    assert "is not empty and holds no export" in err
    assert here(small, "-o", small)[0] == 2
    assert here(small, "-o", tmp_path / "notes.txt")[0] == 2
    assert contents(tmp_path) == {"notes.txt": b"mine"}


def test_an_empty_folder_is_filled(summary: Callable[..., dict[str, Any]], small: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    assert summary(small, "-o", tmp_path / "out")["made"] is True


def test_another_export_is_not_overwritten(here: Here, small: Path, tmp_path: Path) -> None:
    here(small, "-o", tmp_path / "out")
    before = contents(tmp_path / "out")
    code, _, err = here(small, "-o", tmp_path / "out", "--split", "0.5,0.5", "--shard-size", 7)
    assert code == 2
    assert "holds another export, whose shard_size, split differ" in err
    assert contents(tmp_path / "out") == before


def test_an_export_that_was_damaged_is_not_called_complete(here: Here, small: Path, tmp_path: Path) -> None:
    here(small, "-o", tmp_path / "out")
    (tmp_path / "out" / "train-00000.parquet").write_bytes(b"PAR1")
    code, _, err = here(small, "-o", tmp_path / "out")
    assert code == 2
    assert "train-00000.parquet is missing or not the file that was written" in err
    (tmp_path / "out" / "export.json").write_text("{}")
    assert "export.json is damaged" in here(small, "-o", tmp_path / "out")[2]


def test_what_a_killed_run_left_is_swept_away(summary: Callable[..., dict[str, Any]], small: Path, tmp_path: Path) -> None:
    work = tmp_path / ".out.work"
    work.mkdir()
    (work / "train-00007.parquet").write_text("half")
    summary(small, "-o", tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert not (tmp_path / "out" / "train-00007.parquet").exists()


def test_two_runs_do_not_meet(here: Here, small: Path, tmp_path: Path) -> None:
    work = tmp_path / ".out.work"
    work.mkdir()
    with filelock.FileLock(work / ".lock"):
        code, _, err = here(small, "-o", tmp_path / "out")
    assert code == 2
    assert "another run is at work" in err


@pytest.mark.parametrize(("library", "form"), [("pyarrow", "parquet"), ("zstandard", "chat"), ("rensa", "jsonl")])
def test_without_the_extra_it_is_named(run: Any, small: Path, tmp_path: Path, library: str, form: str) -> None:
    (tmp_path / f"{library}.py").write_text("raise ImportError('not installed')\n")
    environment = {"PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])}
    done = run("core", "export", small, "--format", form, "-o", tmp_path / "out", expect=2, env=environment)
    assert "pip install 'warpsmith-core[export]'" in done.stderr.replace("\n", " ")
    assert not (tmp_path / "out").exists()
    run("core", "export", "--help", env=environment)
