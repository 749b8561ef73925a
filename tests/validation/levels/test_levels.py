"""Correct pairs pass every level; regenerate and compile find errors and name them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from record_changes import TEXTS, Record, replace_text, substitute_text, update_metadata
from warpsmith.core.records.jsonl import Line, read_lines
from warpsmith.validation.levels import parse, schema
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.finding import Finding


@pytest.fixture(scope="module", params=[("cpu", False), ("cpu", True), ("cuda", False), ("cuda", True)], ids=str)
def of_one_device(request: pytest.FixtureRequest, run: Any, tmp_path_factory: pytest.TempPathFactory) -> list[Line]:
    device, backward = request.param
    folder = tmp_path_factory.mktemp("one") / device
    run(
        "synthesis",
        "make",
        "-n",
        12,
        "-d",
        device,
        *(["-b"] if backward else []),
        "-o",
        folder,
        "--workers",
        1,
    )
    found = list(read_lines(folder / "pairs-00000.jsonl"))
    assert len(found) == 12
    return found


def test_unchanged_pairs_pass(lines: list[Line], check_in_worker: Any) -> None:
    verdicts = check_in_worker(lines[::4], "schema", "parse", "regenerate")
    assert [(verdict.id, verdict.level) for verdict in verdicts] == [
        (json.loads(line.raw)["id"], level) for line in lines[::4] for level in ("schema", "parse", "regenerate")
    ]
    assert {(verdict.status, verdict.reason) for verdict in verdicts} == {("pass", "")}
    assert all(0.0 <= verdict.ms < 60_000.0 for verdict in verdicts)


def test_all_pairs_pass_the_cheap_levels(lines: list[Line]) -> None:
    assert len(lines) == 100
    for level in (schema, parse):
        assert list(level.check(lines, BatchContext(Path()))) == 100 * [Finding("pass")]


@pytest.mark.sampled(2)
def test_pairs_of_one_device_pass(of_one_device: list[Line], check_in_worker: Any) -> None:
    verdicts = check_in_worker(of_one_device, "schema", "parse", "regenerate")
    assert {(verdict.status, verdict.reason) for verdict in verdicts} == {("pass", "")}


def test_a_pair_of_real_code_requires_its_module_options(
    run: Any, tmp_path: Path, change_line: Any, check_in_worker: Any
) -> None:
    (tmp_path / "real.py").write_text(
        'import warp as wp\nwp.set_module_options({"max_unroll": 2})\n\n\n'
        "@wp.kernel\ndef summed(x: wp.array(dtype=float), out: wp.array(dtype=float)):\n"
        "    i = wp.tid()\n    total = float(0.0)\n"
        "    for j in range(4):\n        total += x[i] * float(j)\n    out[i] = total\n"
    )
    run("extraction", "real.py", "-d", "both", "-b", "-o", "real.jsonl", cwd=tmp_path)
    (line,) = read_lines(tmp_path / "real.jsonl")
    assert json.loads(line.raw)["metadata"]["module_options"] == {"max_unroll": 2}
    without = change_line(line, update_metadata(module_options={}))
    levels = ("schema", "parse", "regenerate")
    assert [verdict.status for verdict in check_in_worker([line, without], *levels)] == ["pass"] * 5 + ["fail"]


def change_character(key: str, position: int) -> Callable[[Record], None]:
    def change(record: Record) -> None:
        text = record[key]
        other = (
            "~" if text[position] != "~" else "%"
        )  # a "#" would mark the text as native code, whose pair runs in a separate worker
        record[key] = text[:position] + other + text[position + 1 :]

    return change


@pytest.mark.parametrize("shares", [(0.0, 0.37, 1.0), pytest.param((0.21, 0.5, 0.73, 0.9), marks=pytest.mark.exhaustive)])
def test_regenerate_finds_any_single_changed_byte(
    plain: Line, change_line: Any, check_in_worker: Any, shares: tuple[float, ...]
) -> None:
    record = json.loads(plain.raw)
    damaged = [
        change_line(plain, change_character(key, int(share * (len(record[key]) - 1)))) for key in TEXTS for share in shares
    ]
    verdicts = check_in_worker(damaged, "regenerate")
    assert {verdict.status for verdict in verdicts} == {"fail"}
    for verdict, key in zip(verdicts, [key for key in TEXTS for _ in shares], strict=True):
        target = "cpu" if key.startswith("cpp") else "cuda"
        assert verdict.reason.startswith(f"{target} {key.rpartition('_')[2]} differs")


@pytest.mark.parametrize("addition", ["\n", " ", "// more\n", "\u00e9"])
def test_regenerate_finds_added_text(plain: Line, change_line: Any, check_in_worker: Any, addition: str) -> None:
    line = change_line(plain, lambda record: record.update(cuda_ir_backward=record["cuda_ir_backward"] + addition))
    (verdict,) = check_in_worker([line], "regenerate")
    assert verdict.status == "fail"


def renamed_kernel(record: Record) -> None:
    name = record["metadata"]["kernel_name"]
    record["python_source"] = record["python_source"].replace(f"def {name}(", f"def {name}_(")


@pytest.mark.parametrize(
    "damage",
    [
        replace_text("python_source", "0.5", "0.25"),
        lambda record: record.update(python_source="\n" + record["python_source"]),
        renamed_kernel,
        update_metadata(module_options={"enable_backward": False}),
    ],
    ids=["constant", "line number", "kernel name", "module option"],
)
def test_regenerate_finds_changed_python(
    plain: Line, change_line: Any, check_in_worker: Any, damage: Callable[[Record], None]
) -> None:
    (verdict,) = check_in_worker([change_line(plain, damage)], "regenerate")
    assert verdict.status == "fail"
    assert verdict.reason


def test_pairs_of_another_warp_are_skipped(plain: Line, change_line: Any, check_in_worker: Any) -> None:
    line = change_line(plain, update_metadata(warp_version="1.0.0"))
    for level in ("regenerate", "compile"):
        (verdict,) = check_in_worker([line], level)
        assert verdict.status == "skipped"
        assert "1.0.0" in verdict.reason


def test_a_level_after_a_failed_one_is_skipped(plain: Line, change_line: Any, check_in_worker: Any) -> None:
    line = change_line(plain, replace_text("python_source", "@wp.kernel", "@wp.func"))
    verdicts = check_in_worker([line], "schema", "parse", "regenerate")
    assert [verdict.status for verdict in verdicts] == ["pass", "fail", "skipped"]
    assert verdicts[2].reason == "parse failed"


@pytest.fixture(scope="module")
def smallest(lines: list[Line]) -> Line:
    return min(lines, key=lambda line: len(line.raw))


def one_device(record: Record, device: str) -> None:
    other = "cuda_ir" if device == "cpu" else "cpp"
    record.update({f"{other}_forward": None, f"{other}_backward": None})
    record["metadata"].update(device=device, ir_type="cpp" if device == "cpu" else "cuda")


def test_generated_text_compiles(smallest: Line, check_in_worker: Any) -> None:
    (verdict,) = check_in_worker([smallest], "compile")
    assert (verdict.id, verdict.status, verdict.reason) == (json.loads(smallest.raw)["id"], "pass", "")


@pytest.mark.parametrize(
    ("text", "pattern", "new", "message"),
    [
        ("cpp_forward", r"^(?!\s*//)(.*)\bwp::\w+\(", r"\1undefined_name(", "undefined_name"),
        ("cpp_backward", r"(= .*\));$", r"\1", "expected ';'"),
        ("cuda_ir_forward", r"(= .*\));$", r"\1", 'expected a ";"'),
        ("cuda_ir_backward", r"^(?!\s*//)(.*)\bwp::\w+\(", r"\1undefined_name(", "undefined_name"),
    ],
)
def test_compile_finds(
    smallest: Line, change_line: Any, check_in_worker: Any, text: str, pattern: str, new: str, message: str
) -> None:
    device = "cpu" if text.startswith("cpp") else "cuda"

    def damage(record: Record) -> None:
        one_device(record, device)
        substitute_text(text, pattern, new)(record)

    (verdict,) = check_in_worker([change_line(smallest, damage)], "compile")
    assert (verdict.id, verdict.status) == (json.loads(smallest.raw)["id"], "fail")
    assert verdict.reason.startswith(f"{device}: ")
    assert message in verdict.reason
