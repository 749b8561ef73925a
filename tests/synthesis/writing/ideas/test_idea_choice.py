"""The choice of the idea: one of the candidates, all as likely as each other, and of a length."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from synthesis.writing.ideas.small_domain import ADVANCE, ALONE, COUNT, DOMAIN, SUM
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.ideas.idea_choice import choose_idea, estimate_operations, select_by_length
from warpsmith.synthesis.writing.ideas.parts import Idea
from warpsmith.synthesis.writing.policy import MIN_CANDIDATES


def chosen(*candidates: Idea, adjoint: bool = False) -> Counter[str]:
    rows = tuple((DOMAIN, idea) for idea in candidates)
    return Counter(choose_idea(rows, RandomStream(str(seed)), adjoint=adjoint)[1].key for seed in range(600))


def test_candidates_are_equally_likely_however_many_variants_they_have() -> None:
    varied = replace(COUNT, key="varied", text="⟨a|b|c|d⟩⟨a|b|c|d⟩⟨a|b|c|d⟩")
    found = chosen(SUM, COUNT, varied)
    assert found.keys() == {"sum", "count", "varied"}
    assert all(150 < count < 250 for count in found.values())


def test_ideas_without_floats_are_rarer_where_gradients_matter() -> None:
    whole = replace(COUNT, key="whole", integer=True)
    assert 240 < chosen(SUM, whole)["whole"] < 360
    assert 60 < chosen(SUM, whole, adjoint=True)["whole"] < 140


def test_ideas_are_selected_by_their_place_in_the_order_of_length() -> None:
    rows = [(DOMAIN, idea) for idea in (SUM, COUNT, ALONE, ADVANCE)]
    assert [idea.key for _, idea in select_by_length(rows, (0, 1))] == ["alone", "count", "advance", "sum"]
    many = [(DOMAIN, replace(idea, key=f"{idea.key}_{number}")) for number in range(20) for idea in (SUM, COUNT)]
    between = (estimate_operations(DOMAIN, COUNT) + estimate_operations(DOMAIN, SUM)) // 2
    brief, long = select_by_length(many, (0, between)), select_by_length(many, (between + 1, 1000))
    assert {idea.text for _, idea in brief} == {COUNT.text}
    assert {idea.text for _, idea in long} == {SUM.text}
    assert len(select_by_length(many, (900, 1000))) == MIN_CANDIDATES
    assert {idea.text for _, idea in select_by_length(many, (900, 1000))} == {SUM.text}
