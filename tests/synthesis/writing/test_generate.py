"""The promise of `write_kernel`: the result depends on the key alone and matches its category, description and launch.

The text looks like handwritten code. Python's own parser checks the text.
"""

from __future__ import annotations

import ast
import builtins
import hashlib
import keyword
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from warpsmith.synthesis.kernel_key import GENERATOR_VERSION, KernelKey
from warpsmith.synthesis.language.warp_types import TYPES
from warpsmith.synthesis.writing.catalogue.categories import all_categories, category_of
from warpsmith.synthesis.writing.generate import write_kernel
from warpsmith.synthesis.writing.sample import Sample
from warpsmith.validation.statistics.structures import structure

SEED = 2000
COUNT = 500
CORE = "arithmetic atomic combined control_flow math matrix multi_conditional nested_loop scalar_param vector".split()


@pytest.fixture(scope="module")
def samples(once: Callable[[str, Callable[[], Any]], Any]) -> list[Sample]:
    found: list[Sample] = once("samples", lambda: [write_kernel(KernelKey(SEED, index)) for index in range(COUNT)])
    return found


@pytest.fixture(scope="module")
def trees(samples: list[Sample]) -> list[ast.Module]:
    """Return the tree of each sample. Tests do not change them."""
    return [ast.parse(sample.source) for sample in samples]


@pytest.fixture(scope="module")
def kernels(samples: list[Sample], trees: list[ast.Module]) -> list[tuple[Sample, ast.FunctionDef]]:
    return [(sample, kernel_of(tree)) for sample, tree in zip(samples, trees, strict=True)]


@pytest.fixture(scope="module")
def structures(trees: list[ast.Module]) -> list[str]:
    return [structure(tree) for tree in trees]


def kernel_of(tree: ast.Module) -> ast.FunctionDef:
    (found,) = (
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and node.decorator_list
        and ast.unparse(node.decorator_list[0]).startswith("wp.kernel")
    )
    return found


# ------------------------------------------------------------------------------------------------------------ determinism


def test_core_categories_are_balanced() -> None:
    assert [category.name for category in all_categories() if category.group == "core"] == CORE
    for count in (1, 9, 10, 11, 200, 1234):
        counts = Counter(category_of(index).name for index in range(count))
        shares = [counts[category.name] for category in all_categories() if category.group == "core"]
        assert max(shares) - min(shares) <= 1


def test_id_and_category_follow_from_the_index(samples: list[Sample]) -> None:
    assert [sample.id for sample in samples[:20]] == [f"{GENERATOR_VERSION}-{SEED}-{index}" for index in range(20)]
    assert [sample.category for sample in samples] == [category_of(index).name for index in range(COUNT)]


def test_order_of_calls_does_not_matter(samples: list[Sample]) -> None:
    indices = [*range(40, 0, -3), 17, COUNT - 1, 17, *range(0, 40, 7)]
    assert [write_kernel(KernelKey(SEED, index)) for index in indices] == [samples[index] for index in indices]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("hash_seed", ["1", "4711"])
def test_fresh_process_with_another_hash_seed_writes_the_same(samples: list[Sample], hash_seed: str) -> None:
    code = (
        "import hashlib; from warpsmith.synthesis.kernel_key import KernelKey;"
        "from warpsmith.synthesis.writing.generate import write_kernel;"
        f"print(hashlib.sha256(repr([write_kernel(KernelKey({SEED}, i)) for i in range(99, -1, -1)]).encode()).hexdigest())"
    )
    environment = os.environ | {"PYTHONHASHSEED": hash_seed}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True, env=environment)
    assert done.stdout.strip() == hashlib.sha256(repr(samples[99::-1]).encode()).hexdigest()


def test_other_seeds_write_other_kernels(samples: list[Sample]) -> None:
    for seed in (0, 1, 2001):
        other = [write_kernel(KernelKey(seed, index)) for index in range(100)]
        assert {sample.source for sample in other}.isdisjoint(sample.source for sample in samples)


def test_duplicates_are_rare(samples: list[Sample], structures: list[str]) -> None:
    texts = {sample.source for sample in samples}
    assert len(texts) == COUNT
    assert COUNT - len(set(structures)) < COUNT // 50


