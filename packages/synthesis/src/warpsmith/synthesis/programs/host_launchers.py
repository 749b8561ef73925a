"""Functions that launch one kernel each, as libraries have them: annotated arrays, a device, early returns and checks."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from warpsmith.synthesis.programs import program_policy as policy
from warpsmith.synthesis.programs.host_sections import indented, joined
from warpsmith.synthesis.programs.kernel_spelling import spell_type
from warpsmith.synthesis.programs.program_style import ProgramStyle

_KERNEL = re.compile(r'^kernel!? (\w+)\((.*)\):\n(?:    """(.*)"""\n)?', re.MULTILINE)
_PARAMETER = re.compile(r"(\w+): (\[*)(\w+)\]*")
_LAUNCH = re.compile(r"^( *)(wp\.launch\(.*\))$", re.MULTILINE)
_INTEGER = re.compile(r"^(\w+) = \d+(?:  #|$)", re.MULTILINE)
_DIMENSIONS = {2: "two dimensions", 3: "three dimensions"}


@dataclass(frozen=True, slots=True)
class _Parameter:
    """A parameter of a kernel.

    Attributes:
        name: its name.
        kind: the type of its value, or of the elements of the array.
        dimensions: the dimensions of the array; 0 for a value.
    """

    name: str
    kind: str
    dimensions: int


@dataclass(frozen=True, slots=True)
class _Kernel:
    name: str
    parameters: tuple[_Parameter, ...]
    summary: str
    only_read: str  # the first array that the kernel reads and nothing else


@dataclass(frozen=True, slots=True)
class _Launch:
    """A call of ``wp.launch``: its arguments as texts."""

    kernel: str
    dim: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Shape:
    """What the functions of a kernel have in common: the number of inputs, and the dimension of the launch.

    Attributes:
        inputs: the number of arguments that are inputs.
        dim: the dimension as an expression of the parameters of the kernel; empty if it is a parameter of the function.
        dim_type: the type of that parameter.
    """

    inputs: int
    dim: str
    dim_type: str


class Launchers:
    """Replaces launches of sections by calls of functions, which it writes.

    Args:
        kernels: the kernels of the catalogue, before their types are spelled.
        parameters: the parameters of the program.
        sections: the sections with launches.
        style: the style of the program.
    """

    def __init__(self, kernels: str, parameters: str, sections: Sequence[str], style: ProgramStyle) -> None:
        self._style = style
        found = [kernel for match in _KERNEL.finditer(kernels + "\n") if (kernel := _kernel(match, _body(kernels, match)))]
        self._kernels = {kernel.name: kernel for kernel in found}
        launches: dict[str, list[_Launch]] = {}
        for section in sections:
            for match in _LAUNCH.finditer(section):
                launch = _launch(match[2])
                if launch is not None and launch.kernel in self._kernels:
                    launches.setdefault(launch.kernel, []).append(launch)
        integers = set(_INTEGER.findall(parameters))
        taken = set(re.findall(r"\w+", "\n".join([kernels, *sections])))
        self._shapes = {
            name: shape
            for name, calls in launches.items()
            if self._name(name) not in taken and (shape := _shape(self._kernels[name], calls, integers))
        }

    def rewritten(self, section: str) -> str:
        """Return a section with calls of the functions."""
        return _LAUNCH.sub(lambda match: match[1] + self._call(match[2]), section)

    def definitions(self, spell: Callable[[str], str]) -> list[str]:
        """Return the functions; ``spell`` writes a launch in the style of the program."""
        return [self._define(self._kernels[name], shape, spell) for name, shape in self._shapes.items()]

    def _name(self, kernel: str) -> str:
        return f"{self._style.launcher}_{kernel.removesuffix('_kernel')}"

    def _call(self, text: str) -> str:
        launch = _launch(text)
        if launch is None or launch.kernel not in self._shapes:
            return text
        arguments = [*launch.inputs, *launch.outputs]
        if not self._shapes[launch.kernel].dim:
            arguments.append(launch.dim)
        device = ["device=device"] if self._style.device == "argument" else []
        return f"{self._name(launch.kernel)}({', '.join([*arguments, *device])})"

    def _define(self, kernel: _Kernel, shape: _Shape, spell: Callable[[str], str]) -> str:
        style, names = self._style, [item.name for item in kernel.parameters]
        hinted = [f"{item.name}: {self._annotation(item)}" if style.hints else item.name for item in kernel.parameters]
        if not shape.dim:
            hinted.append(f"dim: {shape.dim_type}" if style.hints else "dim")
        if style.device == "argument":
            hinted.append("device: str | None = None" if style.hints else "device=None")
        groups = [f"inputs=[{', '.join(names[: shape.inputs])}]"]
        if names[shape.inputs :]:
            groups.append(f"outputs=[{', '.join(names[shape.inputs :])}]")
        launch = f"wp.launch({kernel.name}, dim={shape.dim or 'dim'}, {', '.join(groups)})"
        summary = kernel.summary or f"Launch the kernel ``{kernel.name}``."
        doc = f'"""{summary}"""' if style.method_docs else ""
        returns = " -> None" if style.hints else ""
        body = joined([doc, self._begin(kernel), spell(launch)])
        return f"def {self._name(kernel.name)}({', '.join(hinted)}){returns}:\n{indented(body)}"

    def _annotation(self, item: _Parameter) -> str:
        if item.dimensions and not self._style.typed_arrays:
            return "wp.array"
        if item.kind == "uint64" and not item.dimensions:  # the id of a mesh or a grid, which Python has as an integer
            return "int"
        if item.kind in ("float", "int", "bool") and not item.dimensions:
            return item.kind
        return spell_type(item.kind, item.dimensions, self._style)

    def _begin(self, kernel: _Kernel) -> str:
        """Return the checks of arrays, the default of the device, and the return where there is nothing to do."""
        arrays = [item for item in kernel.parameters if item.dimensions]
        if not arrays:
            return ""
        first, style = arrays[0], self._style
        lines: list[str] = []
        for item in [array for array in arrays if array.dimensions in _DIMENSIONS][:1] if style.validate else []:
            message = f"{item.name} must have {_DIMENSIONS[item.dimensions]}, got {{{item.name}.ndim}}"
            lines += [f"if {item.name}.ndim != {item.dimensions}:", f'    raise ValueError(f"{message}")']
        if style.early_return:
            lines += [f"if {first.name}.{policy.EMPTY_TEST} == 0:", "    return"]
        if style.contiguous and kernel.only_read:
            lines += [f"if not {kernel.only_read}.is_contiguous:", f"    {kernel.only_read} = {kernel.only_read}.contiguous()"]
        if style.device == "argument":
            lines += style.device_default(f"str({first.name}.device)")
        return "\n".join(lines)


def _kernel(match: re.Match[str], body: str) -> _Kernel | None:
    """Return a kernel whose parameters are all arrays or values of Warp."""
    parameters: list[_Parameter] = []
    for text in match[2].split(", "):
        part = _PARAMETER.fullmatch(text)
        if part is None or part[1] in ("dim", "device") or part[3] == "Any":
            return None
        parameters.append(_Parameter(part[1], part[3], len(part[2])))
    only_read = next((item.name for item in parameters if item.dimensions and _is_only_read(item.name, body)), "")
    return _Kernel(match[1], tuple(parameters), match[3] or "", only_read)


def _body(kernels: str, match: re.Match[str]) -> str:
    """Return the statements of a kernel: what is indented below its header."""
    found = re.match(r"(?:(?:    .*)?\n|    .*)*", f"{kernels}\n"[match.end() :])
    return found[0] if found else ""


def _is_only_read(name: str, body: str) -> bool:
    """Return whether a kernel reads elements or the shape of an array, and does not assign or pass it on."""
    used = re.findall(rf"\b{name}\b(?:\.shape\b|\[)?", body)
    written = re.search(rf"\b{name}\[.*\](?:\.\w+)? [-+*/]?= ", body)
    return len(used) > 0 and all(text != name for text in used) and written is None


def _launch(text: str) -> _Launch | None:
    """Return a launch with a kernel, a dimension, inputs and outputs, and nothing else."""
    try:
        node = ast.parse(text, mode="eval").body
    except SyntaxError:
        return None
    if not isinstance(node, ast.Call) or len(node.args) != 1 or not isinstance(node.args[0], ast.Name):
        return None
    named = {str(keyword.arg): keyword.value for keyword in node.keywords}
    if not {"dim"} <= set(named) <= {"dim", "inputs", "outputs"}:
        return None
    groups: list[tuple[str, ...]] = []
    for name in ("inputs", "outputs"):
        value = named.get(name, ast.List([]))
        if not isinstance(value, ast.List):
            return None
        groups.append(tuple(ast.get_source_segment(text, item) or "" for item in value.elts))
    return _Launch(node.args[0].id, ast.get_source_segment(text, named["dim"]) or "", *groups)


def _shape(kernel: _Kernel, calls: Sequence[_Launch], integers: Collection[str]) -> _Shape | None:
    """Return what the calls of a kernel have in common, or None if they differ too much for one function."""
    counts = {len(call.inputs) for call in calls}
    if len(counts) != 1 or any(len(call.inputs) + len(call.outputs) != len(kernel.parameters) for call in calls):
        return None
    inner = [_dim_of_parameters(kernel, call) for call in calls]
    dim = inner[0] if len(set(inner)) == 1 else ""
    kinds = {"int" if call.dim in integers else _dim_type(call.dim) for call in calls}
    return _Shape(counts.pop(), dim, kinds.pop() if len(kinds) == 1 else "int | tuple[int, ...]")


def _dim_of_parameters(kernel: _Kernel, call: _Launch) -> str:
    """Return the dimension of a launch if it is a parameter of the kernel, or a size of an array that is one."""
    match = re.fullmatch(r"(\w+)((?:\.shape(?:\[0\])?|\.size)?)", call.dim)
    places = [place for place, text in enumerate((*call.inputs, *call.outputs)) if match and text == match[1]]
    if not match or not places:
        return ""
    item = kernel.parameters[places[0]]
    fits = item.dimensions if match[2] else not item.dimensions and item.kind == "int"
    return f"{item.name}{match[2]}" if fits else ""


def _dim_type(text: str) -> str:
    if text.startswith("(") and text.endswith(")") and "," in text:
        return "tuple[int, ...]"
    if text.endswith(".shape"):
        return "tuple[int, ...]"
    if text.isdigit() or text.endswith((".size", "]")) or re.fullmatch(r"\w+ [-+*] \d+|len\(\w+\)", text):
        return "int"
    return "int | tuple[int, ...]"
