"""The checker of the catalogue's text files: every mistake of an author, with its file and line."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

import warp as wp

from warpsmith.extraction.warp import registries
from warpsmith.synthesis.writing.catalogue import categories
from warpsmith.synthesis.writing.catalogue.alternatives import Alternatives, BracketError
from warpsmith.synthesis.writing.catalogue.categories import all_categories
from warpsmith.synthesis.writing.catalogue.idea_files import INCLUDE, KNOWN, RETIRED, SUFFIX, all_folders, files_of, read_row
from warpsmith.synthesis.writing.catalogue.idea_rows import CatalogueError, Row, read_rows
from warpsmith.synthesis.writing.catalogue.idea_syntax import BLOCK, PYTHON_WORDS, check_syntax
from warpsmith.synthesis.writing.catalogue.usage import PARAMETERS, Text, named_parameters, unused_rows
from warpsmith.synthesis.writing.ideas.notation import HELPER, PARAMETER
from warpsmith.synthesis.writing.ideas.tree import parse, walk

_BUILTIN = re.compile(r"\bwp\.(\w+)")

_OPEN = ("(", "[", ",")
"""The ends of lines whose statements continue."""

_CATEGORIES = Path(categories.__file__)


def check_files(paths: Iterable[Path]) -> list[CatalogueError]:
    """Return the mistakes in files of the catalogue, each of which is read with the other files of its domain.

    Rows that nothing uses are found if there is no other mistake, which may be the reason.
    """
    wanted = {path.resolve() for path in paths}
    folders = {path.parent for above in {path.parent.parent for path in wanted} for path in above.glob(f"*/*{SUFFIX}")}
    domains = [_Domain(folder) for folder in sorted(folders)]
    domains = [domain for domain in domains if wanted.intersection(domain.files)]
    lost = wanted.difference(*(domain.files for domain in domains))
    mistakes = [
        CatalogueError(path, 1, f"its name does not end in {SUFFIX!r}, so that it belongs to no domain") for path in lost
    ]
    mistakes += [mistake for domain in domains for mistake in domain.mistakes()]
    mistakes = mistakes or list(_categories_without_ideas(domains, wanted))
    mistakes = mistakes or list(_unused_in_all(domains))
    found = {(mistake.path, mistake.line, mistake.reason): mistake for mistake in mistakes}
    return [found[key] for key in sorted(found) if key[0].resolve() in wanted]


def _categories_without_ideas(domains: list[_Domain], wanted: set[Path]) -> Iterator[CatalogueError]:
    """Yield the categories that no idea names, once all domains are checked; categories that make their ideas need none."""
    named = {name for domain in domains for row, _ in domain.rows for name in row.fields.get("categories", "").split()}
    if {folder.resolve() for folder in all_folders()} <= {domain.folder.resolve() for domain in domains}:
        for category in all_categories():
            if category.name not in named and category.make is None:
                wanted.add(_CATEGORIES.resolve())
                yield CatalogueError(_CATEGORIES, _line_of(category.name), f"category {category.name}: no idea names it")


def _line_of(category: str) -> int:
    """Return the number of the line that declares a category."""
    lines = _CATEGORIES.read_text(encoding="utf-8").split("\n")
    return next((number for number, line in enumerate(lines, 1) if f'"{category}"' in line), 1)


def _unused_in_all(domains: list[_Domain]) -> Iterator[CatalogueError]:
    """Yield the rows that no domain uses which has their file."""
    counts: dict[tuple[Path, int], int] = {}
    for domain in domains:
        for row, path in domain.unused():
            place = path.resolve(), row.line
            counts[place] = counts.get(place, 0) + 1
            if counts[place] == sum(place[0] in each.files for each in domains):
                yield CatalogueError(path, row.line, f"{row.kind} {row.key}: nothing uses it")


@dataclass
class _Domain:
    """The rows of a domain, and what they name.

    `mistakes` reads the files, which `unused` depends on.
    """

    folder: Path
    rows: list[tuple[Row, Path]] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)

    @cached_property
    def files(self) -> set[Path]:
        """The files of the domain."""
        return {path.resolve() for path in files_of(self.folder)}

    def mistakes(self) -> Iterator[CatalogueError]:
        """Yield the mistakes in the files of the domain; what follows from a row that cannot be read is none."""
        first = [*self._read(), *self._repeated_keys(), *self._texts()]
        if first:
            yield from first
            return
        for text in self.texts:
            if KNOWN not in text.row.fields:
                yield from self._unreachable(text)
                yield from self._names_of(text)
                yield from self._python(text)
        yield from self._categories()
        yield from self._keys_in_rows()
        yield from self._members()

    # ------------------------------------------------------------------------------------------------------------- reading

    def _read(self) -> Iterator[CatalogueError]:
        for path in files_of(self.folder):
            try:
                rows = read_rows(path)
            except CatalogueError as mistake:
                yield mistake
                continue
            for row in rows:
                try:
                    read_row(row, path)
                except CatalogueError as mistake:
                    yield mistake
                else:
                    self.rows.append((row, path))

    def _texts(self) -> Iterator[CatalogueError]:
        for row, path in self.rows:
            for source, start in row.sources():
                try:
                    alternatives = Alternatives(source, start)
                except BracketError as error:
                    yield CatalogueError(path, error.line, str(error))
                else:
                    self.texts.append(Text(row, path, source, start, list(alternatives.renderings()), alternatives))
            for name, value in row.fields.items():
                try:
                    Alternatives(value, row.line)
                except BracketError as error:
                    yield CatalogueError(path, row.line, f"{name}: {error}")

    @cached_property
    def _keys_by_kind(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = defaultdict(set)
        for row, _ in self.rows:
            found[row.kind].add(row.key)
        return found

    def _keys(self, *kinds: str) -> set[str]:
        return set().union(*(self._keys_by_kind[kind] for kind in kinds))

    # ------------------------------------------------------------------------------------------------------------------ rows

    def _repeated_keys(self) -> Iterator[CatalogueError]:
        first: dict[tuple[str, str], tuple[int, Path]] = {}
        for row, path in self.rows:
            if row.kind in ("struct", "anonymous", "world", INCLUDE):
                continue
            table = "parameter" if row.kind in PARAMETERS else row.kind
            line, other = first.setdefault((table, row.key), (row.line, path))
            if row.kind == "extra" and other != path:
                reason = f"the extras of this hook, whose order kernels depend on, are in {other.name}"
                yield CatalogueError(path, row.line, f"extra {row.key}: {reason}")
            elif row.kind != "extra" and (line, other) != (row.line, path):
                yield CatalogueError(path, row.line, f"{row.kind} {row.key}: the key is that of {other.name}:{line}")

    def _categories(self) -> Iterator[CatalogueError]:
        known = {category.name for category in all_categories()}
        for row, path in self.rows:
            if row.kind == "idea" and RETIRED not in row.fields.get("flags", "").split():
                named = row.fields.get("categories", "").split()
                if not named:
                    yield CatalogueError(path, row.line, f"idea {row.key}: it has no category")
                for name in named:
                    if name not in known:
                        yield CatalogueError(path, row.line, f"idea {row.key}: unknown category {name!r}")

    def _keys_in_rows(self) -> Iterator[CatalogueError]:
        """Check the keys in threads, dimensions, ranges and structs."""
        indices, parameters = self._keys("index"), self._keys(*PARAMETERS) | {BLOCK}
        for row, path in self.rows:
            if row.kind == "idea":
                for key in row.fields.get("threads", "i").split():
                    if key not in indices:
                        yield CatalogueError(path, row.line, f"idea {row.key}: unknown thread index {key!r}")
            for key in named_parameters(row):
                if key not in parameters:
                    yield CatalogueError(path, row.line, f"{row.kind} {row.key}: unknown key {key!r}")

    def _members(self) -> Iterator[CatalogueError]:
        """Check that the codes of an enumeration have different integers: of two with one value, Python makes one member."""
        found: set[tuple[str, str]] = set()
        for row, path in self.rows:
            if row.kind != "code" or not (classes := row.parts(4)[3]):
                continue
            value, name = row.parts(4)[0], classes.split()[0]
            if not value.lstrip("-").isdigit():
                yield CatalogueError(path, row.line, f"code {row.key}: a member of {name} is an integer, not {value}")
            if (classes, value) in found:
                yield CatalogueError(path, row.line, f"code {row.key}: another member of {name} is {value}, too")
            found.add((classes, value))

    # ----------------------------------------------------------------------------------------------------------------- texts

    def _unreachable(self, text: Text) -> Iterator[CatalogueError]:
        positions = text.alternatives.positions()
        for group in text.alternatives.groups:
            count = positions.get(group.name, len(group.ways))
            if count < len(group.ways):
                reason = f"{group.name!r} has {count} positions where it is chosen first, so that the last"
                yield CatalogueError(text.path, group.line, f"{reason} of {len(group.ways)} alternatives can never be chosen")

    def _names_of(self, text: Text) -> Iterator[CatalogueError]:
        known: tuple[tuple[str, re.Pattern[str], set[str]], ...] = (
            ("key", PARAMETER, self._keys(*PARAMETERS) | {BLOCK}),
            ("helper", HELPER, self._keys("helper") | {"wp"}),
        )
        builtins = _builtins()
        for line, number in text.source_lines():
            if line.lstrip().startswith("#"):
                continue
            for what, pattern, keys in known:
                for name in pattern.findall(line):
                    if name not in keys:
                        yield CatalogueError(text.path, number, f"unknown {what} {name!r}")
        for line, number in {line for rendering in text.renderings for line in rendering.lines if "wp." in line[0]}:
            for name in _BUILTIN.findall(line):
                if name not in builtins and not hasattr(wp, name):
                    yield CatalogueError(text.path, number, f"Warp has no {name!r}")

    def _python(self, text: Text) -> Iterator[CatalogueError]:
        loops, hooks = self._keys("loop"), self._keys("extra")
        reads_locals = text.row.kind == "idea"
        present = self._keys("local", "index") | self._loop_locals
        for rendering in text.renderings:
            body = parse(rendering.text)
            nodes = list(walk(body))
            numbers = dict(zip(map(id, nodes), (number for _, number in rendering.lines), strict=False))
            defined = {key for node in nodes for key in node.defines} | present
            for node in nodes:
                number = numbers.get(id(node), text.start)
                word, _, name = node.text.partition(" ")
                if word == "each" and name.removesuffix(":") not in loops:
                    yield CatalogueError(text.path, number, f"unknown loop {name.removesuffix(':')!r}")
                elif word == "hook" and name not in hooks:
                    yield CatalogueError(text.path, number, f"no extra is for the hook {name!r}")
                elif text.row.kind != "helper" and node.text.endswith(_OPEN) and node.is_statement:
                    yield CatalogueError(
                        text.path, number, "a statement in several lines: end all but the last with a backslash"
                    )
                elif reads_locals:
                    for key in node.reads:
                        if key not in defined:
                            yield CatalogueError(text.path, number, f"no row provides the local ${key}")
            yield from check_syntax(text, body, nodes, numbers, self._known_names)

    @cached_property
    def _known_names(self) -> frozenset[str]:
        """The names that every text may read: those of Python, and those that texts of helpers define or assign."""
        helpers = "\n".join(text.source for text in self.texts if text.row.kind in ("helper", "name", "local"))
        return PYTHON_WORDS | frozenset(re.findall(r"(?:def |class |^ *)([A-Za-z_]\w*)", helpers, re.MULTILINE))

    @cached_property
    def _loop_locals(self) -> set[str]:
        """The locals that loops and extras assign."""
        texts = [text for text in self.texts if text.row.kind in ("loop", "extra")]
        bodies = (parse(rendering.text) for text in texts for rendering in text.renderings)
        return {key for body in bodies for node in walk(body) for key in node.defines}

    # ---------------------------------------------------------------------------------------------------------------- unused

    def unused(self) -> Iterator[tuple[Row, Path]]:
        """Yield the rows that nothing in the domain uses."""
        yield from unused_rows(self.rows, self.texts)


@cache
def _builtins() -> frozenset[str]:
    return registries.builtin_names()
