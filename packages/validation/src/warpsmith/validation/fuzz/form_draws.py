"""Draws of forms: all with one feature, then swarms of several, in which what has not been seen together comes first."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator

from warpsmith.validation.fuzz.grammar.forms import AXES, TOGETHER, Form, form_of, makes_sense

FAMILY_WEIGHTS = {"assign": 0.6, "atomic": 0.12, "tile": 0.1, "expression": 0.18}
"""How often each family is drawn."""

KEPT = 0.4
"""The chance of a value to be in the swarm of a batch."""

PLAIN = 0.75
"""The chance of an axis to have its plain value: with all axes changed, most kernels would fail for a known reason."""

CANDIDATES = 4
"""The number of forms that are drawn for each one that is used."""

AVOIDED = 0.9
"""The chance of a form to be drawn again if it contains the features of a cluster that was found already."""

Pair = tuple[str, str]
"""Two features that were seen together, with the family before the first."""


def draw_forms(seed: int, batch: int, count: int, seen: set[Pair], found: Iterable[frozenset[str]]) -> list[Form]:
    """Return the forms of a batch, and add to ``seen`` what they contain.

    Args:
        seed: the seed of the run.
        batch: the number of the batch.
        count: the number of forms.
        seen: the pairs of features of earlier forms.
        found: the features of clusters that were found, with the families as ``family:name``.
    """
    single = _single(seed)[batch * count : (batch + 1) * count]
    if single:
        seen.update(pair for form in single for pair in pairs_of(form))
        return single
    rng = random.Random(f"{seed}:{batch}")  # noqa: S311 - no secret
    swarm = {(family, axis): _kept(rng, values) for family, axes in AXES.items() for axis, values in axes.items()}
    option = rng.choice(AXES["assign"]["options"])  # each further one is a module of its own
    swarm |= {(family, "options"): (option,) for family in AXES}
    known = list(found)
    forms = []
    for _ in range(count):
        candidates = [_draw(rng, swarm, known) for _ in range(CANDIDATES)]
        best = max(candidates, key=lambda form: len(set(pairs_of(form)) - seen))
        seen.update(pairs_of(best))
        forms.append(best)
    return forms


def _single(seed: int) -> list[Form]:
    """Return all forms with one feature, and the plain ones, in the order of a seed; then the forms of `TOGETHER`."""
    forms = [
        form
        for family, axes in AXES.items()
        for axis, values in axes.items()
        for value in values
        if makes_sense(form := form_of(family, {axis: value}))
    ]
    together = [
        form
        for (family, axis), added_features in TOGETHER.items()
        for value in AXES[family][axis][1:]
        for added in added_features
        if makes_sense(form := form_of(family, {axis: value, **added}))
    ]
    rng = random.Random(seed)  # noqa: S311 - no secret
    forms = list(dict.fromkeys(forms))
    rng.shuffle(forms)
    rng.shuffle(together)
    return forms + together


def pairs_of(form: Form) -> Iterator[Pair]:
    """Yield the pairs of features of a form."""
    for first, second in itertools.combinations([form.family, *form.features], 2):
        yield f"{form.family}:{first}", second


def features_of(form: Form) -> frozenset[str]:
    """Return the features of a form, its family, and its operator, which matters also if it is the plain one."""
    operator = [f"operator={form['operator']}"] if form.family == "assign" else []
    return frozenset([f"family:{form.family}", *form.features, *operator])


def _kept(rng: random.Random, values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(value for value in values[1:] if rng.random() < KEPT) or (rng.choice(values),)


def _draw(rng: random.Random, swarm: dict[tuple[str, str], tuple[str, ...]], known: list[frozenset[str]]) -> Form:
    while True:
        (family,) = rng.choices(list(FAMILY_WEIGHTS), list(FAMILY_WEIGHTS.values()))
        values = {
            axis: plain[0] if rng.random() < PLAIN and number else rng.choice(swarm[family, axis])
            for number, (axis, plain) in enumerate(AXES[family].items())
        }
        form = form_of(family, values)
        if not makes_sense(form):
            continue
        features = features_of(form)
        if any(cluster <= features for cluster in known) and rng.random() < AVOIDED:
            continue
        return form
