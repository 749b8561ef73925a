"""Kernels that call any builtin of Warp's registry in any of its types, so that rare ones occur, too."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

from warpsmith.synthesis.language.warp_types import FLOAT, INT
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.catalogue.builtins.random_calls import OPERATORS, callable_builtins, draw_call
from warpsmith.synthesis.writing.catalogue.domains import all_domains
from warpsmith.synthesis.writing.ideas.parts import Data, Domain, Idea, Index, Local, Size
from warpsmith.synthesis.writing.policy import (
    BUILTIN_FLOATS,
    BUILTIN_INTEGERS,
    BUILTIN_SAMPLES,
    RARE_BUILTIN_CHANCE,
    RARE_BUILTIN_TEXTS,
)

_NAMES = {"arg0": "a lhs first", "arg1": "b rhs second", "arg2": "c third", "outcome": "y value r"}

_DOMAIN = Domain(
    "builtins",
    (
        Size("n", *BUILTIN_SAMPLES, "n count num_samples", about="number of samples"),
        *(Data(key, FLOAT, *BUILTIN_FLOATS, names, "a number between {} and {}".format(*BUILTIN_FLOATS)) for key, names in (
            ("x", "x samples_x xs"), ("y", "y samples_y ys"), ("z", "z samples_z zs"))),
        *(Data(key, INT, *BUILTIN_INTEGERS, names, "an integer from {} to {}".format(*BUILTIN_INTEGERS)) for key, names in (
            ("a", "orders degrees ks"), ("b", "levels steps ms"), ("c", "counts_in widths qs"))),
        Data("out", FLOAT, 0.0, 0.0, "out result values_out", "a component of the result"),
    ),
    (Index("i", "n", "i tid idx", "sample"),),
    _NAMES,
    tuple(Local(key, (f"{{{key}}}[$i]",)) for key in "xyzabc"),
    (),
)  # fmt: skip


@cache
def _rare_builtins() -> tuple[str, ...]:
    """Return the builtins that fewer than `RARE_BUILTIN_TEXTS` texts of all domains name, and the unary plus."""
    named: Counter[str] = Counter()
    for domain in all_domains():
        texts = [idea.text for idea in domain.ideas] + [extra.text for extra in domain.extras]
        texts += ["\n".join(row.ways) for rows in (domain.helpers, domain.locals, domain.loops) for row in rows]
        for text in texts:
            named.update(set(re.findall(r"wp\.(\w+)", text)))
    return tuple(
        key for key in callable_builtins() if named[key] < RARE_BUILTIN_TEXTS and (key == "pos" or key not in OPERATORS)
    )


def draw_builtins(rng: RandomStream) -> tuple[Domain, Idea]:
    """Draw an idea that calls a builtin and stores a component of its result.

    Every second kernel calls one that is rare elsewhere.
    """
    key = rng.choice(callable_builtins())
    if rng.chance(RARE_BUILTIN_CHANCE) and key not in (rare := _rare_builtins()):
        key = rng.choice(rare)
    return _DOMAIN, Idea(
        f"call_{key}",
        f"evaluate_{key} compute_{key} probe_{key} apply_{key}",
        f"evaluate wp.{key} for each sample",
        draw_call(rng, key, "{out}[$i]"),
    )
