"""Constructors of Warp that take text, addresses, and later syntax; most rows have the texts that Warp generates for them."""

from __future__ import annotations

from hostile.python import python
from hostile.row import Row, Setting, record_of, to_line

_HEADER = "import enum\n\nimport warp as wp\n\n\n"

_KERNEL = """

@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    BODY
"""

_ESCAPE = "%> namespace K1 <% inline int rest() <% return 1;"
"""Closes a function's namespace in other spellings of braces, and leaves the same number open."""


def matching(name: str, attempts: str, before: str, body: str, level: str | None = "parse") -> Row:
    """Return a row whose texts Warp generates from the hostile Python; loading it does no harm in this process."""
    source = _HEADER + before.strip("\n") + _KERNEL.replace("BODY", body)

    def content(_: Setting) -> bytes:
        return to_line(record_of(source) | {"id": f"hostile-{name}"})

    return Row(name, attempts, content, level)


_FUNCTION = """
def value(a, b):
    return float


f = wp.Function(None, 'deed', 'wp::', dict(a=float), float, value, native_func='TEXT', is_differentiable=False)
"""

CONSTRUCTORS = (
    matching("function_of_text", "Writes C++ by the constructor of a function.",
             _FUNCTION.replace("TEXT", "sin(1.0f); return; " + _ESCAPE + " wp::sin"), "x[i] = f(1.0)"),
    matching("function_with_a_null_write", "Writes to address zero in a branch that no launch takes.",
             _FUNCTION.replace("TEXT", "sin(1.0f); *(int*)nullptr = 1; wp::sin"),
             "if x[i] > 1.0e30:\n        x[i] = f(1.0)"),
    matching("function_from_starred_arguments", "Passes starred arguments to the constructor of a function.",
             "T = (None, 'deed', 'wp::', dict(a=float), float, None)\nf = wp.Function(*T, native_func='sin')\n", "x[i] = wp.sin(x[i])"),
    matching("function_from_an_enumeration", "Makes functions as the members of an enumeration.",
             "E = enum.Enum('E', {'a': 1, 'b': 2})", "x[i] = wp.sin(x[i])"),
    matching("truth_of_text", "Writes C++ as the value of a constant.",
             f"A = wp.bool('true; wp::sin(1.0f); {_ESCAPE} 1')", "x[i] = wp.where(A, 1.0, 2.0)"),
    matching("string_with_digraphs", "Writes braces in another spelling in a string.", "", f"print('{_ESCAPE}')\n    x[i] = 1.0"),
)  # fmt: skip
"""Constructors of Warp that take text, other spellings of braces, and starred arguments."""

ADDRESSES = (
    matching("array_at_an_address", "Writes to an address by an array.", "",
             "y = wp.array(ptr=wp.uint64(4096), shape=(8,), dtype=float)\n    y[i] = x[i]", "execute"),
    matching("array_of_a_neighbour", "Writes far before an array of its own, where other pairs have theirs.", "",
             "y = wp.array(ptr=x.ptr - wp.uint64(1 << 40), shape=(8,), dtype=float)\n    y[i] = 1.0", "execute"),
    matching("format_that_writes", "Writes to an address by a format.", "",
             "wp.printf('%n', wp.uint64(4096))\n    x[i] = 1.0", "execute"),
)  # fmt: skip
"""Kernels that reach memory by its address."""

_TEXT = "wp::sin(1.0f)"

NUMBERS = (
    *(
        python(f"{name}_of_text", f"Makes a number of the type {name} of text.", f"A = wp.{name}('{_TEXT}')")
        for name in ("float16", "float32", "float64", "int8", "int32", "int64", "uint8", "uint32", "uint64", "constant")
    ),
    python("number_of_a_named_text", "Passes a text to a number by names and a function.",
           f"T = '{_TEXT}'\n\n\ndef same(t):\n    return t\n\n\nA = wp.float32(same(T))"),
    python("number_of_starred_text", "Passes a text to a number as a starred argument.", f"A = wp.float32(*['{_TEXT}'])"),
    python("type_of_a_text", "Passes a text to a type of vectors.", f"A = wp.types.vector(length='{_TEXT}', dtype=float)"),
    python("module_of_a_text", "Makes a module of Warp with text for the compiler.", f"A = wp.Module('a', {{'preamble': '{_TEXT}'}})"),
    python("kernel_of_a_text", "Makes a kernel by its constructor.", "A = wp.Kernel(func=None, key='deed', source='deed')"),
    python("array_at_a_number", "Makes an array at an address while the file is loaded.",
           "A = sum(wp.array(ptr=4096, shape=8, dtype=float))"),
)  # fmt: skip
"""Numbers and objects of text. Warp refuses the texts of some while it generates code, so that these rows have harmless texts."""

LATER_PYTHON = (
    python("type_statement", "Evaluates an alias of a type (Python 3.12).", "type A = (PAYLOAD)\nB = A.value"),
    python("type_parameter", "Evaluates the bound of a type parameter of a function (Python 3.12).",
           "@wp.func\ndef deed[T: (PAYLOAD)](x: T):\n    return x"),
    python("type_parameter_of_a_class", "Evaluates the bound of a type parameter of a class (Python 3.12).",
           "@wp.struct\nclass Deed[T: (PAYLOAD)]:\n    x: float"),
    python("type_parameter_with_a_default", "Evaluates the default of a type parameter (Python 3.13).",
           "@wp.func\ndef deed[T = (PAYLOAD)](x: float):\n    return x"),
    python("nested_quotes", "Runs code in a formatted text with quotes of its own kind (Python 3.12).", 'A = f"{f"{(PAYLOAD)}"}"'),
    python("exception_group", "Runs code in a handler of groups of exceptions (Python 3.11).",
           "try:\n    A = 1\nexcept* (PAYLOAD):\n    pass"),
    python("template_text", "Runs code in a template text (Python 3.14).", 'A = t"{(PAYLOAD)}"'),
    python("starred_index", "Unpacks in a subscript (Python 3.11).", "A = [1][*[(PAYLOAD)]]"),
)  # fmt: skip
"""Syntax of later releases of Python; an earlier one cannot parse it, which fails as well."""

ROWS = (*CONSTRUCTORS, *ADDRESSES, *NUMBERS, *LATER_PYTHON)
