"""Each feature is found in kernels that have it, and not in kernels that nearly have it."""

from __future__ import annotations

import ast

import pytest

from feature_kernels import BODIES, HEAD, KERNELS
from warpsmith.validation.statistics.realism.facts import Facts
from warpsmith.validation.statistics.realism.features import FEATURES, feature_names
from warpsmith.validation.statistics.realism.kernels import find_kernels


def names(decorator: str, arguments: str, body: str) -> list[str]:
    statements = body if '"""' in body or "'" in body else body.replace("; ", "\n")
    text = "".join(f"    {line}\n" for line in statements.split("\n"))
    source = f"class Host:\n{decorator}\ndef sum_cost({arguments}):\n{text}".replace("\n", "\n  ").rstrip() + "\n"
    (kernel,) = find_kernels(source, ast.parse(source))
    return feature_names(Facts(kernel))


def cases(which: int) -> list[tuple[str, str, str, str]]:
    found = [(feature, "@wp.kernel", HEAD, body) for feature, bodies in BODIES.items() for body in bodies[which]]
    return found + [(feature, *kernel.split("|")) for feature, kernels in KERNELS.items() for kernel in kernels[which]]  # type: ignore[misc]


@pytest.mark.parametrize(("feature", "decorator", "arguments", "body"), cases(0))
def test_kernels_with_a_feature(feature: str, decorator: str, arguments: str, body: str) -> None:
    assert feature in names(decorator, arguments, body)


@pytest.mark.parametrize(("feature", "decorator", "arguments", "body"), cases(1))
def test_kernels_without_a_feature(feature: str, decorator: str, arguments: str, body: str) -> None:
    assert feature not in names(decorator, arguments, body)


def test_every_feature_has_examples() -> None:
    listed = [name for group in FEATURES.values() for name in group]
    assert len(listed) == len(set(listed))
    assert {*BODIES, *KERNELS} == set(listed)


def test_a_small_kernel_has_exactly_its_features() -> None:
    body = "i = wp.tid()\nj = idx[i]\nif j < 0:\n    return\n\n# the neighbour\nout[i] = x[j] + out[i]"
    assert names("@wp.kernel", HEAD, body) == [
        "index loaded from an array",
        "-1 or 0 as a sentinel",
        "array both read and written",
        "comment",
        "blank line",
    ]
