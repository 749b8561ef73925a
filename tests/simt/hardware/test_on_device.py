"""Operations and programs have the same results on a CUDA device as on the machine; skipped without a device."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simt.corpus import test_programs, test_variants, test_wrong_kernels
from simt.corpus.corpus_case import Case, Output
from simt.corpus.corpus_run import Outcome, assert_results
from simt.hardware.operation_results import by_device, by_machine, digest, unexpected
from warpsmith.gpu_checks.cuda_driver import DeviceModule, NoDevice, use_device
from warpsmith.simt import Module, compile_ptx
from warpsmith.simt.compilers.cuda_headers import header_folders
from warpsmith.simt.launches.kernel_arguments import scalar_bytes
from warpsmith.simt.operations import table

pytestmark = pytest.mark.gpu

RIGHT = {
    **{f"programs-{name}": case for name, case in test_programs.CASES.items()},
    **{f"variants-{name}": case for name, case in test_variants.CASES.items()},
    **{f"twins-{name}": case for name, case in test_wrong_kernels.CASES.items()},
}


@pytest.fixture(autouse=True)
def device() -> None:
    try:
        use_device()
    except NoDevice as reason:
        pytest.skip(f"CUDA not available: {reason}")


def test_operations() -> None:
    for opcode, found in by_device(table.opcodes()).items():
        if digest(opcode, found) != digest(opcode, by_machine(opcode)):
            assert "approx" in opcode or "full" in opcode
            assert not [*unexpected(opcode, found)]


@pytest.mark.parametrize("case", RIGHT.values(), ids=RIGHT)
def test_programs(case: Case) -> None:
    if case.headers and not header_folders():
        pytest.skip("needs CUDA's own headers, of the extra warpsmith-simt[headers]")
    assert_results(case, Outcome([], run_on_device(case)))


def run_on_device(case: Case) -> list[Any]:
    """Return the arguments after all launches of a case."""
    text = compile_ptx(case.path.read_text(), name=case.path.name, headers=case.headers)
    module, kernels = DeviceModule(text), Module(text)
    arguments = [value.initial if isinstance(value, Output) else value for value in case.arguments()]
    for launch in case.launches:
        kernel = kernels.kernel(launch.kernel or next(iter(kernels.kernels)))
        taken = range(len(arguments)) if launch.takes is None else launch.takes
        given = [
            arguments[number] if is_array(arguments[number]) else scalar_bytes(arguments[number], parameter.size)
            for number, parameter in zip(taken, kernel.parameters, strict=True)
        ]
        arrays = module.launch(kernel.name, launch.grid, launch.block, given, launch.shared)
        for number, array in zip(taken, arrays, strict=True):
            if array is not None:
                arguments[number] = array
    return arguments


def is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.ndim > 0
