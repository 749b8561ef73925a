"""The wording of a file: what its comments and docstrings say about parameters, and whether comments begin with a capital."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, TypeAlias

Phrases: TypeAlias = Literal["full", "short", "noun"]
"""How parameters are described: "position of each particle in m", "position in m" or "particle position in m"."""

Units: TypeAlias = Literal["words", "brackets", "parentheses"]
"""How units are written: "in m", "[m]" or "(m)"."""

_OF_EACH = re.compile(r"([\w' -]+?) of (?:each|every) ([\w-]+(?: [\w-]+)?)")
_COMPOUND = re.compile(
    r"(?!(?:new|next|old|previous|current|last|first|second|both|all|total|largest|smallest|least|before|after)\b)\w+(?: \w+)?"
)
"""One or two words that an owner may precede, as in "body inverse mass"."""
_UNITS: Mapping[Units, str] = {"words": " in {}", "brackets": " [{}]", "parentheses": " ({})"}
_SYMBOL = r"(?:[kcmuM]?(?:m|g|s|N|W|J|V|A|K|Pa|Hz|rad|mol)|px|deg|min|h|C|ohm|eV|bar|pixels|degrees|radians|percent)(?:\^-?\d)?"
_UNIT = re.compile(rf" in (?P<unit>(?:1/)?\(?{_SYMBOL}(?:[ /]\(?{_SYMBOL}\)?)*\)?)$")
_PROSE = re.compile(r"^(?P<start> *# )(?P<word>[a-z]+)(?=,? [A-Za-z]|,?$)", re.MULTILINE)
_CAPITAL = re.compile(r"^ *# [A-Z][a-z]+ [a-z]", re.MULTILINE)


def phrase(about: str, phrases: Phrases, units: Units) -> str:
    """Return what a parameter is in the wording of a file.

    Examples:
        >>> phrase("position of each particle in m", "noun", "brackets")
        'particle position [m]'
        >>> phrase("velocity of each cell in m/s", "short", "parentheses")
        'velocity (m/s)'
        >>> phrase("number of particles in the world", "noun", "brackets")
        'number of particles in the world'
    """
    match = _UNIT.search(about)
    about, unit = (about[: match.start()], match["unit"]) if match else (about, "")
    if phrases != "full" and (named := _OF_EACH.fullmatch(about)):
        what, owner = named.groups()
        about = f"{owner} {what}" if phrases == "noun" and _COMPOUND.fullmatch(what) else what
    return f"{about}{_UNITS[units].format(unit)}" if unit else about


def capitalized(text: str) -> str:
    """Return a phrase whose first letter is a capital."""
    return f"{text[:1].upper()}{text[1:]}"


def begins_with_capital(text: str) -> bool:
    r"""Return whether a comment of statements begins with a capital, as those beside it do then.

    Examples:
        >>> begins_with_capital("# Two phases\nx = y"), begins_with_capital("# p stays\n# RGB first")
        (True, False)
    """
    return _CAPITAL.search(text) is not None


def with_capital_comments(text: str, names: frozenset[str]) -> str:
    r"""Return statements whose comments begin with a capital, unless they begin with a name of the kernel.

    Examples:
        >>> with_capital_comments("# no flow through walls\n# p stays", frozenset("p"))
        '# No flow through walls\n# p stays'
    """

    def change(match: re.Match[str]) -> str:
        word = match["word"]
        return match[0] if word in names or len(word) < 2 else f"{match['start']}{word[0].upper()}{word[1:]}"

    return _PROSE.sub(change, text)
