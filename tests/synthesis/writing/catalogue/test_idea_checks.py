"""The checker of the catalogue: each kind of mistake is one line with its file and its line number."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from source_copy import Sources
from warpsmith.core.errors import WarpsmithError
from warpsmith.synthesis.writing.catalogue.categories import Category, all_categories
from warpsmith.synthesis.writing.catalogue.idea_checks import check_files
from warpsmith.synthesis.writing.catalogue.idea_files import all_files, read_domain
from warpsmith.synthesis.writing.catalogue.idea_kernels import find_idea, kernels_of
from warpsmith.synthesis.writing.catalogue.idea_rows import CatalogueError

POINTS = """# Points that move.

size n: 24..80 | num_points n | number of points
array x: vec3f -1.0..1.0 | points x | position of each point
array x_out: vec3f | points_out | new position of each point
array first: int32 0..n [n+1] offsets shared | starts | first neighbour of each point
number dt: float32 0.01..0.1 | dt step | time step in s
index i: n | i tid | point
name d: d delta
local p
    {x}[$i]
or
    $p = {x}[$i] + wp.vec3()

loop neighbor
    for $j in range({first}[$i], {first}[$i + 1]):
        body

helper scale
    def scale(v: wp.vec3):
        return 2.0 * v

extra moved
    $d = $d * 0.5

idea advance
names: advance_{what|points|nodes|}
purpose: advance each point{what||, twice|}
categories: vector
    $d = @scale($p) * {dt}
    {what||# again
    $d += {|$p|wp.normalize($p)|}
    |}hook moved
    each neighbor:
        $d += {x}[$j]
    {x_out}[$i] = $p + $d
