"""Level schema requires every field of a record, with its type and consistent with other fields."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hostile import launches
from hostile.row import Row, Setting
from record_changes import Record, update_metadata
from warpsmith.core.records.jsonl import Line, decode
from warpsmith.validation.levels import schema
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.finding import Finding

FIELDS = ("id", "python_source", "cpp_forward", "cpp_backward", "cuda_ir_forward", "cuda_ir_backward", "metadata")

METADATA_FIELDS = """
    kernel_name category device ir_type has_backward codegen_only cuda_available seed index launch features description
    structure module_options warp_version generator_version schema_version
""".split()


def schema_reason(line: Line) -> str:
    """Return the reason why a line fails level schema."""
    (finding,) = schema.check([line], BatchContext(Path()))
    assert isinstance(finding, Finding)
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
    "object_with_surplus",
    [
        lambda record: record,
        lambda record: record["metadata"],
        lambda record: record["metadata"]["launch"],
        lambda record: record["metadata"]["launch"]["args"][-1],
        lambda record: record["metadata"]["launch"]["args"][-1]["domain"],
    ],
    ids=["pair", "metadata", "launch", "argument", "domain"],
)
def test_schema_rejects_unknown_fields(plain: Line, change_line: Any, object_with_surplus: Callable[[Record], Record]) -> None:
    assert "surplus" in schema_reason(change_line(plain, lambda record: object_with_surplus(record).update(surplus=1)))


def last_array(record: Record) -> dict[str, Any]:
    """Return the last array among the arguments of a record."""
    arguments: list[dict[str, Any]] = record["metadata"]["launch"]["args"]
    return [argument for argument in arguments if argument["kind"] == "array"][-1]


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (update_metadata(device="tpu"), "device"),
        (update_metadata(ir_type="cuda"), "ir_type 'cuda' does not go with device 'both'"),
        (update_metadata(device="cuda"), "ir_type 'both' does not go with device 'cuda'"),
        (update_metadata(device="cuda", ir_type="cuda"), "cpu forward code is there"),
        (update_metadata(has_backward=False), "has_backward=False"),
        (lambda record: record.update(cpp_backward=None), "cpu backward code"),
        (lambda record: record.update(cuda_ir_backward=None), "cuda backward code"),
        (lambda record: record.update(cpp_forward=None), "cpu forward code is missing"),
        (lambda record: record.update(cuda_ir_forward=None), "cuda forward code is missing"),
        (lambda record: record.update(id="3-2000-999999"), "3-2000-999999"),
        (lambda record: record.update(id="3-1999-0"), "3-1999-0"),
        (lambda record: record.update(id="no id"), "no id"),
        (update_metadata(index=None), "seed and index"),
        (update_metadata(seed=None), "seed and index"),
        (update_metadata(schema_version=3), "schema version 3"),
        (lambda record: record["metadata"]["launch"].update(dim=[]), "dim"),
        (lambda record: record["metadata"]["launch"].update(dim=[0]), "dim"),
        (lambda record: record["metadata"]["launch"]["args"][-1].update(kind="tensor"), "kind"),
        (lambda record: last_array(record).update(shape=[]), "shape"),
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


ROWS = {row.name.removeprefix("launch_"): row for row in launches.ROWS}


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("of_many_arguments", "50007 arguments and members, more than 1024"),
        ("struct_in_structs", "structs nested more than 16 deep"),
        ("many_dimensions", "1000 launch dimensions, more than 4"),
        ("many_threads", "launch dim (2147483647,), more than 16777216 threads"),
        ("more_threads", "launch dim (2147483656,), more than 16777216 threads"),
        ("product_of_threads", "launch dim (65536, 65536, 65536, 65536), more than 16777216 threads"),
        ("large_array", "arguments that take more than 2147483648 bytes with all copies that checks make"),
        ("product_of_lengths", "arguments that take more than 2147483648 bytes with all copies that checks make"),
        ("of_many_numbers", "argument 'n': values beyond int32"),
        ("of_large_numbers", "argument 'n': values beyond int32"),
        ("of_a_matrix", "argument 'a': the identity matrix plus values, as float32"),
    ],
)
def test_absurd_launches_fail_before_numbers_are_made(name: str, reason: str) -> None:
    assert schema_reason(decode(ROWS[name].content(Setting(Path(), ())), Path(), 1)) == reason


@pytest.mark.parametrize("row", [row for row in launches.STORED if row.level == "schema"], ids=lambda row: row.name)
def test_stored_values_that_do_not_fit_fail(row: Row) -> None:
    reason = schema_reason(decode(row.content(Setting(Path(), ())), Path(), 1))
    assert any(name in reason for name in ("'x", "'g", "'a", "$.metadata.launch.stored", "'__class__'")), reason
    assert len(reason) < 200
