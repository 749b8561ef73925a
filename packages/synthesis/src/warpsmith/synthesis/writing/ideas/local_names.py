"""Names of locals: those of the kernel, and those of its functions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

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
        self._named = dict(indices)
        self._bases: dict[str, str] = {}
        self.added: Mapping[str, str] = {}

    def finish(self, text: str) -> str:
        """Replace the keys of the kernel's locals by names."""
        return LOCAL.sub(self._name, text)

    def _name(self, match: re.Match[str]) -> str:
        key = match[1]
        if key not in self._named:
            if UNROLLED in key:
                self._named[key] = self._name_member(key, self._names, self._bases)
                return self._named[key]
            candidates = self._candidates(key)
            index = self._elements.get(key)
            if index in self._named:
                item = self._items.get(index, "")
                self._named[key] = self._names.choose_element(candidates, self._named[index], item, family_of(key))
            else:
                self._named[key] = self._names.choose(candidates, family_of(key))
        return self._named[key]

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

        def name_local(match: re.Match[str]) -> str:
            if match[1] not in named and UNROLLED in match[1]:
                named[match[1]] = self._usual(match[1], texts or {}) or self._name_member(match[1], names, bases)
            elif match[1] not in named:
                usual = self._usual(match[1], texts) if texts is not None else ""
                named[match[1]] = (
                    names.choose((usual,)) if usual else names.choose(self._candidates(match[1]), family_of(match[1]))
                )
            return named[match[1]]

        return LOCAL.sub(name_local, text)

    def _usual(self, key: str, texts: Mapping[str, str]) -> str:
        """Return the name that a local or parameter has in the kernel, or an empty text for another name."""
        name = self._named.get(key) or texts.get(key.removesuffix("__p"), "").rpartition(".")[2]
        fits = name.isidentifier() and "tid" not in name and "thread" not in name
        return name if fits and self._inner_names.rng.chance(SAME_NAME_CHANCE) else ""


def family_of(key: str) -> str:
    """Return what the keys of related locals have in common, or an empty text."""
    match = _FAMILY.fullmatch(key.partition("__")[0])
    return match[1] if match else ""