"""

ARRAY_X = "array x: vec3f -1.0..1.0 | points x | position of each point"
ARRAY_FIRST = "array first: int32 0..n [n+1] offsets shared | starts | first neighbour of each point"

LINE = {text: number for number, text in enumerate(POINTS.split("\n"), 1)}


@pytest.fixture
def mistakes(tmp_path: Path) -> Callable[..., list[str]]:
    """Return a function that changes the file of points and returns the mistakes that are found in it."""

    def check(old: str = "", new: str = "") -> list[str]:
        assert not old or POINTS.count(old) == 1
        folder = tmp_path / "points"
        folder.mkdir()
        path = folder / "points.ideas"
        path.write_text(POINTS.replace(old, new) if old else POINTS)
        return [str(mistake).removeprefix(f"{path}:") for mistake in check_files([path])]

    return check


def test_a_right_file_has_no_mistakes(mistakes: Callable[..., list[str]]) -> None:
    assert mistakes() == []


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("wp.normalize($p)|}", "wp.normalize($p)", "    {what||# again", "'{what|' is never closed by '|}'"),
        ("{|$p|wp", "$p|wp", "    |}hook moved", "'|}' closes no bracket"),
        ("* {dt}", "* {dt2}", "    $d = @scale($p) * {dt}", "unknown key 'dt2'"),
        ("@scale($p)", "@scales($p)", "    $d = @scale($p) * {dt}", "unknown helper 'scales'"),
        ("each neighbor:", "each neighbour:", "    each neighbor:", "unknown loop 'neighbour'"),
        ("hook moved", "hook moves", "    |}hook moved", "no extra is for the hook 'moves'"),
        ("= $p + $d", "= $p + ($d", "    {x_out}[$i] = $p + $d", "this is no Python: '(' was never closed"),
        ("return 2.0 * v", "return 2.0 v", "        return 2.0 * v", "this is no Python: invalid syntax"),
        ("categories: vector", "categories: vectors", "idea advance", "idea advance: unknown category 'vectors'"),
        ("categories: vector\n", "", "idea advance", "idea advance: it has no category"),
        ("wp.normalize(", "wp.normalise(", "    $d += {|$p|wp.normalize($p)|}", "Warp has no 'normalise'"),
        ("= $p + $d", "= $p + $e", "    {x_out}[$i] = $p + $d", "no row provides the local $e"),
        ("= $p + $d", "= p + $d", "    {x_out}[$i] = $p + $d", "unknown name 'p': a local is $p, a parameter {p}"),
        ("name d: d delta", "number dt: int32 1..2 | step", "name d: d delta", "number dt: the key is that of points.ideas:7"),
        ("index i: n", "index i: m", "index i: n | i tid | point", "index i: unknown key 'm'"),
("* {dt}", "* {dt} * {what|1.0|2.0|} * {what|1.0|2.0|3.0|}", "    $d = @scale($p) * {dt}", "'what' has 2 positions where"),
        ("vec3f -1.0..1.0 |", "vec3 -1.0..1.0 |", ARRAY_X, "array x: unknown type"),
        ("offsets shared", "offset shared", ARRAY_FIRST, "array first: unknown option"),
        ("size n: 24..80", "size n: 24-80", "size n: 24..80 | num_points n | number of points", "size n: invalid literal"),
        ("idea advance", "ideas advance", "idea advance", "unknown row 'ideas'"),
        ("purpose: advance", "purposes: advance", "idea advance", "idea advance: unknown field purposes"),
        ("# Points that move.", "    $a = 1", "# Points that move.", "this text belongs to no row"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_line(mistakes: Callable[..., list[str]], old: str, new: str, line: str, reason: str) -> None:
    found = mistakes(old, new)
    assert [mistake[: len(f"{LINE[line]}: {reason}")] for mistake in found] == [f"{LINE[line]}: {reason}"]


@pytest.mark.parametrize(
    ("new", "reason"),
    [
        ("array y: vec3f | ys | unused\nindex i: n", "8: array y: nothing uses it"),
        ("name e: e\nindex i: n", "8: name e: nothing uses it"),
        ("helper twice\n    def twice(x: float):\n        return x + x\n\nindex i: n", "8: helper twice: nothing uses it"),
        ("extra never\n    pass\n\nindex i: n", "8: extra never: nothing uses it"),
        ("local q\n    {x}[$i]\n\nindex i: n", "8: local q: nothing uses it"),
        ("loop all\n    for $k in range({n}):\n        body\n\nindex i: n", "8: loop all: nothing uses it"),
    ],
)
def test_rows_that_nothing_uses(mistakes: Callable[..., list[str]], new: str, reason: str) -> None:
    assert mistakes("index i: n", new) == [reason]


def test_files_that_cannot_be_checked(mistakes: Callable[..., list[str]], tmp_path: Path) -> None:
    assert mistakes() == []
    path = tmp_path / "points" / "points.ideas"
    assert "belongs to no domain" in str(check_files([path, path.with_suffix(".txt")])[0])
    path.write_bytes(b"\xff\xfe")
    (mistake,) = check_files([path])
    assert str(mistake).startswith(f"{path}:1: it cannot be read")


def test_the_catalogue_has_no_mistakes() -> None:
    assert list(map(str, check_files(all_files()))) == []


@pytest.mark.exhaustive
def test_a_category_that_no_idea_names_is_a_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    categories = (*all_categories(), Category("swirls", "domains"))
    monkeypatch.setattr("warpsmith.synthesis.writing.catalogue.idea_checks.all_categories", lambda: categories)
    (mistake,) = check_files(all_files())
    assert str(mistake).endswith("categories.py:1: category swirls: no idea names it")


def test_the_extras_of_a_hook_are_in_one_file(mistakes: Callable[..., list[str]], tmp_path: Path) -> None:
    mistakes()
    path = tmp_path / "points" / "topic.ideas"
    path.write_text("extra moved\n    $d = 2.0 * $d\n")
    reason = "extra moved: the extras of this hook, whose order kernels depend on, are in points.ideas"
    assert list(map(str, check_files([path]))) == [f"{path}:1: {reason}"]


def test_a_row_that_cannot_be_read_stops_the_generator_with_its_place(
    mistakes: Callable[..., list[str]], tmp_path: Path
) -> None:
    mistakes("vec3f -1.0..1.0 |", "vec3 -1.0..1.0 |")
    with pytest.raises(CatalogueError, match=r"points\.ideas:4: array x: unknown type 'vec3'"):
        read_domain(tmp_path / "points")


def test_a_dataset_is_not_begun_with_a_mistake(run: Any, sources: Sources, tmp_path: Path) -> None:
    path = sources.path("synthesis/writing/catalogue/geometry/bounds.ideas")
    text = path.read_text()
    line = text.split("\n").index("idea prim_bounds") + 1
    path.write_text(text.replace("idea prim_bounds", "idee prim_bounds", 1))
    made = run("synthesis", "make", "-n", 4, "-o", tmp_path / "made", expect=2, env=sources.environment)
    assert f"{path}:{line}: unknown row 'idee'" in made.stderr
    assert "Traceback" not in made.stderr
    assert not list(tmp_path.glob("made/*.jsonl"))


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("    hook position\n", "    {unheard}[$i] = 1.0\n", "'unheard'"),
        ("    hook position\n", "    $position = $position +* 2.0\n", "invalid syntax"),
    ],
)
def test_a_mistake_that_a_composition_meets_stops_the_run(
    run: Any, sources: Sources, tmp_path: Path, old: str, new: str, reason: str
) -> None:
    """A mistake is no reject of a dataset."""
    path = sources.path("synthesis/writing/catalogue/particles/motion.ideas")
    text = path.read_text()
    line = text.split("\n").index("idea integrate") + 1
    path.write_text(text.replace(old, new, 1))
    arguments = ("-n", 4000, "--categories", "particles", "-d", "cuda", "--codegen-only", "-o", tmp_path / "made")
    made = run("synthesis", "make", *arguments, expect=2, env=sources.environment)
    assert f"{path}:{line}: idea integrate" in made.stderr
    assert reason in made.stderr
    assert "Traceback" not in made.stderr


def test_the_command_prints_mistakes(run: Any, mistakes: Callable[..., list[str]], tmp_path: Path) -> None:
    mistakes("* {dt}", "* {dt2}")
    path = tmp_path / "points" / "points.ideas"
    done = run("synthesis", "ideas", "check", path, expect=1)
    line = LINE["    $d = @scale($p) * {dt}"]
    assert done.stdout.splitlines() == [f"{path}:{line}: unknown key 'dt2'", "1 file, 1 mistake"]
    found = json.loads(run("synthesis", "ideas", "check", path, "--json", expect=1).stdout)
    assert found == [{"path": str(path), "line": line, "reason": "unknown key 'dt2'"}]


def test_an_idea_is_shown_with_a_kernel_for_each_alternative(run: Any) -> None:
    shown = run("synthesis", "ideas", "show", "geometry/prim_bounds", "--all").stdout
    assert "idea prim_bounds\n" in shown
    kernels = re.split(r"\n# ---- \d", shown)[1:]
    assert len(kernels) >= 3
    assert all("@wp.kernel" in kernel for kernel in kernels)
    first = run("synthesis", "ideas", "show", "geometry/prim_bounds").stdout
    assert shown.startswith(first.rstrip("\n"))


def test_every_alternative_of_an_idea_is_in_a_kernel() -> None:
    found = find_idea("geometry/prim_bounds")
    sources = [source for _, source in kernels_of(found)]
    for line in ("0.5 * (", "/ 3.0", "area"):
        assert any(line in source for source in sources), line


def test_a_name_that_does_not_exist_has_a_hint() -> None:
    with pytest.raises(WarpsmithError, match=r"similar names are geometry/prim_bounds"):
        find_idea("geometry/prim_bound")
