"""The kernels that an idea of the catalogue becomes, one for each of its alternatives."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from warpsmith.core.errors import WarpsmithError
from warpsmith.synthesis.language.layout.file_layout import Layout, lay_out
from warpsmith.synthesis.language.render import STYLES, render
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.catalogue.alternatives import Alternatives, Rendering
from warpsmith.synthesis.writing.catalogue.domains import all_domains
from warpsmith.synthesis.writing.catalogue.idea_files import files_of
from warpsmith.synthesis.writing.catalogue.idea_rows import Row, read_rows
from warpsmith.synthesis.writing.ideas.compose import Composition, Plan
from warpsmith.synthesis.writing.ideas.notation import words
from warpsmith.synthesis.writing.ideas.parts import Domain, Idea
from warpsmith.synthesis.writing.policy import Length

_ALONE = Plan(Length(extra_chance=0.0))
"""One idea, without extras."""


@dataclass(frozen=True)
class FoundIdea:
    """An idea, and where it is written.

    Attributes:
        domain: its domain.
        idea: the idea.
        path: its file.
        row: its row.
    """

    domain: Domain
    idea: Idea
    path: Path
    row: Row

    @property
    def source(self) -> str:
        """The lines of the row in its file."""
        lines = self.path.read_text(encoding="utf-8").split("\n")
        return "\n".join(lines[self.row.line - 1 : self.row.starts[0] - 1 + len(self.row.texts[0])]).rstrip("\n")


def find_idea(name: str) -> FoundIdea:
    """Return the idea with a name such as ``particles/push``.

    Raises:
        WarpsmithError: if there is none.
    """
    known = {f"{domain.name}/{idea.key}": (domain, idea) for domain in all_domains() for idea in domain.ideas}
    if name not in known:
        similar = difflib.get_close_matches(name, known, 3, 0.5)
        hint = f": similar names are {', '.join(similar)}" if similar else ""
        raise WarpsmithError(f"no idea is named {name!r}{hint}")
    domain, idea = known[name]
    for path in files_of(Path(__file__).parent / domain.name):
        for row in read_rows(path):
            if row.kind == "idea" and row.key == idea.key:
                return FoundIdea(domain, idea, path, row)
    raise AssertionError(name)


def kernels_of(found: FoundIdea) -> Iterator[tuple[Rendering, str]]:
    """Yield a kernel for each rendering of an idea, in which its alternatives are chosen and nothing else varies."""
    text = Alternatives(*found.row.sources()[0])
    for rendering in text.renderings():
        fields = {
            name: Alternatives(found.row.fields.get(name, ""), found.row.line).lines(rendering.positions)[0][0]
            for name in ("names", "purpose", "docs")
        }
        idea = replace(found.idea, text=rendering.text, **{**fields, "names": " ".join(words(fields["names"]))})
        composition = Composition(found.domain, idea, RandomStream(f"{found.domain.name}/{idea.key}"), _ALONE)
        yield rendering, lay_out(render(composition.kernel, STYLES[0]), Layout())
