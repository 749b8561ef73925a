"""Terminal output: texts of datasets cannot control the terminal, and long or slow texts are bounded."""

from __future__ import annotations

import io
import json
import time
from pathlib import Path
from typing import Any

import pytest

from warpsmith.core import terminal
from warpsmith.core.commands import side_by_side
from warpsmith.core.printable import printable

CONTROLS = "\x1b[31m\x9b2J\x07\r\x08\x00\x7f\u202e\u2066\u2028\ud800\u200f"
HOSTILE = f"[red]x[/red] [link=http://a]y[/link] :smile: [/] {CONTROLS}\nerror: forged"
CODES = {character for character in CONTROLS if not character.isprintable()}
LITERAL = "[red]x[/red] [link=http://a]y[/link] :smile: [/]"


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """Replace the consoles by terminals with a wide screen, and return what they print."""
    written = io.StringIO()
    for name in ("out", "err", "errors"):
        console = terminal.Terminal(file=written, force_terminal=True, width=400, color_system=None)
        monkeypatch.setattr(terminal, name, console)
    return written


def assert_harmless(shown: str, lines: int | None = None) -> None:
    assert LITERAL in shown
    assert "\\x1b[31m\\x9b2J\\x07" in shown
    assert not CODES & set(shown)
    if lines is not None:
        assert shown.count("\n") == lines


def test_printable_keeps_what_can_be_printed_and_escapes_the_rest() -> None:
    assert printable("größer → 1 µs 字") == "größer → 1 µs 字"
    assert printable(HOSTILE).isprintable()
    assert printable("a\n\tb\r", keep="\n\t") == "a\n\tb\\r"


def test_a_message_is_one_line_without_codes(screen: io.StringIO) -> None:
    terminal.err.print(HOSTILE, soft_wrap=True)
    assert_harmless(screen.getvalue(), lines=1)


def test_problems_are_one_line_each(screen: io.StringIO) -> None:
    terminal.print_problems([HOSTILE])
    assert_harmless(screen.getvalue(), lines=1)


def test_titles_headings_and_cells_of_tables_are_literal(screen: io.StringIO) -> None:
    for texts in ((HOSTILE, "a", "b"), ("a", HOSTILE, "b"), ("a", "b", HOSTILE)):
        screen.seek(0)
        screen.truncate()
        terminal.print_table(texts[0], [texts[1], "wide" * 40], [[texts[2], "wide" * 40]])
        assert_harmless(screen.getvalue())


def test_a_table_of_many_rows_says_how_many_are_left_out(screen: io.StringIO) -> None:
    terminal.print_table("many", ("a", "b"), [(f"name{number}", "1") for number in range(200_000)])
    shown = screen.getvalue()
    assert "name0" in shown
    assert "and 199,800 more" in shown
    assert shown.count("\n") < 250


def test_the_label_of_a_bar_is_literal(screen: io.StringIO) -> None:
    with terminal.progress(HOSTILE, 2, "lines") as advance:
        advance(2)
    shown = screen.getvalue()
    assert LITERAL in shown
    assert "\x9b" not in shown
    assert "\x1b[31m" not in shown


def test_titles_and_texts_side_by_side_are_literal(screen: io.StringIO) -> None:
    code = f"x = 1  # {LITERAL}\n# {CONTROLS}\n"
    side_by_side.print_texts(HOSTILE, [(HOSTILE, "python", code), ("C++", "cpp", code)])
    assert_harmless(screen.getvalue())
    assert screen.getvalue().count("x = 1") == 2


@pytest.mark.parametrize("width", [60, 100, 300])
def test_lines_of_texts_are_whole_at_any_width(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(terminal, "out", terminal.Terminal(file=screen, force_terminal=True, width=width, color_system=None))
    texts = [f"{name}_" + "_".join(f"word{number}" for number in range(30)) for name in ("python", "cpp")]
    side_by_side.print_texts("title", [("Python", "python", texts[0]), ("C++", "cpp", texts[1])])
    shown = screen.getvalue()
    if width < 2 * side_by_side.NARROWEST:
        assert all(text in shown.splitlines() for text in texts), "the terminal wraps lines"
    cells = [line.split("│")[1:3] for line in shown.splitlines() if "│" in line]
    for position, text in enumerate(texts):
        assert not cells or "".join(row[position].strip() for row in cells).endswith(text)


def test_a_text_is_exact_unless_it_is_for_a_terminal(
    screen: io.StringIO, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal.print_text(HOSTILE)
    assert_harmless(screen.getvalue(), lines=1)
    monkeypatch.setattr(terminal, "out", terminal.Terminal())
    terminal.print_text("a\x1b[31m\n")
    assert capsys.readouterr().out == "a\x1b[31m\n"


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("language", "text"),
    [("cpp", 'R"(' * 80_000), ("python", " \n" * 80_000), ("python", "x" * 3_000_000)],
)
def test_colours_have_a_time_limit(screen: io.StringIO, monkeypatch: pytest.MonkeyPatch, language: str, text: str) -> None:
    monkeypatch.setattr(side_by_side, "COLOUR_SECONDS", 0.5)
    start = time.monotonic()
    side_by_side.print_texts("title", [("code", language, text)])
    assert time.monotonic() - start < 8.0
    assert "without colours" in screen.getvalue() or language == "python"
    assert "more characters" in screen.getvalue()


def test_show_prints_no_codes_of_a_dataset(run: Any, small: Path, tmp_path: Path) -> None:
    record = json.loads((small / "pairs-00000.jsonl").read_text().splitlines()[0])
    harmless_in_json = HOSTILE.replace("\ud800", "")
    record["id"] = record["metadata"]["description"] = harmless_in_json
    record["python_source"] += f"# {harmless_in_json}\n"
    record["cpp_forward"] += f"// {harmless_in_json}\n"
    path = tmp_path / "pairs-00000.jsonl"
    path.write_text(json.dumps(record) + "\n")
    done = run("core", "show", path, "--index", 0)
    assert not CODES & set(done.stdout)
    assert ":smile:" in done.stdout
    assert "\\x1b[31m" in done.stdout


def test_errors_about_files_with_odd_names_are_one_line(run: Any, tmp_path: Path) -> None:
    done = run("core", "show", tmp_path / "a\nerror: b\x1b[31m:smile:[red]", "--index", 0, expect=2)
    assert done.stderr.count("\n") == 1
    assert "\x1b" not in done.stderr
    assert ":smile:[red]" in done.stderr


def test_json_is_exact_with_any_encoding(run: Any, small: Path, tmp_path: Path) -> None:
    record = json.loads((small / "pairs-00000.jsonl").read_text().splitlines()[0])
    record["metadata"]["category"] = "größe \u202e \x1b[31m"
    (tmp_path / "pairs-00000.jsonl").write_text(json.dumps(record) + "\n")
    environment = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = run("stats", tmp_path, "--workers", 1, "--json", expect=None, env=environment)
    assert list(json.loads(done.stdout)["statistics"]["categories"]) == [record["metadata"]["category"]]
