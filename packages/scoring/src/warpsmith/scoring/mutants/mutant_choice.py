"""Mutants of a reference: texts that differ from it by one edit, in an order that a seed determines."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from warpsmith.scoring.mutants import cuda_edits, python_edits


@dataclass(frozen=True, slots=True)
class Mutant:
    """A changed text.

    Attributes:
        operator: the kind of the edit.
        text: the changed text.
    """

    operator: str
    text: str


@dataclass(frozen=True, slots=True)
class _Edit:
    """One edit of a text that is not applied yet.

    Attributes:
        group: the kind with which the edit takes turns.
        operator: the kind that users see.
        what: distinguishes the edit from others of its kind.
        apply: returns the changed text.
    """

    group: str
    operator: str
    what: str
    apply: Callable[[str], str]


def mutants(text: str, language: str, key: str, *, is_adjoint: bool = False, slips: bool = True) -> Iterator[Mutant]:
    """Yield the mutants of a text, each once. The kinds of edits take turns.

    Args:
        text: a text of a pair.
        language: ``"cuda"`` or ``"python"``.
        key: determines the order.
        is_adjoint: whether the text is an adjoint.
        slips: whether to include slips, most of which do not compile.
    """
    found = _python(text, slips) if language == "python" else _cuda(text, is_adjoint, slips)
    groups: dict[str, list[_Edit]] = {}
    for edit in found:
        groups.setdefault(edit.group, []).append(edit)
    for name, edits in groups.items():
        edits.sort(key=lambda edit: _rank(f"{key}/{name}/{edit.what}"), reverse=True)
    order = sorted(groups, key=lambda name: _rank(f"{key}/{name}"))
    seen = {text}
    while order:
        for name in order:
            edit = groups[name].pop()
            if (changed := edit.apply(text)) not in seen:
                seen.add(changed)
                yield Mutant(edit.operator, changed)
        order = [name for name in order if groups[name]]


def _cuda(text: str, is_adjoint: bool, slips: bool) -> Iterator[_Edit]:
    found = [*cuda_edits.line_edits(text, is_adjoint), *(cuda_edits.slip_edits(text) if slips else ())]
    for edit in found:
        what = f"{edit.line}/{edit.after}"
        yield _Edit(edit.kind, edit.edit, what, partial(cuda_edits.replaced_line, number=edit.line, after=edit.after))


def _python(text: str, slips: bool) -> Iterator[_Edit]:
    for kind, span in python_edits.spans(text, python_edits.VALUES | (python_edits.SLIPS if slips else {})):
        what = f"{span.start}/{span.end}/{span.new}"
        yield _Edit(kind, kind, what, span.replaced)


def _rank(text: str) -> bytes:
    """Return a pseudorandom sort key, the same in every run."""
    return hashlib.sha256(text.encode()).digest()
