"""Names of functions, from what they compute, and of the elements of arrays that they receive."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache

from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.ideas.notation import LOCAL, TOPIC
from warpsmith.synthesis.writing.ideas.outlining.functions import Function
from warpsmith.synthesis.writing.ideas.outlining.idea_lines import count_operations, read_line
from warpsmith.synthesis.writing.ideas.outlining.long_values import LongValues, singular, stored_value
from warpsmith.synthesis.writing.ideas.outlining.static_types import ArrayType
from warpsmith.synthesis.writing.ideas.outlining.surroundings import Surroundings
from warpsmith.synthesis.writing.ideas.tree import KEPT_LINES, Node, walk
from warpsmith.synthesis.writing.outline_policy import STORED_NAME_CHANCE

_GENERIC = frozenset(
    "total sum value val result res out outcome acc accum accumulator best current cur tmp temp new old next prev "
    "first last left right low high lo hi begin end start stop term part item items data arg ret num size output "
    "input inp values delta diff found selected hit match keep kept flag valid status mask code kind state added bit "
    "bits own other factor count_out total_out the this that self and not count cnt number idx index f_sum running "
    "weighted picked chosen answer final raw scaled change amount got one two both all any some here there it why to "
    "moved accumulated vec case info empty wide lowest larger smaller dst base top bottom lam xyz sol accs seen "
    "kind_out row col cell_y0 new_value updated extent_h sx sy sz qw qx qy qz axis_id weight_sum level rank".split()
)
"""Words that do not say what a function computes."""

_SUFFIX = re.compile(r"_(?:[a-z]|\d+|ij|ab|uv|xy|ws|out|in|new)$")
_VERB = re.compile(
    r"(?:compute|eval|calc|get|is|has|test|check|find|load|read|sum|count|update|apply|make|set|add|select|project|solve|clamp|"
    r"limit|advance|move|scatter|gather|build|write|store|evaluate|accumulate|integrate|measure|estimate|collect|mark|label)_"
)

_VERBS = {
    "value": ("compute_{}", "eval_{}", "calc_{}", "get_{}"),
    "sum": ("compute_{}", "sum_{}", "accumulate_{}", "gather_{}"),
    "count": ("count_{}", "compute_{}", "get_{}", "tally_{}"),
    "load": ("load_{}", "get_{}", "read_{}", "fetch_{}"),
    "test": ("is_{}", "test_{}", "check_{}", "has_{}"),
    "choice": ("select_{}", "get_{}", "choose_{}", "pick_{}"),
    "search": ("find_{}", "search_{}", "locate_{}", "get_{}"),
    "adjust": ("update_{}", "adjust_{}", "correct_{}", "limit_{}"),
    "update": ("update_{}", "compute_new_{}", "advance_{}", "next_{}"),
}  # fmt: skip
"""The candidates for names by what a function does, in the order of the styles of names."""


def is_descriptive(word: str) -> bool:
    """Return whether a word says what a function computes."""
    return len(word) >= 3 and word.islower() and word not in _GENERIC and not re.fullmatch(r"\w{1,2}\d*|v_\w+|\w+\d", word)


def subject_of(words: Iterable[str], vocabulary: frozenset[str], item: str = "") -> str:
    """Return the first word that says what a function computes, without an ending such as ``_a``, or an empty text.

    The name of the ``item`` that a thread works on does not say it, nor does an abbreviation, which no text of the domain
    contains.
    """
    stripped = (_SUFFIX.sub("", TOPIC.sub("", word)) for word in words)
    return next((word for word in stripped if is_descriptive(word) and word != item and _is_known(word, vocabulary)), "")


def _is_known(word: str, vocabulary: frozenset[str]) -> bool:
    """Return whether a name ends with a word of a vocabulary, and consists of words."""
    *parts, last = word.split("_")
    return not vocabulary.isdisjoint((last, _plural(last), singular(last))) and all(len(part) > 2 for part in parts)


@lru_cache(KEPT_LINES)
def receiver_of(text: str) -> tuple[str, str, str]:
    """Return a value of at most one operation, and the array that a line stores it in, or the local that it assigns."""
    line = read_line(text)
    if line.kind in ("store", "effect") and line.owner:
        value, owner, target = stored_value(line), line.owner, ""
    elif line.kind == "assign" and len(line.targets) == 1:
        value, owner, target = line.value, "", line.targets[0]
    else:
        return "", "", ""
    return (value, owner, target) if count_operations(value) <= 1 else ("", "", "")


class FunctionNamer:
    """Names the functions of one kernel.

    Args:
        body: the statements of the kernel.
        values: its long values.
        names: candidates for the names of locals and parameters by key.
        around: what is known about the kernel.
        rng: the randomness of the kernel.
    """

    def __init__(
        self, body: list[Node], values: LongValues, names: Mapping[str, str], around: Surroundings, rng: RandomStream
    ) -> None:
        self._values, self._names, self._rng = values, names, rng
        self._item = _PLACE.sub("", around.subject).replace(" ", "_")
        self._vocabulary = around.vocabulary
        self._texts = [node.text for node in walk(body)]

    @cached_property
    def stored(self) -> dict[str, str]:
        """The array that each local is stored in."""
        found: dict[str, str] = {}
        for key, owner, is_stored in self._receivers:
            if is_stored:
                found.setdefault(key, owner)
        return found

    @cached_property
    def _related(self) -> dict[str, str]:
        """The array that each local is stored in, directly or after one operation."""
        found: dict[str, str] = {}
        for key, owner, _ in self._receivers:
            found.setdefault(key, owner)
        return found

    @cached_property
    def _receivers(self) -> list[tuple[str, str, bool]]:
        """Locals with the array that receives them, and whether it receives them unchanged."""
        found: dict[str, str] = {}
        receivers = []
        for text in reversed(self._texts):
            value, owner, target = receiver_of(text)
            owner = owner or found.get(target, "")
            for key in LOCAL.findall(value) if owner else ():
                found.setdefault(key, owner)
                receivers.append((key, owner, not target and value == f"${key}"))
        return receivers

    def names(self, function: Function) -> tuple[str, ...]:
        """Return candidates for the name of a function, in the order of the styles of names; none if it has no subject."""
        subjects = list(dict.fromkeys(map(self._subject, function.results)))
        if not all(subjects):
            return ()
        subject = "_and_".join(subjects) if len(subjects) < 3 else "_".join(subjects)
        match = _VERB.match(subject)
        subject = subject[match.end() :] if match else subject
        action = self._action(function, subject)
        if action == "count" and _COUNT.search(subject):
            subject = _plural(_COUNT.sub("", subject))
        elif action == "sum" and _SUM.search(subject):
            action = "value"
        names = [verb.format(subject) for verb in _VERBS[action]]
        sources = [word for key in function.parameters if "__p" not in key and (word := self._source(key))]
        if action == "value" and len(subjects) == 1 and len(function.parameters) <= 2 and sources and sources[0] != subject:
            names[self._rng.below(len(names))] = f"{subject}_from_{sources[0]}"
        return tuple(names)

    def _source(self, key: str) -> str:
        return subject_of((key.split("__", maxsplit=1)[0],), self._vocabulary)

    def _subject(self, key: str) -> str:
        owner = self._values.owners.get(key, "")
        if owner:
            return self._receiver(owner)
        subject = subject_of((key, *self._names.get(key, key).split()), self._vocabulary, self._item)
        stored = self.stored.get(key) or self._related.get(key, "")
        if stored and (not subject or (key in self.stored and self._rng.chance(STORED_NAME_CHANCE))):
            subject = self._receiver(stored) or subject
        return subject

    def _receiver(self, owner: str) -> str:
        """Return what is stored in an array, or what a sum adds up."""
        if owner[0] != "{":
            subject = self._subject(owner)
            return f"{subject}_{self._rng.choice(('term', 'contribution', 'increment', 'term'))}" if subject else ""
        key = owner.strip("{}").split("__", maxsplit=1)[0]
        return subject_of(map(singular, (key, *self._names.get(owner, key).split())), self._vocabulary, self._item)

    def _action(self, function: Function, subject: str) -> str:
        """Return what a function does: a key of `_VERBS`."""
        lines = [read_line(node.text) for node in walk(function.body)]
        kinds = [kind.spelling for kind in function.results.values()]
        loops = any(line.kind in ("for", "while") for line in lines)
        if kinds == ["bool"]:
            return "test"
        if len(kinds) == 1 and function.results.keys() <= function.parameters.keys():
            return "adjust"
        if loops and len(kinds) == 1:
            is_sum = any(line.kind == "change" and line.owner in function.results for line in lines)
            return ("count" if is_sum else "search") if kinds == ["int"] else "sum" if is_sum else "value"
        if kinds == ["int"] and any(line.kind == "if" for line in lines):
            return "choice"
        arrays = any(isinstance(kind, ArrayType) for kind in function.parameters.values())
        if arrays and not loops and 2 * sum(line.weight for line in lines) <= len(lines):
            return "load"
        return "update" if any(self._source(singular(key)) == subject for key in function.parameters) else "value"


_PLACE = re.compile(r" (?:along|of|in|at|to|with|across|on|from|per|and) .*")
_COUNT = re.compile(r"_?(?:count|counts|num)(?:_at)?$")
_SUM = re.compile(r"sum|total|acc")


def _plural(word: str) -> str:
    if re.search(r"[^aeiou]y$", word):
        return f"{word[:-1]}ies"
    return f"{word}es" if re.search(r"(?:s|x|z|ch|sh)$", word) else word if word.endswith("s") else f"{word}s"


class Endings:
    """Endings of names that tell elements of one array apart: the same for the same index."""

    def __init__(self, rng: RandomStream) -> None:
        self._endings: Sequence[str] = rng.choice((("_a", "_b"), ("_i", "_j"), ("0", "1"), ("1", "2")))
        self._known: dict[str, str] = {}

    def of(self, index: str) -> str:
        """Return the ending for an index."""
        return self._known.setdefault(index, self._endings[len(self._known) % 2])