def test_structures_distinguish_kernels_like_their_text(samples: list[Sample], structures: list[str]) -> None:
    shapes = [(judged, sample.structure) for judged, sample in zip(structures, samples, strict=True)]
    # the forms of a file may make two kernels alike; the structure is that of the kernel before
    twice = len(set(shapes)) - len(dict(shapes))
    assert twice <= len(samples) // 400, "kernels that differ in names and constants only have several structures"
    assert len({own for _, own in shapes}) > 0.99 * len({judged for judged, _ in shapes})


# ------------------------------------------------------------------------------------------------------------------- form


def test_every_kernel_starts_with_its_thread_indices(kernels: list[tuple[Sample, ast.FunctionDef]]) -> None:
    guarded = around = flat = 0
    for sample, kernel in kernels:
        start = 1 if ast.get_docstring(kernel) else 0
        threads, following = kernel.body[start : start + 2]
        assert isinstance(threads, ast.Assign), sample.source
        assert ast.unparse(threads.value) == "wp.tid()", sample.source
        names = ast.unparse(threads.targets[0]).strip("()").split(", ")
        assert len(names) == len(sample.launch.dim)
        flat += isinstance(following, ast.Assign) and bool(re.match(rf"\w+ = {names[0]} // ", ast.unparse(following)))
        guarded += isinstance(following, ast.If) and ast.unparse(following.test).startswith(f"{names[0]} >= ")
        around += is_around(following) and not kernel.body[start + 2 :]
    assert 0.15 < guarded / COUNT < 0.45
    assert 0.05 < around / COUNT < 0.25
    assert flat > COUNT // 50


def test_launch_lists_the_parameters_in_order_with_their_types(kernels: list[tuple[Sample, ast.FunctionDef]]) -> None:
    for sample, kernel in kernels:
        arguments = sample.launch.args
        assert [argument.arg for argument in kernel.args.args] == [argument.name for argument in arguments]
        for written, argument in zip(kernel.args.args, arguments):
            assert written.annotation is not None
            text = ast.unparse(written.annotation)
            assert ("wp.array" in text) == (argument.kind == "array"), sample.source
            if argument.kind != "struct" and "Any" not in text:
                assert dtype_of(text) == argument.dtype, sample.source
            if argument.build is None:  # the shape of an object is that of the array which it is built from
                assert dimensions_of(text) == len(argument.shape), sample.source
        assert sample.kernel_name == kernel.name


def dtype_of(annotation: str) -> str:
    name = (re.search(r"(?:dtype=|\[)((?:wp\.)?\w+)", annotation) or re.fullmatch(r"((?:wp\.)?\w+)", annotation))[1]
    plain = name.removeprefix("wp.")
    return {"float": "float32", "int": "int32"}.get(plain, CANONICAL.get(plain, plain))


CANONICAL = {row.spelling.removeprefix("wp."): row.name for row in TYPES.values()}


def dimensions_of(annotation: str) -> int:
    if "array" not in annotation:
        return 0
    numbered = re.search(r"array(\d)d", annotation) or re.search(r"ndim=(\d)", annotation)
    return int(numbered[1]) if numbered else 1


def test_written_arrays_are_the_outputs_of_the_launch(kernels: list[tuple[Sample, ast.FunctionDef]]) -> None:
    for sample, kernel in kernels:
        stored = {
            target.value.id
            for node in ast.walk(kernel)
            if isinstance(node, ast.Assign | ast.AugAssign)
            for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
            if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name)
        }
        arrays = {argument.name for argument in sample.launch.args if argument.kind == "array"}
        updated = {ast.unparse(call.args[0]) for call in calls(kernel, "wp.atomic_")}
        results = {argument.name: argument.role for argument in sample.launch.args if argument.role != "input"}
        assert (stored & arrays) | updated == set(results), sample.source
        assert updated <= {name for name, role in results.items() if role == "inout"}, sample.source


