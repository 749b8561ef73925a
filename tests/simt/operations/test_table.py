"""The table of operations: look-up, numbers, and what each row states."""

from __future__ import annotations

import pickle
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from operation_kernels import ptx_line
from operation_truths import truth
from warpsmith.simt.operations import table
from warpsmith.simt.operations.operand_types import MEMBERS
from warpsmith.simt.operations.table import UnsupportedOperation

WORK = {"integer", "float32", "float64", "special", "convert", "move", "logic"}


def test_each_opcode_has_one_operation() -> None:
    opcodes = table.opcodes()
    assert len(set(opcodes)) == len(opcodes)
    assert all(table.operation(opcode).opcode == opcode for opcode in opcodes)
    assert opcodes == table.opcodes()


def test_each_opcode_has_a_truth() -> None:
    for opcode in table.opcodes():
        assert callable(truth(opcode)), opcode


def test_numbers_are_places_of_statements() -> None:
    statements = table.statements()
    assert len(set(statements)) == len(statements)
    for opcode in table.opcodes():
        assert statements[table.number(opcode)] == table.operation(opcode).statement
    assert 0 < table.common_statements() < len(statements)
    assert table.number("add.s32") < table.common_statements() <= table.number("set.nan.u32.bf16")


@pytest.mark.parametrize("opcode", ["add.s128", "add", "ld.global.f32", "bar.sync", "add.f32.rn", "tex.2d.v4.f32.f32"])
def test_other_opcodes_are_unsupported(opcode: str) -> None:
    with pytest.raises(UnsupportedOperation, match=re.escape(opcode)) as caught:
        table.operation(opcode)
    assert caught.value.opcode == opcode
    copied = pickle.loads(pickle.dumps(caught.value))  # noqa: S301 - our own
    assert copied.opcode == opcode
    with pytest.raises(UnsupportedOperation):
        table.number(opcode)


def test_each_row_is_complete() -> None:
    for row in map(table.operation, table.opcodes()):
        assert row.work in WORK, row.opcode
        assert row.rule.endswith("."), row.opcode
        assert re.fullmatch(r"[A-Z][A-Za-z -]+ Instructions: [a-z0-9.]+", row.section), row.opcode
        assert {*row.result_types, *row.source_types} <= set(MEMBERS), row.opcode
        assert row.uses_carry == (row.opcode.partition(".")[0] in ("addc", "subc", "madc") or ".cc." in row.opcode)


def test_statements_read_their_sources_by_type_and_write_their_results() -> None:
    for row in map(table.operation, table.opcodes()):
        used = set(re.findall(r"\b(?:[ABCE]|D2?)(?=\.)", row.statement))
        assert used == {*"ABCE"[: len(row.source_types)], *("D", "D2")[: len(row.result_types)]}, row.opcode


@pytest.mark.skipif(shutil.which("ptxas") is None, reason="needs ptxas, from the wheel nvidia-cuda-nvcc")
def test_ptxas_accepts_each_opcode_with_its_types(tmp_path: Path) -> None:
    registers = [f".reg .{kind} %{name}<10>;" for kind, name in (("pred", "p"), ("b16", "h"), ("b32", "r"), ("b64", "l"))]
    registers += [".reg .f32 %f<10>;", ".reg .f64 %d<10>;"]
    head = [".version 8.1", ".target sm_90", ".address_size 64", ".visible .entry all_operations() {", *registers]
    path = tmp_path / "operations.ptx"
    path.write_text("\n".join([*head, *map(ptx_line, table.opcodes()), "ret; }", ""]))
    done = subprocess.run(["ptxas", "-arch=sm_90", str(path), "-o", "/dev/null"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:2000] + done.stdout[:2000]
