"""What outlining reads about a kernel."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache

from warpsmith.synthesis.language.warp_types import FLOAT, INT
from warpsmith.synthesis.writing.ideas.kernel_names import without_thread
from warpsmith.synthesis.writing.ideas.notation import words
from warpsmith.synthesis.writing.ideas.outlining.static_types import (
    UINT64,
    ArrayType,
    Kind,
    ObjectType,
    Results,
    helper_results,
)
from warpsmith.synthesis.writing.ideas.parts import Code, Data, Domain, Idea, Number, ObjectParameter, Parameter, Size
from warpsmith.synthesis.writing.ideas.realize import Parameters


@dataclass(slots=True)
class Surroundings:
    """What outlining reads about a kernel.

    Attributes:
        kinds: the types of parameters by key.
        arguments: the keys of the parameters that are arguments of the kernel, not constants or literals.
        known: the types of thread indices.
        names: candidates for the names of locals and parameters by key.
        loaded: the key of the local that is usually loaded from an element, such as ``position`` for ``{positions}[$i]``.
        texts: the texts of parameters in the kernel.
        about: what arrays contain.
        batched: the keys of the arrays with a leading dimension for worlds.
        world: the key of the index of the world, or empty.
        subject: what a thread works on.
        vocabulary: the words with which the domain says what its ideas and arrays are.
        results_of: returns the types of the results of a helper function.
        is_pure: returns whether a helper function has no effect.
    """

    kinds: Mapping[str, Kind]
    arguments: frozenset[str]
    known: Mapping[str, Kind]
    names: dict[str, str]
    loaded: Mapping[str, str]
    texts: Mapping[str, str] = field(default_factory=dict)
    about: Mapping[str, str] = field(default_factory=dict)
    batched: frozenset[str] = frozenset()
    world: str = ""
    subject: str = ""
    vocabulary: frozenset[str] = frozenset()
    results_of: Callable[[str], Results] = lambda _: None
    is_pure: Callable[[str], bool] = lambda _: True


def surroundings(domain: Domain, idea: Idea, parameters: Parameters, helpers: Mapping[str, str], world: str) -> Surroundings:
    """Return what outlining reads about a kernel whose parameters have been realized."""
    kinds, names, loaded = _facts_of(domain)
    constants = {constant.name for constant in parameters.constants} | {"True", "False"}
    generic = words(idea.generic)
    arguments = frozenset(
        key
        for key, text in parameters.texts.items()
        if (key not in _codes_of(domain) and text not in constants and (text[0].isalpha() or text[0] == "_")) or key in generic
    )

    def results_of(key: str) -> Results:
        return helper_results(helpers[key]) if key in helpers else None

    def is_pure(key: str) -> bool:
        return key in helpers and not _IMPURE.search(helpers[key])

    return Surroundings(
        kinds={key: kind for key, kind in kinds.items() if key not in generic} if generic else kinds,
        arguments=arguments,
        known={**dict.fromkeys(words(idea.threads), INT), **({world: INT} if world else {})},
        names=dict(names),
        texts=parameters.texts,
        about=_about_of(domain),
        loaded=loaded,
        batched=frozenset(parameters.layout.batched) if world else frozenset(),
        world=world,
        subject=next((index.item for index in domain.indices if index.key == idea.threads.split()[-1]), ""),
        vocabulary=_vocabulary_of(domain),
        results_of=results_of,
        is_pure=is_pure,
    )


_IMPURE = re.compile(
    r"wp\.(?:atomic|tile|tid|rand|sample|poisson|print|volume_store)|atomicAdd|\w\] [-+*/|&^]?= |\.\w+ [-+*/]?= "
)
"""Effects in the text of a helper function."""


@cache
def _facts_of(domain: Domain) -> tuple[dict[str, Kind], dict[str, str], dict[str, str]]:
    """Return the types of parameters, names of locals and parameters, and locals that are elements."""
    indices = [*domain.indices, *([domain.world] if domain.world else [])]
    names = dict(domain.names)
    names |= {index.key: " ".join(without_thread(index.names.split())) for index in indices}
    names |= {f"{{{row.key}}}": row.names for row in domain.parameters}
    loaded = {row.ways[0]: row.key for row in domain.locals if len(row.ways) == 1 and _LOAD.fullmatch(row.ways[0])}
    return {row.key: _kind_of(row) for row in domain.parameters}, names, loaded


def parameter_kinds(domain: Domain) -> dict[str, Kind]:
    """Return the types of the parameters of a domain by key."""
    return _facts_of(domain)[0]


@cache
def _codes_of(domain: Domain) -> frozenset[str]:
    return frozenset(row.key for row in domain.parameters if isinstance(row, Code))


@cache
def _about_of(domain: Domain) -> dict[str, str]:
    return {row.key: row.about for row in domain.parameters if isinstance(row, Data) and row not in domain.anonymous}


@cache
def _vocabulary_of(domain: Domain) -> frozenset[str]:
    texts = [row.about for row in domain.parameters if isinstance(row, Data | Number)]
    texts += [text for idea in domain.ideas for text in (idea.purpose, idea.docs, idea.names.replace("_", " "))]
    return frozenset(re.findall(r"[a-z]{3,}", " ".join(texts)))


_LOAD = re.compile(r"\{\w+\}\[[^]]*\]")


def _kind_of(row: Parameter) -> Kind:
    match row:
        case Data():
            return ArrayType(row.type, len(row.dims.split()), row.indexed)
        case Number():
            return row.type
        case Size():
            return INT
        case ObjectParameter():
            return ObjectType(f"wp.Texture{len(row.shape)}D") if row.kind == "texture" else UINT64
        case _:
            return FLOAT if isinstance(row.value, float) else INT
