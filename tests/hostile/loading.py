"""Python that acts when it is loaded: by decorators, modules and expressions, and in lines that some readers do not see."""

from __future__ import annotations

from hostile.python import python
from hostile.row import KERNEL, Row

DECORATORS = (
    python("decorator_from_a_container", "Takes a decorator out of a container.", """
DEEDS = [enum.sys.modules["builtins"].eval]


@DEEDS[0]
class Deed:
    pass
"""),
    python("decorator_of_a_namespace", "Takes a decorator out of a namespace.", """
deeds = SimpleNamespace(func=enum.sys.modules["builtins"].print)


@deeds.func
def deed(x: float):
    return x
"""),
    python("decorator_of_its_own", "Decorates with a plain function that calls its argument.", """
def deed(f):
    return f(1)


@deed
@wp.func
def other(x: float):
    return eval("PAYLOAD")
"""),
    python("decorator_with_arguments", "Runs code in the arguments of a decorator.", """
@wp.func_native((PAYLOAD, "return x;")[-1])
def deed(x: float) -> float: ...
"""),
    python("decorator_of_a_shadow", "Binds the name of Warp to something else before it decorates.", """
from enum import sys as wp


@wp.modules["builtins"].print
def deed(x: float):
    return x
"""),
    python("called_by_a_plain_function", "Calls a device function, whose body is not checked, while the file is loaded.", """
@wp.func
def deed(x: float):
    return eval("PAYLOAD")


def caller():
    return deed(1.0)


A = caller()
"""),
    python("called_in_static", "Calls a device function in an expression that Warp evaluates.", """
import warp as wp


@wp.func
def deed(x: float):
    return eval("PAYLOAD")


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = 2.0 * x[i] + float(wp.static(len(str(deed(1.0)))))
"""),
    python("static_in_a_name", "Evaluates an expression in a subscript of wp.static under another name.", """
import warp as wp
from warp import static as quiet


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = 2.0 * x[i] + quiet(len(str((PAYLOAD))))
"""),
    python("static_through_the_module", "Evaluates an expression by wp.static through a second name of the module.", """
import warp as wp
import warp as other


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = 2.0 * x[i] + float(other.static(len(str((PAYLOAD)))))
"""),
)  # fmt: skip
"""Decorators, and device functions that are called on the host."""

