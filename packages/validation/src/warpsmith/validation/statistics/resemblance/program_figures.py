"""The section `programs` of the statistics: the figures of kernels and functions, and their texts with roles."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TypedDict

from warpsmith.core.records.syntax_walks import walk
from warpsmith.validation.statistics.parsed_pair import ParsedPair
from warpsmith.validation.statistics.realism.kernels import definition_kind, definitions
from warpsmith.validation.statistics.realism.model_tokens import text_tokens
from warpsmith.validation.statistics.resemblance.call_depth import FileCalls, call_depths
from warpsmith.validation.statistics.resemblance.components import component_count
from warpsmith.validation.statistics.resemblance.definition import Definition
from warpsmith.validation.statistics.resemblance.expression_shapes import skeleton_digest
from warpsmith.validation.statistics.resemblance.identifiers import bindings
from warpsmith.validation.statistics.resemblance.role_text import SourceText, role_text
from warpsmith.validation.statistics.resemblance.traits import TRAITS
from warpsmith.validation.statistics.resemblance_types import LocalsSummary, ProgramsSummary

MAX_CHARACTERS = 8 << 20
"""The number of characters of texts with roles that are kept: more than two million tokens."""

DEPTHS, STATEMENTS = (1, 2, 3), (30, 60)
"""The smallest depths of calls and numbers of statements whose shares are figures."""

COMPONENTS_FROM, COMPONENTS_TO = 35, 60
"""The numbers of statements of the kernels whose components are counted."""

SAMPLES = (100, 250, 1_000)
"""The numbers of kernels for which the expected number of names is a figure."""


class Sample(TypedDict):
    """A definition with roles; the names of its traits and the number of its statements."""

    kind: str
    head: str
    body: str
    traits: list[str]
    statements: int


class State(TypedDict):
    """Counts, by kind of definition or by figure; files that can call each other; samples with their number of characters."""

    counts: dict[str, int]
    tokens: dict[str, int]
    depths: dict[str, int]
    traits: dict[str, int]
    skeletons: dict[str, int]
    locals: dict[str, int]
    files: list[FileCalls]
    samples: list[Sample]
    characters: int


def empty() -> State:
    """Return the state before the first pair."""
    return {
        "counts": {},
        "tokens": {},
        "depths": {},
        "traits": {},
        "skeletons": {},
        "locals": {},
        "files": [],
        "samples": [],
        "characters": 0,
    }


def update(state: State, parsed: ParsedPair) -> None:
    """Add the definitions of a pair, whose calls lead to functions of the same pair only."""
    if parsed.tree is not None:
        file = add_source(state, parsed.pair.python_source, parsed.tree)
        _increase(state["depths"], Counter(map(str, call_depths([file]))))


def add_file(state: State, source: str, tree: ast.Module) -> None:
    """Add the definitions of a file of a project, whose calls may lead to functions of other files."""
    state["files"].append(add_source(state, source, tree))


def add_source(state: State, source: str, tree: ast.Module) -> FileCalls:
    """Add the definitions of a file, except for those nested too deeply for Python's recursion; return their calls."""
    text = SourceText(source)
    calls: FileCalls = {"functions": {}, "kernels": []}
    for node in definitions(tree):
        try:
            if isinstance(node, ast.FunctionDef):
                _add_function(state, Definition(node, text), calls)
            else:
                _add_struct(state, node, text)
        except RecursionError:
            continue
    return calls


def _add_struct(state: State, node: ast.ClassDef, text: SourceText) -> None:
    nodes = list(walk(node))
    head, _ = role_text(node, nodes, bindings([]), text)
    _increase(state["counts"], {"struct": 1})
    _keep(state, [{"kind": definition_kind(node), "head": head, "body": "", "traits": [], "statements": 0}])


