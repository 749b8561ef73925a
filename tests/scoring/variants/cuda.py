"""Edits of generated CUDA text that keep its meaning: what another author might write in place of Warp's own lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random

Edit = Callable[[str, Random], str]

_LOCAL = re.compile(r"\b(var|adj)_(\d+)\b")
_CALL = re.compile(r"^( +)(var_\d+) = wp::(\w+)\(([\w, ]*)\);$")
_DECLARED = re.compile(r"^( +)(?:const )?((?:wp::[\w:<>, ]+|bool)\*?) ((?:var|adj)_\d+)(?: = ([^;{}]+))?;$", re.MULTILINE)
_PURE = frozenset(
    "add sub mul div min max sin cos exp neg abs sqrt copy load address extract clamp dot length normalize".split()
)
_SCALARS = frozenset("wp::float32 wp::float64 wp::int32 wp::uint32 wp::int64 wp::uint64".split())
_OPERATORS = {"add": "+", "sub": "-", "mul": "*"}
_FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}
_COMMENT = re.compile(r"[ \t]*//[^\n]*|/\*.*?\*/", re.DOTALL)
_HELPER = re.compile(r"^(?:// [^\n]*\n)?static CUDA_CALLABLE [^\n]*?\b(\w+)\(\n.*?^\}\n", re.DOTALL | re.MULTILINE)


def rename_variables(text: str, random: Random) -> str:
    """Give local variables and labels other names."""
    word = random.choice(("t", "value", "tmp_"))
    text = _LOCAL.sub(lambda found: f"{'d_' if found[1] == 'adj' else ''}{word}{found[2]}", text)
    return re.sub(r"\blabel(\d+)\b", r"skip_\1", text)


def reorder_statements(text: str, random: Random) -> str:
    """Exchange adjacent statements that do not depend on each other."""
    lines = text.split("\n")
    for at in random.sample(range(len(lines) - 1), len(lines) - 1):
        first, second = (_CALL.match(line) for line in lines[at : at + 2])
        if first and second and {first[3], second[3]} <= _PURE and first[1] == second[1]:
            free = first[2] not in (*second[4].split(", "), second[2]) and second[2] not in first[4].split(", ")
            if free and random.random() < 0.7:
                lines[at], lines[at + 1] = lines[at + 1], lines[at]
    return "\n".join(lines)


def reorder_declarations(text: str, random: Random) -> str:
    """Shuffle the declarations of variables."""

    def shuffled(found: re.Match[str]) -> str:
        lines = found[0].split("\n")[:-1]
        random.shuffle(lines)
        return "".join(f"{line}\n" for line in lines)

    return re.sub(
        r"(?:^ +(?:const )?(?:wp::[\w:<>, ]+|bool)\*? (?:var|adj)_\d+(?: = [^;\"]+)?;\n){2,}",
        shuffled,
        text,
        flags=re.MULTILINE,
    )


def remove_comments(text: str, _: Random) -> str:
    """Remove all comments."""
    return re.sub(r"\n\s*\n+", "\n", _COMMENT.sub("", text))


def add_comments(text: str, random: Random) -> str:
    """Put comments of both forms behind statements."""
    words = ("// then this", "/* a note */", "// wp::add(a, b); }", "/* { */", "// Grün")
    lines = remove_comments(text, random).split("\n")
    return "\n".join(
        f"{line} {random.choice(words)}" if line.endswith(";") and random.random() < 0.4 else line for line in lines
    )


def reformat(text: str, random: Random) -> str:
    """Write the text in other lines."""
    text = remove_comments(text, random)
    if text.count('"') != 2:  # strings of assertions may hold anything
        return text
    spaces = ("\n", "\n\t", " ", "  ")
    text = re.sub(r"\s+", lambda _: random.choices(spaces, (1, 1, 6, 1))[0], text)
    return re.sub(r"([;{}(,])", lambda found: found[1] + random.choices(("", " ", "\n"), (6, 2, 1))[0], text)


def commute(text: str, random: Random) -> str:
    """Exchange the operands of additions and multiplications."""
    types = _types(text)

    def exchanged(found: re.Match[str]) -> str:
        alike = types.get(found[2]) == types.get(found[3]) in _SCALARS
        return f"= wp::{found[1]}({found[3]}, {found[2]});" if alike and random.random() < 0.7 else found[0]

    return re.sub(r"= wp::(add|mul)\((\w+), (\w+)\);", exchanged, text)


def use_operators(text: str, random: Random) -> str:
    """Write operators in place of functions, and flip comparisons."""
    types = _types(text)

    def operated(found: re.Match[str]) -> str:
        if types.get(found[2]) == types.get(found[3]) in _SCALARS and random.random() < 0.7:
            return f"= {found[2]} {_OPERATORS[found[1]]} {found[3]};"
        return found[0]

    text = re.sub(r"= wp::(add|sub|mul)\((\w+), (\w+)\);", operated, text)
    flip = re.compile(r"= \((\w+) (<=|>=|<|>|==|!=) (\w+)\);")
    return flip.sub(lambda found: f"= {found[3]} {_FLIPPED[found[2]]} {found[1]};" if random.random() < 0.5 else found[0], text)


def associate_otherwise(text: str, random: Random) -> str:
    """Compute a * (b * c) in place of (a * b) * c, and sums likewise."""
    types, lines = _types(text), text.split("\n")
    for at in range(len(lines) - 1):
        first, second = (_CALL.match(line) for line in lines[at : at + 2])
        if first and second and first[3] == second[3] in ("add", "mul"):
            (a, b), (left, right) = first[4].split(", "), second[4].split(", ")
            alike = len({types.get(one) for one in (a, b, left, right)}) == 1 and types.get(a) in _SCALARS
            if alike and left == first[2] != right and random.random() < 0.8:
                lines[at + 1] = f"{second[1]}{second[2]} = wp::{first[3]}({a}, wp::{first[3]}({b}, {right}));"
    return "\n".join(lines)


def split_declarations(text: str, random: Random) -> str:
    """Assign constants after all declarations."""

    def split(found: re.Match[str]) -> str:
        if found[2] not in _SCALARS or found[4] is None or '"' in found[4] or random.random() < 0.4:
            return found[0]
        return f"{found[1]}{found[2]} {found[3]};\n{found[1]}{found[3]} = {found[4]};"

    return _DECLARED.sub(split, text)


def introduce_temporaries(text: str, random: Random) -> str:
    """Compute values in variables of their own first."""
    types = _types(text)

    def stored(found: re.Match[str]) -> str:
        if types.get(found[2]) not in _SCALARS or found[3] not in _PURE or random.random() < 0.5:
            return found[0]
        call = f"wp::{found[3]}({found[4]})"
        return f"{found[1]}{{ {types[found[2]]} held = {call}; {found[2]} = held; }}"

    return re.sub(_CALL.pattern, stored, text, flags=re.MULTILINE)


def inline_addresses(text: str, random: Random) -> str:
    """Load from an address without a variable for it."""
    for found in re.finditer(r"^ +(var_\d+) = (wp::address\([\w, ]+\));$", text, re.MULTILINE):
        use = f"wp::load({found[1]})"
        assigned = len(re.findall(rf"\b{found[1]} = wp::", text))
        indices_are_fixed = all(len(re.findall(rf"\b{name} = ", text)) <= 1 for name in re.findall(r"\bvar_\d+\b", found[2]))
        if assigned == 1 and "goto" not in text and indices_are_fixed and random.random() < 0.8:
            text = text.replace(use, f"wp::load({found[2]})")
    return text


def share_expressions(text: str, _: Random) -> str:
    """Reuse the value of the same call before."""
    if "goto" in text:
        return text
    lines = text.split("\n")
    known: dict[str, str] = {}
    for at, line in enumerate(lines):
        found = _CALL.match(line)
        if line.startswith(("static", "extern")):
            known.clear()
        if found and len(found[1]) == 8 and found[3] in _PURE - {"load", "copy"}:
            operands = re.findall(r"\bvar_\d+\b", found[4])
            if all(len(re.findall(rf"\b{name} = ", text)) <= 1 for name in (*operands, found[2])):
                call = f"wp::{found[3]}({found[4]})"
                if call in known:
                    lines[at] = f"{found[1]}{found[2]} = {known[call]};"
                known.setdefault(call, found[2])
    return "\n".join(lines)


def swap_branches(text: str, random: Random) -> str:
    """Negate conditions and exchange the branches."""
    pattern = re.compile(r"^( +)if \((!?\w+)\) \{$", re.MULTILINE)
    return pattern.sub(lambda found: f"{found[1]}if (!({found[2]})) {{ }} else {{" if random.random() < 0.7 else found[0], text)


def add_dead_code(text: str, random: Random) -> str:
    """Add statements without an effect."""
    dead = (
        "{ wp::float32 unused = 1.5f; unused = unused * 2.0f; }",
        ";",
        "if (false) { }",
        "{ wp::int32 i = 0; while (i < 3) ++i; }",
    )
    lines = text.split("\n")
    places = [at for at, line in enumerate(lines) if line.strip() in ("// forward", "// reverse")]
    for at in reversed(places):
        lines.insert(at + 1, f"        {random.choice(dead)}")
    return "\n".join(lines)


def loops_without_goto(text: str, _: Random) -> str:
    """Write ``while`` in place of Warp's labels and jumps, and start the loop over elements before its header."""
    for start, end in re.findall(r"^ +(\w+):;\n +if \(iter_cmp\(\w+\) == 0\) goto (\w+);$", text, re.MULTILINE):
        opening = re.compile(rf"^( +)({start}):;\n +if \(iter_cmp\((\w+)\) == 0\) goto {end};$", re.MULTILINE)
        closing = re.compile(rf"^( +)goto {start};\n( +{end}:;)$", re.MULTILINE)
        if len(opening.findall(text)) == len(closing.findall(text)) == 1:
            text = opening.sub(r"\1\2:;\n\1while (iter_cmp(\3) != 0) {", text)
            text = closing.sub(r"\1}\n\2", text)
    return re.sub(r"^    for \((size_t _idx = .*?;)\n", r"    \1\n    for (;\n", text, flags=re.MULTILINE)


