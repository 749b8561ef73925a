"""The choice of the idea: one of the candidates, those with many variants more often, and of a length."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from synthesis.writing.ideas.small_domain import ADVANCE, ALONE, COUNT, DOMAIN, SUM
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.ideas.idea_choice import choose_idea, select_by_length
from warpsmith.synthesis.writing.ideas.parts import Domain, Helper, Idea


def chosen(*candidates: Idea, domain: Domain = DOMAIN) -> Counter[str]:
    rows = tuple((domain, idea) for idea in candidates)
    return Counter(choose_idea(rows, RandomStream(str(seed)))[1].key for seed in range(60))


def test_every_candidate_is_chosen() -> None:
    assert chosen(SUM, COUNT).keys() == {"sum", "count"}


def test_ideas_with_few_variants_are_rare() -> None:
    varied = replace(COUNT, key="varied", text="⟨a|b|c|d⟩⟨a|b|c|d⟩⟨a|b|c|d⟩")
    plain = replace(COUNT, key="plain", text="a")
    assert chosen(varied, plain)["varied"] > 50


def test_variants_of_the_functions_that_an_idea_calls_count() -> None:
    inner = Helper("inner", ("def inner(r: float):\n    return ⟨r|2.0 * r|r * r|-r⟩",))
    outer = Helper(
        "outer", ("def outer(r: float):\n    return @inner(r)⟨| + 1.0| * 2.0⟩", "def outer(r: float):\n    return r")
    )
    domain = replace(DOMAIN, helpers=(inner, outer))
    calling = replace(COUNT, key="calling", text="{speed}[$i] = @outer(1.0)")
    plain = replace(COUNT, key="plain", text="a")
    assert chosen(calling, plain, domain=domain)["calling"] > 45


def test_ideas_are_selected_by_their_place_in_the_order_of_length() -> None:
    rows = [(DOMAIN, idea) for idea in (SUM, COUNT, ALONE, ADVANCE)]
    assert [idea.key for _, idea in select_by_length(rows, (0.0, 0.5))] == ["alone", "count", "advance", "sum"]
    many = [(DOMAIN, replace(idea, key=f"{idea.key}_{number}")) for number in range(20) for idea in (SUM, COUNT)]
    brief, long = select_by_length(many, (0.0, 0.5)), select_by_length(many, (0.5, 1.0))
    assert {idea.text for _, idea in brief} == {COUNT.text}
    assert {idea.text for _, idea in long} == {SUM.text}
    assert len(select_by_length(many, (0.9, 1.0))) == 6
