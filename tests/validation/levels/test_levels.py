"""Each level passes correct pairs, and fails pairs with the errors that it checks for, with a reason."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from warpsmith.core.records.jsonl import Line, decode, read_lines
from warpsmith.validation.levels import parse, schema
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.finding import Finding

Record = dict[str, Any]
TEXTS = ("cpp_forward", "cpp_backward", "cuda_ir_forward", "cuda_ir_backward")
NOWHERE = Path()


def finding_of(level: ModuleType, line: Line) -> Finding:
    (finding,) = level.check([line], BatchContext(NOWHERE))
    assert isinstance(finding, Finding)
    return finding


def replace(key: str, old: str, new: str) -> Callable[[Record], None]:
    def change(record: Record) -> None:
        assert old in record[key]
        record[key] = record[key].replace(old, new)

    return change


def substitute(key: str, pattern: str, new: str) -> Callable[[Record], None]:
    def change(record: Record) -> None:
        record[key], count = re.subn(pattern, new, record[key], count=1, flags=re.MULTILINE)
        assert count == 1

    return change


def metadata(**changes: Any) -> Callable[[Record], None]:
    return lambda record: record["metadata"].update(changes)


# ------------------------------------------------------------------------------------------------------- what is undamaged


@pytest.fixture(scope="module")
def plain(lines: list[Line]) -> Line:
    """A pair with a helper function, and with numbers to change."""
    return next(line for line in lines if line.raw.count(b"wp.func") == 1 and line.pair and "0.5" in line.pair.python_source)


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
        "--codegen-only",
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
    assert len(lines) == 200
    for level in (schema, parse):
        assert list(level.check(lines, BatchContext(NOWHERE))) == 200 * [Finding("pass")]


def test_pairs_of_one_device_pass(of_one_device: list[Line], check_in_worker: Any) -> None:
    verdicts = check_in_worker(of_one_device, "schema", "parse", "regenerate")
    assert {(verdict.status, verdict.reason) for verdict in verdicts} == {("pass", "")}


def test_a_harvested_pair_needs_its_module_options(run: Any, tmp_path: Path, change_line: Any, check_in_worker: Any) -> None:
    (tmp_path / "real.py").write_text(
        'import warp as wp\nwp.set_module_options({"max_unroll": 2})\n\n\n'
        "@wp.kernel\ndef summed(x: wp.array(dtype=float), out: wp.array(dtype=float)):\n"
        "    i = wp.tid()\n    total = float(0.0)\n"
        "    for j in range(4):\n        total += x[i] * float(j)\n    out[i] = total\n"
    )
    run("extraction", "real.py", "-d", "both", "-b", "-o", "real.jsonl", cwd=tmp_path)
    (line,) = read_lines(tmp_path / "real.jsonl")
    assert json.loads(line.raw)["metadata"]["module_options"] == {"max_unroll": 2}
    without = change_line(line, metadata(module_options={}))
    levels = ("schema", "parse", "regenerate")
    assert [verdict.status for verdict in check_in_worker([line, without], *levels)] == ["pass"] * 5 + ["fail"]


# --------------------------------------------------------------------------------------------------------------- schema

FIELDS = ("id", "python_source", "cpp_forward", "cpp_backward", "cuda_ir_forward", "cuda_ir_backward", "metadata")
METADATA_FIELDS = """
    kernel_name category device ir_type has_backward codegen_only cuda_available seed index launch features description
    structure module_options warp_version generator_version schema_version
