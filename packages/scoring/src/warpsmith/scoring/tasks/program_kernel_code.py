"""The kernels of a program in CUDA, each in a namespace, and the calls that launch them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from warpsmith.core.records.pair import Pair
from warpsmith.core.records.program_record import ProgramLaunch, ProgramRecord
from warpsmith.scoring.cuda_writer.idioms import idioms_of
from warpsmith.scoring.cuda_writer.sizes.launch_sizes_code import Contract, Source
from warpsmith.scoring.cuda_writer.write_cuda import NotWritten, write_cuda
from warpsmith.scoring.plain.plain_signature import C_TYPES, Parameter, Signature, plain_signature
from warpsmith.scoring.plain.reference.translation import translate
from warpsmith.scoring.tasks.host_values import DeviceArray, NotTranslated, Number, Value

_INCLUDE = re.compile(r"^#include [^\n]*\n", re.MULTILINE)
_NAMED_TYPE = re.compile(r"(const )?(\w+)\*")
_BUILTIN_VECTOR = re.compile(r"u?(?:char|short|int|long|longlong|float|double)[1234]")


@dataclass(frozen=True)
class KernelCode:
    """A kernel of a program.

    Attributes:
        program: the program.
        pair: the kernel.
        name: its name in the file.
    """

    program: ProgramRecord
    pair: Pair
    name: str

    @property
    def namespace(self) -> str:
        """The namespace, which keeps its functions from those of other kernels."""
        return f"{self.name}_kernel"

    @cached_property
    def _written(self) -> tuple[str, Signature] | None:
        """The text and its interface: as an engineer would write it, or statement by statement; None if there is neither."""
        launches = [launch for launch in self.program.launches if launch.kernel == self.name]
        for shares in (True, False):
            try:
                found = write_cuda(self.pair, replace(idioms_of(self.program.id), shares_sizes=shares))
            except NotWritten:
                break
            if not found.signature.structs and _holds(found.contract, launches) and _takes_numbers(found.signature):
                return found.device_text, found.signature
        signature, text = plain_signature(self.pair, self.name), translate(self.pair, self.name)
        return (text, signature) if text is not None and signature is not None and not signature.structs else None

    @property
    def is_written(self) -> bool:
        """Whether the kernel has a text."""
        return self._written is not None

    @property
    def includes(self) -> list[str]:
        """The headers of the text."""
        return _INCLUDE.findall(self._written[0]) if self._written is not None else []

    @property
    def text(self) -> str:
        """The kernel in its namespace."""
        text = _INCLUDE.sub("", self._written[0]).strip() if self._written is not None else ""
        return f"namespace {self.namespace} {{\n\n{text}\n\n}}  // namespace {self.namespace}\n"

    def launch(self, lengths: Sequence[Number], values: Mapping[str, Value]) -> str:
        """Return the statement that launches the kernel.

        Args:
            lengths: the size of the launch.
            values: the arguments by name.

        Raises:
            NotTranslated: if an argument has no form.
        """
        if self._written is None:
            raise NotTranslated("a kernel that has no plain CUDA")
        signature = self._written[1]
        passed = ", ".join(self._passed(parameter, lengths, values) for parameter in signature.parameters)
        return f"{self.namespace}::{signature.name}<<<{_grid(lengths, signature.is_flat)}>>>({passed});"

    def _passed(self, parameter: Parameter, lengths: Sequence[Number], values: Mapping[str, Value]) -> str:
        if parameter.dimension is not None and not parameter.argument:
            return lengths[parameter.dimension].text
        value = values.get(parameter.argument)
        if isinstance(value, Number):
            return value.text
        if not isinstance(value, DeviceArray):
            raise NotTranslated("an argument that is a struct or an object")
        if parameter.dimension is not None:
            return value.lengths[parameter.dimension]
        found = _NAMED_TYPE.fullmatch(parameter.ctype)
        if found is None or found[2] == value.ctype or parameter.ctype.removeprefix("const ") == f"{value.ctype}*":
            return value.name
        is_defined = found[2] not in C_TYPES.values() and not _BUILTIN_VECTOR.fullmatch(found[2])
        return f"({found[1] or ''}{f'{self.namespace}::' if is_defined else ''}{found[2]}*){value.name}"


def _takes_numbers(signature: Signature) -> bool:
    """Return whether all arguments are numbers or pointers: the host cannot read a vector that is on the device."""
    return all(parameter.ctype.endswith("*") or parameter.ctype in C_TYPES.values() for parameter in signature.parameters)


def _holds(contract: Contract, launches: Sequence[ProgramLaunch]) -> bool:
    """Return whether all launches of a program fulfil the contract of a text, as far as their sizes show."""
    try:
        return not contract.products and all(
            all(_size(first, launch) == _size(second, launch) for first, second in contract.equal)
            and all(_size(source, launch) == length for source, length in contract.fixed)
            and all(launch.dim[dimension] >= _size(source, launch) for dimension, source in contract.at_least)
            for launch in launches
        )
    except LookupError:
        return False


def _size(source: Source, launch: ProgramLaunch) -> int:
    name, axis = source
    if axis < 0:
        raise LookupError(name)
    return launch.dim[axis] if not name else next(item.shape for item in launch.args if item.name == name)[axis]


def _grid(lengths: Sequence[Number], is_flat: bool) -> str:
    """Return grid and block of a launch, whose last dimension is ``x``."""
    if is_flat or len(lengths) == 1:
        total = lengths[0].inner if len(lengths) == 1 else " * ".join(length.inner for length in lengths)
        return f"({total} + 255) / 256, 256"
    blocks = {2: (8, 32), 3: (2, 4, 32)}.get(len(lengths))
    if blocks is None:
        raise NotTranslated("a launch with four dimensions")
    counts = [f"({length.inner} + {block - 1}) / {block}" for length, block in zip(lengths, blocks, strict=True)]
    return f"dim3({', '.join(reversed(counts))}), dim3({', '.join(str(block) for block in reversed(blocks))})"
