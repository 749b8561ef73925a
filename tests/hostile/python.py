"""Python that acts when it is loaded: in annotations, methods of device code and classes."""

from __future__ import annotations

from hostile.row import KERNEL, Row, Setting, record_of, to_line

HEADER = "import enum\nimport typing\nfrom types import SimpleNamespace\n\nimport numpy as np\nimport warp as wp\n\n"

PAYLOAD = (
    "[[object.__setattr__(m.PASS, k, v) for k, v in {'status': 'fail', 'reason': 'FORGED'}.items()] for m in "
    "[__import__('sys').modules.get('warpsmith.validation.levels.finding')] if m], "
    "__import__('os').close(__import__('os').open('MARKER', 65, 384))"
)
"""An expression that turns later verdicts of the process into forged ones and creates the marker; it has single quotes only."""

HALF = f'"{PAYLOAD[:90]}" + "{PAYLOAD[90:]}"'


def python(name: str, attempts: str, source: str, level: str | None = "parse") -> Row:
    """Return a row with a hostile source before a harmless kernel; the texts are those of the kernel alone.

    ``PAYLOAD`` in the source is an expression, ``HALF`` the same in two strings. A source that contains a kernel is complete.
    """

    def content(setting: Setting) -> bytes:
        complete = source if "@wp.kernel" in source else HEADER + source.strip("\n") + "\n\n" + KERNEL
        complete = complete.replace("HALF", HALF).replace("PAYLOAD", PAYLOAD).replace("MARKER", str(setting.marker))
        return to_line(record_of() | {"id": f"hostile-{name}", "python_source": complete})

    return Row(name, attempts, content, level)


def _annotation(name: str, annotation: str, before: str = "") -> Row:
    source = f"{before}\n\n@wp.func\ndef deed(x: {annotation}):\n    return x\n"
    return python(f"annotation_{name}", f"Evaluates a string that Warp obtains from an annotation: {name}.", source)


ANNOTATIONS = (
    _annotation("sum", "HALF"),
    _annotation("named", "DEED", 'DEED = "PAYLOAD"'),
    _annotation("repeated", "1 * DEED", 'DEED = "PAYLOAD"'),
    _annotation("formatted", "'%s' % DEED", 'DEED = "PAYLOAD"'),
    _annotation("maximum", "max(DEED, '')", 'DEED = "PAYLOAD"'),
    _annotation("choice", "DEED if True else int", 'DEED = "PAYLOAD"'),
    _annotation("either", "None or DEED", 'DEED = "PAYLOAD"'),
    _annotation("element", "DEEDS[0]", 'DEEDS = ("PAYLOAD",)'),
    _annotation("of_a_member", "Deeds.deed", 'class Deeds:\n    deed = "PAYLOAD"'),
    _annotation("of_a_namespace", "deeds.deed", 'deeds = SimpleNamespace(deed="PAYLOAD")'),
    _annotation("in_a_list", 'list["PAYLOAD"]'),
    _annotation("in_an_option", 'typing.Optional["PAYLOAD"]'),
    _annotation("string_in_a_string", "\"'PAYLOAD'\"".replace("PAYLOAD", "eval(DEED)"), 'DEED = "PAYLOAD"'),
    _annotation("text_of_a_name", '"DEED"', 'DEED = "PAYLOAD"'),
    _annotation("dtype", "wp.array(dtype=DEED)", 'DEED = "PAYLOAD"'),
    python("annotation_returned", "Evaluates a string as the type of a result.", """
DEED = "PAYLOAD"


@wp.func
def deed(x: float) -> DEED:
    return x
"""),
    python("annotation_of_a_field", "Evaluates a string as the type of a member of a struct.", """
DEED = "PAYLOAD"


@wp.struct
class Deed:
    x: DEED
"""),
    python("annotation_of_the_rest", "Evaluates a string as the type of further arguments.", """
DEED = "PAYLOAD"


@wp.func
def deed(*x: DEED):
    return x
"""),
    python("annotation_of_the_kernel", "Evaluates a string as the type of an argument of the kernel.", """
import warp as wp

DEED = "wp.array(dtype=(float, PAYLOAD)[0])"


@wp.kernel
def hostile(x: DEED):
    i = wp.tid()
    x[i] = 2.0 * x[i] + 1.0
"""),
    python("annotation_postponed", "Evaluates a postponed annotation.", """
from __future__ import annotations

import warp as wp


@wp.func
def deed(x: (float, PAYLOAD)[0]):
    return x
""" + KERNEL),
)  # fmt: skip
"""Annotations: Warp evaluates those that are strings."""