def rename_helpers(text: str, random: Random) -> str:
    """Give helper functions other names; those of an adjoint belong to the forward text."""
    if "_cuda_kernel_backward(" in text:
        return text
    for number, (name, *_) in enumerate(_helpers(text)):
        text = re.sub(rf"\b{name}\b", f"step_{number}{random.randrange(10)}", text)
    return text


def reorder_helpers(text: str, random: Random) -> str:
    """Exchange adjacent helper functions of which the second does not call the first."""
    for (name, first), (_, second) in zip(found := _helpers(text), found[1:], strict=False):
        if not re.search(rf"\b{name}\b", second) and random.random() < 0.7 and f"{first}" in text:
            text = text.replace(first, "", 1).replace(second, f"{second}{first}", 1)
            break
    return text


def _helpers(text: str) -> list[tuple[str, str]]:
    return [(found[1], found[0]) for found in _HELPER.finditer(text)]


def _types(text: str) -> dict[str, str]:
    """Return the types of local variables and parameters that are the same in all functions of a text."""
    found: dict[str, set[str]] = {}
    for _, type_name, name, _ in _DECLARED.findall(text):
        found.setdefault(name, set()).add(type_name)
    for type_name, name in re.findall(r"^    (wp::\w+) &? ?(var_\w+)[,)]$", text, re.MULTILINE):
        found.setdefault(name, set()).add(type_name)
    return {name: next(iter(types)) for name, types in found.items() if len(types) == 1}


