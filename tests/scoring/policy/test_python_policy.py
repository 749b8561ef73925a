"""The allow list for a candidate's Python: one kernel, and nothing that runs when the file is loaded."""

from __future__ import annotations

import re

import pytest

from scoring.policy.corpus import samples
from warpsmith.scoring.policy.python_policy import MAX_LENGTH, check_python
from warpsmith.scoring.policy.violation import Violation

KERNEL = """import warp as wp


@wp.kernel
def scale(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = 2.0 * x[i]
"""

REFUSED = {
    "syntax": (KERNEL + "def", "line 8"),
    "import": ("import os\n" + KERNEL, "import of os"),
    "import in a function": (KERNEL.replace("    i = wp.tid()", "    import os"), "inside a function"),
    "open": (KERNEL + "open('/etc/passwd')\n", "open"),
    "print": (KERNEL + "print(1)\n", "print"),
    "member": (KERNEL + "wp.config.verbose = True\n", "line 8"),
    "private member": (KERNEL + "wp._src\n", "_src"),
    "patch": (KERNEL + "wp.sin = wp.cos\n", "line 8"),
    "native text": (KERNEL + "@wp.func_native('return x;')\ndef f(x: float) -> float: ...\n", "func_native"),
    "native text by import": ("from warp import func_native\n" + KERNEL, "func_native"),
    "static": (KERNEL.replace("2.0", "wp.static(f())"), "'static'"),
    "static text": (KERNEL.replace("2.0", "wp.static('2.0')"), "'static'"),
    "static power": (KERNEL.replace("2.0", "wp.static(9**9)"), "'static'"),
    "static name": (KERNEL.replace("2.0", "wp.static"), "'static'"),
    "two kernels": (KERNEL + KERNEL.split("\n\n\n")[1].replace("scale", "other"), "2 kernels"),
    "the same kernel twice": (KERNEL + KERNEL.split("\n\n\n")[1], "2 kernels"),
    "no kernel": ("import warp as wp\n", "0 kernels"),
    "other name": (KERNEL.replace("scale", "other"), "'other', not 'scale'"),
    "other meaning": (KERNEL + "scale = 3\n", "another meaning"),
    "hidden line end": (KERNEL + "# \f\n", "U+000C"),
    "null character": (KERNEL + "\0", "line"),
    "long": (KERNEL + "#" * MAX_LENGTH, "characters"),
    "deep": (KERNEL + "x = " + "(" * 5_000 + ")" * 5_000, "line"),
    "deep expression": (KERNEL + "x = " + "-" * 20_000 + "1\n", "line"),
    "many operands": (KERNEL + "x = " + "1+" * 20_000 + "1\n", "line"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_attacks_are_refused(name: str) -> None:
    text, words = REFUSED[name]
    with pytest.raises(Violation, match=re.escape(words)) as error:
        check_python(text, "scale")
    assert re.fullmatch(r"line \d+: .+", str(error.value))


@pytest.mark.parametrize(
    "text", [KERNEL, '"""A file."""\n' + KERNEL, KERNEL.replace("@wp.kernel", "@wp.kernel(enable_backward=True)")]
)
def test_honest_files_are_accepted(text: str) -> None:
    check_python(text, "scale")


def test_samples_are_accepted() -> None:
    for pair in samples().values():
        check_python(pair.python_source, pair.metadata.kernel_name)


@pytest.mark.parametrize("value", ["2.0", "2.0 * wp.pi / 3.0", "-float(COUNT) // 2", "3.0**-0.5"])
def test_arithmetic_of_constants_is_accepted_in_static(value: str) -> None:
    check_python("COUNT = 3\n" + KERNEL.replace("2.0", f"wp.static({value})"), "scale")
