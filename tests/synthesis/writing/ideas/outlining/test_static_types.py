"""Static types are those that Warp infers, or unknown."""

from __future__ import annotations

import re

import pytest
import warp as wp
from warp._src.context import ModuleBuilder
from warp.types import types_equal

from warpsmith.extraction.targets.loading import loaded_kernel
from warpsmith.synthesis.kernel_key import KernelKey
from warpsmith.synthesis.language.warp_types import BOOL, FLOAT, INT, MAT33, QUAT, TRANSFORM, TYPES, VEC2, VEC3, Type
from warpsmith.synthesis.writing.catalogue.categories import CATEGORIES
from warpsmith.synthesis.writing.generate import write_kernel
from warpsmith.synthesis.writing.ideas.outlining.static_types import ArrayType, Kind, Scope, helper_results
from warpsmith.synthesis.writing.ideas.tree import parse

KINDS: dict[str, Kind] = {"x": ArrayType(VEC3, 1), "m": ArrayType(MAT33, 2), "gain": FLOAT, "n": INT, "pose": TRANSFORM}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("{x}[$i] - {x}[0]", VEC3),
        ("wp.dot({x}[$i], {x}[$i]) * {gain}", FLOAT),
        ("{m}[$i, 0]", MAT33),
        ("{m}[$i]", ArrayType(MAT33, 1)),
        ("{m}[$i, 0][1]", VEC3),
        ("{m}[$i, 0][1, 2]", FLOAT),
        ("{m}[$i, 0] * {x}[$i]", VEC3),
        ("{x}.shape[0]", INT),
        ("{x}[$i].y", FLOAT),
        ("wp.transform_get_rotation({pose})", QUAT),
        ("$i // {n} + 1", INT),
        ("-{gain} < 1.0 and $i > 0", BOOL),
        ("{gain} if $i > 0 else 2.0", FLOAT),
        ("wp.where($i > 0, {x}[0], {x}[1])", VEC3),
        ("wp.vec2({gain}, 1.0)", VEC2),
        ("float({n})", FLOAT),
        ("@f({gain})", VEC2),
        ("{gain} + {n}", None),
        ("wp.rand_init({n})", None),
        ("{unknown} * 2.0", None),
        ("{gain} if $i > 0 else 2", None),
    ],
)
def test_expressions_have_the_types_of_rows_and_registry(text: str, kind: Kind | None) -> None:
    scope = Scope([], {"i": INT}, KINDS, lambda key: (VEC2,) if key == "f" else None)
    assert scope.infer_text(text) == kind


def test_a_local_has_the_type_of_all_its_assignments() -> None:
    text = "$a = {gain}\n$a = $a * 2.0\n$b = 1\nif $a > 0.0:\n    $b = 1.0\nfor $k in range({n}):\n    $c, $d = @f($k)"
    scope = Scope(parse(text), {}, KINDS, lambda _: (FLOAT, VEC3))
    assert [scope.local(key) for key in "abkcd"] == [FLOAT, None, INT, FLOAT, VEC3]


def test_results_of_helpers_follow_from_annotations_or_returned_values() -> None:
    assert helper_results("def f($x: wp.vec3) -> float:\n    return wp.length($x)") == (FLOAT,)
    assert helper_results("def f(x: wp.vec3, k: float):\n    y = x * k\n    return y, wp.length(y)") == (VEC3, FLOAT)
    assert helper_results("def f(x: Any):\n    return x") == (None,)
    assert helper_results("GAIN = 2.0") is None


@pytest.mark.sampled(40)
@pytest.mark.parametrize("index", range(120))
def test_locals_of_kernels_have_the_types_that_warp_infers(index: int) -> None:
    names = [category.name for category in CATEGORIES if category.group not in ("tiles", "language", "objects")]
    sample = write_kernel(KernelKey(2000, index, category=names[index % len(names)]))
    _, _, text = sample.source.partition(f"def {sample.kernel_name}(")
    text = re.sub(r'^    """.*"""\n', "", text.partition("):\n")[2].partition("\n\n\n")[0], flags=re.MULTILINE)
    kinds: dict[str, Kind] = {}
    for argument in sample.launch.args:
        if argument.kind == "array" and argument.dtype in TYPES:
            kinds[argument.name] = ArrayType(TYPES[argument.dtype], len(argument.shape))
        elif argument.kind == "value" and argument.dtype in TYPES:
            kinds[argument.name] = TYPES[argument.dtype]
    assigned = set(re.findall(r"^ *(\w+) = ", text, re.MULTILINE)) | set(re.findall(r"for (\w+) in", text))
    marked = re.sub(r"(?<![\w.])([A-Za-z_]\w*)", lambda match: f"{{{match[1]}}}" if match[1] in kinds else match[0], text)
    marked = re.sub(r"(?<![\w.{])([A-Za-z_]\w*)", lambda match: f"${match[1]}" if match[1] in assigned else match[0], marked)
    scope = Scope(parse(marked), {}, kinds, lambda _: None)
    with loaded_kernel(sample.source, sample.kernel_name) as kernel:
        options = kernel.module.options | {"block_dim": 256, "enable_backward": False, "output_arch": None}
        ModuleBuilder(kernel.module, options).build_kernel(kernel)
        symbols = dict(kernel.adj.symbols)
    for name in assigned & symbols.keys():
        found = scope.local(name)
        if found is not None and not isinstance(found, ArrayType):
            assert isinstance(found, Type)
            assert _agree(found, symbols[name].type), (name, sample.source)


def _agree(found: Type, warp_type: object) -> bool:
    """Return whether a type is that of Warp; the type of a reference is that of its value."""
    value = getattr(warp_type, "value_type", warp_type)
    return types_equal(bool if value is wp.bool else value, bool if found is BOOL else getattr(wp, found.name))
