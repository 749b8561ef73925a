"""The functions of a kernel's generated code: parameters, types of variables, and statements."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from warpsmith.core.records import text_format
from warpsmith.core.records.ir import Code

_FUNCTION = re.compile(
    r"^(?:template <[^\n]*>\n)?(?:(?:static|extern) [^\n;{]*?|void )\b(\w+)\(([^{;]*?)\)\n\{\n", re.MULTILINE | re.DOTALL
)
"""The head of a function: its name and its parameters. Kernels in C++ are ``static`` from 1.19."""

_END = re.compile(r"^\}", re.MULTILINE)
"""The end of a function that Warp writes; the functions of native snippets end anywhere before the next function."""

_DECLARATION = re.compile(r"^\s*(?!return |goto )(?:const )?((?:wp::)?\w[\w:]*(?:<.*>)?\s?[*&]?) (var_\w+)(?: = ([^;]*))?;$")
_PARAMETER = re.compile(r"^(?:const )?(.+?)\s*([&*]?)\s*\b(\w+)$", re.DOTALL)
_STRUCT = re.compile(r"^struct (\w+)\n\{\n((?:    [^\n]+;\n)+)", re.MULTILINE)
_FORWARD = re.compile(rf"^\s*{text_format.FORWARD_SECTION}$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement: the text that is assigned to, or None, and the text of the expression."""

    target: str | None
    expression: str


@dataclass(frozen=True, slots=True)
class FunctionText:
    """A function of generated code.

    Attributes:
        name: its name.
        parameters: names of the parameters, in order.
        types: C++ types of parameters and variables by name.
        statements: the statements, in order, without declarations.
        native: the body of a function that is written in C++ by the user; empty for others.
    """

    name: str
    parameters: tuple[str, ...]
    types: Mapping[str, str]
    statements: tuple[Statement, ...]
    native: str = ""


@dataclass(frozen=True, slots=True)
class KernelText:
    """The forward code of a kernel, in parts.

    Attributes:
        kernel: the function of the kernel; its parameters are the kernel's arguments.
        functions: all other functions by name.
        structs: types and names of the members by struct.
    """

    kernel: FunctionText
    functions: Mapping[str, FunctionText]
    structs: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)


def read_kernel(code: Code, target: str) -> KernelText:
    """Return the functions in the forward code of a kernel.

    Args:
        code: the code.
        target: ``"cpu"`` or ``"cuda"``.

    Raises:
        ValueError: if the text has no kernel of that name.
    """
    text = code.forward_code
    functions = {function.name: function for function in _functions(text)}
    kernel = functions.pop(text_format.kernel_opening(code.kernel_name, target, "forward")[:-1], None)
    if kernel is None:
        raise ValueError(f"the text of {code.kernel_name} has no kernel")
    structs = {
        match[1]: tuple((ctype.replace("wp::", ""), name) for ctype, name in text_format.STRUCT_FIELD.findall(match[2]))
        for match in _STRUCT.finditer(text)
    }
    return KernelText(kernel, functions, structs)


def _functions(text: str) -> Iterator[FunctionText]:
    heads = list(_FUNCTION.finditer(text))
    ends = [*(head.start() for head in heads[1:]), len(text)]
    for head, end in zip(heads, ends, strict=True):
        name, parameters = head.groups()
        if not name.startswith(text_format.ADJOINT_PREFIX):
            yield _function(name, parameters, text[head.end() : end])


def _function(name: str, parameter_text: str, body: str) -> FunctionText:
    types: dict[str, str] = {}
    parameters: list[str] = []
    for part in _split(parameter_text):
        if match := _PARAMETER.match(part):
            types[match[3]] = match[1].replace("wp::", "") + match[2]
            parameters.append(match[3])
    if not _FORWARD.search(body):
        return FunctionText(name, tuple(parameters), types, (), native=body)
    statements: list[Statement] = []
    for line in _END.split(body)[0].split("\n"):
        text = line.strip()
        if text.startswith(("//", "#")) or not text.endswith(";"):
            continue
        if declared := _DECLARATION.match(text):
            types[declared[2]] = declared[1].replace("wp::", "")
            if declared[3] and declared[3].startswith("_wp_args->"):  # the C++ kernel takes a structure of its arguments
                parameters.append(declared[2])
            elif declared[3]:
                statements.append(Statement(declared[2], declared[3]))
        else:
            statements.append(_statement(text[:-1]))
    return FunctionText(name, tuple(parameters), types, tuple(statements))


def _statement(text: str) -> Statement:
    """Return the statement of a text without its semicolon; ``x += y`` counts as an assignment."""
    match = re.match(r"([\w.*>()-]*?\w\)?) [-+*/%&|^]?= (.*)$", text)
    return Statement(match[1], match[2]) if match and not match[1].startswith("return") else Statement(None, text)


def _split(parameters: str) -> Iterator[str]:
    """Yield the parameters in a text, divided at commas outside of template arguments."""
    depth, start = 0, 0
    for position, letter in enumerate(parameters):
        depth += {"<": 1, ">": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            yield parameters[start:position].strip()
            start = position + 1
    yield parameters[start:].strip()