def test_every_parameter_is_read(kernels: list[tuple[Sample, ast.FunctionDef]]) -> None:
    for sample, kernel in kernels:
        read = {node.id for statement in kernel.body for node in ast.walk(statement) if isinstance(node, ast.Name)}
        assert {argument.name for argument in sample.launch.args} <= read, sample.source


DESCRIPTION = re.compile(r"[A-Z].*\. One thread for each [\w -]+\.( Floats have 64 bits\.)? Arguments: .*Rule: .*\.$")


def test_the_description_names_every_argument_and_constant(kernels: list[tuple[Sample, ast.FunctionDef]]) -> None:
    documented = 0
    for sample, kernel in kernels:
        for argument in sample.launch.args:
            for name in (argument.name, *(field.name for field in argument.fields)):
                assert re.search(rf"\b{name}\b", sample.description), (name, sample.description)
        for constant in re.findall(r"^([A-Z]\w+) = ", sample.source, re.MULTILINE):
            assert constant in sample.description
        for arguments in re.findall(r"^@wp\.kernel\((.+)\)$", sample.source, re.MULTILINE):
            assert f" Decorator: kernel({arguments})." in sample.description
        for option, value in sample.options:
            assert re.search(rf" Module options: .*\b{option} = {value}\b", sample.description)
        assert re.match(
            r"[A-Z].*\. One thread for each [\w -]+\.( Floats have 64 bits\.)? Arguments: .*Rule: .*\.$", sample.description
        ), sample.description
        text = ast.get_docstring(kernel)
        documented += text is not None
        assert text is None or re.fullmatch(r"[A-Z\d][^\n]+[^.\s]\.", text.split("\n")[0]), text
    assert 0.35 < documented / COUNT < 0.65


def test_the_description_contains_every_stored_value(samples: list[Sample]) -> None:
    for sample in samples:
        for value in re.findall(r"^ +\w+\[[^\n=]*\] = (.*)$", sample.source, re.MULTILINE):
            is_rewritten = re.search(
                r"float\d*\(|int32\(|\w+d\(|\bdtype\(|type\(|static\(", value
            )  # descriptions have no casts
            if value.count("(") == value.count(")") and not is_rewritten:  # others are in several lines
                assert value.replace("wp.", "") in sample.description, (value, sample.description)


def test_names_do_not_shadow_python(kernels: list[tuple[Sample, ast.FunctionDef]]) -> None:
    hidden: Counter[str] = Counter()
    for _, kernel in kernels:
        names = bound_names(kernel)
        hidden.update(name for name in names if name == "wp" or hasattr(builtins, name))
        assert not any(keyword.issoftkeyword(name) for name in names)
    assert hidden == Counter()


def bound_names(tree: ast.AST) -> set[str]:
    found = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(name, ast.Store()) | ast.arg(name) | ast.FunctionDef(name):
                found.add(name)
    return found


# ------------------------------------------------------------------------------------------------------------------ kinds


def calls(node: ast.AST, prefix: str) -> list[ast.Call]:
    return [part for part in ast.walk(node) if isinstance(part, ast.Call) and ast.unparse(part.func).startswith(prefix)]


def loops(node: ast.AST) -> list[ast.AST]:
    return [part for part in ast.walk(node) if isinstance(part, ast.For | ast.While)]


def has_arithmetic(sample: Sample, kernel: ast.FunctionDef) -> bool:
    operations = [node for node in ast.walk(ast.parse(sample.source)) if isinstance(node, ast.BinOp | ast.UnaryOp)]
    return bool(operations) or len(calls(kernel, "wp.")) > 1


def has_nested_loop(sample: Sample, _: ast.FunctionDef) -> bool:
    return any(len(loops(loop)) > 1 for loop in loops(ast.parse(sample.source)))


def has_branch_or_loop(sample: Sample, kernel: ast.FunctionDef) -> bool:
    tree = ast.parse(sample.source)
    branches = [node for node in ast.walk(tree) if isinstance(node, ast.If) and not is_exit(node)]
    around = len(kernel.body) - (ast.get_docstring(kernel) is not None) == 2 and is_around(kernel.body[-1])
    return len(branches) > around or bool(loops(tree))


