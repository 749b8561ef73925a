"""Text is recognized if it has the form of what Warp generates; a pair with any other text runs in a separate worker."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from hostile.row import record_of, to_line
from warpsmith.core.records.jsonl import Line, decode
from warpsmith.extraction.warp.private import warp_context
from warpsmith.validation.allowlist import warp_names
from warpsmith.validation.allowlist.generated_text import is_generated
from warpsmith.validation.allowlist.native_text import has_native_code

BODY = "    // forward\n"
DEFINE = "define victim replaced"
ASM_BEHIND_A_STRING = 'auto text = R"x(\n// )x"; asm("");'


def with_text(text: str) -> list[str]:
    """Return a text that Warp generates with ``text`` at the start of its statements."""
    generated: str = record_of()["cpp_forward"]
    assert BODY in generated
    return [generated.replace(BODY, f"{BODY}{text}\n")]


def line_of(source: str) -> Line:
    """Return the line of the pair that Warp generates from a source."""
    return decode(to_line(record_of(source)), Path("pairs.jsonl"), 1)


def test_a_text_of_warp_is_recognized() -> None:
    assert is_generated(with_text("    var_0 = wp::add(var_0, var_0);"))


@pytest.mark.skipif(shutil.which("gcc") is None, reason="requires gcc, whose preprocessor shows what a directive is")
@pytest.mark.parametrize(
    "text",
    [
        f"#{DEFINE}", f"  # {DEFINE}", f"\t#\t{DEFINE}", f"\f#{DEFINE}", f"%:{DEFINE}", f"/* */ #{DEFINE}",
        f"/*\n// */ #{DEFINE}", f"/* a\n b */ %: {DEFINE}", f"// a remark\n#{DEFINE}", f"// a remark\r\n#{DEFINE}",
        f"#\\\n{DEFINE}", f"%\\\n:{DEFINE}", f"%\\ \t\n:{DEFINE}", f"%\\\r\n:{DEFINE}", f"// # {DEFINE}",
        f"    // y = x  # {DEFINE}", f"// a remark \\\n#{DEFINE}", f"int define; //#{DEFINE}", f"plasma = 1; // {DEFINE}",
    ],
)  # fmt: skip
def test_directives_in_every_spelling_are_not_recognized(text: str) -> None:
    command = ["gcc", *"-E -P -x c++ -std=c++17 -".split()]
    preprocessed = subprocess.run(command, input=f"{text}\nvictim\n".encode(), capture_output=True, check=True)
    assert not is_generated(with_text(text)) or b"replaced" not in preprocessed.stdout.splitlines()[-1]


@pytest.mark.parametrize(
    "text",
    [
        'asm("");', "__asm__ volatile();", '_Pragma("push_macro")', 'int f() asm("g");', "as\\\nm();", "_asm { nop }",
        "__asm_", ASM_BEHIND_A_STRING,
    ],
)  # fmt: skip
def test_assembler_and_pragmas_are_not_recognized(text: str) -> None:
    assert not is_generated(with_text(text))


@pytest.mark.parametrize(
    "text",
    [
        '    const wp::str var_0 = ""; broken; "";',
        '    const wp::str var_0 = "a\\"; broken; //";',
        '    const wp::str var_0 = "a//"; broken;',
        '    const wp::str var_0 = "a??/";',
        '    const wp::str var_0 = "%d %n";',
        '    const wp::str var_0 = "%-08.3lln";',
        '    assert(((void)"assert x \\\\"; broken; //",var_1));',
        '    assert(((void)"assert (x",var_1)); broken(1,var_1));',
        'printf("%d\\n", x);',
        'R"(a)";',
        "'\"'; broken; '\"'",
        "int a;\rint b;",
        "// a\fint b;",
        "// a\u2028int b;",
        "int a; ??/",
    ],
)
def test_strings_and_lines_that_warp_does_not_write_are_not_recognized(text: str) -> None:
    assert not is_generated(with_text(text))


@pytest.mark.parametrize(
    "text",
    [
        "%> namespace K1 <% ", "} namespace K1 {", "} struct launch_bounds_t {", "var_0<:0:> = 1;", "var_0[0] = 1;",
        "*(wp::float32*)8 = 1.0;", "*(int*)nullptr = 1;", "var_1 = (wp::uint64)(var_0);",
        "var_4 = wp::array_t<wp::float32>(var_1, var_5);", "reinterpret_cast<int&>(var_0) = 1;", "system(0);",
        "::system(0);", "std::exit(0);", "wp::volume::id_to_buffer(var_0);", "wp::unknown(var_0);", "wp::__debugbreak();",
        "using namespace wp;", "typedef int wp;", "union { int a; };", "new int;", "delete var_0;", "throw 1;",
        "extern int deed;", "thread_local int deed;", "/* a remark */", "__builtin_trap();", "goto deed;", "deed = 1;",
    ],
)  # fmt: skip
def test_forms_and_names_that_warp_does_not_write_are_not_recognized(text: str) -> None:
    assert not is_generated(with_text(f"    {text}"))


@pytest.mark.parametrize("end", ["}\n{\n", "{\n", "}\n", "%>\n<%\n", "}\nnamespace wp {\n"])
def test_text_that_leaves_its_namespace_is_not_recognized(end: str) -> None:
    (text,) = with_text("")
    assert is_generated([text])
    assert not is_generated([text + end])


@pytest.mark.parametrize(
    "text",
    [
        "// y[i] = x[i]  # twice",
        "    // #: a remark with {, %> and asm",
        '    // print("a")    <L 3>',
        '    const wp::str var_0 = "%d of a kind, 100%% or 50% of it\\n";',
        '    assert(((void)"assert k < count, \\"index out of range\\"",var_0));',
        "    var_9 = &((var_8).x);",
        "    goto start_for_2;",
        "    wp::adj_array_store_slot(var_a, adj_a, adj_9, [&](auto& _e) -> auto& { return _e.s.x; }, var_3);",
    ],
)
def test_lines_of_warp_are_recognized(text: str) -> None:
    assert is_generated(with_text(text))


def test_the_text_of_every_pair_is_recognized(lines: list[Line]) -> None:
    assert [line.identity for line in lines if has_native_code(line)] == []


REACHING = {
    "array at an address": "y = wp.array(ptr=wp.uint64(4096), shape=(8,), dtype=float)\n    y[i] = x[i]",
    "address of an element": "x[i] = float(wp.address_of(x[i]))",
    "address of an array": "x[i] = float(x.ptr)",
    "a format that writes": "wp.printf('%n', wp.uint64(4096))",
}


@pytest.mark.parametrize("name", REACHING)
def test_kernels_that_reach_memory_by_its_address_run_apart(name: str) -> None:
    source = (
        f"import warp as wp\n\n\n@wp.kernel\ndef hostile(x: wp.array(dtype=float)):\n    i = wp.tid()\n    {REACHING[name]}\n"
    )
    assert has_native_code(line_of(source))


@pytest.mark.parametrize("letters", ["func_native", "func_nativ\uff45"], ids=["ascii", "wide"])
def test_native_functions_run_apart_in_every_spelling(letters: str) -> None:
    native = "@wp.func_native('return x;')\ndef deed(x: float) -> float: ..."
    kernel = "@wp.kernel\ndef hostile(x: wp.array(dtype=float)):\n    x[wp.tid()] = deed(x[wp.tid()])\n"
    source = f"import warp as wp\n\n\n{native}\n\n\n{kernel}"
    record = record_of(source)
    line = decode(to_line(record | {"python_source": source.replace("func_native", letters)}), Path("pairs.jsonl"), 1)
    assert line.pair is not None
    assert has_native_code(line)


def test_long_texts_are_read_in_linear_time() -> None:
    pieces = ("array_t<", '"', "{" * 8, "wp::", "//a\n", "var_1 ", "%0", "wp::array_t<wp::str>", "[&]", "\\n")
    for piece in pieces:
        assert not is_generated([piece * (2_000_000 // len(piece)) + "}"])


def test_the_names_are_those_of_the_registry() -> None:
    functions: dict[str, set[str]] = {}
    for function in warp_context.builtin_functions.values():
        for overload in (function, *(getattr(function, "overloads", None) or ())):
            functions.setdefault(overload.namespace, set()).add(overload.native_func)
    assert functions["wp::"] == warp_names.FUNCTIONS
    defined_by_text = {name for name in functions[""] if name.endswith("_0")}
    assert functions[""] - defined_by_text - {"__debugbreak"} == warp_names.GLOBAL_FUNCTIONS
    assert not warp_names.TYPES & warp_names.FUNCTIONS
