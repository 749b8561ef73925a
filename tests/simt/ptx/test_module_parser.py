"""The parser of modules: headers, variables, functions, comments, and texts that are no PTX."""

from __future__ import annotations

import random
import time
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simt.handwritten import HEAD
from warpsmith.simt import Module, PtxError, UnsupportedPtx, compile_ptx
from warpsmith.simt.launches.kernel_arguments import LaunchError
from warpsmith.simt.ptx.module_parser import parse_module, parse_number

PROGRAMS = Path(__file__).parents[1] / "corpus" / "programs"


def test_head() -> None:
    module = parse_module("// a comment\n/* another\none */ .version 8.7\n.target sm_80, debug\n.address_size 64\n")
    assert (module.version, module.target) == ("8.7", "sm_80, debug")
    with pytest.raises(UnsupportedPtx, match="address_size 32"):
        parse_module(".version 8.7\n.target sm_80\n.address_size 32\n")
    with pytest.raises(PtxError):
        parse_module("int main() {}")


VARIABLES = {
    ".global .align 8 .b8 x[12];": ("global", 8, 12, None),
    ".visible .global .u32 x;": ("global", 4, 4, None),
    ".const .align 4 .u16 x[3] = {1, 0x10, -1};": ("const", 4, 6, b"\1\0\x10\0\xff\xff"),
    ".global .f32 x = 0f3F800000;": ("global", 4, 4, b"\0\0\x80\x3f"),
    ".global .f64 x = 0d3FF0000000000000;": ("global", 8, 8, b"\0\0\0\0\0\0\xf0\x3f"),
    ".global .align 1 .b8 x[] = {104, 105, 0};": ("global", 1, 3, b"hi\0"),
    ".global .b32 x[2][3] = {{1, 2}, {3}};": ("global", 4, 24, b"\1\0\0\0\2\0\0\0\3\0\0\0"),
    ".shared .align 16 .b8 x[64];": ("shared", 16, 64, None),
    ".extern .shared .align 16 .b8 x[];": ("shared", 16, 0, None),
    ".global .v4 .f32 x;": ("global", 16, 16, None),
    ".global .attribute(.managed) .align 4 .u32 x;": ("global", 4, 4, None),
    ".global .u32 x[0x10];": ("global", 4, 64, None),
    ".weak .global .align 4 .u32 x;": ("global", 4, 4, None),
}


@pytest.mark.parametrize("text", VARIABLES)
def test_variable(text: str) -> None:
    variable = parse_module(HEAD + text).variables["x"]
    assert (variable.space, variable.alignment, variable.size, variable.data) == VARIABLES[text]


def test_addresses_in_variables() -> None:
    text = ".global .u64 x[4] = {y, generic(y)+8, 5, f};\n.global .u32 y[4];\n.func f() { ret; }\n"
    assert parse_module(HEAD + text).variables["x"].addresses == ((0, "y", 0), (8, "y", 8), (24, "f", 0))


WRONG = {
    ".global .u32 x[3] = {1, 2, 3, 4};": "more than fit",
    ".global .u99 x;": "not a variable",
    ".global .align 3 .u32 x;": "alignment 3",
    ".global .align 8192 .u32 x;": "alignment 8192",
    ".global .u32 x[-1];": "not a size",
    ".global .u32 x[a];": "not a size",
    ".global .u32 x[4000000000];": "more than 1073741824 bytes",
    ".global .u32 x = hello;": "not a value",
    ".global .u8 x[2] = {0xFF(y), 0xFF00(y)};": "single bytes",
    "hello;": "not a declaration",
    "}": "without an opening brace",
    ".entry k() {": "never closed",
    ".entry k() { { }": "never closed",
    ".entry (": "not PTX",
    ".entry ();": "not the head of a function",
    ".entry k(.u32 a) { }": "not a parameter",
    ".entry k() .maxntid 99999999999999999999999 { }": "number of threads",
    ".global .u32 x = {1, 2": "never closed",
    "/* hello": "comment is never closed",
    '"': "not PTX",
}


@pytest.mark.parametrize("text", WRONG)
def test_error_has_the_line(text: str) -> None:
    with pytest.raises(PtxError, match=rf"^line 5: .*{WRONG[text]}"):
        parse_module(f"{HEAD}\n{text}\n")


def test_functions() -> None:
    text = """
    .extern .func (.param .b32 r) f (.param .b64 a, .param .align 8 .b8 b[24]);
    .visible .entry k(.param .u64 .ptr .global .align 16 p, .param .f32 q) .maxntid 8, 4, 2 .minnctapersm 1 { ret; }
    .func (.param .b32 r) f (.param .b64 a, .param .align 8 .b8 b[24]) { ret; }
    .func (.param .b32 r) f (.param .b64 a, .param .align 8 .b8 b[24]);
    """
    functions = parse_module(HEAD + text).functions
    assert list(functions) == ["f", "k"]
    assert [parameter.size for parameter in functions["f"].parameters] == [8, 24]
    assert [result.size for result in functions["f"].results] == [4]
    assert functions["f"].start >= 0
    assert (functions["k"].is_kernel, functions["k"].max_threads) == (True, 64)
    assert [(parameter.size, parameter.alignment) for parameter in functions["k"].parameters] == [(8, 8), (4, 4)]


