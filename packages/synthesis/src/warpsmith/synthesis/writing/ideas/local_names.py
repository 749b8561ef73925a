"""Names of locals: those of the kernel, and those of its functions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from warpsmith.synthesis.writing.ideas.kernel_names import Names
from warpsmith.synthesis.writing.ideas.notation import LOCAL, TOPIC, UNROLLED, words
from warpsmith.synthesis.writing.ideas.parts import Data, Domain, Index
from warpsmith.synthesis.writing.outline_policy import SAME_NAME_CHANCE

_ELEMENT = re.compile(r"^ *\$(\w+) = \{(\w+)\}\[(?:\$\w+, )*\$(\w+)\]$", re.MULTILINE)
"""A local that is an element of an array, the array, and its last index."""

_FAMILY = re.compile(r"(\w+?)(?:_[a-z]{1,2}|_?\d{1,2})(?:_[a-z])?")
"""The key of one of several related locals, such as ``cov_xy`` or ``low_10``, or ``low_10_k`` of one topic of several."""

SHORT_BASE = 3
"""Names of fewer letters may have a letter as their number, as in `rx` of `r`."""

_VAGUE = (
    "abs|alt|avg|cos|cross|delta|diff|dir|dst|exp|far|first|half|has|inv|is|last|left|log|max|mean|min|near|new|next|not|num|old|"
    "part|pre|prev|rand|raw|rel|right|scaled|second|sin|src|sub|sum|tan|tmp|total|unit|var"
)
_LETTERED = re.compile(rf"(?!(?:{_VAGUE})_)([a-z]\w+[a-z])_[abcdefghklmopqrsv]")
"""A name that ends in a letter, and the name without it, which says as much. The letters of axes, indices, time, normals and
frames of reference say more than that there are two values."""


def without_letters(named: Mapping[str, str], fixed: Collection[str], taken: Collection[str]) -> dict[str, str]:
    """Return the names of locals without a letter at their end that distinguishes them from no other.

    Examples:
        >>> without_letters({"cold": "cold_k", "low": "edge_a", "high": "edge_b", "lag": "lag_k"}, (), {"lag"})
        {'cold': 'cold', 'low': 'edge_a', 'high': 'edge_b', 'lag': 'lag_k'}

    Args:
        named: the names by key.
        fixed: the keys whose names stay.
        taken: further names in use.
    """
    shorter = {key: match[1] if (match := _LETTERED.fullmatch(name)) else name for key, name in named.items()}
    counts = Counter(shorter.values())
    return {
        key: name if key in fixed or counts[shorter[key]] > 1 or shorter[key] in taken else shorter[key]
        for key, name in named.items()
    }


class LocalNames:
    """The names of the locals of one kernel and its functions.

    Args:
        domain: the rows.
        names: the names of the kernel.
        inner_names: the same names, with the randomness of its functions.
        lines: the statements of the kernel.
        indices: the names of thread indices by key.
        threads: the rows of thread indices.

    Attributes:
        added: candidates for the names of locals that are in no row.
    """

    def __init__(
        self,
        domain: Domain,
        names: Names,
        inner_names: Names,
        lines: Sequence[str],
        indices: Mapping[str, str],
        threads: Sequence[Index],
    ) -> None:
        self._domain, self._names, self._inner_names = domain, names, inner_names
        floats = {row.key for row in domain.parameters if isinstance(row, Data) and row.type.is_float}
        elements = _ELEMENT.findall("\n".join(lines))
        self._elements = {key: index for key, array, index in elements if array in floats}
        self._items = {row.key: row.item for row in threads}
        self._indices = indices
        self._named = dict(indices)
        self._bases: dict[str, str] = {}
        self.added: Mapping[str, str] = {}

    def finish(self, text: str) -> str:
        """Replace the keys of the kernel's locals by names; the first text is that of the kernel."""
        is_first = len(self._named) == len(self._indices)
        for key in dict.fromkeys(LOCAL.findall(text)):
            if key not in self._named:
                self._named[key] = self._name(key)
        if is_first and self._names.drops_letters:
            self._named = without_letters(self._named, self._indices, self._names.taken)
            self._names.taken.update(self._named.values())
        return LOCAL.sub(lambda match: self._named[match[1]], text)

    def _name(self, key: str) -> str:
        if UNROLLED in key:
            return self._name_member(key, self._names, self._bases)
        candidates = self._candidates(key)
        index = self._elements.get(key)
        if index in self._named:
            item = self._items.get(index, "")
            return self._names.choose_element(candidates, self._named[index], item, family_of(key))
        return self._names.choose(candidates, family_of(key))

    def _name_member(self, key: str, names: Names, bases: dict[str, str]) -> str:
        """Return the name of one of several locals that differ in a number or letter; all have one base."""
        stem, _, member = key.partition(UNROLLED)
        if stem not in bases:
            candidates = self._candidates(stem)
            used = {base.rstrip("_") for base in bases.values()}
            base = names.usual([name for name in candidates if name not in used] or candidates)
            joined = not base[-1].isdigit() and (member.isdigit() or len(base) < SHORT_BASE)
            bases[stem] = base + (names.joiner if joined else "_")
        base = bases[stem]
        return names.choose((base + member,) if base + member not in names.taken else (f"{base.rstrip('_')}_{member}",))

    def _candidates(self, key: str) -> tuple[str, ...]:
        stem = key.partition("__")[0]
        return words(self._domain.names.get(key) or self.added.get(key) or self._domain.names.get(stem, TOPIC.sub("", stem)))

    def finish_function(self, text: str, taken: Iterable[str], texts: Mapping[str, str] | None) -> str:
        """Replace the keys of a function's locals by names, which differ from those of the file.

        Args:
            text: the function.
            taken: the names of the file.
            texts: the texts of the kernel's parameters, whose names the function often has if it is made of the kernel's
                statements; None for other functions.
        """
        names = self._inner_names.inner(taken)
        named: dict[str, str] = {}
        bases: dict[str, str] = {}

        for key in dict.fromkeys(LOCAL.findall(text)):
            usual = self._usual(key, texts or {}) if texts is not None or UNROLLED in key else ""
            if UNROLLED in key:
                named[key] = usual or self._name_member(key, names, bases)
            else:
                named[key] = names.choose((usual,) if usual else self._candidates(key), "" if usual else family_of(key))
        if names.drops_letters:
            named = without_letters(named, (), names.taken)
        return LOCAL.sub(lambda match: named[match[1]], text)

    def _usual(self, key: str, texts: Mapping[str, str]) -> str:
        """Return the name that a local or parameter has in the kernel, or an empty text for another name."""
        name = self._named.get(key) or texts.get(key.removesuffix("__p"), "").rpartition(".")[2]
        fits = name.isidentifier() and "tid" not in name and "thread" not in name
        return name if fits and self._inner_names.rng.chance(SAME_NAME_CHANCE) else ""


def family_of(key: str) -> str:
    """Return what the keys of related locals have in common, or an empty text."""
    match = _FAMILY.fullmatch(key.partition("__")[0])
    return match[1] if match else ""
