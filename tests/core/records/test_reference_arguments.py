"""The functions that may change their arguments are those of the headers of the installed Warp."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import warp as wp

from warpsmith.core.records import reference_arguments
from warpsmith.core.records.reference_arguments import REFERENCE_ARGUMENTS
from warpsmith.extraction.warp.registries import native_names


def test_examples() -> None:
    assert doctest.testmod(reference_arguments).failed == 0


_VALUE = re.compile(r"(?:(?:vec|mat|quat|transform)_t<[^&]*>|typename [\w:<>]*grad_t|T|Type|int|float|uint32|vec3d?) ?& ?\w+$")
"""A parameter of C++ that is a reference to a value, which the function may change."""


def _parameters(text: str) -> list[str]:
    """Return the parameters at the start of a text, from its parenthesis on."""
    parts, depth = [""], 0
    for character in text:
        depth += (character in "(<[") - (character in ")>]")
        if depth == 0:
            break
        if character == "," and depth == 1:
            parts.append("")
        else:
            parts[-1] += character
    return [" ".join(part.split()) for part in (parts[0][1:], *parts[1:])]


def _references(folder: Path) -> dict[str, set[int]]:
    """Return the functions of Warp's headers that take references to values, and the places of these parameters."""
    found: dict[str, set[int]] = {}
    for header in folder.glob("*.h"):
        text = re.sub(r"//[^\n]*|/\*.*?\*/", "", header.read_text(encoding="utf-8"), flags=re.DOTALL)
        for match in re.finditer(r"\bCUDA_CALLABLE\b[^;{}()#]*?\b(\w+)(?=\()", text):
            places = {place for place, one in enumerate(_parameters(text[match.end() :])) if _VALUE.match(one)}
            if places:
                found.setdefault(match[1], set()).update(places)
    return found


def test_functions_that_change_arguments_are_those_of_the_headers() -> None:
    found = _references(Path(wp.__file__).parent / "native")
    builtins = {name.removeprefix("wp::") for name in native_names()}
    assert {name: tuple(sorted(places)) for name, places in found.items() if name in builtins} == REFERENCE_ARGUMENTS
