"""Read the C++ text of one kernel as variables and steps.

Only texts that consist of what Warp writes are read: declarations, then one statement a line, with jumps and nested conditions.
Every statement is an expression that clang compiles later, so that this module need not know what functions do. It guarantees
that nothing else is in the text that a compiler would reject, or run in another order: a text with anything else is `Unfit`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from warpsmith.core.records import text_format
from warpsmith.core.records.entry_format import ENTRY
from warpsmith.core.records.ir import Code
from warpsmith.validation.calls.steps import Body, Function, Kernel, Parameter, Statement, Step, Unfit, Variable

_TYPE = r"(?:wp::\w+|bool)(?:<[\w:<>, ]*>)?\*?"
_DECLARATION = re.compile(rf"(?:(const) )?({_TYPE}) ((?:var|adj)_\w+)(?: = (\{{\}}|-?[\w.+-]+|true|false))?;")
_UNSET = re.compile(rf"^( +{_TYPE} (?:var|adj)_\w+);$", re.MULTILINE)
_PARAMETER = re.compile(rf"    ({_TYPE}) (& )?((?:var|adj|ret)_\w+)")
_FUNCTION = re.compile(
    rf"(?://[^\n]*\n)?static (?P<type>void|{_TYPE}) (?P<name>\w+)\((?:\n(?P<parameters>[^()]*))?\)\n"
    r"\{\n(?P<body>(?:[^\n]*\n)*?)\}\n"
)
_LABEL_NAME = r"label\d+|(?:start|end)_[a-z]+_\d+"
_JUMP = re.compile(rf"(?:if \((?P<condition>.*)\) )?goto (?P<label>{_LABEL_NAME});")
_LABEL = re.compile(rf"({_LABEL_NAME}):;")
_RETURN = re.compile(r"return(?: ((?:var|adj)_\w+))?;")
_NEGATION = re.compile(r"!((?:var|adj)_\w+)")
_TOKEN = re.compile(
    r"(?P<space> +)|(?P<member>\.[A-Za-z]\w*|wp(?:::\w+)+)|(?P<variable>(?:var|adj|ret)_\w+\b(?!\())|(?P<word>[A-Za-z_]\w*)"
    r"|(?P<number>\d+\.?\d*(?:e[+-]?\d+|u?ll)?)|(?P<sign>[(){}<>,&|!=+*/%^\[\]-])"
)
_WORDS = {"true", "false", "float", "iter_cmp", *text_format.THREAD_MACROS}
"""The words that a statement may contain besides variables, members and helper functions."""

_UNREADABLE_WORDS = ("\r", "\\\n", "bfloat16", "tile_")
_UNREADABLE = re.compile(r"\r|\\\n|\bbfloat16\b|\btile_")


def read(code: Code) -> dict[str, Kernel]:
    """Return each direction of a kernel from its C++ text.

    Raises:
        Unfit: if the text contains anything that this package does not run.
    """
    head, kernel = _divided(code, "forward")
    structures = list(text_format.ARGUMENT_STRUCT.finditer(head))
    if len(structures) != 1 or structures[0][1] != code.kernel_name:
        raise Unfit("no structure of arguments")
    fields = tuple((str(ctype), str(name)) for ctype, name in text_format.STRUCT_FIELD.findall(structures[0][2]))
    if "".join(f"    {ctype} {name};\n" for ctype, name in fields) != structures[0][2]:
        raise Unfit("an unusual structure")
    functions = _functions(head.replace(structures[0][0], ""), {})
    kernels = {"forward": _kernel(kernel, fields, functions)}
    if code.backward_code is not None:
        head, kernel = _divided(code, "backward")
        kernels["backward"] = _kernel(kernel, fields, _functions(head, functions))
    return kernels


def with_empty_variables(code: Code) -> Code:
    """Return a text whose variables without a value start empty, so that its results do not depend on what memory contains."""
    texts = {name: getattr(code, name) for name in ("forward_code", "backward_code")}
    return replace(code, **{name: _UNSET.sub(r"\1 = {};", text) for name, text in texts.items() if text is not None})


def _kernel(kernel: re.Match[str], fields: tuple[tuple[str, str], ...], functions: Mapping[str, Function]) -> Kernel:
    """Return a kernel from its function, the members of its structure of arguments, and the functions that it may call."""
    prefixes = dict(text_format.ARGUMENT_VARIABLES)
    if kernel["direction"] == "forward":
        del prefixes["adj"]
    expected = [
        f"{ctype} {prefix}_{field} = {source}->{field};" for prefix, source in prefixes.items() for ctype, field in fields
    ]
    written = [line for line in map(str.strip, kernel["arguments"].split("\n")) if line]
    if written != expected or bool(kernel["adjoint"]) != (kernel["direction"] == "backward"):
        raise Unfit("arguments")
    body = _body(kernel["body"], functions)
    names = [f"{prefix}_{field}" for prefix in prefixes for _, field in fields] + [variable.name for variable in body.variables]
    if len(set(names)) < len(names) or any(re.fullmatch(_TYPE, ctype) is None for ctype, _ in fields):
        raise Unfit("two variables of one name, or an unusual type")
    return Kernel(int(kernel["dimensions"]), fields, dict(functions), body)


def _divided(code: Code, direction: str) -> tuple[str, re.Match[str]]:
    """Return the text before a kernel function, and the function; its entry point must have Warp's form."""
    text = (code.forward_code if direction == "forward" else code.backward_code) or ""
    kernel = text_format.CPU_KERNEL.search(text)
    if kernel is None or (kernel["name"], kernel["direction"]) != (code.kernel_name, direction):
        raise Unfit("no kernel function")
    entry = ENTRY["cpu"].fullmatch(text[kernel.end() :].strip("\n") + "\n")
    if entry is None or (entry["name"], entry["direction"], entry["dimensions"]) != (
        code.kernel_name,
        direction,
        kernel["dimensions"],
    ):
        raise Unfit("another entry point")
    read_text = text[: kernel.end()]
    if any(words in read_text for words in _UNREADABLE_WORDS) and (reason := _UNREADABLE.search(read_text)) is not None:
        raise Unfit(repr(reason[0]))
    return text[: kernel.start()], kernel


