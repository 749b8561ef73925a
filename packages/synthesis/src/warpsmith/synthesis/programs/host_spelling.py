"""Statements of the host as authors write them: launches, arrays, tapes, checks, reports and exchanges of buffers."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence

from warpsmith.synthesis.programs.host_names import DIRECTIVES
from warpsmith.synthesis.programs.program_style import ProgramStyle

_ALLOCATING = re.compile(r"\bwp\.(?:zeros|ones|empty|full|array|from_numpy|launch|launch_tiled|arange)\(")
_TAPE = re.compile(r"with wp\.Tape\(\) as (\w+):")
_FROM_NUMPY = re.compile(r"\bwp\.array\((?=\w+, dtype=)")
_FULL = re.compile(r"(\w+) = wp\.full\((\w+|\([^()]*\)), ([^,()=]+), (dtype=[\w.]+)\)")
_ALLOCATED = re.compile(r"(\bwp\.(?:zeros|ones|empty)\()(?=(?:\w+|\([^()]*\)), dtype=)")
_LOOP_VARIABLE = re.compile(r"for (\w+) in ")
_FLOAT_TYPE = re.compile(r"dtype=(float|int)\b")
_DIRECTIVE = re.compile(rf"({'|'.join(sorted(DIRECTIVES))})\(.*\)")

Writer = Callable[[Sequence[str], dict[str, str], ProgramStyle], list[str]]


def spell_host(text: str, style: ProgramStyle, *, from_numpy: bool, merged_dim: bool) -> str:
    """Return a section with launches, arrays and tapes in the style of the program; directives stay."""
    lines: list[str] = []
    for line in text.split("\n"):
        margin, body = _split(line)
        if body.startswith("wp.launch("):
            body = _launch(body, style, merged_dim)
        if from_numpy:
            body = _FROM_NUMPY.sub("wp.from_numpy(", body)
        if style.spelling.warp_scalars:
            body = _FLOAT_TYPE.sub(lambda match: f"dtype=wp.{match[1]}32", body)
        if style.filled and (match := _FULL.fullmatch(body)):
            lines.append(f"{margin}{match[1]} = wp.empty({match[2]}, {match[4]})")
            body = f"{match[1]}.fill_({match[3]})"
            if style.device == "argument":
                lines[-1] = _with_device(lines[-1])
        if style.shape:
            body = _ALLOCATED.sub(r"\1shape=", body)
        if style.device == "argument" and not body.startswith("#"):
            body = _with_device(body)
        if style.tape == "lines" and (match := _TAPE.fullmatch(body)):
            lines.append(f"{margin}{match[1]} = wp.Tape()")
            body = f"with {match[1]}:"
        lines.append(margin + body)
    return "\n".join(lines)


def _split(line: str) -> tuple[str, str]:
    body = line.lstrip(" ")
    return line[: len(line) - len(body)], body


def _launch(body: str, style: ProgramStyle, merged_dim: bool) -> str:
    """Return a call of ``wp.launch`` in the style of the program."""
    call = _call(body)
    arguments = {keyword.arg: _source(body, keyword.value) for keyword in call.keywords}
    kernel, dim = _source(body, call.args[0]), arguments.pop("dim")
    if style.launches == "merged" and "outputs" in arguments:
        inputs = arguments.get("inputs", "[]")[1:-1]
        arguments["inputs"] = f"[{', '.join(filter(None, [inputs, arguments.pop('outputs')[1:-1]]))}]"
    first = f"kernel={kernel}" if style.launches in ("keywords", "kernel") else kernel
    second = dim if merged_dim and "=" not in first else f"dim={dim}"
    return f"wp.launch({', '.join([first, second, *(f'{name}={value}' for name, value in arguments.items())])})"


def _with_device(body: str) -> str:
    """Return a line in which every call that allocates or launches has the device."""
    for match in reversed(list(_ALLOCATING.finditer(body))):
        end = _closing(body, match.end() - 1)
        if end is not None:
            body = f"{body[:end]}, device=device{body[end:]}"
    return body


def _closing(text: str, opening: int) -> int | None:
    depth = 0
    for position in range(opening, len(text)):
        depth += (text[position] in "([{") - (text[position] in ")]}")
        if not depth:
            return position
    return None


def _call(body: str) -> ast.Call:
    statement = ast.parse(body).body[0]
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        raise TypeError(f"no call: {body}")
    return statement.value


def _source(body: str, node: ast.expr) -> str:
    return ast.get_source_segment(body, node) or ""


def write_logs(step: str, loop: str, style: ProgramStyle, period: int) -> str:
    """Return the section ``step`` with its logs as statements that print now and then, or without them."""
    match = _LOOP_VARIABLE.match(loop)
    variable = match[1] if match else "_"
    lines: list[str] = []
    for line in step.split("\n"):
        margin, body = _split(line)
        if not body.startswith("log("):
            lines.append(line)
        elif style.logs and variable != "_":
            call = _call(body)
            verbose = "verbose and " if style.verbose and style.form in ("class", "run") else ""
            lines.append(f"{margin}if {verbose}{variable} % {period} == 0:")
            lines.append(f"{margin}    log({', '.join([*(_source(body, argument) for argument in call.args), variable])})")
    return "\n".join(lines)


def write_directives(text: str, style: ProgramStyle) -> str:
    """Return statements with directives as Python; it comes after names are replaced."""
    lines: list[str] = []
    for line in text.split("\n"):
        margin, body = _split(line)
        match = _DIRECTIVE.fullmatch(body)
        if match is None:
            lines.append(line)
            continue
        call = _call(body)
        arguments = [_source(body, argument) for argument in call.args]
        named = {str(keyword.arg): _source(body, keyword.value) for keyword in call.keywords}
        lines += [margin + written for written in _WRITERS[match[1]](arguments, named, style)]
    return "\n".join(lines)


def _close(arguments: Sequence[str], named: dict[str, str], style: ProgramStyle) -> list[str]:
    """Return a comparison of two arrays."""
    found, expected = arguments
    tolerance = ", ".join(f"{name}={value}" for name, value in named.items())
    if style.checks == "testing":
        return [f"np.testing.assert_allclose({found}, {expected}, {tolerance})"]
    if style.checks == "allclose":
        return [f"assert np.allclose({found}, {expected}, {tolerance})"]
    if style.checks == "raise":
        message = '"the results differ from the reference"'
        return [f"if not np.allclose({found}, {expected}, {tolerance}):", f"    raise ValueError({message})"]
    bound = f"{named.get('atol', '0.0')} + {named.get('rtol', '0.0')} * np.max(np.abs({expected}))"
    return [
        f"error = np.max(np.abs({found} - {expected}))",
        *(['print(f"max error: {error:.3e}")'] if style.reports else []),
        f"assert error <= {bound}",
    ]


def _check(arguments: Sequence[str], _: dict[str, str], style: ProgramStyle) -> list[str]:
    condition, message = arguments
    if style.conditions == "raise":
        return [f"if not ({condition}):", f"    raise RuntimeError({message})"]
    return [f"assert {condition}, {message}" if style.conditions == "message" else f"assert {condition}"]


def _report(arguments: Sequence[str], named: dict[str, str], style: ProgramStyle) -> list[str]:
    label, value = ast.literal_eval(arguments[0]), arguments[1]
    form = ast.literal_eval(named["form"]) if "form" in named else ".4f"
    return [f'print(f"{label}: {{{value}:{form}}}")'] if style.reports else []


def _log(arguments: Sequence[str], _: dict[str, str], __: ProgramStyle) -> list[str]:
    label, value, variable = ast.literal_eval(arguments[0]), arguments[1], arguments[2]
    return [f'print(f"{variable} {{{variable}}}: {label} {{{value}:.4f}}")']


def _swap(arguments: Sequence[str], _: dict[str, str], __: ProgramStyle) -> list[str]:
    first, second = arguments
    return [f"{first}, {second} = {second}, {first}"]


_WRITERS: dict[str, Writer] = {"close": _close, "check": _check, "report": _report, "log": _log, "swap": _swap}