_METHODS = {
    "__init__(x: int)": "Deed(1)",
    "__new__": "Deed(1)",
    "__call__(x: int)": "Deed()(1)",
    "__class_getitem__(x: int)": "Deed[1]",
    "__getitem__(x: int)": "Deed()[1]",
    "__iter__": "list(Deed())",
    "__len__": "list(Deed())",
    "__next__": "any(Deed())",
    "__contains__(x: int)": "1 in Deed()",
    "__repr__": "str(Deed())",
    "__str__": "str(Deed())",
    "__bool__": "not Deed()",
    "__eq__(x: int)": "Deed() == 1",
    "__hash__": "set([Deed()])",
    "__add__(x: int)": "Deed() + 1",
    "__radd__": "sum([Deed()])",
    "__neg__": "-Deed()",
    "__index__": "[1][Deed()]",
    "__float__": "float(Deed())",
    "__abs__": "abs(Deed())",
    "__round__": "round(Deed())",
    "__getattr__": "Deed().deed",
    "__set_name__": "0",
    "__init_subclass__": "0",
    "__instancecheck__": "isinstance(1, Deed())",
    "__del__": "0",
}
"""Methods that Python calls implicitly, and expressions that call them. Warp passes numbers to typed parameters only."""


def _method(name: str, trigger: str) -> Row:
    signature = name if "(" in name else f"{name}(*x)"
    name = name.partition("(")[0].strip("_")
    source = f"""
class Deed:
    @wp.func
    def {signature}:
        eval("PAYLOAD")


class Child(Deed):
    member = Deed


A = {trigger}
"""
    return python(f"method_{name}", f"Runs the body of a device function as __{name}__.", source)


METHODS = tuple(_method(name, trigger) for name, trigger in _METHODS.items())
"""Device functions in classes, whose bodies a check of loading leaves out."""

CLASSES = (
    python("base_from_modules", "Derives a class from one that starts processes.", """
class Deed(enum.sys.modules["subprocess"].Popen):
    pass


A = Deed(("touch", "MARKER"))
"""),
    python("base_from_the_loader", "Derives a class from one that reads files.", """
class Deed(typing.sys.modules["io"].FileIO):
    pass


A = Deed("MARKER", "w")
"""),
    python("base_of_numpy", "Derives a class from NumPy's memory map, which creates files.", """
class Deed(np.memmap):
    pass


A = Deed("MARKER", dtype="uint8", mode="w+", shape=(4,))
"""),
    python("base_with_a_metaclass", "Derives a class whose metaclass runs when the class is made.", """
class Deed(enum.Enum):
    @wp.func
    def _generate_next_value_(*x):
        return eval("PAYLOAD")

    A = enum.auto()
"""),
    python("metaclass", "Names a metaclass.", """
class Deed(metaclass=enum.sys.modules["abc"].ABCMeta):
    pass
"""),
    python("class_with_keywords", "Passes keywords of a class to a hook of its base.", """
class Deed(typing.NamedTuple, deed=np.load):
    x: int
"""),
    python("import_as_a_method", "Imports a function of NumPy as a method that Python calls.", """
class Deed:
    from numpy import fromfile as __class_getitem__


A = Deed["/etc/passwd"]
"""),
    python("class_as_a_method", "Names a class like a method that Python calls.", """
class Deed:
    class __class_getitem__:
        from numpy import load as __new__


A = Deed["/etc/passwd"]
"""),
    python("member_as_a_method", "Binds a method that Python calls to a function of a module.", """
class Deed:
    __class_getitem__ = enum.sys.modules["builtins"].eval


A = Deed["PAYLOAD"]
"""),
    python("slots_of_a_struct", "Runs code in the class body of a struct.", """
@wp.struct
class Deed:
    x: float
    y = (PAYLOAD,)
"""),
    python("property_of_a_class", "Decorates a method with a property.", """
class Deed:
    @property
    def deed(self):
        return eval("PAYLOAD")


A = Deed().deed
"""),
)  # fmt: skip
"""Classes."""

ROWS = (*ANNOTATIONS, *METHODS, *CLASSES)