def _add_function(state: State, definition: Definition, calls: FileCalls) -> None:
    kind, statements = definition.kind, len(definition.statements)
    traits = [name for name, holds in TRAITS.items() if holds(definition)]
    called = sorted(definition.called)
    head, body = definition.roles
    if kind == "kernel":
        calls["kernels"].append(called)
        _increase(state["locals"], dict.fromkeys(definition.bindings.locals, 1))
        _increase(state["counts"], _statement_counts(definition, statements))
    else:
        known = calls["functions"].setdefault(definition.node.name, [])
        known += [name for name in called if name not in known]
        _increase(state["skeletons"], {skeleton_digest(definition.body): 1})
    _increase(state["counts"], {kind: 1})
    _increase(state["tokens"], {kind: len(text_tokens(head)) + len(text_tokens(body))})
    _increase(state["traits"], {f"{kind}: {name}": 1 for name in traits})
    _keep(state, [{"kind": kind, "head": head, "body": body, "traits": traits, "statements": statements}])


def _statement_counts(definition: Definition, statements: int) -> dict[str, int]:
    counts = {f"statements {least}": 1 for least in STATEMENTS if statements >= least}
    if COMPONENTS_FROM <= statements <= COMPONENTS_TO:
        components = component_count(definition.body)
        counts |= {"component kernels": 1, "components": components, "three components": int(components >= 3)}
    return counts


def _increase(counts: dict[str, int], more: Mapping[str, int]) -> None:
    for name, count in more.items():
        counts[name] = counts.get(name, 0) + count


def _keep(state: State, samples: Iterable[Sample]) -> None:
    """Keep samples until there are `MAX_CHARACTERS`."""
    for sample in samples:
        if state["characters"] >= MAX_CHARACTERS:
            return
        state["samples"].append(sample)
        state["characters"] += len(sample["head"]) + len(sample["body"])


def add(total: State, part: State) -> None:
    """Add the state of later pairs to ``total``."""
    for counts, more in (
        (total["counts"], part["counts"]),
        (total["tokens"], part["tokens"]),
        (total["depths"], part["depths"]),
        (total["traits"], part["traits"]),
        (total["skeletons"], part["skeletons"]),
        (total["locals"], part["locals"]),
    ):
        _increase(counts, more)
    total["files"] += part["files"]
    _keep(total, part["samples"])


def summarize(total: State) -> ProgramsSummary:
    """Return the figures."""
    counts, kernels = total["counts"], total["counts"].get("kernel", 0)
    functions = counts.get("function", 0)
    depths = Counter({int(depth): count for depth, count in total["depths"].items()}) + Counter(call_depths(total["files"]))
    in_components = counts.get("component kernels", 0)
    return {
        "kernels": kernels,
        "functions": functions,
        "function_tokens": _share(total["tokens"].get("function", 0), sum(total["tokens"].values())),
        "call_depths": {
            str(least): _share(sum(count for depth, count in depths.items() if depth >= least), kernels) for least in DEPTHS
        },
        "function_skeletons": len(total["skeletons"]),
        "statements": {str(least): _share(counts.get(f"statements {least}", 0), kernels) for least in STATEMENTS},
        "components": {
            "kernels": in_components,
            "mean": _share(counts.get("components", 0), in_components),
            "three_or_more": _share(counts.get("three components", 0), in_components),
        },
        "traits": {
            name: {
                "kernels": _share(total["traits"].get(f"kernel: {name}", 0), kernels),
                "functions": _share(total["traits"].get(f"function: {name}", 0), functions),
            }
            for name in TRAITS
        },
        "locals": _locals(total["locals"], kernels),
    }


def _share(part: int, total: int) -> float:
    return round(part / max(total, 1), 6)


def _locals(counts: Mapping[str, int], kernels: int) -> LocalsSummary:
    """Return the number of names, and the expected number in a sample of kernels, drawn without replacement."""
    expected = {
        str(sample): round(sum(1 - _absent(count, kernels, sample) for count in counts.values()), 1)
        for sample in SAMPLES
        if sample <= kernels
    }
    return {"distinct": len(counts), "expected": expected}


def _absent(count: int, kernels: int, sample: int) -> float:
    """Return the probability that none of ``count`` of the kernels is in a sample."""
    probability = 1.0
    for drawn in range(min(sample, count)):
        larger = max(count, sample)
        probability *= max(kernels - larger - drawn, 0) / (kernels - drawn)
    return probability
