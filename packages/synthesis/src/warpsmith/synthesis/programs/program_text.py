"""A scheme of the catalogue resolved: its parts are added, its alternatives chosen, its names and numbers drawn."""

from __future__ import annotations

import builtins
import keyword
import re
from dataclasses import dataclass

from warpsmith.synthesis.programs.program_rows import SECTIONS, ProgramDomain, ProgramRow, ProgramRowError
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.ideas.notation import Choices, with_marks

_SEPARATOR = "\n%%{}\n"
_SECTION = re.compile(r"\n%%(\w+)\n")
_OPENING = re.compile(r"{\w*\|")
_LOCAL = re.compile(r"\$(\w+)")
_INTEGERS = re.compile(r"{(\d+)\.\.(\d+)}")
_FLOATS = re.compile(r"{(\d+\.\d+)\.\.(\d+\.\d+)}")
_BLANK, _KEPT = re.compile(r"^$", re.MULTILINE), "\xb6"
"""A blank line of the catalogue, and the mark that tells it from a line of which no alternative left anything."""

_PLACE = re.compile(r"^([ ]*)place (\w+)\n?", re.MULTILINE)
_WORD = re.compile(r"(?<![\w$.])[A-Za-z_]\w*")
_TAKEN = frozenset([*keyword.kwlist, *dir(builtins), "wp", "np", "math", "args", "parser", "device", "self", "main"])

_TWO_DIGITS = (10, 12, 15, 16, 18, 20, 24, 25, 30, 32, 35, 40, 45, 48, 50, 60, 64, 70, 75, 80, 90, 96)
"""The digits of the floats that people write."""


@dataclass(frozen=True, slots=True)
class ProgramText:
    """A scheme without alternatives.

    Attributes:
        domain: its domain.
        scheme: its key.
        title: the name of the class of the program.
        purpose: what the program does, as an infinitive without a full stop.
        loop: the header of the loop around the section ``step``, without its colon; empty if there is no loop.
        sections: the texts of the sections, see `SECTIONS`; empty ones are absent.
        parts: the keys of the parts that were added.
    """

    domain: str
    scheme: str
    title: str
    purpose: str
    loop: str
    sections: dict[str, str]
    parts: tuple[str, ...]


def resolve_program(domain: ProgramDomain, row: ProgramRow, rng: RandomStream) -> ProgramText:
    """Return a program of a scheme.

    Raises:
        ProgramRowError: if the scheme uses a part or a place that does not exist.
    """
    fields = {name: row.text(name) for name in row.fields if name != "parts"}
    parts = _add_parts(fields, domain, row, rng)
    joined = "".join(_SEPARATOR.format(name) + _BLANK.sub(_KEPT, text) for name, text in fields.items())
    if len(_OPENING.findall(joined)) != joined.count("|}"):
        raise ProgramRowError(f"{row.place}: a bracket of alternatives in {row.key} has no counterpart")
    text = _numbers(Choices(rng).resolve(with_marks(joined)), rng)
    text = _named(text, domain, rng)
    pieces = _SECTION.split(text)
    resolved = {name: _tidy(section) for name, section in zip(pieces[1::2], pieces[2::2], strict=True)}
    return ProgramText(
        domain=domain.name,
        scheme=row.key,
        title=rng.choice(resolved["titles"].split()),
        purpose=" ".join(resolved["purpose"].split()),
        loop=resolved.get("loop", "").strip(),
        sections={name: resolved[name] for name in SECTIONS if resolved.get(name, "").strip()},
        parts=parts,
    )


def _add_parts(fields: dict[str, str], domain: ProgramDomain, row: ProgramRow, rng: RandomStream) -> tuple[str, ...]:
    """Add one of the parts of each line of the field ``parts`` to the sections, and fill the places of parts."""
    used: list[str] = []
    places: dict[str, str] = {}
    for line in row.fields.get("parts", []):
        for choice in line.split("\n"):
            key, *arguments = rng.choice([way.strip() for way in choice.split(" / ")]).split()
            if key == "none" or key in used:
                continue
            part = domain.parts.get(key)
            if part is None or len(part.values) != len(arguments):
                raise ProgramRowError(f"{row.place}: no part {key!r} with {len(arguments)} arguments")
            used.append(key)
            for name in part.fields:
                text = _with_arguments(part.text(name), dict(zip(part.values, arguments, strict=True)))
                if name in SECTIONS:
                    fields[name] = "\n".join(filter(None, [fields.get(name, "").rstrip("\n"), text]))
                else:
                    places[name] = text
    for name, text in fields.items():
        fields[name] = _PLACE.sub(lambda match: _indented(places.get(match[2], ""), match[1]), text)
    return tuple(used)


def _with_arguments(text: str, arguments: dict[str, str]) -> str:
    return re.sub(r"<(\w+)>", lambda match: arguments.get(match[1], match[0]), text)


def _indented(text: str, margin: str) -> str:
    return "".join(f"{margin}{line}\n" for line in text.split("\n")) if text else ""


def _numbers(text: str, rng: RandomStream) -> str:
    text = _FLOATS.sub(lambda match: _float_between(float(match[1]), float(match[2]), rng), text)
    return _INTEGERS.sub(lambda match: str(_integer_between(int(match[1]), int(match[2]), rng)), text)


def _float_between(low: float, high: float, rng: RandomStream) -> str:
    powers = [10.0**power for power in range(-8, 7)]
    values = [float(f"{digits * power:.6g}") for power in powers for digits in _TWO_DIGITS]
    fitting = [value for value in values if low <= value <= high]
    return repr(rng.choice(fitting)) if fitting else repr(low)


def _integer_between(low: int, high: int, rng: RandomStream) -> int:
    value = rng.between(low, high)
    for step in (64, 16, 10, 8, 5):
        rounded = value // step * step
        if rounded >= low and high - low >= 2 * step and rng.chance(0.5):
            return rounded
    return value


def _named(text: str, domain: ProgramDomain, rng: RandomStream) -> str:
    """Return the text with a name for each local; different locals have different names."""
    taken = {*_TAKEN, *_WORD.findall(text)}
    chosen: dict[str, str] = {}
    for key in _LOCAL.findall(text):
        if key not in chosen:
            free = [name for name in domain.names.get(key, (key,)) if name not in taken]
            chosen[key] = (
                rng.choice(free) if free else next(name for name in (key, f"{key}_", f"{key}_value") if name not in taken)
            )
            taken.add(chosen[key])
    return _LOCAL.sub(lambda match: chosen[match[1]], text)


def _tidy(text: str) -> str:
    """Return a section with its blank lines, and without lines of which no alternative left anything."""
    lines = [line.rstrip() for line in text.split("\n")]
    return "\n".join("" if line == _KEPT else line for line in lines if line).strip("\n")
