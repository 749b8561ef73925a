"""Programs of the catalogue: complete files, of which each name is defined, with enough host code, launches and tapes."""

from __future__ import annotations

import ast
import builtins
import re
import symtable
from pathlib import Path

import pytest

from warpsmith.synthesis.programs.host_figures import figures_of
from warpsmith.synthesis.programs.host_names import renamed, uses_of
from warpsmith.synthesis.programs.program_catalogue import program_schemes
from warpsmith.synthesis.programs.program_key import ProgramKey
from warpsmith.synthesis.programs.program_rows import ProgramRowError, read_program_rows
from warpsmith.synthesis.programs.program_writer import WrittenProgram, write_program
from warpsmith.synthesis.writing.ideas.notation import BAR

GROUP = re.compile(r"{\w*\||\|}")


@pytest.fixture(scope="module")
def programs() -> list[WrittenProgram]:
    return [write_program(ProgramKey(1, index)) for index in range(2 * len(program_schemes()))]


def undefined(source: str) -> set[str]:
    """Return the global names that a file reads and never defines, by Python's own symbol tables."""
    top = symtable.symtable(source, "program.py", "exec")
    defined = {symbol.get_name() for symbol in top.get_symbols() if symbol.is_assigned() or symbol.is_imported()}
    read: set[str] = set()
    tables = [top]
    while tables:
        table = tables.pop()
        tables += table.get_children()
        read |= {symbol.get_name() for symbol in table.get_symbols() if symbol.is_global() and symbol.is_referenced()}
    return read - defined - set(dir(builtins)) - {"__name__"}


def test_every_name_is_defined(programs: list[WrittenProgram]) -> None:
    assert {program.text.scheme: names for program in programs if (names := undefined(program.source))} == {}


def test_an_undefined_name_is_found() -> None:
    assert undefined("def f():\n    return missing\n") == {"missing"}


def test_nothing_of_the_notation_is_left(programs: list[WrittenProgram]) -> None:
    for program in programs:
        assert not re.search(
            r"[$¶⟨⟩]|\{\w*\||^\s*(close|check|report|log|swap|place|kernel!?|func) ?\w*\(", program.source, re.MULTILINE
        ), program.text.scheme
        assert max(map(len, program.source.split("\n"))) <= 200


def test_programs_end_in_the_test_of_their_name(programs: list[WrittenProgram]) -> None:
    for program in programs:
        last = ast.parse(program.source).body[-1]
        assert isinstance(last, ast.If)
        assert ast.unparse(last.test) == "__name__ == '__main__'"


def test_shares_of_host_code_launches_and_tapes(programs: list[WrittenProgram]) -> None:
    figures = [figures_of(program.source) for program in programs]
    assert sum(item.host_lines for item in figures) >= 0.35 * sum(item.lines for item in figures)
    launched = [set(re.findall(r"wp\.launch(?:_tiled)?\(\s*(?:kernel=)?(\w+)", program.source)) for program in programs]
    assert sum(len(names) >= 2 for names in launched) >= 0.4 * len(programs)
    assert sum(program.uses_tape for program in programs) >= 0.15 * len(programs)
    assert len({item.structure for item in figures}) == len(programs)


def test_the_catalogue_is_wide() -> None:
    schemes = program_schemes()
    assert len(schemes) >= 40
    assert len({domain.name for domain, _ in schemes}) >= 15


def test_a_key_always_gives_the_same_program() -> None:
    assert write_program(ProgramKey(3, 5)).source == write_program(ProgramKey(3, 5)).source
    assert write_program(ProgramKey(3, 5)).source != write_program(ProgramKey(4, 5)).source


def test_every_group_has_alternatives() -> None:
    for domain, row in program_schemes():
        for field, texts in row.fields.items():
            for text in texts:
                assert not list(single_ways(text)), f"{domain.name}/{row.key}, {field}"


def single_ways(text: str) -> list[str]:
    """Return the groups with one way only."""
    found, opened = [], []
    for match in GROUP.finditer(text):
        if match[0] != "|}":
            opened.append([match.end(), ""])
            continue
        start, _ = opened.pop()
        body = text[start : match.start()]
        inner = re.sub(r"{\w*\|", "⟨", body).replace("|}", "⟩")
        while "⟨" in inner:
            inner = re.sub(r"⟨[^⟨⟩]*⟩", "#", inner)
        found += [body] if len(BAR.split(inner)) == 1 else []
    return found


def test_a_mistake_names_its_line(tmp_path: Path) -> None:
    file = tmp_path / "wrong.programs"
    file.write_text("program a\npurpose: add\nnonsense here\n")
    with pytest.raises(ProgramRowError, match=r"wrong\.programs:3"):
        read_program_rows(file)


def test_names_are_replaced_outside_of_attributes_and_keywords() -> None:
    assert renamed("n = f(n, n=n.n)[n]", {"n": "self.n"}) == "self.n = f(self.n, n=self.n.n)[self.n]"
    assert uses_of("y = [x for x in xs]\nz = y").free == ("xs",)
    assert uses_of("swap(a, b)").stored == ("a", "b")