def test_comments_keep_lines() -> None:
    module = parse_module(HEAD + "/* 1\n2\n3 */ .global .u32 x; // .global .u32 y;\n.entry k() { /* } */ ret; // }\n}\n")
    assert list(module.variables) == ["x"]
    assert module.line(module.text.index(".entry")) == 7
    assert module.functions["k"].end > module.text.index("ret")


def test_files() -> None:
    module = parse_module(HEAD + '.file 1 "a b.cu"\n.file 2 "/x//y/*z.h", 1, 2\n.entry k() { ret; }\n.file 3 "last"\n')
    assert module.files == {1: "a b.cu", 2: "/x//y/*z.h", 3: "last"}


def test_sections_are_skipped() -> None:
    text = ".section .debug_str\n{\nname:\n.b8 97,98\n}\n.section .debug_info { .b64 x+1\n }\n.entry k() { ret; }\n"
    assert list(parse_module(HEAD + text).functions) == ["k"]


NUMBERS = {
    "0": 0, "12": 12, "-3": -3, "0x1F": 31, "017": 15, "0b101": 5, "12U": 12, "0f3F800000": 0x3F800000,
    "0dBFF0000000000000": 0xBFF0000000000000, "1.0": 0x3FF0000000000000, "x": None, "0fZZ": None, "": None, "9" * 5000: None,
    "1.x": None,
}  # fmt: skip


@pytest.mark.parametrize("text", NUMBERS)
def test_number(text: str) -> None:
    assert parse_number(text) == NUMBERS[text]


REPEATED = 50_000
SLOW_TEXTS = {
    "blanks": HEAD + "\n" * REPEATED + "x",
    "comments": HEAD + "/*" * REPEATED,
    "blanks in the head": ".version 9.0\n.target " + " " * REPEATED + "x",
    "targets": ".version 9.0\n.target " + "a , " * REPEATED + "x",
    "function": HEAD + ".func" + " " * REPEATED + "(;{",
    "digits of a file": f'{HEAD}.file {"9" * REPEATED} "x"\n',
    "digits of an alignment": f"{HEAD}.global .align {'1' * REPEATED} .b8 x;",
    "dimensions": f"{HEAD}.global .b8 x{'[1000000]' * REPEATED};",
    "blanks of a variable": f"{HEAD}.global .b8 x{' ' * REPEATED}!;",
    "blanks of a value": f"{HEAD}.global .b64 x[1] = {{a{' ' * REPEATED}b}};",
    "statement without end": f"{HEAD}.entry k() {{ {'a' * REPEATED}}}",
    "directive without end": f"{HEAD}.entry k() {{ .a{'a' * REPEATED}}}",
    "address": f"{HEAD}.entry k() {{ .reg .b32 %r1; ld.global.u32 %r1, [{'a' * REPEATED}; }}",
    "scopes": f"{HEAD}.entry k() {{ {'{' * REPEATED}{'}' * REPEATED} }}",
    "shared variables": f"{HEAD}.entry k() {{ {'.shared .' * REPEATED} }}",
    "locations": HEAD
    + ".entry k() {\n"
    + "".join(f".loc 1 5 0, f+{n}, inlined_at 1 5 0\n" for n in range(REPEATED // 2))
    + "}",
    "functions": HEAD
    + "".join(f".func f{n}() {{ call f{n + 1}, (); ret; }}\n" for n in range(3000))
    + ".func f3000() { ret; } .entry k() { call f0, (); ret; }",
}


@pytest.mark.parametrize("name", SLOW_TEXTS)
def test_time_is_proportional_to_the_text(name: str) -> None:
    """Expressions that try all ways to match these texts take minutes."""
    start = time.process_time()
    try_to_lower(SLOW_TEXTS[name])
    assert time.process_time() - start < 5


def try_to_lower(text: str) -> bool:
    """Return whether all kernels of a text can be lowered; errors are those of PTX."""
    try:
        module = Module(text)
        for kernel in module.kernels:
            module.program(kernel)
    except (PtxError, UnsupportedPtx, LaunchError):
        return False
    return True


@cache
def real_texts() -> list[str]:
    names = ("recursion", "device_printf", "transposes", "mma_matmul", "atomic_operations", "function_pointers")
    return [compile_ptx((PROGRAMS / f"{name}.cu").read_text(), name=f"{name}.cu") for name in names]


def test_real_texts_can_be_lowered() -> None:
    assert all(try_to_lower(text) for text in real_texts())


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet='.;{}()[]<>@%!,:=+-*/"\n \t09afxregsharednt\0é', max_size=200))
def test_random_texts(text: str) -> None:
    try_to_lower(text)
    try_to_lower(HEAD + text)
    try_to_lower(f"{HEAD}.entry k(.param .u64 p) {{ .reg .b32 %r<9>; {text} }}")


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 5), st.floats(0, 1), st.integers(0, 5), st.floats(0, 1))
def test_truncated_and_spliced_texts(first: int, cut: float, second: int, start: float) -> None:
    head, tail = real_texts()[first], real_texts()[second]
    try_to_lower(head[: int(cut * len(head))])
    try_to_lower(head[: int(cut * len(head))] + tail[int(start * len(tail)) :])


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 5), st.integers(0, 2**32))
def test_damaged_texts(which: int, seed: int) -> None:
    rng, characters = random.Random(seed), list(real_texts()[which])  # noqa: S311 - hypothesis chooses the seed
    for _ in range(rng.choice((1, 3, 10))):
        characters[rng.randrange(len(characters))] = rng.choice('{}()[];,.@%:"/*0aZ \0é')
    try_to_lower("".join(characters))
