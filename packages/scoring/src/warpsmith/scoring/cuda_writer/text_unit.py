"""The parts of a text while it is written: constants, structs, helper functions, and the names that are taken."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from warpsmith.core.records.syntax_walks import walk
from warpsmith.scoring.cuda_writer.code_pieces import Code, literal, number, number_type
from warpsmith.scoring.cuda_writer.cuda_types import DOUBLE, FLOAT, Kind, components, is_builtin_vector, type_name
from warpsmith.scoring.cuda_writer.device_library import Library
from warpsmith.scoring.cuda_writer.idioms import Idioms
from warpsmith.scoring.cuda_writer.layout.line_breaks import WIDTH
from warpsmith.scoring.cuda_writer.layout.source_comments import Comments
from warpsmith.scoring.cuda_writer.number_forms import has_other_pi
from warpsmith.scoring.plain.plain_names import is_free
from warpsmith.validation.oracle.interpreter.module_values import Module, dotted
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported
from warpsmith.validation.oracle.values.kernel_arrays import Arrays, Struct
from warpsmith.validation.oracle.values.value_types import Type, of

_TAKEN = frozenset("half half2 main printf assert min max abs dim3 y0 y1 yn j0 j1 jn gamma dim block grid stream".split())
"""Names of C and CUDA that a variable of a file may not have, besides those that `is_free` rejects."""

_TYPE_NAME = re.compile(r"(?:quat|pose|mat\d\d|vec\d+)[dilu]?")
"""The names of structs that a text may have."""

_LOCAL_ALSO_FREE = frozenset("dim block grid stream gamma y0 y1 yn j0 j1 jn main half".split())
"""Names that hide nothing that a text uses where they are variables of a function."""


_SHORTER = {"length": "len", "normalize": "unit", "distance": "dist"}
"""Names of variables that hide no function of the same name."""


@dataclass(slots=True)
class Unit:
    """A text while it is written.

    Attributes:
        source: the Python file.
        tree: its syntax tree.
        module: its definitions.
        idioms: the style of the text.
        library: the functions and structs of the text besides those of the file.
        comments: the comments of the file.
        constants: the definitions of constants by name.
        structs: the definitions of structs by name.
        functions: the texts of the helper functions of the file.
        doubles: the constants that the file converts to double precision.
        has_other_pi: whether literals of the file stay, as some of them are no exact multiples of pi.
    """

    source: str
    tree: ast.Module
    module: Module
    idioms: Idioms
    library: Library = field(init=False)
    comments: Comments = field(init=False)
    constants: dict[str, str] = field(default_factory=dict)
    structs: dict[str, str] = field(default_factory=dict)
    functions: list[str] = field(default_factory=list)
    doubles: frozenset[str] = frozenset()
    has_other_pi: bool = False

    def __post_init__(self) -> None:
        self.library = Library(self.idioms)
        self.comments = Comments(self.source)
        self.doubles = _doubles(self.tree, self.module)
        self.has_other_pi = has_other_pi(self.tree)

    def name_of_type(self, kind: Kind) -> str:
        """Return the name of a type, whose definition becomes part of the text."""
        if isinstance(kind, Struct):
            self._struct(kind)
            return kind.name
        return self.library.use(kind)

    def _struct(self, kind: Struct) -> None:
        if kind.name in self.structs:
            return
        node = next((part for part in self.tree.body if isinstance(part, ast.ClassDef) and part.name == kind.name), None)
        lines = [f"struct {kind.name} {{"]
        for name, member in kind.members.items():
            if isinstance(member, Arrays) or not is_free(name):
                raise Unsupported(f"the member {kind.name}.{name}")
            line = next((part for part in (node.body if node else []) if _declares(part, name)), None)
            remark = self.comments.behind(line.lineno, line.end_lineno or line.lineno) if line is not None else ""
            text = f"{' ' * self.idioms.indent}{self.name_of_type(member)} {name};"
            lines.append(f"{text}  // {remark}" if remark else text)
        self.structs[kind.name] = "\n".join([*lines, "};\n"])

    def constant(self, node: ast.expr) -> Code:
        """Return a constant of the file as an expression.

        Raises:
            Unsupported: if it has no value, or is none that CUDA has.
        """
        value = self.module.constant(node)
        name = dotted(node)
        if isinstance(value, (bool, int, float)) and not isinstance(value, np.generic):
            return self._number(name, value)
        kind = of(value)
        if kind is None:
            raise Unsupported(f"the constant {name!r}")
        if not kind.shape:
            return self._typed_number(name, value, kind)
        return self._components(name, value, kind)

    def _number(self, name: str, value: bool | int | float) -> Code:
        if name not in self.module.constants:  # wp.pi, math.pi
            text = _FAMOUS.get(name.rpartition(".")[2].lower()) if np.isfinite(value) else None
            if text is None:
                return literal(value)
            self._define(text, FLOAT, _PI_TEXT if text == "PI" else number(value, FLOAT), "", "")
            return Code(text, FLOAT, number=value)
        kind = number_type(value)
        defined = cuda_name(name)
        if kind == FLOAT and name in self.doubles:
            self._define(defined, DOUBLE, *self._written(name, value, DOUBLE))
            return Code(f"(float){defined}", FLOAT, 15, number=value)
        self._define(defined, kind, *self._written(name, value, kind))
        return Code(defined, kind, number=value)

    def defines_pi(self) -> bool:
        """Return whether ``PI`` is the number pi in the text, which defines it unless the file has another constant ``PI``."""
        found = self.module.constants.get("PI")
        is_other = found is not None and not (isinstance(found, float) and np.float32(found) == np.float32(np.pi))
        if is_other or self.has_other_pi:
            return False
        if found is not None:
            self.constant(ast.Name("PI", ast.Load()))
        else:
            self._define("PI", FLOAT, _PI_TEXT, "", "")
        return not self.constants["PI"].startswith("constexpr double")

    def in_double(self, node: ast.expr) -> Code | None:
        """Return a constant that the file converts to double precision, or None if an expression is none."""
        name = dotted(node)
        if name not in self.doubles or not isinstance(self.module.constants.get(name), float):
            return None
        self.constant(node)
        return Code(cuda_name(name), DOUBLE)

    def _typed_number(self, name: str, value: Any, kind: Type) -> Code:
        defined = cuda_name(name)
        self._define(defined, kind, *self._written(name, value.item(), kind))
        return Code(defined, kind)

    def _components(self, name: str, value: Any, kind: Type) -> Code:
        defined = cuda_name(name)
        terms = [number(each.item(), Type(kind.scalar)) for each in value.reshape(-1)]
        if defined not in self.constants:
            ctype = self.name_of_type(kind)
            if is_builtin_vector(kind) or components(kind)[0] == ".x":
                text = f"{{{', '.join(terms)}}}"
            else:
                text = self.library.made(kind, terms).removeprefix(ctype)
            self.constants[defined] = f"__constant__ {ctype} {defined} = {text};"
        return Code(defined, kind)

    def _written(self, name: str, value: Any, kind: Type) -> tuple[str, str, str]:
        """Return how a constant is written, and the comments behind and above it."""
        group, _, member = name.removesuffix(".value").rpartition(".")
        enumeration = next(
            (part for part in self.tree.body if isinstance(part, ast.ClassDef) and part.name == group), self.tree
        )
        node = next((part for part in enumeration.body if _assigns(part, member)), None)
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
            return number(value, kind, ""), "", ""
        inner = node.value
        while isinstance(inner, ast.Call) and len(inner.args) == 1:
            inner = inner.args[0]
        segment = ast.get_source_segment(self.source, inner) if isinstance(inner, ast.Constant) else ""
        remark = self.comments.behind(node.lineno, node.end_lineno or node.lineno)
        above = "".join(f"// {each.text}\n" for each in self.comments.above(node.lineno)) if not group else ""
        return number(value, kind, (segment or "").replace("_", "")), remark, above

    def _define(self, name: str, kind: Type, text: str, remark: str, above: str) -> None:
        if name in self.constants:
            return
        value = f"({text})" if text.startswith("-") else text
        line = f"#define {name} {value}" if self.idioms.defines else f"constexpr {type_name(kind)} {name} = {text};"
        if remark and len(line) + len(f"  // {remark}") > WIDTH:
            above, remark = f"{above}// {remark}\n", ""
        self.constants[name] = f"{above}{line}  // {remark}" if remark else f"{above}{line}"

    def constants_in_order(self) -> list[tuple[str, str]]:
        """Return names and definitions of constants in the order of the file."""
        places: dict[str, int] = {}
        for part in self.tree.body:
            members = part.body if isinstance(part, ast.ClassDef) else [part]
            prefix = f"{part.name}." if isinstance(part, ast.ClassDef) else ""
            for member in members:
                targets = member.targets if isinstance(member, ast.Assign) else [getattr(member, "target", None)]
                for target in targets:
                    if isinstance(target, ast.expr) and (name := dotted(target)):
                        places.setdefault(cuda_name(prefix + name), member.lineno)
        return _with_families(sorted(self.constants.items(), key=lambda each: places.get(each[0], 0)))


_PI_TEXT = "3.14159265f"

_FAMOUS = {"pi": "PI", "tau": "TAU", "half_pi": "HALF_PI", "e": "EULER", "phi": "GOLDEN_RATIO"}


def _with_families(constants: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return constants with those of one prefix that are numbered next to each other, by their numbers.

    Examples:
        >>> found = _with_families([("MODE_B", "#define MODE_B 1"), ("G", "#define G 9.8f"), ("MODE_A", "#define MODE_A 0")])
        >>> [name for name, _ in found]
        ['MODE_A', 'MODE_B', 'G']
    """
    families: dict[str, list[tuple[int, tuple[str, str]]]] = {}
    for name, text in constants:
        if found := re.fullmatch(rf"(?:#define {name} |constexpr int {name} = )(\d+);?", text):
            families.setdefault(name.partition("_")[0], []).append((int(found[1]), (name, text)))
    kept = {prefix: group for prefix, group in families.items() if len(group) > 1 and _counts(value for value, _ in group)}
    members = {each[0]: prefix for prefix, group in kept.items() for _, each in group}
    ordered: dict[str, str] = {}
    for name, text in constants:
        ordered |= dict(each for _, each in sorted(families[members[name]])) if name in members else {name: text}
    return list(ordered.items())


