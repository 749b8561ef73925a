"""printf of the machine against Python's operator %, which is that of C for these conversions."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from warpsmith.simt import Module, compile_ptx

NUMBERS = [0, 1, -1, 42, -12345, 2147483647, -2147483648]
INTEGERS = [
    "%d",
    "%i",
    "%5d",
    "%-8d|",
    "%+d",
    "% d",
    "%08d",
    "%.4d",
    "%8.3d",
    "%-+8.3d|",
    "%x",
    "%#x",
    "%X",
    "%o",
    "%u",
    "%#10o",
]
FLOATS = [0.0, -0.0, 1.0, -1.5, 3.14159265358979, 1e300, 1e-300, 123456789.125, float("inf"), float("nan")]
CONVERSIONS = ["%f", "%8.3f", "%-12.2f|", "%e", "%.10e", "%g", "%G", "%+.0f", "%#g", "% f", "%012.4f", "%20.15g", "%.0e"]


def printed(source: str, *arguments: object) -> str:
    module = Module(compile_ptx(source))
    run = module.launch(next(iter(module.kernels)), 1, 1, arguments)
    assert run.findings == ()
    return run.printed


def program(statements: list[str]) -> str:
    return "__global__ void k(const int* n, const long long* w, const double* d) {\n" + "\n".join(statements) + "\n}\n"


ARRAYS = (np.array(NUMBERS, np.int32), np.array(NUMBERS, np.int64) << 31, np.array(FLOATS))


def test_integers() -> None:
    cases = list(itertools.product(INTEGERS, range(len(NUMBERS))))
    text = printed(program([f'printf("{conversion}\\n", n[{index}]);' for conversion, index in cases]), *ARRAYS)
    assert text.splitlines() == [_python(conversion, NUMBERS[index], 32) for conversion, index in cases]


def test_wide_integers() -> None:
    cases = list(itertools.product(INTEGERS, range(len(NUMBERS))))
    statements = [f'printf("{_wide(conversion, index)}\\n", w[{index}]);' for conversion, index in cases]
    text = printed(program(statements), *ARRAYS)
    assert text.splitlines() == [_python(conversion, NUMBERS[index] << 31, 64) for conversion, index in cases]


def _wide(conversion: str, index: int) -> str:
    letter = conversion.rstrip("|")[-1]
    return conversion.replace(letter, ("ll", "l")[index % 2] + letter)


def _python(conversion: str, number: int, bits: int) -> str:
    """Return what C prints; Python has no unsigned types, and other octal prefixes."""
    letter = conversion.rstrip("|")[-1]
    if letter in "xXou":
        number &= (1 << bits) - 1
    if letter == "o" and "#" in conversion:
        return f"{(oct(number)[1:].replace('o', '0', 1) if number else '0'):>10}"
    if "#x" in conversion and not number:
        return "0"
    return conversion % number


def test_floats() -> None:
    cases = list(itertools.product(CONVERSIONS, range(len(FLOATS))))
    text = printed(program([f'printf("{conversion}\\n", d[{index}]);' for conversion, index in cases]), *ARRAYS)
    expected = [conversion.replace("0", "", conversion.startswith("%0") and not np.isfinite(FLOATS[index])) % FLOATS[index]
                for conversion, index in cases]  # C pads infinities with blanks  # fmt: skip
    assert text.splitlines() == expected


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ('printf("%s|%5s|%-5s|%.2s|%5.1s|", "abc", "abc", "abc", "abc", "abc")', "abc|  abc|abc  |ab|    a|"),
        ('printf("%*d|%-*d|%.*f|%*s", 5, 42, 5, 42, 2, 1.5, 4, "x")', "   42|42   |1.50|   x"),
        ('printf("%c%c%3c%-3c|", 65, 66, 67, 68)', "AB  CD  |"),
        ('printf("100%%, %d%%", 5)', "100%, 5%"),
        ('printf("%hd %hhd %hu %hhu", 70000, 300, 70000, 300)', "4464 44 4464 44"),
        ('printf("%p", (void*)0x1234)', "0x1234"),
        ('printf("no arguments")', "no arguments"),
        ('printf("%d %lld %d %f %d", 1, 2ll, 3, 4.0, 5)', "1 2 3 4.000000 5"),
        ('printf("%d", printf("%d %s ", 1, "b"))', "1 b 2"),
        ('printf("")', ""),
        ('printf("%s", "\\xc3\\xa4")', "ä"),
    ],
)
def test_statement(statement: str, expected: str) -> None:
    assert printed(f"__global__ void k() {{ {statement}; }}") == expected


def test_each_thread_prints_its_line() -> None:
    source = '__global__ void k() { printf("%d %d\\n", blockIdx.x, threadIdx.x); }'
    run = Module(compile_ptx(source)).launch("k", 3, 40, [])
    expected = {f"{block} {thread}" for block in range(3) for thread in range(40)}
    assert sorted(run.printed.splitlines()) == sorted(expected)


def test_output_has_a_limit() -> None:
    source = '__global__ void k() { for (int i = 0; i < 1000; i++) printf("%199d\\n", i); }'
    run = Module(compile_ptx(source)).launch("k", 1, 32, [])
    assert run.completed
    assert len(run.printed) == 1 << 20