""".split()


def schema_reason(line: Line) -> str:
    finding = finding_of(schema, line)
    assert finding.status == "fail"
    assert "\n" not in finding.reason
    return finding.reason


@pytest.mark.parametrize("name", FIELDS)
def test_schema_requires_every_field(plain: Line, change_line: Any, name: str) -> None:
    assert name in schema_reason(change_line(plain, lambda record: record.pop(name)))


@pytest.mark.parametrize("name", METADATA_FIELDS)
def test_schema_requires_every_field_of_metadata(plain: Line, change_line: Any, name: str) -> None:
    assert name in schema_reason(change_line(plain, lambda record: record["metadata"].pop(name)))


@pytest.mark.parametrize("name", FIELDS)
def test_schema_requires_the_right_types(plain: Line, change_line: Any, name: str) -> None:
    assert name in schema_reason(change_line(plain, lambda record: record.update({name: 7})))


@pytest.mark.parametrize("name", METADATA_FIELDS)
def test_schema_requires_the_right_types_in_metadata(plain: Line, change_line: Any, name: str) -> None:
    assert name in schema_reason(change_line(plain, lambda record: record["metadata"].update({name: [1.5]})))


@pytest.mark.parametrize(
    "place",
    [
        lambda record: record,
        lambda record: record["metadata"],
        lambda record: record["metadata"]["launch"],
        lambda record: record["metadata"]["launch"]["args"][-1],
        lambda record: record["metadata"]["launch"]["args"][-1]["domain"],
    ],
    ids=["pair", "metadata", "launch", "argument", "domain"],
)
def test_schema_rejects_unknown_fields(plain: Line, change_line: Any, place: Callable[[Record], Record]) -> None:
    assert "surplus" in schema_reason(change_line(plain, lambda record: place(record).update(surplus=1)))


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (metadata(device="tpu"), "device"),
        (metadata(ir_type="cuda"), "ir_type 'cuda' does not go with device 'both'"),
        (metadata(device="cuda"), "ir_type 'both' does not go with device 'cuda'"),
        (metadata(device="cuda", ir_type="cuda"), "cpu forward code is there"),
        (metadata(has_backward=False), "has_backward=False"),
        (lambda record: record.update(cpp_backward=None), "cpu backward code"),
        (lambda record: record.update(cuda_ir_backward=None), "cuda backward code"),
        (lambda record: record.update(cpp_forward=None), "cpu forward code is missing"),
        (lambda record: record.update(cuda_ir_forward=None), "cuda forward code is missing"),
        (lambda record: record.update(id="2-2000-999999"), "2-2000-999999"),
        (lambda record: record.update(id="2-1999-0"), "2-1999-0"),
        (lambda record: record.update(id="no id"), "no id"),
        (metadata(index=None), "seed and index"),
        (metadata(seed=None), "seed and index"),
        (metadata(schema_version=2), "schema version 2"),
        (lambda record: record["metadata"]["launch"].update(dim=[]), "dim"),
        (lambda record: record["metadata"]["launch"].update(dim=[0]), "dim"),
        (lambda record: record["metadata"]["launch"]["args"][-1].update(kind="tensor"), "kind"),
        (lambda record: record["metadata"]["launch"]["args"][-1].update(shape=[]), "shape"),
        (lambda record: record["metadata"]["launch"]["args"][-1].update(domain=None), "domain"),
        (lambda record: record["metadata"]["launch"]["args"][-1]["domain"].update(low=2, high=1), "above"),
        (lambda record: record["metadata"]["launch"]["args"][-1].update(role="bystander"), "role"),
    ],
)  # fmt: skip
def test_schema_requires_consistent_fields(
    plain: Line, change_line: Any, damage: Callable[[Record], object], reason: str
) -> None:
    assert reason in schema_reason(change_line(plain, damage))


@pytest.mark.parametrize(
    "raw", [b"7\n", b"null\n", b"[]\n", b'"text"\n', b"{}\n", b"{\n", b'{"id": NaN}\n', b"\xff\xfe\n", b"\0\n"]
)
def test_schema_requires_a_record(raw: bytes) -> None:
    assert schema_reason(decode(raw, Path("pairs-00000.jsonl"), 1))


def test_a_field_nested_too_deeply_fails(plain: Line) -> None:
    argument: Record = json.loads(plain.raw)["metadata"]["launch"]["args"][-1] | {"kind": "struct", "shape": []}
    for _ in range(450):
        argument = argument | {"domain": None, "fields": [argument]}
    record = json.loads(plain.raw)
    record["metadata"]["launch"]["args"] = [argument]
    schema_reason(decode(json.dumps(record).encode(), plain.path, 1))


# ---------------------------------------------------------------------------------------------------------------- parse

GRID_STRIDE = r"^ *_idx \+= static_cast<size_t>\(blockDim\.x\) \* static_cast<size_t>\(gridDim\.x\)\)$"


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (substitute("python_source", r":$", ""), "does not parse"),
        (replace("python_source", "@wp.kernel", "@wp.func"), "0 kernels"),
        (lambda record: record.update(python_source=""), "0 kernels"),
        (lambda record: record.update(python_source=2 * record["python_source"]), "2 kernels"),
        (lambda record: record.update(python_source=record["python_source"] + "\nprint(1)\n"), "print"),
        (lambda record: record.update(python_source="import os\n" + record["python_source"]), "os"),
        (metadata(kernel_name="another"), "another_"),
        (substitute("cuda_ir_forward", GRID_STRIDE, ")"), "cuda"),
        (replace("cuda_ir_backward", "blockIdx", "blockId"), "blockIdx"),
        (replace("cuda_ir_forward", "threadIdx", "threadId"), "threadIdx"),
        (replace("cuda_ir_forward", "_cuda_kernel_forward", "_kernel"), "_cuda_kernel_forward"),
        (replace("cuda_ir_backward", "_cuda_kernel_backward", "_kernel"), "_cuda_kernel_backward"),
        (replace("cpp_forward", "_cpu_forward", "_kernel"), "_cpu_forward"),
        (replace("cpp_backward", "_cpu_backward", "_kernel"), "_cpu_backward"),
        (replace("cpp_forward", "wp_cpu_run_block", "run"), "wp_cpu_run_block"),
    ],
)
def test_parse_finds(plain: Line, change_line: Any, damage: Callable[[Record], object], reason: str) -> None:
    finding = finding_of(parse, change_line(plain, damage))
    assert finding.status == "fail"
    assert reason in finding.reason


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("share", [0.0, 0.3, 0.6, 0.9])
def test_parse_finds_truncated_text(plain: Line, change_line: Any, text: str, share: float) -> None:
    line = change_line(plain, lambda record: record.update({text: record[text][: int(share * len(record[text]))]}))
    assert finding_of(parse, line).status == "fail"


def test_parse_ignores_brackets_in_comments(plain: Line, change_line: Any) -> None:
    line = change_line(plain, lambda record: record.update(cpp_forward=record["cpp_forward"] + "// (((\n/* { */\n"))
    assert finding_of(parse, line).status == "pass"


# ----------------------------------------------------------------------------------------------------------- regenerate


def flip(key: str, position: int) -> Callable[[Record], None]:
    def change(record: Record) -> None:
        text = record[key]
        other = "~" if text[position] != "~" else "%"  # no "#", for which a pair would get a child of its own
        record[key] = text[:position] + other + text[position + 1 :]

    return change


def test_regenerate_finds_any_single_changed_byte(plain: Line, change_line: Any, check_in_worker: Any) -> None:
    record = json.loads(plain.raw)
    damaged = [
        change_line(plain, flip(key, int(share * (len(record[key]) - 1))))
        for key in TEXTS
        for share in (0.0, 0.21, 0.37, 0.5, 0.73, 0.9, 1.0)
    ]
    verdicts = check_in_worker(damaged, "regenerate")
    assert {verdict.status for verdict in verdicts} == {"fail"}
    for verdict, key in zip(verdicts, [key for key in TEXTS for _ in range(7)], strict=True):
        target = "cpu" if key.startswith("cpp") else "cuda"
        assert verdict.reason.startswith(f"{target} {key.rpartition('_')[2]} differs")


@pytest.mark.parametrize("addition", ["\n", " ", "// more\n", "\u00e9"])
def test_regenerate_finds_added_text(plain: Line, change_line: Any, check_in_worker: Any, addition: str) -> None:
    line = change_line(plain, lambda record: record.update(cuda_ir_backward=record["cuda_ir_backward"] + addition))
    (verdict,) = check_in_worker([line], "regenerate")
    assert verdict.status == "fail"


@pytest.mark.parametrize(
    "damage",
    [
        replace("python_source", "0.5", "0.25"),
        lambda record: record.update(python_source="\n" + record["python_source"]),
        substitute("python_source", r"(?<=@wp\.kernel\ndef )(\w+)", r"\1_"),
        metadata(module_options={"enable_backward": False}),
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
    line = change_line(plain, metadata(warp_version="1.0.0"))
    for level in ("regenerate", "compile"):
        (verdict,) = check_in_worker([line], level)
        assert verdict.status == "skipped"
        assert "1.0.0" in verdict.reason


def test_a_level_after_a_failed_one_is_skipped(plain: Line, change_line: Any, check_in_worker: Any) -> None:
    line = change_line(plain, replace("python_source", "@wp.kernel", "@wp.func"))
    verdicts = check_in_worker([line], "schema", "parse", "regenerate")
    assert [verdict.status for verdict in verdicts] == ["pass", "fail", "skipped"]
    assert verdicts[2].reason == "parse failed"


# -------------------------------------------------------------------------------------------------------------- compile


@pytest.fixture(scope="module")
def smallest(lines: list[Line]) -> Line:
    return min(lines, key=lambda line: len(line.raw))


def one_device(record: Record, device: str) -> None:
    other = "cuda_ir" if device == "cpu" else "cpp"
    record.update({f"{other}_forward": None, f"{other}_backward": None})
    record["metadata"].update(device=device, ir_type="cpp" if device == "cpu" else "cuda")


@pytest.mark.slow
def test_generated_text_compiles(smallest: Line, check_in_worker: Any) -> None:
    (verdict,) = check_in_worker([smallest], "compile")
    assert (verdict.id, verdict.status, verdict.reason) == (json.loads(smallest.raw)["id"], "pass", "")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "pattern", "new", "message"),
    [
        ("cpp_forward", r"= wp::\w+\(", "= unheard_of(", "unheard_of"),
        ("cpp_backward", r"(= .*\));$", r"\1", "expected ';'"),
        ("cuda_ir_forward", r"(= .*\));$", r"\1", 'expected a ";"'),
        ("cuda_ir_backward", r"= wp::\w+\(", "= unheard_of(", "unheard_of"),
    ],
)
def test_compile_finds(
    smallest: Line, change_line: Any, check_in_worker: Any, text: str, pattern: str, new: str, message: str
) -> None:
    device = "cpu" if text.startswith("cpp") else "cuda"

    def damage(record: Record) -> None:
        one_device(record, device)
        substitute(text, pattern, new)(record)

    (verdict,) = check_in_worker([change_line(smallest, damage)], "compile")
    assert (verdict.id, verdict.status) == (json.loads(smallest.raw)["id"], "fail")
    assert verdict.reason.startswith(f"{device}: ")
    assert message in verdict.reason
