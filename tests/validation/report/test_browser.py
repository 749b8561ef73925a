"""A report opens from disk in a browser, where search, filters, pairs and line marks work."""

from __future__ import annotations

import ast
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from report_datasets import (
    HOSTILE,
    LEVELS,
    after_comment,
    assignments,
    before_comment,
    hostile_dataset,
    lines_of,
    straight_line_record,
    write_verdicts,
)
from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.validation.report.write import write_report

sync_api = pytest.importorskip("playwright.sync_api", reason="no playwright: `nox -s tests-browser` installs it")

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(BROWSER is None, reason="no chromium, chromium-browser or google-chrome on this machine"),
]

Open = Callable[..., Any]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def reported(small: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a dataset of 40 pairs with verdicts, and with a page of 30 pairs."""
    folder = tmp_path_factory.mktemp("browser") / "both"
    folder.mkdir()
    for path in small.glob("pairs-*.jsonl"):
        (folder / path.name).write_bytes(path.read_bytes())
    write_verdicts(folder)
    write_report(Dataset.open(folder), None, LEVELS, 30)
    return folder


@pytest.fixture
def visit(chromium: Any) -> Iterator[Open]:
    """Open the page of a dataset; at the end, check for errors and for requests other than the page."""
    contexts, errors, loaded = [], [], set()

    def open_page(folder: Path, place: str = "", width: int = 1440, scheme: str = "light") -> Any:
        context = chromium.new_context(
            viewport={"width": width, "height": 900 if width > 600 else 844}, color_scheme=scheme, has_touch=width <= 600
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("console", lambda message: errors.append(message.text))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("request", lambda request: loaded.add(request.url.partition("#")[0]))
        page.goto((folder / "report.html").as_uri() + place)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert errors == []
    assert len(loaded) == 1
    assert next(iter(loaded)).startswith("file://")


def texts(page: Any, pane: int, selector: str = ".l.on") -> list[str]:
    return page.locator(f"#pane-{pane} {selector}").all_text_contents()


def listed(page: Any) -> str:
    return page.locator("#count").inner_text()


def line_of(page: Any, pane: int, text: str) -> Any:
    return page.locator(f"#pane-{pane} .l").filter(has_text=text).first


def record_of(folder: Path, page: Any) -> dict[str, Any]:
    shown = page.locator(".head h2").inner_text()
    return next(record for record in lines_of(folder) if record["id"] == shown)


def test_search_and_filters(visit: Open, reported: Path) -> None:
    page = visit(reported)
    page.get_by_role("link", name="Pairs", exact=True).click()
    assert listed(page) == "30 pairs"
    shown = {card["id"]: card for card in page.evaluate("JSON.parse(document.getElementById('cards').textContent)")}
    records = [record for record in lines_of(reported) if record["id"] in shown]
    page.locator("#search").fill("wp.CLAMP( float")
    wanted = [record for record in records if "wp.clamp(" in record["python_source"] and "float" in str(record)]
    assert 0 < len(wanted) < 30
    assert listed(page) == f"{len(wanted)} of 30 match"
    page.get_by_role("button", name="clear").click()
    page.locator("#category").select_option("matrix")
    assert listed(page) == f"{sum(record['metadata']['category'] == 'matrix' for record in records)} of 30 match"
    page.locator("#feature").select_option("tid")
    both = [
        record for record in records if record["metadata"]["category"] == "matrix" and "tid" in record["metadata"]["features"]
    ]
    assert listed(page) == f"{len(both)} of 30 match"
    page.get_by_role("button", name="clear").click()
    page.locator("#verdict").select_option("gradient: fail")
    failed = [record for record in lines_of(reported) if record["metadata"]["index"] % 7 == 3]
    assert listed(page) == f"{len(failed)} of 30 match"
    rows = page.locator(".row .id").all_text_contents()
    assert rows == [record["id"] for record in failed]
    page.locator("#search").fill("nothing like this")
    assert listed(page) == "0 of 30 match"
    assert page.locator(".row").count() == 0


def test_a_pair_is_shown_unchanged(visit: Open, reported: Path) -> None:
    page = visit(reported, "#/pairs")
    page.locator(".row").nth(2).click()
    page.wait_for_selector(".l")
    record = record_of(reported, page)
    assert page.url.endswith(f"#{record['id']}")
    assert page.locator(".row[aria-selected=true] .id").inner_text() == record["id"]
    for pane, (forward, backward) in enumerate(
        (("python_source",) * 2, ("cpp_forward", "cpp_backward"), ("cuda_ir_forward", "cuda_ir_backward"))
    ):
        for direction, field in (("Forward", forward), ("Adjoint", backward)):
            page.get_by_role("button", name=direction).click()
            assert "\n".join(texts(page, pane, ".l")) == record[field].removesuffix("\n")
    assert "✗ gradient fail" in page.locator(".levels").text_content()
    assert "the adjoint of <pair>" in page.locator(".reasons").text_content()


def test_a_line_of_python_marks_what_it_became(visit: Open, reported: Path) -> None:
    record = straight_line_record(reported)
    page = visit(reported, f"#{record['id']}")
    page.wait_for_selector(".l")
    for direction, lines in (("Forward", after_comment), ("Adjoint", before_comment)):
        page.get_by_role("button", name=direction).click()
        for line in assignments(record)[1:4]:
            line_of(page, 0, line.strip()).hover()
            assert texts(page, 0) == [line]
            for pane, (forward, backward) in (
                (1, ("cpp_forward", "cpp_backward")),
                (2, ("cuda_ir_forward", "cuda_ir_backward")),
            ):
                marked = lines(record[forward if direction == "Forward" else backward], line.strip())
                if direction == "Forward":
                    assert texts(page, pane) == marked
                else:
                    assert texts(page, pane)[-len(marked) :] == marked
                    assert any("adj_" in text for text in marked)
                assert page.locator(f"#pane-{pane} .l.on").last.evaluate(
                    "line => { const at = line.getBoundingClientRect(), code = line.closest('.code').getBoundingClientRect();"
                    " return at.top < code.bottom && at.bottom > code.top; }"
                )
    page.mouse.move(5, 5)
    assert texts(page, 0) == texts(page, 2) == []


def test_a_generated_line_marks_its_python_and_a_click_keeps_it(visit: Open, reported: Path) -> None:
    record = straight_line_record(reported)
    page = visit(reported, f"#{record['id']}")
    page.wait_for_selector(".l")
    line = assignments(record)[1]
    made = after_comment(record["cuda_ir_forward"], line.strip())[-1].strip()
    line_of(page, 2, made).click()
    page.mouse.move(5, 5)
    assert texts(page, 0) == [line]
    page.keyboard.press("a")
    assert texts(page, 0) == [line]
    assert texts(page, 1)[-1].strip().startswith("// adj: ")
    page.keyboard.press("Escape")
    assert texts(page, 0) == []


def test_everything_works_by_keyboard(visit: Open, reported: Path) -> None:
    page = visit(reported)
    page.keyboard.press("/")
    page.keyboard.type("gradient")
    assert page.evaluate("document.activeElement.id") == "search"
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.id") == "list"
    page.keyboard.press("Home")
    ids = page.locator(".row .id").all_text_contents()
    is_open = "id => document.querySelector('.head h2')?.textContent === id && location.hash === `#${id}`"
    for key, position in (("j", 1), ("ArrowDown", 2), ("j", 3), ("k", 2)):
        page.keyboard.press(key)
        page.wait_for_function(is_open, arg=ids[position])
        assert page.locator(".row.active .id").inner_text() == ids[position]
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Python"
    page.keyboard.press("1")
    for _ in range(30):
        page.keyboard.press("j")
        if texts(page, 2):
            break
    assert texts(page, 0)
    assert texts(page, 2)
    page.keyboard.press("Enter")
    page.keyboard.press("a")
    assert page.locator(".switch [aria-pressed=true]").inner_text() == "Adjoint"
    assert any("adj" in text for text in texts(page, 2))
    page.keyboard.press("f")
    assert not any("adj" in text for text in texts(page, 2))
    page.keyboard.press("3")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "CUDA"
    page.keyboard.press("?")
    assert page.get_by_role("dialog").is_visible()
    page.keyboard.press("Escape")
    assert not page.get_by_role("dialog").is_visible()
    page.keyboard.press("Escape")
    assert texts(page, 0) == []
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.id") == "list"
    page.keyboard.press("Escape")
    page.wait_for_selector("#overview")


def test_the_first_and_the_last_row_can_be_reached(visit: Open, reported: Path) -> None:
    page = visit(reported, "#/pairs")
    cards = page.evaluate("JSON.parse(document.getElementById('cards').textContent)")
    page.locator("#list").focus()
    for key, card in (("End", cards[-1]), ("Home", cards[0])):
        page.keyboard.press(key)
        page.wait_for_function("id => document.querySelector('.head h2')?.textContent === id", arg=card["id"])
        row, area = page.locator(".row.active").bounding_box(), page.locator("#list").bounding_box()
        assert area["y"] <= row["y"]
        assert row["y"] + row["height"] <= area["y"] + area["height"] + 1


IS_COPIED = "text => navigator.clipboard.readText().then((copied) => copied.trimEnd() === text.trimEnd())"


def test_copied_texts_are_those_of_the_record(visit: Open, reported: Path) -> None:
    page = visit(reported, "#/pairs")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.wait_for_selector(".l")
    for card in page.evaluate("JSON.parse(document.getElementById('cards').textContent)"):
        page.evaluate("id => { location.hash = id; }", card["id"])
        page.wait_for_function("id => document.querySelector('.head h2')?.textContent === id", arg=card["id"])
        record = record_of(reported, page)
        for name, field in (("Python", "python_source"), ("CUDA", "cuda_ir_forward")):
            page.get_by_role("button", name=f"Copy {name}", exact=True).click()
            page.wait_for_function(IS_COPIED, arg=record[field])
        page.evaluate("getSelection().selectAllChildren(document.querySelector('#pane-0 .lines'))")
        selected = page.evaluate("getSelection().toString()")
        assert ast.dump(ast.parse(selected)) == ast.dump(ast.parse(record["python_source"]))


def test_the_key_c_copies_the_text_with_the_focus(visit: Open, reported: Path) -> None:
    page = visit(reported, "#/pairs")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.wait_for_selector(".l")
    record = record_of(reported, page)
    for key, field in (("2", "cpp_forward"), ("1", "python_source")):
        page.keyboard.press(key)
        page.keyboard.press("c")
        page.wait_for_function(IS_COPIED, arg=record[field])


def test_numbers_of_the_overview_open_the_pairs_they_count(visit: Open, reported: Path) -> None:
    page = visit(reported)
    shown = page.evaluate("JSON.parse(document.getElementById('cards').textContent)")
    failed = [card["id"] for card in shown if card["verdicts"].get("gradient") == "fail"]
    page.locator("a[href*='gradient%3A%20fail']").click()
    page.wait_for_function("() => document.querySelector('#verdict').value === 'gradient: fail'")
    assert listed(page) == f"{len(failed)} of 30 match"
    page.get_by_role("link", name="Overview").click()
    page.locator(".bars").get_by_role("link", name="matrix", exact=True).click()
    page.wait_for_function("() => document.querySelector('#category').value === 'matrix'")
    assert page.locator("#verdict").input_value() == ""
    assert listed(page) == f"{sum(card['category'] == 'matrix' for card in shown)} of 30 match"
    page = visit(reported, "#/pairs?category=no such category")
    assert listed(page) == "0 of 30 match"


def test_the_page_works_on_a_phone(visit: Open, reported: Path) -> None:
    page = visit(reported, width=390)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.get_by_role("link", name="Pairs", exact=True).tap()
    page.locator(".row").first.tap()
    page.wait_for_selector("#pane-0 .l")
    assert not page.locator("#list").is_visible()
    assert [page.locator(f"#pane-{pane}").is_visible() for pane in range(3)] == [True, False, False]
    page.locator("#pane-0 .l.has").last.tap()
    page.get_by_role("tab", name="CUDA").tap()
    assert [page.locator(f"#pane-{pane}").is_visible() for pane in range(3)] == [False, False, True]
    assert page.get_by_role("tab", name="CUDA").get_attribute("aria-selected") == "true"
    assert texts(page, 2)
    assert page.locator("#pane-2 .l.on").first.evaluate("line => line.getBoundingClientRect().top < innerHeight")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.get_by_role("button", name="Back to the list").tap()
    page.wait_for_selector("#list")
    assert not page.locator("#pair").is_visible()


def test_light_and_dark(visit: Open, reported: Path) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    light, dark = visit(reported), visit(reported, scheme="dark")
    assert light.evaluate(ground) != dark.evaluate(ground)
    light.get_by_role("button", name="Light or dark").click()
    assert light.evaluate(ground) == dark.evaluate(ground)
    light.reload()
    assert light.evaluate(ground) == dark.evaluate(ground)
    light.keyboard.press("t")
    assert light.evaluate(ground) != dark.evaluate(ground)


def test_a_link_opens_its_pair_or_a_message_that_it_is_missing(visit: Open, reported: Path) -> None:
    shown = (reported / "report.html").read_text()
    inside, outside = (
        [one["id"] for one in lines_of(reported) if (f'"{one["id"]}"' in shown) is is_inside] for is_inside in (True, False)
    )
    page = visit(reported, f"#{inside[-1]}")
    page.wait_for_selector(".l")
    assert page.locator(".head h2").inner_text() == inside[-1]
    page = visit(reported, f"#{outside[0]}")
    assert f"{outside[0]} is not among the 30 pairs of this page" in page.locator("#pair").inner_text()
    assert f"warpsmith-dataset show DIR {outside[0]}" in page.locator("#pair").inner_text()
    page.locator("#pair").get_by_role("link", name="All pairs").click()
    page.wait_for_selector(".l")


def test_markup_of_a_dataset_stays_text(visit: Open, small: Path, tmp_path: Path) -> None:
    folder = hostile_dataset(tmp_path / "hostile", lines_of(small)[0])
    write_report(Dataset.open(folder), None, LEVELS, 5)
    page = visit(folder, "#/pairs")
    page.wait_for_selector(".l")
    assert page.locator(".head h2").inner_text() == f"1{HOSTILE}"
    assert page.locator("img").count() == 0
    assert "broken" not in page.title()
    assert HOSTILE in texts(page, 0, ".l")[0]
    assert HOSTILE in texts(page, 2, ".l")[0]
