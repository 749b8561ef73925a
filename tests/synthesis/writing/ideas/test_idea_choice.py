"""The choice of ideas: those of a category, and others that go with them."""

from __future__ import annotations

from msgspec.structs import replace

from synthesis.writing.ideas.small_domain import ADVANCE, ALONE, COUNT, DOMAIN, FORWARD, SUM
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.ideas.compose import Length
from warpsmith.synthesis.writing.ideas.idea_choice import choose_ideas, select_brief
from warpsmith.synthesis.writing.ideas.parts import Domain, Idea


def chosen(*candidates: Idea, domain: Domain = DOMAIN, ideas: int = 3) -> list[list[str]]:
    rows = tuple((domain, idea) for idea in candidates)
    return [[idea.key for idea in choose_ideas(rows, Length(ideas), RandomStream(str(seed)))[1]] for seed in range(60)]


def test_the_first_idea_is_of_the_category() -> None:
    assert {keys[0] for keys in chosen(SUM, COUNT)} == {"sum", "count"}


def test_ideas_with_few_variants_are_rare() -> None:
    varied = replace(COUNT, key="varied", text="⟨a|b|c|d⟩⟨a|b|c|d⟩⟨a|b|c|d⟩")
    plain = replace(COUNT, key="plain", text="a")
    assert sum(keys == ["varied"] for keys in chosen(varied, plain, ideas=1)) > 50


def test_partners_are_drawn_from_the_domain() -> None:
    heavy = replace(COUNT, key="heavy", text="if {m}[$i] > 1.0:\n    wp.atomic_add({counter}, 0, 1)")
    domain = replace(DOMAIN, ideas=(SUM, ADVANCE, heavy))
    assert {frozenset(keys[1:]) for keys in chosen(SUM, domain=domain)} == {frozenset({"advance", "heavy"})}
    assert {len(keys) for keys in chosen(SUM, ideas=1)} == {1}


def test_partners_read_an_array_in_common() -> None:
    assert {tuple(keys) for keys in chosen(SUM)} == {("sum", "advance")}, "nothing but `count` is about flags"


def test_an_array_of_no_subject_makes_no_partners() -> None:
    domain = replace(DOMAIN, anonymous=DOMAIN.parameters)
    assert {tuple(keys) for keys in chosen(SUM, domain=domain)} == {("sum",)}


def test_some_ideas_have_no_partner() -> None:
    assert {tuple(keys) for keys in chosen(ALONE)} == {("alone",)}
    assert {tuple(keys) for keys in chosen(FORWARD)} == {("forward",)}


def test_brief_ideas_are_the_shortest_ones() -> None:
    rows = [(DOMAIN, idea) for idea in (SUM, COUNT, ALONE, ADVANCE)]
    assert [idea.key for _, idea in select_brief(rows)] == ["alone", "count", "advance", "sum"]
    many = [(DOMAIN, replace(SUM, key=f"sum_{number}")) for number in range(40)]
    assert len(select_brief(many)) == 20


def test_partners_share_a_category() -> None:
    domain = replace(DOMAIN, ideas=(SUM, ADVANCE, replace(COUNT, categories="atomic")))
    assert {tuple(keys) for keys in chosen(SUM, domain=domain)} == {("sum", "advance")}


def test_no_idea_writes_what_another_one_uses() -> None:
    writer = replace(ADVANCE, key="writer", text="{m}[$i] += 1.0")
    domain = replace(DOMAIN, ideas=(SUM, writer, ADVANCE))
    assert {tuple(keys) for keys in chosen(SUM, domain=domain)} == {("sum", "advance")}


def test_ideas_of_other_threads_are_no_partners() -> None:
    domain = replace(DOMAIN, ideas=(SUM, replace(COUNT, threads="i j")))
    assert {tuple(keys) for keys in chosen(SUM, domain=domain)} == {("sum",)}
