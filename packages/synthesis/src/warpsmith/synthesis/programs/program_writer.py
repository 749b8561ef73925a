"""The stages from the key of a program to its Python file."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from warpsmith.synthesis.language.layout.file_layout import lay_out
from warpsmith.synthesis.programs.host_forms import HostCode, HostWriter
from warpsmith.synthesis.programs.host_launchers import Launchers
from warpsmith.synthesis.programs.host_mains import write_main
from warpsmith.synthesis.programs.host_parameters import with_kinds
from warpsmith.synthesis.programs.host_sections import HostSections, Parameter, read_parameters
from warpsmith.synthesis.programs.host_signatures import Signatures
from warpsmith.synthesis.programs.host_spelling import spell_host, write_directives, write_logs
from warpsmith.synthesis.programs.kernel_spelling import long_types, spell_kernels
from warpsmith.synthesis.programs.program_catalogue import program_schemes
from warpsmith.synthesis.programs.program_key import ProgramKey
from warpsmith.synthesis.programs.program_style import ProgramStyle, choose_program_style
from warpsmith.synthesis.programs.program_text import ProgramText, resolve_program
from warpsmith.synthesis.random_stream import RandomStream


@dataclass(frozen=True, slots=True)
class WrittenProgram:
    """A program before it runs.

    Attributes:
        source: the Python file.
        text: the scheme that it is written from.
        style: its style.
    """

    source: str
    text: ProgramText
    style: ProgramStyle

    @property
    def uses_tape(self) -> bool:
        """Whether the program differentiates."""
        return "wp.Tape(" in self.source


def write_program(key: ProgramKey) -> WrittenProgram:
    """Write the program of a key; the schemes take turns, in another order for each round.

    Raises:
        WarpsmithError: if the catalogue has a mistake.
    """
    schemes = program_schemes()
    turn, place = divmod(key.index, len(schemes))
    order = RandomStream(f"program-order-{key.seed}-{turn}").shuffled(range(len(schemes)))
    domain, row = schemes[order[place]]
    rng = RandomStream(key.stream)
    text, style = resolve_program(domain, row, rng), choose_program_style(rng)
    written, launchers = _sections(text, style, rng)
    sections = _with_verbose(with_kinds(written, style, rng))
    helpers = text.sections.get("reference", "")
    signatures = Signatures(sections, helpers, style)
    code = HostWriter(sections, style, text.title, text.purpose, rng, signatures).write()
    code = replace(code, definitions=(signatures.helpers(helpers), *launchers, *code.definitions))
    return WrittenProgram(_file(text, code, style, rng), text, style)


def _sections(text: ProgramText, style: ProgramStyle, rng: RandomStream) -> tuple[HostSections, list[str]]:
    """Return the sections in the style of the program, and the functions that launch its kernels."""
    names = ("setup", "step", "finish", "check")
    before = {name: text.sections.get(name, "") for name in names}
    kernels = text.sections.get("kernels", "") if style.launcher else ""
    launchers = Launchers(kernels, text.sections.get("parameters", ""), list(before.values()), style)
    from_numpy, merged_dim = rng.chance(0.15), rng.chance(0.15)
    period = rng.choice((5, 10, 20, 25, 50))

    def spell(section: str) -> str:
        return long_types(spell_host(section, style, from_numpy=from_numpy, merged_dim=merged_dim), style)

    spelled = {name: spell(launchers.rewritten(section)) for name, section in before.items()}
    spelled["step"] = write_logs(spelled["step"], text.loop, style, period)
    kept = {name: _with_comments(section, style, rng) for name, section in spelled.items()}
    parameters = tuple(read_parameters(text.sections.get("parameters", "")))
    sections = HostSections(parameters, kept["setup"], text.loop, kept["step"], kept["finish"], kept["check"])
    return sections, launchers.definitions(spell)


def _with_verbose(sections: HostSections) -> HostSections:
    """Return the sections with the parameter that decides what is printed, if a step reads it."""
    if "verbose" not in sections.free("step"):
        return sections
    verbose = Parameter("verbose", "True", "whether some steps print values", kind="argument")
    return replace(sections, parameters=(*sections.parameters, verbose))


def _with_comments(section: str, style: ProgramStyle, rng: RandomStream) -> str:
    """Return a section with a share of its comments."""
    lines = [line for line in section.split("\n") if not line.lstrip().startswith("# ") or rng.chance(style.comments)]
    return "\n".join(lines)


def _file(text: ProgramText, code: HostCode, style: ProgramStyle, rng: RandomStream) -> str:
    """Return the whole file."""
    kernels = _with_comments(spell_kernels(text.sections.get("kernels", ""), style), style, rng)
    blocks = [kernels, *code.definitions, *write_main(code, style, text.purpose)]
    body = write_directives("\n\n\n".join(block for block in blocks if block), style)
    constants = "\n".join(filter(None, [text.sections.get("constants", ""), *map(_constant, code.constants)]))
    body = f"{constants}\n\n\n{body}" if constants else body
    head = _imports(body)
    source = f"{_module_doc(text, style)}{head}\n\n{'' if constants else chr(10)}{body}\n"
    return lay_out(source, style.layout)


def _constant(item: Parameter) -> str:
    return f"{item.name} = {item.value}{f'  # {item.comment}' if item.comment else ''}"


def _imports(body: str) -> str:
    standard = [f"import {name}" for name in ("argparse", "math") if re.search(rf"\b{name}\.", body)]
    used = ["import numpy as np"] if re.search(r"\bnp\.", body) else []
    standard_text = "\n".join(standard) + "\n\n" if standard else ""
    optim = "\nimport warp.optim" if "warp.optim" in body else ""
    return standard_text + "\n".join([*used, f"\nimport warp as wp{optim}" if used else f"import warp as wp{optim}"])


def _module_doc(text: ProgramText, style: ProgramStyle) -> str:
    if style.module_doc == "none":
        return ""
    purpose = f"{text.purpose[0].upper()}{text.purpose[1:]}."
    if style.module_doc == "line":
        return f'"""{purpose}"""\n\n'
    kernels = re.findall(r"^kernel!? (\w+)", text.sections.get("kernels", ""), re.MULTILINE)
    listed = f"Kernels: {', '.join(kernels)}."
    return f'"""{purpose}\n\n{listed}\n"""\n\n'
