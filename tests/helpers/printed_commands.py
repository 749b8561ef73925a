"""The commands that the pages print, in the order of the pages, and what stands for their names when they run."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]

PAGES = ("*.md", "notes/**/*.md", "packages/*/README.md", "examples/*", "changes/*.md")

_STARTS = r"(?:[A-Z_]+=\S+ +)*(?:\.venv/bin/)?(?:warpsmith-[a-z]+|make|python|pytest|nox|pip|uv|hf|ray|twine|pre-commit)(?= |$)"
_FENCE = re.compile(r"^```(?P<language>\w*)\n(?P<body>.*?)^```", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`([^`\n]+)`")
_LANGUAGES = ("", "bash", "sh", "console")


@dataclass(frozen=True, slots=True)
class Printed:
    """A command as a page prints it.

    Attributes:
        page: the page.
        text: the command, without its explanation.
    """

    page: str
    text: str

    @property
    def words(self) -> list[str]:
        """The words of the command; its program has no folder."""
        first, *others = shlex.split(self.text)
        return [first.removeprefix(".venv/bin/"), *others]

    @property
    def is_mention(self) -> bool:
        """Whether the text only names a command or one of its options."""
        return len([word for word in self.words if not word.startswith("-")]) <= 2 and self.words[0].startswith("warpsmith-")


def printed_commands() -> list[Printed]:
    """Return the commands of all pages, each once a page."""
    pages = sorted({path for pattern in PAGES for path in ROOT.glob(pattern) if path.is_file() and path.name != "CHANGELOG.md"})
    return [found for page in pages for found in dict.fromkeys(_of_page(page))]


def _of_page(page: Path) -> Iterator[Printed]:
    name, text = str(page.relative_to(ROOT)), page.read_text(encoding="utf-8")
    for fence in _FENCE.finditer(text):
        if fence["language"] in _LANGUAGES:
            for line in re.sub(r" *\\\n\s*", " ", fence["body"]).splitlines():
                if re.match(rf"\s*(?:\$ )?{_STARTS}", line):
                    yield from (Printed(name, command) for command in _alternatives(_without_explanation(line)))
    for code in _CODE.findall(_FENCE.sub("", text)):
        if re.match(rf"{_STARTS} ", code) and "…" not in code:
            yield from (Printed(name, one.strip()) for one in code.replace('\\"', '"').split("&&"))


def _without_explanation(line: str) -> str:
    return re.split(r"\s{2,}", re.sub(r"\s+# .*", "", line.strip().removeprefix("$ ")))[0]


def _alternatives(command: str) -> Iterator[str]:
    """Yield the commands of a line such as ``make cpu-dataset | both-dataset``."""
    first, *others = command.split(" | ")
    yield first
    if first.startswith("make "):
        yield from (f"make {other}" for other in others)


SMALL = (
    (r"\b(COUNT)=\d+", r"\1=4"),
    (r"(-n|--count) \d+", r"\1 4"),
    (r"\b(SAMPLE)=\d+", r"\1=2"),
    (r"^(make [a-z]+-dataset)(?!.*COUNT)", r"\1 COUNT=4"),
    (r"--sample \d+(?![\d%])", "--sample 2"),
    (r"validate run --level", "validate run data/both --level"),
    (r"croissant data/both-parquet", "croissant data/both"),
    (r"show DIR ID", "show DIR 5-2000-17"),
    (r"--report-pairs \d+", "--report-pairs 3"),
    (r"\b5-2000-463\b", "5-2000-17"),
    (r"data/cuda 5-2000-17 --level", "pairs.jsonl ID --level"),
    (r"(DIR|DATASET) ID --level", "pairs.jsonl ID --level"),
    (r"'sim-0-[\w.]+'", "ID"),
    (r"\bWORKERS=auto\b", "WORKERS=1"),
    (r"~/src/newton", "newton"),
    (r"\bDATASET\b|\bDIR\b(?!=)", "data/both"),
    (r"\bTARGET\b", "my_kernels.py"),
    (r"\bPACKAGE\b", "my_package"),
    (r"\bSCRIPT\b", "simulation.py"),
    (r"--exclude (data/\S+tasks.jsonl)$", r"data/both --exclude \1"),
)
"""What replaces parts of a command so that it runs in a small folder; `ID` is that of a pair that fails."""


def in_small(text: str, identity: str) -> str:
    """Return a command that runs in the prepared folder.

    Args:
        text: the command.
        identity: the id of the pair of `pairs.jsonl` that fails.
    """
    for pattern, replacement in SMALL:
        text = re.sub(pattern, replacement, text)
    return re.sub(r"\bID\b", shlex.quote(identity), text)


NOT_RUN = {
    # pattern of a command: why no test runs it
    r"make (test|lint|types|wheels|bench|docs|test-gpu|test-ray)\b": "sessions",
    r"make (samples|state|clean|release-catalogue)\b": "writes or removes files of the repository",
    r"make benchmark": "takes many minutes; test_makefile.py runs it with commands that print their arguments",
    r"(\S+=\S+ )*(\.venv/bin/)?nox ": "sessions are jobs of their own",
    r"pip install": "downloads",
    r"(\.venv/bin/)?pytest tests/": "tests of the repository",
    r"(uv|pre-commit|twine|hf|ray) ": "other projects' commands, which download, upload or start a cluster",
    r".*--executor ray": "tests/core/execution and `nox -s tests-ray` run clusters",
    r".*s3://": "`nox -s tests-ray` runs an object store",
    r".*warpsmith-gpu (run|bench) (?!.*--device cpu)": "needs a GPU",
    r".*--build": "needs a GPU",
    r"python (reproducer|examples/\S+)\.py": "tests of reductions and `nox -s tests-training` run these files",
    r"python (tests/(golden|bench|real_programs)/|-m known_adjoints)": "rewrites digests, or measures for minutes",
    r".*stats.*--transfer": "takes a minute; tests/validation/statistics/realism runs it",
    r"warpsmith-fuzz ledger ": "needs the ledger of the checkout; tests/validation/fuzz runs all scripts",
    r"warpsmith-fuzz run ": "takes minutes; tests/validation/fuzz runs searches",
    r"(\.venv/bin/)?python tests/simt/fuzz\.py": "takes minutes; an exhaustive test of tests/simt runs a short search",
    r"python (notes/warp_bugs/)?\w+\.py": "tests/validation/fuzz runs all scripts",
    r"make .*CATEGORIES=all": "other categories only; the same targets run without the variable",
}
"""The commands that no test runs, with the reason."""


def reason_not_to_run(command: Printed) -> str | None:
    """Return why a command is not run, or None."""
    return next((reason for pattern, reason in NOT_RUN.items() if re.match(pattern, command.text)), None)
