"""How many tasks are wanted, and the remarks about others."""

from __future__ import annotations

from warpsmith.scoring.tasks.quota import LeftOut, Quota
from warpsmith.scoring.tasks.task_kinds import kind_of


def taken(quota: Quota, offered: str) -> str:
    """Offer tasks of one kind, a letter for each category, and return those that are taken."""
    found = ""
    for category in offered:
        if quota.wants("python_to_cuda", category):
            quota.take("python_to_cuda", category)
            found += category
    return found


def test_limits_of_a_kind_and_of_its_categories() -> None:
    assert taken(Quota(), "aabab") == "aabab"
    assert taken(Quota(limit=3), "aabab") == "aab"
    assert taken(Quota(per_category=2), "aababbc") == "aabbc"
    assert taken(Quota(limit=3, per_category=2), "aaabbb") == "aab"


def test_kinds_do_not_share_a_limit() -> None:
    quota = Quota(limit=1)
    quota.take("python_to_cuda", "a")
    assert not quota.wants("python_to_cuda")
    assert quota.wants("cuda_to_python")
    assert quota.wants("cuda_to_python", "a")


def test_a_full_category_leaves_the_kind_open() -> None:
    quota = Quota(per_category=1)
    quota.take("python_to_cuda", "a")
    assert quota.wants("python_to_cuda")


def test_remarks_are_sorted_and_counted() -> None:
    left_out = LeftOut()
    for name in ("python_to_cuda", "cuda_to_python", "python_to_cuda"):
        left_out.add(kind_of(name), "pairs")
    assert list(left_out.lines()) == ["cuda_to_python: 1 pairs left out", "python_to_cuda: 2 pairs left out"]
