"""The files of the catalogue of programs, read once for each process."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from warpsmith.synthesis.programs.program_rows import SUFFIX, ProgramDomain, ProgramRow, ProgramRowError, read_program_rows

CATALOGUE = Path(__file__).with_name("catalogue")
"""The folder with a folder for each domain, and the files of rows that all domains share."""


@cache
def program_domains() -> tuple[ProgramDomain, ...]:
    """Return all domains in alphabetical order.

    Raises:
        ProgramRowError: if a file has a mistake, or a key occurs twice.
    """
    shared = [row for path in sorted(CATALOGUE.glob(f"*{SUFFIX}")) for row in read_program_rows(path)]
    return tuple(_domain(folder, shared) for folder in sorted(CATALOGUE.iterdir()) if folder.is_dir())


def _domain(folder: Path, shared: list[ProgramRow]) -> ProgramDomain:
    domain = ProgramDomain(folder.name, {}, {}, {})
    for row in shared + [row for path in sorted(folder.glob(f"*{SUFFIX}")) for row in read_program_rows(path)]:
        if row.kind == "name":
            domain.names[row.key] = row.values  # a domain may name a shared key in another way
            continue
        rows = domain.parts if row.kind == "part" else domain.programs
        if row.key in rows:
            raise ProgramRowError(f"{row.place}: the key {row.key!r} occurs twice")
        rows[row.key] = row
    return domain


@cache
def program_schemes() -> tuple[tuple[ProgramDomain, ProgramRow], ...]:
    """Return all programs with their domains; they take turns by index."""
    return tuple((domain, row) for domain in program_domains() for row in domain.programs.values())
