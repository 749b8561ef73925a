"""Names of functions, from what they compute."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from warpsmith.synthesis.random_stream import RandomStream

_GENERIC = frozenset(
    "total sum value val result res out outcome acc accum best current cur tmp temp new old next prev first last left "
    "right low high lo hi begin end start stop term part item items data arg ret num size length_out y_out x_out "
    "output input inp values delta diff found selected hit match keep kept flag valid ok status mask code kind state "
    "added bit bits own other factor count_out total_out the this that self and or not in of count cnt number idx "
    "index".split()
)
"""Words that do not say what a function computes."""

_PLURALS = {"axes": "axis", "matrices": "matrix", "vertices": "vertex", "indices": "index", "radii": "radius", "bases": "basis",
            "masses": "mass", "inertia": "inertia", "bias": "bias", "gas": "gas", "lens": "lens", "children": "child"}  # fmt: skip
_DIRECTION = re.compile(r"_(?:out|in|new|next|prev|buf|buffer|array|arr|result|output|values?|ws)$|^(?:out|new|d_out|dst)_")


def singular(word: str) -> str:
    """Return what an element of an array of this name is called, such as ``inv_mass`` for ``inv_masses_out``."""
    word = _DIRECTION.sub("", word)
    stem, _, last = word.rpartition("_")
    start = f"{stem}_" if stem else ""
    if last in _PLURALS:
        return start + _PLURALS[last]
    if last.endswith("ies") and len(last) > 4:
        return f"{start}{last[:-3]}y"
    if last.endswith(("sses", "xes", "ches", "shes")):
        return start + last[:-2]
    if last.endswith("s") and not last.endswith(("ss", "us", "is")) and len(last) > 3:
        return start + last[:-1]
    return word


def is_descriptive(word: str) -> bool:
    """Return whether a word says what a function computes."""
    return (
        len(word) >= 3
        and word not in _GENERIC
        and not re.fullmatch(r"\w{1,2}\d*|\w{1,2}_\w{1,2}|v_\w+|\w+_[a-z0-9]{1,2}|\w+\d", word)
    )


def subject_of(key: str, words: Iterable[str]) -> str:
    """Return the most descriptive of the key and the names of a local, or an empty text."""
    if is_descriptive(key):
        return key
    fitting = [word for word in words if is_descriptive(word) and word.islower()]
    return max(fitting, key=lambda word: (len(word) <= 18, min(len(word), 12)), default="")


_VERBS = {
    "value": ("compute_{}", "eval_{}", "calc_{}", "get_{}"),
    "sum": ("compute_{}", "sum_{}", "accumulate_{}", "gather_{}"),
    "count": ("count_{}", "compute_{}", "get_{}", "calc_{}"),
    "load": ("load_{}", "get_{}", "read_{}", "fetch_{}"),
    "test": ("is_{}", "test_{}", "check_{}", "has_{}"),
    "choice": ("select_{}", "get_{}", "choose_{}", "find_{}"),
    "search": ("find_{}", "search_{}", "locate_{}", "get_{}"),
}  # fmt: skip

_VERB = re.compile(
    r"(?:compute|eval|calc|get|is|has|test|check|find|load|read|sum|count|update|apply|make|set|add|select|project|solve|clamp|limit|"
    r"advance|move|scatter|gather|build|write|store|evaluate|accumulate|integrate|measure|estimate|collect|mark|label|classify)_"
)


def function_names(subject: str, action: str) -> tuple[str, ...]:
    """Return candidates for the name of a function, in the order of the styles of names."""
    subject = subject[match.end() :] if (match := _VERB.match(subject)) else subject
    if action == "test" and subject.startswith(("is_", "has_", "in_")):
        return (subject, f"check_{subject}", f"test_{subject}")
    return tuple(verb.format(subject) for verb in _VERBS[action])


def joined(subjects: Sequence[str]) -> str:
    """Return the subject of a function with several results."""
    return "_and_".join(subjects) if len(subjects) == 2 else "_".join(subjects)


class Endings:
    """Endings of names that tell elements of one array apart: the same for the same index."""

    def __init__(self, rng: RandomStream) -> None:
        self._endings = rng.choice((("_a", "_b"), ("_i", "_j"), ("0", "1"), ("1", "2")))
        self._known: dict[str, str] = {}

    def of(self, index: str) -> str:
        """Return the ending for an index."""
        return self._known.setdefault(index, self._endings[len(self._known) % 2])
