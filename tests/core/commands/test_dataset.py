"""`warpsmith-dataset`: `show` prints one pair, and commands of other distributions join the group."""

from __future__ import annotations

import json
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

import click
import pytest

from warpsmith.core.commands import options
from warpsmith.core.commands.dataset import ENTRY_POINTS, cli


@pytest.fixture
def here(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run the command in this process; return its exit code, stdout and stderr."""

    def start(*arguments: Any) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["warpsmith-dataset", *map(str, arguments)])
        return options.run(cli), *capsys.readouterr()

    return start


@pytest.mark.sampled(1)
@pytest.mark.parametrize("by", ["id", "index"])
def test_show_prints_python_cpp_and_cuda(here: Any, dataset: Path, by: str) -> None:
    record = json.loads((dataset / "pairs-00002.jsonl").read_text().splitlines()[17])
    name = record["metadata"]["kernel_name"]
    code, shown, _ = here("show", dataset, *([record["id"]] if by == "id" else ["--index", 117]))
    assert code == 0
    assert record["id"] in shown
    for text in (
        f"def {name}(",
        f"{name}_cpu_kernel_forward(",
        f"{name}_cuda_kernel_forward(",
        f"{name}_cuda_kernel_backward(",
    ):
        assert text in shown


def test_one_text_of_a_dataset_begins_with_its_preamble(here: Any, dataset: Path) -> None:
    record = json.loads((dataset / "pairs-00000.jsonl").read_text().splitlines()[3])
    preamble = json.loads((dataset / "manifest.json").read_text())["preambles"]["cuda"]
    assert here("show", dataset, "--index", 3, "--text", "python")[1] == record["python_source"]
    shown = here("show", dataset, "--index", 3, "--text", "cuda")[1]
    assert shown == preamble + record["cuda_ir_forward"] + record["cuda_ir_backward"]
    code, shown, remark = here("show", dataset / "pairs-00000.jsonl", "--index", 3, "--text", "cuda")
    assert (code, shown) == (0, record["cuda_ir_forward"] + record["cuda_ir_backward"])
    assert "without its preamble" in remark


@pytest.mark.exhaustive
def test_show_writes_nothing(here: Any, own_small: Path) -> None:
    before = {path.name: path.stat().st_mtime_ns for path in own_small.iterdir()}
    assert here("show", own_small, "--index", 0)[0] == 0
    assert {path.name: path.stat().st_mtime_ns for path in own_small.iterdir()} == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{dataset}", "3-2000-0", "--index", "0"], "name one pair"),
        (["{dataset}", "3-2000-100000"], "no pair '3-2000-100000'"),
        (["{dataset}", "--index", "40"], "has no pair at index 40"),
        (["{dataset}", "--index", "-1"], "is not in the range"),
        (["{dataset}", "--index", f"{10**30}"], "is not in the range"),
        (["{dataset}", "--index", f"{2**63 - 1}"], "has no pair at index 9223372036854775807"),
        (["{dataset}/missing", "--index", "0"], "no such dataset"),
        (["{dataset}", "--text", "cuda"], "--stacked and --text print a pair"),
    ],
)
def test_wrong_arguments_of_show_are_one_line(here: Any, small: Path, arguments: list[str], message: str) -> None:
    code, shown, error = here("show", *(argument.format(dataset=small) for argument in arguments))
    assert (code, shown, error.count("\n")) == (2, "", 1)
    assert message in error


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-o", "{dataset}/new"], "Missing argument"),
        (["{dataset}", "-o", "{dataset}/new"], "--require LEVEL=STATUS or --only LEVEL=STATUS"),
        (["{dataset}", "--require", "parse=pass"], "Missing option '-o'"),
        (["{dataset}", "--require", "parse", "-o", "{dataset}/new"], "'parse' is not LEVEL=STATUS"),
        (["{dataset}", "--only", "parse=good", "-o", "{dataset}/new"], "a status is one of pass, fail"),
        (["{dataset}/missing", "--require", "parse=pass", "-o", "{dataset}/new"], "no such dataset"),
    ],
)
def test_wrong_arguments_of_filter_are_one_line(here: Any, small: Path, arguments: list[str], message: str) -> None:
    code, shown, error = here("filter", *(argument.format(dataset=small) for argument in arguments))
    assert (code, shown, error.count("\n")) == (2, "", 1)
    assert message in error
    assert not (small / "new").exists()


def test_show_of_a_damaged_line_names_it(here: Any, own_small: Path) -> None:
    shard = own_small / "pairs-00000.jsonl"
    shard.write_bytes(b"{}\n" + shard.read_bytes())
    code, _, error = here("show", own_small, "--index", 0)
    assert code == 2
    assert "pairs-00000.jsonl:1: Object missing required field" in error


def test_without_arguments_there_is_help(here: Any) -> None:
    code, shown, error = here()
    assert code == 2
    assert "show" in shown + error
    assert "Examples:" in shown + error


def test_the_version_is_printed(here: Any) -> None:
    code, shown, _ = here("--version")
    assert code == 0
    assert metadata.version("warpsmith-core") in shown


def entry_points(*found: metadata.EntryPoint) -> Any:
    def select(**parameters: str) -> metadata.EntryPoints:
        return metadata.EntryPoints(found).select(**parameters)

    return select


@pytest.mark.parametrize("name", ["stats", "report"])
def test_a_command_that_is_not_installed_names_its_distribution(here: Any, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(metadata, "entry_points", entry_points())
    code, shown, error = here(name, "data/both", "--json")
    assert (code, shown) == (2, "")
    message, _, command = error.partition("warpsmith-validation: ")
    assert message == f"error: warpsmith-dataset {name} needs another distribution, "
    assert " install " in command
    assert command.count("\n") == 1
    assert f"  {name} " in here("--help")[1]


@click.command("toy")
def toy() -> int:
    """Do nothing."""
    return 1


def test_other_distributions_add_commands(here: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    added = metadata.EntryPoint("toy", f"{__name__}:toy", ENTRY_POINTS)
    monkeypatch.setattr(metadata, "entry_points", entry_points(added))
    assert here("toy")[0] == 1
    assert "  toy " in here("--help")[1]
