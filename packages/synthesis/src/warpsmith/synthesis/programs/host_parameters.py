"""The kinds of the parameters of a program: options, arguments, constants of the file, and locals."""

from __future__ import annotations

from dataclasses import replace

from warpsmith.synthesis.programs import program_policy as policy
from warpsmith.synthesis.programs.host_sections import HostSections
from warpsmith.synthesis.programs.program_style import ProgramStyle
from warpsmith.synthesis.random_stream import RandomStream


def with_kinds(sections: HostSections, style: ProgramStyle, rng: RandomStream) -> HostSections:
    """Return the sections with a kind for each parameter, by the style of the program.

    Values that depend on other parameters are locals or constants; what only the checks of a function would lack are constants.
    """
    literals = [item for item in sections.parameters if item.is_literal]
    options: set[str] = set()
    if style.argparse:
        counts = [item for item in literals if item.name.startswith(("num_", "n_", "steps", "iterations"))] or literals
        options = {item.name for item in rng.sample(counts, min(len(counts), rng.between(1, policy.MAX_OPTIONS)))}
    constants: set[str] = set()
    if style.form in ("run", "steps") and not (style.form == "run" and style.check_inside):
        outside = sections.free("check")
        constants |= {item.name for item in sections.parameters if item.name in outside}
    if style.placement == "constants":
        constants |= {item.name for item in sections.parameters if item.name not in options}
    for item in reversed(sections.parameters):  # what a constant depends on is a constant, too
        if item.name in constants:
            depends = _words(item.value)
            constants |= {other.name for other in sections.parameters if other.name in depends}
    kinds = []
    for item in sections.parameters:
        if item.name in constants:
            kinds.append(item)
        elif item.name in options:
            kinds.append(replace(item, kind="option"))
        elif style.placement == "arguments" and item.is_literal:
            kinds.append(replace(item, kind="argument"))
        else:
            kinds.append(replace(item, kind="local"))
    return replace(sections, parameters=tuple(kinds)).with_constants(constants)


def _words(value: str) -> set[str]:
    """Return the names in an expression."""
    return set("".join(letter if letter.isalnum() or letter == "_" else " " for letter in value).split())
