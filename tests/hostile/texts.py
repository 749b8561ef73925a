"""Strings of device code, forged generated text, and names that Warp copies to C++."""

from __future__ import annotations

from collections.abc import Callable

from hostile.row import HARMLESS, Record, Row, Setting, edited, record_of, to_line

_TEXT_IN_A_STRING = r"""
print("PLACE")
""".strip()


def string(name: str, attempts: str, text: str, statement: str = _TEXT_IN_A_STRING) -> Row:
    """Return a row whose kernel contains a string; the texts are those that Warp generates for it."""

    def content(_: Setting) -> bytes:
        source = HARMLESS.replace("    x[i] =", f"    {statement.replace('PLACE', text)}\n    x[i] =")
        return to_line(record_of(source) | {"id": f"hostile-{name}"})

    return Row(name, attempts, content, "parse")


_BREAKOUT = '\\"; }} {0} namespace mine {{ void rest() {{ const char* a = \\"'

STRINGS = (
    string("string_with_a_quote", "Ends a string of device code.", "\\\"; broken; //"),
    string("string_closes_the_kernel", "Closes the kernel and the namespace in a string.",
           _BREAKOUT.format("} namespace wp { inline float mul(float, float) { return 0.0f; } }")),
    string("string_opens_a_namespace", "Opens the namespaces of other pairs in a string.",
           _BREAKOUT.format("} " + " ".join(f"namespace K{n} {{ struct launch_bounds_t; int wp; }}" for n in range(40)))),
    string("string_defines_symbols", "Defines the symbols of other pairs in a string.",
           _BREAKOUT.format("} " + " ".join(f'extern \\"C\\" void K{n}_forward(void*, void*) {{}}' for n in range(40)))),
    string("string_with_a_newline", "Ends a string by a newline.", "\\n#define wp pw\\n"),
    string("string_with_a_directive", "Writes a directive in a string of three quotes.", "a\n#define wp pw\n",
           'print(\"\"\"PLACE\"\"\")'),
    string("string_with_a_backslash", "Ends a string with a backslash.", "a\\\\"),
    string("string_with_an_escape", "Writes an escape of C++ that continues.", "\\\\x41\\\\"),
    string("string_with_a_trigraph", "Ends a string with a trigraph.", "a??/"),
    string("string_with_braces", "Unbalances braces in a string.", "}}}"),
    string("string_with_a_separator", "Writes a line separator in a string.", "a\\u2028#define wp pw"),
    string("assertion_message", "Ends the message of an assertion.", '"; broken; //', "assert x[i] < 10.0, 'PLACE'"),
)  # fmt: skip
"""Strings of device code, which Warp copies to C++ without escapes."""


def _replace(old: str, new: str, *keys: str) -> Callable[[Record], None]:
    def edit(record: Record) -> None:
        for key in keys or ("cpp_forward", "cpp_backward", "cuda_ir_forward", "cuda_ir_backward"):
            record[key] = record[key].replace(old, new)

    return edit


def _text(name: str, attempts: str, edit: Callable[[Record], object], level: str = "regenerate") -> Row:
    return edited(f"text_{name}", attempts, edit, level, record_of)


def _named(name: str) -> Callable[[Record], Record]:
    """Return an edit that gives the kernel another name everywhere, as Warp would generate it."""
    return lambda record: record_of(HARMLESS.replace("hostile", name), name=name) | {"id": record["id"]}


TEXTS = (
    _text("with_a_system_call", "Adds assembler to the generated text.", _replace("// forward\n", "asm volatile(\"hlt\");\n")),
    _text("with_a_constructor", "Adds a constructor to the generated text.",
          lambda record: record.update(cpp_forward=record["cpp_forward"]
                                       + "__attribute__((constructor)) static void deed() { __builtin_trap(); }\n")),
    _text("of_a_neighbour", "Contains the text of another kernel.",
          lambda record: record.update(cpp_forward=record_of(HARMLESS.replace("2.0", "3.0"))["cpp_forward"])),
    _text("empty", "Contains no text.", lambda record: record.update(cpp_forward=""), "parse"),
    _text("of_nulls", "Contains null characters.", _replace("var_0", "var_0\0")),
    _text("with_carriage_returns", "Ends its lines in another way.", _replace("\n", "\r\n"), "regenerate"),
    _text("with_hidden_lines", "Hides lines from readers that split at other characters.", _replace("// forward\n", "// forward\f\v\x85\u2028\n")),
    _text("with_look_alikes", "Uses letters that look alike.", _replace("wp::", "w\u0440::")),
    _text("long", "Is very long.", lambda record: record.update(cuda_ir_forward=record["cuda_ir_forward"] + "//" + "a" * (1 << 22))),
    _text("of_braces", "Contains a million braces.", lambda record: record.update(cpp_forward=record["cpp_forward"] + "{" * 10**6 + "}" * 10**6)),
    _text("of_comments", "Opens comments and literals in very many places.",
          lambda record: record.update(cpp_forward=record["cpp_forward"] + "/*'\"R\"(" * 30_000)),
    edited("name_main", "Names the kernel like the entry of a program.", _named("main"), None, record_of),
    edited("name_of_a_symbol", "Names the kernel like a symbol of another pair.", _named("K1"), None, record_of),
    edited("name_of_a_keyword", "Names the kernel like a keyword of C++.", _named("namespace"), None, record_of),
    edited("name_of_warp", "Names the kernel like the namespace of Warp.", _named("wp_args"), None, record_of),
    edited("name_of_a_macro", "Names the kernel like a macro.", _named("WP_API"), None, record_of),
    edited("name_of_a_function", "Names the kernel like a function of the C library.", _named("memcpy"), None, record_of),
    edited("name_that_is_long", "Names the kernel in 10,000 letters.", _named("a" * 10_000), None, record_of),
)  # fmt: skip
"""Generated text that is not Warp's, and names that Warp copies to C++."""

ROWS = (*STRINGS, *TEXTS)
