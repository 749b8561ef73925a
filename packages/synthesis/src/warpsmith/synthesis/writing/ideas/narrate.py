"""The description of a kernel in words: its purpose, its threads, its arguments, and its rule, statement by statement."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from warpsmith.synthesis.language.composed_kernel import Array, OpaqueParameter, Param, Scalar
from warpsmith.synthesis.language.layout.statement_text import split_commas
from warpsmith.synthesis.writing.ideas.notation import is_function
from warpsmith.synthesis.writing.ideas.tree import Node, parse

_ATOMIC = re.compile(r"(?:(\w+) = )?wp\.atomic_(\w+)\((.*)\)")
_LOOP = re.compile(r"for (\w+) in range\((.*)\):")
_STORE = re.compile(r"([\w.]+\[.*?\](?:\.\w+)?) (\S?)= (.*)")
_CHANGE = re.compile(r"(\w+(?:\[[^=]*\]|\.\w+)?) ([-+*/|&^])= (.*)")
_VERBS = {"+": "add {1} to {0}", "-": "subtract {1} from {0}", "*": "multiply {0} by {1}", "/": "divide {0} by {1}"}
_ATOMIC_VERBS = {"add": "atomically add {1} to {0}", "sub": "atomically subtract {1} from {0}",
                 "min": "lower {0} to {1} if that is less, atomically",
                 "max": "raise {0} to {1} if that is greater, atomically"}  # fmt: skip
_JUMPS = {"return": "stop", "continue": "go to the next iteration", "break": "leave the loop"}


_DEFINITION = re.compile(r"[A-Z]\w+ = .*")


def describe_data(
    params: Sequence[Param], about: Mapping[str, str], constants: Mapping[str, float], functions: Sequence[str]
) -> list[str]:
    """Return sentences about the precision, the arguments with their types and meanings, and the constants.

    Args:
        params: the parameters of the kernel.
        about: a phrase for each of them.
        constants: the values of constants by name.
        functions: the texts before the kernel, which may define further constants.
    """
    sentences = ["Floats have 64 bits."] if any(map(_is_double, params)) else []
    sentences.append(f"Arguments: {'; '.join(_describe(param, about) for param in params)}.")
    listed = [f"{name} = {value}" for name, value in constants.items()]
    listed += [line for text in functions for line in text.splitlines() if _DEFINITION.fullmatch(line)]
    return [*sentences, f"Constants: {', '.join(listed)}."] if listed else sentences


def _is_double(param: Param) -> bool:
    if isinstance(param, OpaqueParameter):
        return any(field.dtype.endswith(("float64", "d")) for field in param.argument.fields)
    return (param.element if isinstance(param, Array) else param.type).scalar == "float64"


_OVERLOADS = re.compile(r"^@wp\.func\n(def [\s\S]*?)\s*(?=\n\S|\Z)", re.MULTILINE)
"""The functions in the text of a helper that contains their decorators."""


def describe_options(decorator: str, options: Sequence[tuple[str, int]]) -> list[str]:
    """Return sentences about the arguments of the decorator and the options of the module; none for Warp's defaults.

    Examples:
        >>> describe_options("@wp.kernel(enable_backward=False)", [("block_dim", 64)])
        ['Decorator: kernel(enable_backward=False).', 'Module options: block_dim = 64.']
    """
    sentences = [f"Decorator: {_plain(decorator.removeprefix('@'))}."] if "(" in decorator else []
    return (
        [*sentences, f"Module options: {', '.join(f'{name} = {value}' for name, value in options)}."] if options else sentences
    )


def describe_functions(text: str) -> str:
    """Return a sentence about each function that the text of a helper defines: one, or several of one name."""
    return " ".join(map(_describe_function, [text] if is_function(text) else _OVERLOADS.findall(text)))


def _describe_function(text: str) -> str:
    head, _, rest = re.sub(r'"""[\s\S]*?"""', "", text).partition(":\n")
    head = " ".join(head.split()).replace("( ", "(").replace(", )", ")")
    return f"Function {head.removeprefix('def ').replace('wp.', '')}: {describe_rule(rest.splitlines())}."


def _describe(param: Param, about: Mapping[str, str]) -> str:
    meaning = about.get(param.name, "")
    if isinstance(param, OpaqueParameter) and param.argument.kind != "struct":
        kind = param.argument.kind.replace("_", " ")
        return f"{param.name} ({kind}{', ' if meaning else ''}{meaning})"
    if isinstance(param, OpaqueParameter):
        members = ", ".join(
            f"{field.name}{_meaning(about.get(f'{param.name}.{field.name}', ''))}" for field in param.argument.fields
        )
        return f"{param.name} (struct {param.annotation} of {members})"
    if isinstance(param, Scalar):
        return f"{param.name} ({param.type.spelling.removeprefix('wp.')}{', ' if meaning else ''}{meaning})"
    return f"{param.name} ({_shape(param)} of {param.element.spelling.removeprefix('wp.')}{', ' if meaning else ''}{meaning})"


def _meaning(about: str) -> str:
    return f": {about}" if about else ""


def _shape(array: Array) -> str:
    return "array" if len(array.dims) == 1 else f"{len(array.dims)}-D array"


def describe_rule(lines: Sequence[str]) -> str:
    """Return statements in words, such as ``if k < n: (set x[k] to 0.0)``."""
    return _sentence(parse("\n".join(line for line in lines if line.strip() and not line.lstrip().startswith(("#", '"""')))))


def _sentence(body: Sequence[Node]) -> str:
    return "; ".join(_statement(node) for node in body)


def _statement(node: Node) -> str:
    text = node.text
    if node.body:
        return f"{_header(text)} ({_sentence(node.body)})"
    if text in _JUMPS:
        return _JUMPS[text]
    if text.startswith("return "):
        return f"the result is {_plain(text[7:])}"
    if match := _ATOMIC.fullmatch(text):
        return _atomic(match[1], match[2], match[3])
    if match := _CHANGE.fullmatch(text):
        return _plain(_VERBS.get(match[2], f"combine {{0}} with {{1}} by {match[2]}").format(match[1], match[3]))
    if match := _STORE.fullmatch(text):
        return _plain(f"set {match[1]} to {match[3]}")
    return _plain(text)


def _header(text: str) -> str:
    if match := _LOOP.fullmatch(text):
        ends = split_commas(match[2])
        if len(ends) == 1:
            return _plain(f"for {match[1]} from 0 to {ends[0]} - 1:")
        step = f" in steps of {ends[2]}" if len(ends) > 2 else ""
        return _plain(f"for {match[1]} from {ends[0]} to before {ends[1]}{step}:")
    return _plain(text.replace("elif ", "otherwise if ").replace("else:", "otherwise:"))


def _atomic(result: str | None, verb: str, arguments: str) -> str:
    array, *index, value = split_commas(arguments)
    said = _ATOMIC_VERBS.get(verb, f"atomic {verb} of {{0}} with {{1}}").format(f"{array}[{', '.join(index)}]", value)
    return _plain(f"{said}, keeping the value before as {result}" if result else said)


def _plain(text: str) -> str:
    return text.replace("wp.", "")