def _functions(head: str, known: Mapping[str, Function]) -> dict[str, Function]:
    """Return the functions that are ``known`` and those of the text before a kernel; each may call those before it."""
    functions = dict(known)
    position, text = 0, head.strip("\n") + "\n"
    while position < len(text):
        if text[position] == "\n":
            position += 1
            continue
        found = _FUNCTION.match(text, position)
        if found is None or found["name"] in functions:
            raise Unfit("a definition that is no plain function")
        position = found.end()
        parameters = _parameters(found["parameters"] or "")
        body = _body(found["body"], functions)
        names = [parameter.name for parameter in parameters] + [variable.name for variable in body.variables]
        if len(set(names)) < len(names):
            raise Unfit("two variables of one name")
        functions[found["name"]] = Function(found["type"], parameters, body)
    return functions


def _parameters(text: str) -> tuple[Parameter, ...]:
    parameters = []
    for line in text.split(",\n") if text else ():
        found = _PARAMETER.fullmatch(line)
        if found is None:
            raise Unfit("an unusual parameter")
        parameters.append(Parameter(found[1], found[3], found[2] is not None))
    return tuple(parameters)


def _body(text: str, functions: Mapping[str, Function]) -> Body:
    lines = [line for line in map(_stripped, text.split("\n")) if line and not line.startswith("//")]
    variables: list[Variable] = []
    while len(variables) < len(lines) and (declared := _declaration(lines[len(variables)])) is not None:
        variables.append(declared)
    steps: list[Step] = []
    open_blocks: list[str] = []
    for number, line in enumerate(lines[len(variables) :]):
        if line == "}" and open_blocks:
            steps.append(Step("label", label=open_blocks.pop()))
        elif line.startswith("if (") and line.endswith(") {"):
            open_blocks.append(f"{{{number}")
            steps.append(_jump(line[4:-3], open_blocks[-1], taken=False))
        else:
            steps.append(_step(line, functions))
    labels = [step.label for step in steps if step.kind == "label"]
    if open_blocks or len(set(labels)) < len(labels) or not {step.label for step in steps} - {""} <= set(labels):
        raise Unfit("labels or brackets that do not match")
    return Body(tuple(variables), tuple(steps))


def _stripped(line: str) -> str:
    return line.strip(" \t")


@lru_cache(maxsize=1 << 16)
def _declaration(line: str) -> Variable | None:
    found = _DECLARATION.fullmatch(line)
    if found is None:
        return None
    constant, value = found[1] is not None, found[4] or ""
    if constant != (value not in ("", "{}")):
        raise Unfit(f"an unusual declaration: {line}")
    return Variable(found[2], found[3], value, constant)


def _step(line: str, functions: Mapping[str, Function]) -> Step:
    if (found := _JUMP.fullmatch(line)) is not None:
        return (
            _jump(found["condition"], found["label"], taken=True) if found["condition"] else Step("goto", label=found["label"])
        )
    if (found := _LABEL.fullmatch(line)) is not None:
        return Step("label", label=found[1])
    if (found := _RETURN.fullmatch(line)) is not None:
        return Step("return", Statement("$", (found[1],)) if found[1] else None)
    if not line.endswith(";"):
        raise Unfit(f"not a statement: {line}")
    return Step("run", _checked(line[:-1], functions))


def _jump(condition: str, label: str, *, taken: bool) -> Step:
    if (found := _NEGATION.fullmatch(condition)) is not None:
        return Step("unless" if taken else "if", Statement("$", (found[1],)), label)
    return Step("if" if taken else "unless", _checked(condition, {}), label)


def _checked(text: str, functions: Mapping[str, Function]) -> Statement:
    statement = _statement(text)
    if not statement.functions <= functions.keys():
        raise Unfit(f"a word with an unknown meaning: {text}")
    return statement


@lru_cache(maxsize=1 << 17)
def _statement(text: str) -> Statement:
    """Return a statement; its words that have no other meaning are names of helper functions."""
    names, form, words, position = [], [], set(), 0
    while position < len(text):
        token = _TOKEN.match(text, position)
        if token is None:
            raise Unfit(f"a statement with an unknown sign: {text}")
        position = token.end()
        if token.lastgroup == "variable":
            names.append(token[0])
            form.append("$")
            continue
        if token.lastgroup == "word" and token[0] not in _WORDS:
            words.add(token[0])
        form.append(token[0])
    result = "".join(form)
    if "//" in result or "/*" in result:
        raise Unfit(f"a statement with a comment: {text}")
    return Statement(result, tuple(names), frozenset(words))
