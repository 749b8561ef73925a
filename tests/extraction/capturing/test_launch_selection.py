"""The launches that are kept are the most different ones, and few launches are copied."""

from __future__ import annotations

from warpsmith.extraction.capturing.launch_selection import Selection


def kept_of(launches: list[tuple[str, int]], most: int = 3) -> tuple[list[tuple[str, int, int]], int]:
    """Return the (form, plain value, number) of the launches that are kept, and how many were copied."""
    selection: Selection[tuple[str, int, int]] = Selection(most)
    copies = 0
    for number, (form, plain) in enumerate(launches, 1):
        selection.count += 1
        if (position := selection.place_for(form, plain)) is not None:
            copies += 1
            selection.keep(position, form, plain, (form, plain, number))
    return sorted(kept.item for kept in selection.kept), copies


def test_forms_differ_more_than_values() -> None:
    kept, _ = kept_of([("a", 1), ("a", 2), ("a", 3), ("b", 1), ("c", 1), ("d", 1)])
    assert [form for form, _, _ in kept] == ["a", "b", "c"]


def test_values_differ_more_than_contents() -> None:
    kept, _ = kept_of([("a", 1)] * 3 + [("a", 2)] + [("a", 1)] * 4)
    assert [(form, plain) for form, plain, _ in kept] == [("a", 1), ("a", 2)]


def test_of_equal_launches_a_late_one_is_kept_and_few_are_copied() -> None:
    kept, copies = kept_of([("a", 1)] * 1000)
    assert kept == [("a", 1, 512)]
    assert copies == 10