def _counts(values: Iterable[int]) -> bool:
    """Return whether numbers are consecutive ones in some order."""
    found = sorted(values)
    return found == list(range(found[0], found[0] + len(found)))


def _declares(part: ast.stmt, name: str) -> bool:
    return isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name) and part.target.id == name


def _assigns(part: ast.stmt, name: str) -> bool:
    if isinstance(part, ast.AnnAssign):
        return dotted(part.target) == name
    return isinstance(part, ast.Assign) and len(part.targets) == 1 and dotted(part.targets[0]) == name


def _doubles(tree: ast.Module, module: Module) -> frozenset[str]:
    """Return the constants that a file converts to double precision."""
    calls = [node for node in walk(tree) if isinstance(node, ast.Call) and module.member(node.func) == "float64"]
    return frozenset(dotted(node.args[0]) for node in calls if node.args and isinstance(node.args[0], ast.Name | ast.Attribute))


def cuda_name(name: str) -> str:
    """Return the name of a constant of a file.

    Examples:
        >>> cuda_name("PhaseState.LIQUID"), cuda_name("LayerKind.LK_FROZEN"), cuda_name("MAX_STEPS"), cuda_name("auto")
        ('PHASE_STATE_LIQUID', 'LK_FROZEN', 'MAX_STEPS', 'auto_')
    """
    name = name.removesuffix(".value")
    enumeration, _, member = name.rpartition(".")
    if enumeration and member.startswith("".join(filter(str.isupper, enumeration)) + "_"):
        name = member  # which has the initials of the enumeration
    elif enumeration:
        name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).replace(".", "_").upper()
    return free_name(name)


def free_name(name: str, taken: Sequence[str] | frozenset[str] | set[str] = frozenset(), *, is_local: bool = False) -> str:
    """Return a name that means nothing in CUDA, as close to another one as possible."""
    if _TYPE_NAME.fullmatch(name):
        name = f"{name}_"
    hidden = _TAKEN - _LOCAL_ALSO_FREE if is_local else _TAKEN
    name = re.sub(r"__+", "_", name)
    name = re.sub(r"^(?:wp_|warpsmith)", "w_", name, flags=re.IGNORECASE)
    other = _SHORTER.get(name, name) if is_local else name
    candidates = (name, other, f"{name.rstrip('_')}_", *(f"{name.rstrip('_')}{number}" for number in range(2, 100)))
    return next(each for each in candidates if is_free(each) and each not in hidden and each not in taken)
