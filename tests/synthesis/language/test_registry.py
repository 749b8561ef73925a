"""Coverage of Warp's registry: kernels call every builtin without a documented exception, and new builtins without an edit."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
import warp as wp

from warpsmith.extraction.codegen.extract import extract_ir
from warpsmith.extraction.targets.loading import loaded_kernel
from warpsmith.extraction.warp import registries
from warpsmith.synthesis.kernel_key import KernelKey
from warpsmith.synthesis.language.absent import ABSENT
from warpsmith.synthesis.language.builtin_signatures import signatures
from warpsmith.synthesis.language.warp_types import TYPES
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.catalogue import builtins
from warpsmith.synthesis.writing.catalogue.builtins import random_calls as builtin_calls
from warpsmith.synthesis.writing.catalogue.domains import all_domains
from warpsmith.synthesis.writing.generate import write_kernel

WRITTEN_OTHERWISE = {
    "vector": r"wp\.vec\d", "matrix": r"wp\.mat\d\d", "quaternion": r"wp\.quat[fdh]?\(",
    "transformation": r"wp\.transform[fdh]?\(", "spatial_vector": r"wp\.spatial_vector", "len": r"\blen\(", "add": r"\w \+ ",
    "sub": r"\w - ", "mul": r" \* ", "div": r" / ", "mod": r" % ", "floordiv": r" // ", "bit_and": " & ", "bit_or": r" \| ",
    "bit_xor": r" \^ ", "lshift": "<<", "rshift": ">>", "invert": "~", "neg": r"= -\w", "pos": r"= \+\w", "unot": r"= not ",
    "tile_slice_indexed": r"\[:, \$?\w+\]",
}  # fmt: skip
"""The Python text of builtins that kernels use without their names."""


@pytest.fixture(scope="module")
def texts() -> str:
    """Return the texts of all domains."""
    found = []
    for domain in all_domains():
        found += [idea.text for idea in domain.ideas]
        found += [extra.text for extra in domain.extras]
        found += [way for row in (*domain.locals, *domain.loops, *domain.helpers) for way in row.ways]
    return "\n".join(found)


def test_every_builtin_is_called_or_documented_as_absent(texts: str) -> None:
    variants = re.sub(r"[⟨⟩|]", " ", texts)
    called = set(re.findall(r"\bwp\.(\w+)", texts)) | _alternatives(texts) | set(builtin_calls.callable_builtins()) | {"tid"}
    called -= {"array"}  # the type of a parameter
    called |= {key for key, pattern in WRITTEN_OTHERWISE.items() if re.search(pattern, variants)}
    visible = set(registries.visible_builtins())
    assert sorted(visible - called - set(ABSENT)) == []
    assert sorted(called & set(ABSENT)) == [], "a reason that no longer holds"
    assert len(visible - set(ABSENT)) >= 0.95 * len(visible)


def _alternatives(texts: str) -> set[str]:
    """Return the names that alternatives make, such as ``wp.tile_⟨max|min⟩``."""
    found: set[str] = set()
    for before, ways, after in re.findall(r"wp\.(\w*)⟨(?:\w+¦)?([\w|]*)⟩(\w*)", texts):
        found |= {before + way + after for way in ways.split("|")}
    return found


def test_absent_builtins_are_in_the_registry() -> None:
    assert set(ABSENT) <= set(registries.visible_builtins())


def test_every_type_is_a_warp_type() -> None:
    for row in TYPES.values():
        warp_type = getattr(wp, row.name)
        assert (getattr(warp_type, "_shape_", ()), getattr(warp_type, "_wp_scalar_type_", warp_type).__name__) == (
            row.shape,
            row.scalar,
        )


@pytest.fixture
def stub() -> Iterator[str]:
    """Register a builtin that no release of Warp has, and remove it after the test."""
    functions = wp._src.context.builtin_functions
    wp._src.context.add_builtin(
        "stretch_by",
        input_types={"x": wp.vec3d, "factor": wp.float64},
        value_type=wp.vec3d,
        group="Vector Math",
        doc="",
        export=False,
    )
    _forget_builtins()
    yield "stretch_by"
    functions.pop("stretch_by")
    _forget_builtins()


def _forget_builtins() -> None:
    for cached in (builtin_calls.callable_builtins, builtin_calls._overloads, builtins._rare_builtins, signatures):
        cached.cache_clear()


def test_a_builtin_of_a_new_release_needs_no_edit(stub: str) -> None:
    assert stub in builtin_calls.callable_builtins()
    kernels = (write_kernel(KernelKey(7, index, category="overloads")) for index in range(600))
    calling = next(kernel for kernel in kernels if f"wp.{stub}(" in kernel.source)
    assert re.search(r"= wp\.vec3d\(\s*wp\.float64\(", calling.source)
    with loaded_kernel(calling.source, calling.kernel_name, {}) as kernel:
        assert f"wp::{stub}(" in extract_ir(kernel, "cuda", True).codes["cuda"].forward_code


@pytest.mark.parametrize("key", builtin_calls.callable_builtins())
def test_each_builtin_is_called_in_all_its_types(key: str) -> None:
    texts = [builtin_calls.draw_call(RandomStream(f"{key}/{number}"), key, "r") for number in range(300)]
    assert all(re.search(r"^r = ", text, re.MULTILINE) for text in texts)
    assert len(set(texts)) >= 0.8 * len({result.name for result in signatures(key).values()})
