"""Stand-alone CUDA for a pair: the whole text."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from warpsmith.core.errors import WarpsmithError, describe
from warpsmith.core.inputs.values import make_inputs
from warpsmith.core.records.launch import Launch
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.python_source import NotPythonError, parse_python
from warpsmith.scoring.cuda_writer.function_code import Functions
from warpsmith.scoring.cuda_writer.function_results import returns_variables
from warpsmith.scoring.cuda_writer.idioms import Idioms, idioms_of
from warpsmith.scoring.cuda_writer.kernel_code import Kernel
from warpsmith.scoring.cuda_writer.launcher_code import Launcher, launcher_of
from warpsmith.scoring.cuda_writer.sizes.launch_sizes_code import Contract
from warpsmith.scoring.cuda_writer.text_unit import Unit
from warpsmith.scoring.plain.plain_signature import Signature
from warpsmith.validation.oracle.interpreter.file_definitions import read_module
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported


@dataclass(frozen=True, slots=True)
class CudaText:
    """Stand-alone CUDA.

    Attributes:
        device_text: the kernel and what it needs.
        signature: the interface of the kernel.
        contract: what its launches fulfil.
        launcher: the function that launches it; None without one.
    """

    device_text: str
    signature: Signature
    contract: Contract
    launcher: Launcher | None = None

    @property
    def text(self) -> str:
        """The whole text."""
        return self.device_text if self.launcher is None else f"{self.device_text}\n{self.launcher.text}"


class NotWritten(WarpsmithError):
    """A kernel that has no stand-alone text; the message says why."""


def write_cuda(pair: Pair, idioms: Idioms | None = None) -> CudaText:
    """Return stand-alone CUDA for a pair, as an engineer would write it.

    Args:
        pair: a pair with a launch.
        idioms: the style; None for the one that the pair's id determines.

    Raises:
        NotWritten: if the kernel contains something that the writer does not support.
    """
    launch = pair.metadata.launch
    if launch is None:
        raise NotWritten("no launch")
    idioms = idioms_of(pair.id) if idioms is None else idioms
    try:
        tree = parse_python(pair.python_source)
        idioms = replace(
            idioms,
            pointers=idioms.pointers and not returns_variables(tree),
            components=idioms.components and not _has_pairs(launch),
        )
        unit = Unit(pair.python_source, tree, read_module(pair.python_source), idioms)
        kernel = Kernel(unit, Functions(unit), launch, make_inputs(launch, pair.id)).write(pair.metadata.kernel_name)
    except (Unsupported, NotPythonError) as reason:
        raise NotWritten(str(reason)) from None
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:  # of kernels that nobody foresaw
        raise NotWritten(describe(error)) from None
    headers = [*idioms.includes, *(["cuda_fp16.h"] if "__half" in f"{kernel.text}{unit.structs}" else [])]
    includes = "".join(f"#include <{name}>\n" for name in headers)
    code = "\n".join([*unit.functions, kernel.text])
    constants = [text for name, text in unit.constants_in_order() if re.search(rf"\b{name}\b", code)]
    numbers = [text for text in constants if "__constant__" not in text]
    compound = [text for text in constants if "__constant__" in text]
    types = [*unit.library.structs, *unit.structs.values()]
    parts = [includes, _lines(numbers), *types, _lines(compound), *unit.library.functions, *unit.functions, kernel.text]
    launcher = launcher_of(kernel, idioms) if idioms.launcher else None
    return CudaText("\n".join(part for part in parts if part), kernel.signature, kernel.contract, launcher)


def _has_pairs(launch: Launch) -> bool:
    """Return whether arrays have vectors of another length than three, which stay vectors."""
    return any(argument.kind == "array" and re.match(r"vec[24]", argument.dtype) for argument in launch.args)


def _lines(texts: list[str]) -> str:
    return "".join(f"{text}\n" for text in texts)