MODULES = (
    python("module_in_a_module", "Reaches the interpreter through a module that may be imported.", """
A = typing.sys.modules["os"].environ
"""),
    python("import_of_a_module_in_a_module", "Imports the module sys from another module.", """
from enum import sys

A = sys.modules["os"].environ["HOME"]
"""),
    python("import_of_a_reader", "Imports a function of NumPy that reads files, and passes it on.", """
from numpy import load

A = any(load(x) for x in ["/etc/passwd"])
"""),
    python("import_of_the_builder", "Imports the part of Warp that starts compilers.", """
import warp.build_dll as dll

A = dll.run_cmd("touch MARKER")
"""),
    python("settings_of_warp", "Changes the settings of Warp.", """
wp.config.kernel_cache_dir = "MARKER"
"""),
    python("settings_by_a_loop", "Changes the settings of Warp as the variable of a loop.", """
for wp.config.verbose in (1, 2):
    pass
"""),
    python("settings_by_deletion", "Deletes a function of Warp.", """
del wp.launch
"""),
    python("settings_in_a_comprehension", "Changes the settings of Warp in a comprehension.", """
A = [1 for wp.config.mode in ("debug",)]
"""),
    python("item_of_a_module", "Changes the members of a module.", """
vars(wp)["launch"] = None
"""),
    python("type_of_a_module", "Makes a class out of text.", """
A = type("Deed", (object,), {"x": 1})
"""),
    python("attribute_of_a_text", "Reaches an attribute by its name as text.", """
A = "{0.__class__.__mro__}".format(1)
"""),
    python("attribute_by_a_match", "Reaches attributes in a pattern.", """
match 1:
    case int(real=A):
        pass
"""),
    python("default_of_a_keyword", "Runs code in the default of a keyword.", """
@wp.func
def deed(x: float, *, y=(PAYLOAD)):
    return x
"""),
    python("default_of_a_lambda", "Runs code in a lambda.", """
A = sorted([2, 1], key=lambda x: (PAYLOAD))
"""),
    python("key_by_unpacking", "Passes a key function in a dictionary.", """
A = max([1, 2], **{"key": enum.sys.modules["builtins"].print})
"""),
    python("guard_of_a_handler", "Runs code in a handler of exceptions.", """
try:
    A = 1 // 0
except (ZeroDivisionError, PAYLOAD):
    pass
"""),
    python("context_manager", "Runs code in a with statement.", """
with np.errstate(all="ignore"):
    A = 1
"""),
    python("walrus", "Binds a name within an expression.", """
A = [(np := 1)]
"""),
    python("formatted_text", "Runs code in a formatted text.", """
A = f"{(PAYLOAD)}"
"""),
    python("coding", "Names an encoding that changes the meaning of the text.", """
# coding: utf-7
+AGkAbQBwAG8AcgB0- os
""", "regenerate"),
    python("look_alike", "Writes eval in letters that Python reads as ASCII.", """
import warp as wp


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = 2.0 * x[i] + wp.static(\uff45\uff56\uff41\uff4c("PAYLOAD"))
"""),
    python("text_bomb", "Uses up memory with a format.", """
A = "%999999999999d" % 1
"""),
    python("shift_bomb", "Uses up memory with a shift.", """
A = 1 << (1 << 40)
""", "regenerate"),
    python("power_bomb", "Uses up time with a power of powers.", """
A = 9 ** 9 ** 9 ** 9
""", "regenerate"),
    python("iterator_bomb", "Uses up time in a loop of a builtin.", """
A = max(range(1 << 60))
""", "regenerate"),
    python("while_bomb", "Does not end while the file is loaded.", """
while True:
    pass
""", "regenerate"),
)  # fmt: skip
"""Modules, statements and expressions."""

_BREAKS = {
    "form_feed": "\f", "vertical_tab": "\v", "file_separator": "\x1c", "group_separator": "\x1d", "record_separator": "\x1e",
    "next_line": "\x85", "line_separator": "\u2028", "paragraph_separator": "\u2029",
}  # fmt: skip
"""Characters at which ``str.splitlines`` splits, but Python's parser or a file does not."""


_HIDDEN_KERNEL = """@wp.kernel
def hostile(x: wp.array(dtype=float)):
    x[wp.tid()] = 2.0 * x[wp.tid()] + wp.static(float(len(str(eval("PAYLOAD")))))
"""


def _shifted(name: str, before: str, after: str = "") -> Row:
    """Return a row in which a reader with other lines than Python's finds a string where the kernel is."""
    source = f"import warp as wp\n{before}\n{KERNEL.strip()}\n{after}"
    return python(f"hidden_{name}", "Hides a kernel in a string that some readers take for the kernel.", source)


_STRING = f"'''\n{_HIDDEN_KERNEL}'''"

HIDDEN = (
    *(_shifted(f"by_{name}", f"# {4 * character}\n{_STRING}") for name, character in _BREAKS.items()),
    _shifted("by_carriage_returns_before", "# " + "\r" * 5, f"'''\n{_HIDDEN_KERNEL}'''\n"),
    _shifted("by_form_feed_in_a_string", f"'''{4 * chr(12)}'''\n{_STRING}"),
    _shifted("by_line_separator_in_a_string", f"'''{4 * chr(0x2028)}'''\n{_STRING}"),
    _shifted("by_carriage_return_in_a_string", f"'''{4 * chr(13)}'''\n{_STRING}"),
)  # fmt: skip
"""Characters that shift lines."""

ROWS = (*DECORATORS, *MODULES, *HIDDEN)
