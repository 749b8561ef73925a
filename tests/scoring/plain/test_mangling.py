"""Names of kernels in PTX: those that NVRTC gives."""

from __future__ import annotations

import pytest

from warpsmith.scoring.plain.mangling import kernel_names
from warpsmith.scoring.plain.plain_signature import C_TYPES, Parameter, Signature
from warpsmith.simt import Module, compile_ptx

TYPES = (
    (),
    ("int",),
    tuple(C_TYPES.values()),
    tuple(f"{ctype}*" for ctype in C_TYPES.values()),
    tuple(f"const {ctype}*" for ctype in C_TYPES.values()) * 2,
    ("Body", "const Body*", "Body*", "const Body*", "Body", "const float*", "float*", "const float*"),
    tuple(f"{const}{ctype}*" for ctype in C_TYPES.values() for const in ("", "const ")) * 2,
)


@pytest.mark.parametrize("types", TYPES)
@pytest.mark.parametrize(("words", "index"), [("", 0), ("static ", 0), ('extern "C" ', 1)])
def test_names_are_those_of_nvrtc(types: tuple[str, ...], words: str, index: int) -> None:
    parameters = tuple(Parameter(f"p{number}", ctype) for number, ctype in enumerate(types))
    text = f"struct Body {{ float a; }};\n{words}__global__ void go({', '.join(map(str, parameters))}) {{ }}"
    assert list(Module(compile_ptx(text)).kernels) == [kernel_names(Signature("go", parameters, {}, 1))[index]]