def is_exit(node: ast.If) -> bool:
    return " >= " in ast.unparse(node.test) and [ast.unparse(item) for item in node.body] == ["return"]


def is_around(node: ast.stmt) -> bool:
    tests = re.compile(r"\w+ < [\w.]+(?:\[\d\])?(?: and \w+ < [\w.]+(?:\[\d\])?)*")
    return isinstance(node, ast.If) and tests.fullmatch(ast.unparse(node.test)) is not None and not node.orelse


def has_several_conditions(sample: Sample, _: ast.FunctionDef) -> bool:
    return sum(isinstance(node, ast.If) for node in ast.walk(ast.parse(sample.source))) >= 2


def has_parameters(sample: Sample, _: ast.FunctionDef) -> bool:
    return any(argument.kind == "value" for argument in sample.launch.args)


def mentions(pattern: str) -> Callable[[Sample, ast.FunctionDef], bool]:
    return lambda sample, _: bool(re.search(pattern, sample.source))


FEATURES: dict[str, Callable[[Sample, ast.FunctionDef], bool]] = {
    "arithmetic": has_arithmetic,
    "atomic": lambda _, kernel: bool(calls(kernel, "wp.atomic_")),
    "combined": mentions(r"wp\.(vec[234]|quat|transform|spatial)"),
    "control_flow": has_branch_or_loop,
    "math": mentions(r"wp\.(a?sin|a?cos|a?tan2?|sinh|cosh|tanh|exp|log2?|log10|sqrt|cbrt|pow|erf\w*)\("),
    "matrix": mentions(r"wp\.(mat(22|33|44|rix_from_\w+)|spatial_matrix|(diag|inverse|determinant|quat_to_matrix)\()"),
    "multi_conditional": has_several_conditions,
    "nested_loop": has_nested_loop,
    "scalar_param": has_parameters,
    "vector": mentions(r"wp\.(vec[234]|quat|spatial_vector)"),
}


@pytest.mark.parametrize("category", CORE)
def test_every_kernel_has_the_feature_of_its_category(kernels: list[tuple[Sample, ast.FunctionDef]], category: str) -> None:
    without = [
        sample.source for sample, kernel in kernels if sample.category == category and not FEATURES[category](sample, kernel)
    ]
    assert without == [], f"{len(without)}, the first:\n{without[0]}"


def test_features_list_the_called_builtins(samples: list[Sample], trees: list[ast.Module]) -> None:
    for sample, tree in zip(samples, trees, strict=True):
        called = {ast.unparse(call.func).removeprefix("wp.") for call in calls(tree, "wp.")}
        builtin = {
            name for name in called if not re.match(r"(vec|mat|array|indexedarray|constant|kernel|types|u?int\d|float\d)", name)
        }
        assert builtin <= set(sample.features), sample.source
        assert all(one < other for one, other in pairwise(sample.features))
        kinds = {ast.For: "for", ast.While: "while", ast.If: "if"}
        words = {kinds[type(node)] for node in ast.walk(tree) if type(node) in kinds}
        assert words == {"for", "while", "if"}.intersection(sample.features)
        assert ("func" in sample.features) == bool(re.search(r"^ *@wp\.func\b", sample.source, re.MULTILINE))
        assert {argument.dtype for argument in sample.launch.args if argument.kind == "array"} <= set(sample.features)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("category", ["atomic", "atomics", "diagnostics", "monte_carlo", "histograms", "reduction"])
def test_results_do_not_depend_on_the_order_of_threads(samples: list[Sample], category: str) -> None:
    core = category in CORE
    for index in range(200):
        number = CORE.index(category) + 10 * index if core else index
        is_known = core and number < COUNT
        sample = samples[number] if is_known else write_kernel(KernelKey(SEED, number, category="" if core else category))
        kinds: dict[str, set[str]] = {}
        for call in calls(ast.parse(sample.source), "wp.atomic_"):
            kind = ast.unparse(call.func).removeprefix("wp.atomic_").replace("sub", "add")
            kinds.setdefault(ast.unparse(call.args[0]), set()).add(kind)
        assert all(len(kind) == 1 for kind in kinds.values()), sample.source
