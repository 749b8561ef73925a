"""The pair: one Python kernel and the code Warp generates for it, as one line of JSON.

The dataclasses are the schema: their field order is the order on disk, reading checks the types, and other fields are errors.
`notes/reference/record.md` explains every field for the users of a dataset.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import msgspec
import orjson

from warpsmith.core.errors import RecordError
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.ir import Device, KernelIR
from warpsmith.core.records.launch import Launch
from warpsmith.core.records.plain_outcome import PlainOutcome
from warpsmith.core.records.ptx_figures import PtxFigures

SCHEMA_VERSION = 2
"""The version of the record; version 1 lacks ``domain`` and ``ideas``."""

READ_SCHEMA_VERSIONS = (1, SCHEMA_VERSION)
"""The versions of the record that this release reads."""

IrType = Literal["cpp", "cuda", "both"]

IR_TYPE: dict[Device, IrType] = {"cpu": "cpp", "cuda": "cuda", "both": "both"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where an extracted kernel comes from, and where its launch does.

    Attributes:
        file: the source file, relative to the folder of its package or script; never an absolute path.
        line: the line of the kernel's ``def`` in that file, counted from 1.
        launch: ``captured`` from a running program, ``given`` by the user, ``guessed`` from the signature, or ``none``.
        reason: why there is no launch; empty if there is one, or none was wanted.
    """

    file: str
    line: int
    launch: Literal["captured", "given", "guessed", "none"] = "none"
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """The metadata of a pair; `notes/reference/record.md` explains each field."""

    kernel_name: str
    category: str
    device: Device
    ir_type: IrType
    has_backward: bool
    codegen_only: bool
    cuda_available: bool
    seed: int | None
    index: int | None
    launch: Launch | None
    features: tuple[str, ...]
    description: str
    structure: str | None
    module_options: dict[str, bool | int | float | str | None]
    warp_version: str
    generator_version: str
    schema_version: int
    domain: str = ""
    ideas: tuple[str, ...] = ()
    plain: PlainOutcome | None = None
    ptx: PtxFigures | None = None
    origin: Origin | None = None

    @property
    def requested_backward(self) -> bool:
        """Whether an adjoint was requested; a kernel with ``enable_backward=False`` has none in any case.

        The texts differ: unless the option of the module excludes adjoints, tiles declare the functions that theirs call.
        """
        return self.has_backward or self.module_options.get("enable_backward") is not False


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A Python kernel and its generated code.

    The C++ texts are null for device ``"cuda"``, the CUDA texts for ``"cpu"``, and the backward texts for a kernel without
    adjoint. Pairs have PTX and stand-alone CUDA only where they were requested.

    Examples:
        >>> from warpsmith.core.records.ir import Code, KernelIR
        >>> ir = KernelIR("scale", "cuda", {"cuda": Code("scale", "forward text", "backward text")}, None)
        >>> pair = Pair.from_ir(ir, identity="mine-1", python_source="…", category="harvested", warp_version="1.19.0")
        >>> pair.code("cuda")
        ('forward text', 'backward text')
        >>> pair.metadata.has_backward, pair.cpp_forward
        (True, None)
    """

    id: str
    python_source: str
    cpp_forward: str | None
    cpp_backward: str | None
    cuda_ir_forward: str | None
    cuda_ir_backward: str | None
    ptx_forward: str | None = None
    ptx_backward: str | None = None
    cuda_plain: str | None = None
    metadata: Metadata

    @property
    def is_extracted(self) -> bool:
        """Whether the kernel was extracted from real code, whose author did not write it to be checked."""
        return self.metadata.origin is not None

    @classmethod
    def from_ir(
        cls,
        ir: KernelIR,
        *,
        identity: str,
        python_source: str,
        category: str,
        warp_version: str,
        generator_version: str = "",
        module_options: dict[str, bool | int | float | str | None] | None = None,
        launch: Launch | None = None,
        seed: int | None = None,
        index: int | None = None,
        features: tuple[str, ...] = (),
        description: str = "",
        structure: str | None = None,
        codegen_only: bool = True,
        cuda_available: bool = False,
        domain: str = "",
        ideas: tuple[str, ...] = (),
        origin: Origin | None = None,
    ) -> Pair:
        """Return the pair of a Python file and the code that Warp generates for its kernel.

        Args:
            ir: the generated code; it determines the device and the presence of backward code.
            identity: the pair's id.
            python_source: the whole Python file.
            category: the kernel's category; ``"harvested"`` for kernels of real projects.
            warp_version: the Warp release that generated the code.
            generator_version: the version of the kernel generator, empty for extracted kernels.
            module_options: Warp module options that differ from Warp's defaults.
            launch: a description of how to run the kernel, if known.
            seed: the seed of a generated kernel.
            index: the index of a generated kernel.
            features: names of Warp that the source uses.
            description: what the kernel computes, in words.
            structure: the kernel's structure digest, if the generator computes one.
            codegen_only: whether the kernel was not built for a device.
            cuda_available: whether the producing machine had a CUDA device; False unless the kernel was built.
            domain: the field that a synthesized kernel is from, such as ``"particles"``.
            ideas: the ideas of the catalogue that the kernel is written from, such as ``"particles/drift"``.
            origin: where an extracted kernel comes from; None for synthesized kernels.
        """
        cpp, cuda = _texts(ir, "cpu"), _texts(ir, "cuda")
        return cls(
            id=identity,
            python_source=python_source,
            cpp_forward=cpp[0],
            cpp_backward=cpp[1],
            cuda_ir_forward=cuda[0],
            cuda_ir_backward=cuda[1],
            metadata=Metadata(
                kernel_name=ir.kernel_name,
                category=category,
                device=ir.device,
                ir_type=IR_TYPE[ir.device],
                has_backward=ir.has_backward,
                codegen_only=codegen_only,
                cuda_available=cuda_available,
                seed=seed,
                index=index,
                launch=launch,
                features=features,
                description=description,
                structure=structure,
                module_options={} if module_options is None else module_options,
                warp_version=warp_version,
                generator_version=generator_version,
                schema_version=SCHEMA_VERSION,
                domain=domain,
                ideas=ideas,
                origin=origin,
            ),
        )

    def with_code(self, ir: KernelIR) -> Pair:
        """Return this pair with the generated texts of ``ir``; its metadata is unchanged."""
        cpp, cuda = _texts(ir, "cpu"), _texts(ir, "cuda")
        return replace(self, cpp_forward=cpp[0], cpp_backward=cpp[1], cuda_ir_forward=cuda[0], cuda_ir_backward=cuda[1])

    def code(self, target: str) -> tuple[str | None, str | None]:
        """Return (forward, backward) for ``target`` ``"cpu"`` or ``"cuda"``."""
        if target == "cpu":
            return self.cpp_forward, self.cpp_backward
        return self.cuda_ir_forward, self.cuda_ir_backward


def _texts(ir: KernelIR, target: str) -> tuple[str | None, str | None]:
    code = ir.codes.get(target)
    return (None, None) if code is None else (code.forward_code, code.backward_code)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reject:
    """A kernel that did not become a pair, with the stage and the error: one line of `rejects.jsonl`.

    ``origin`` is the place of an extracted kernel in its source, and None for synthesized kernels. A module that cannot be
    imported is a reject, too; its origin is the line that failed.
    """

    id: str
    seed: int | None
    index: int | None
    stage: str
    error: str
    origin: Origin | None = None

    @property
    def place(self) -> str:
        """File and line, as editors and terminals recognize them; empty if they are unknown."""
        return f"{self.origin.file}:{self.origin.line}" if self.origin is not None else ""

    def __str__(self) -> str:
        return ": ".join(filter(None, [self.place, self.id, self.stage, self.error]))


def to_dict(pair: Pair) -> dict[str, Any]:
    """Return the pair as JSON values."""
    values: dict[str, Any] = orjson.loads(encode(pair))
    return values


def from_dict(raw: object) -> Pair:
    """Return ``raw``, one decoded line, as a checked pair.

    Raises:
        RecordError: naming the path of the first field that is missing, unknown or of the wrong type.
    """
    try:
        pair = msgspec.convert(raw, Pair)
    except msgspec.ValidationError as error:
        raise RecordError(str(error)) from None
    if unknown := _unknown_field(raw, msgspec.to_builtins(pair), "$"):
        raise RecordError(f"Unknown field {unknown}")
    return pair


def _unknown_field(raw: object, known: Any, path: str) -> str | None:
    """Return the path of the first key in ``raw`` that ``known`` lacks; msgspec ignores such keys."""
    if isinstance(raw, dict):
        for key, value in raw.items():
            if key not in known:
                return f"{path}.{key}"
            if isinstance(value, dict | list) and (unknown := _unknown_field(value, known[key], f"{path}.{key}")):
                return unknown
    elif isinstance(raw, list):
        for value, known_value in zip(raw, known, strict=True):
            if isinstance(value, dict | list) and (unknown := _unknown_field(value, known_value, path)):
                return unknown
    return None
