"""Tests of the names of a kernel."""

from __future__ import annotations

from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.ideas.kernel_names import Names, without_thread
from warpsmith.synthesis.writing.ideas.local_names import family_of


def test_names_of_a_family_have_the_same_position() -> None:
    """The entries of a matrix have names of one spelling."""
    for seed in range(20):
        names = Names(RandomStream(str(seed)))
        first = names.choose(("p00", "c00", "s00", "m00"), "cov")
        others = [names.choose((f"p{k}", f"c{k}", f"s{k}", f"m{k}"), "cov") for k in ("01", "02", "11", "12", "22")]
        assert {name[0] for name in others} == {first[0]}


def test_names_without_a_family_vary() -> None:
    """Unrelated locals have names of any position."""
    found = {Names(RandomStream(str(seed))).choose(("a", "b", "c", "d", "e")) for seed in range(4000)}
    assert found == {"a", "b", "c", "d", "e"}


def test_family_of() -> None:
    """Keys that differ in one or two letters or digits at the end are a family."""
    assert {family_of(key) for key in ("cov_xx", "cov_xy", "cov_m", "cov_xy_k")} == {"cov"}
    assert {family_of(key) for key in ("low_10", "low_21_k")} == {"low"}
    assert family_of("position") == ""


def test_names_of_elements_have_marks_where_they_read_well() -> None:
    """A prefix stands at one word only, and a suffix not after a single letter of a longer name."""
    found: dict[str, set[str]] = {name: set() for name in ("vel", "v_now", "pre_act", "x")}
    for seed in range(300):
        names = Names(RandomStream(str(seed)))
        for name, marked in found.items():
            marked.add(names.choose_element((name,), "i", "particle"))
    assert found["vel"] == {"vel", "vel_i", "particle_vel"}
    assert found["v_now"] == {"v_now", "v_now_i"}
    assert found["pre_act"] == {"pre_act", "pre_act_i"}
    assert found["x"] == {"x", "x_i", "particle_x"}


def test_only_the_number_of_a_thread_is_called_tid() -> None:
    """Several indices have names of their own; a list without another name keeps it."""
    assert without_thread(("tid", "row", "idx", "r")) == ("row", "r")
    assert without_thread(("tid",)) == ("tid",)
