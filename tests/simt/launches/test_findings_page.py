"""The page with findings beside lines."""

from __future__ import annotations

from html.parser import HTMLParser

from warpsmith.simt.launches.findings_page import findings_page, place, summary
from warpsmith.simt.launches.launch_results import Finding, Thread

SOURCE = '__global__ void f(float* x) {\n    x[1 < 2] = 1; // <b>&"\n}\n'
ORIGIN = (0, 0, 0), (0, 0, 0)
FINDINGS = (
    Finding("out_of_bounds", "writes <4> bytes", "f.cu", 2, 9, *ORIGIN, count=3),
    Finding("shared_race", "two threads", "f.cu", 2, 9, *ORIGIN, other=Thread((0, 0, 0), (5, 0, 0), 3, 9)),
    Finding("trap", "in a header", "h.cuh", 7, 9, *ORIGIN),
    Finding("trap", "no line", "f.cu", 0, 9, *ORIGIN),
)


class Reader(HTMLParser):
    """Collects tags, and the texts of rows with a finding."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.found: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag != "meta":
            self.open.append(tag)
        if tag == "tr" and ("class", "found") in attrs:
            self.found.append(dict(attrs)["id"] or "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_findings_are_beside_their_lines() -> None:
    page = findings_page("title <1>", "launch", "f.cu", SOURCE, FINDINGS, "printed <i>")
    reader = Reader()
    reader.feed(page)
    assert reader.open == []
    assert reader.found == ["L2"]
    assert not {"script", "link", "img", "b", "i"} & set(reader.tags)
    for text in ('// <b>&"', "writes <4> bytes", "two threads", "h.cuh:7: ", "no line", "printed <i>", "title <1>", "3 times"):
        assert text in reader.text
    assert "http" not in page
    assert "prefers-color-scheme: dark" in page


def test_a_page_without_findings() -> None:
    page = findings_page("title", "launch", "f.cu", SOURCE, ())
    assert "no findings" in page
    assert 'class="found"' not in page
    assert "Printed" not in page


def test_words() -> None:
    assert summary(FINDINGS) == "4 findings: 1 out_of_bounds, 1 shared_race, 2 trap"
    assert summary(FINDINGS[:1]) == "1 finding: 1 out_of_bounds"
    assert place(FINDINGS[0]) == "block (0, 0, 0), thread (0, 0, 0), 3 times"
    assert place(FINDINGS[1]) == "block (0, 0, 0), thread (0, 0, 0)"