EDITS: dict[str, Edit] = {
    "reorder helpers": reorder_helpers,
    "rename helpers": rename_helpers,
    "share expressions": share_expressions,
    "inline addresses": inline_addresses,
    "reorder statements": reorder_statements,
    "associate otherwise": associate_otherwise,
    "commute": commute,
    "introduce temporaries": introduce_temporaries,
    "use operators": use_operators,
    "reorder declarations": reorder_declarations,
    "split declarations": split_declarations,
    "swap branches": swap_branches,
    "loops without goto": loops_without_goto,
    "add dead code": add_dead_code,
    "rename variables": rename_variables,
    "add comments": add_comments,
    "remove comments": remove_comments,
    "reformat": reformat,
}
"""The edits by name, in the order in which they can be composed: later ones change the layout that earlier ones read."""


def variants(text: str, random: Random, edits: dict[str, Edit] = EDITS) -> Iterator[tuple[str, str]]:
    """Yield each edit's name and result, where it changes the text, and then all edits together."""
    for name, edit in edits.items():
        if (edited := edit(text, random)) != text:
            yield name, edited
    yield "all", compose(text, random, edits)


def compose(text: str, random: Random, edits: dict[str, Edit] = EDITS) -> str:
    """Return a text after all edits."""
    for edit in edits.values():
        text = edit(text, random)
    return text
