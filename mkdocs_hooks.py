"""Hooks of `mkdocs.yml`: files of the root become pages of the site, and links between files become links between pages."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent
NOTES = "notes/"

ROOT_PAGES = {
    # file of the repository: page of the site
    "README.md": "index.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "CHANGELOG.md": "project/changelog.md",
    "SECURITY.md": "project/security.md",
    "CUDA_STATE.md": "project/cuda_state.md",
    **{
        f"packages/{path.parent.name}/README.md": f"project/{path.parent.name}.md" for path in ROOT.glob("packages/*/README.md")
    },
}

GALLERY = "reference/gallery.md"
"""The page whose text contains brackets that are no links: indices of arrays."""

RATIOS = "build/bench/history.html"
"""The page that `nox -s bench` draws; the site contains it if it exists, and the page about performance links to it."""

PERFORMANCE = "reference/performance.md"

_LINK = re.compile(r"(?P<image>!?)\[(?P<text>[^\[\]]*)\]\((?P<target>[^)\s#:]+)(?P<anchor>#[^)\s]*)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the files of the root."""
    for name, uri in ROOT_PAGES.items():
        files.append(File.generated(config, uri, content=(ROOT / name).read_text(encoding="utf-8")))
    if (ROOT / RATIOS).exists():
        files.append(File.generated(config, "reference/ratios.html", content=(ROOT / RATIOS).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001 mkdocs names them
    """Return the text of a page whose links lead to pages; a link to a file that is no page becomes its text."""
    here = page.file.src_uri
    source = {uri: name for name, uri in ROOT_PAGES.items()}.get(here, NOTES + here)

    def link(match: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), match["target"]))
        if not (ROOT / path).exists():
            return match[0]
        uri = ROOT_PAGES.get(path) or path.removeprefix(NOTES)
        if files.get_file_from_path(uri) is None:
            return match["text"]
        target = posixpath.relpath(uri, posixpath.dirname(here) or ".")
        return f"{match['image']}[{match['text']}]({target}{match['anchor'] or ''})"

    if here == GALLERY:
        return re.sub(r"^[A-Z].*\]\[.*$", lambda line: line[0].replace("[", "\\["), markdown, flags=re.MULTILINE)
    linked = _LINK.sub(link, markdown)
    if here == PERFORMANCE and (ROOT / RATIOS).exists():
        linked = linked.replace(f"`{RATIOS}`", f"[`{RATIOS}`](ratios.html)")
    return linked


API = "reference/api/"


def on_env(env: object, config: MkDocsConfig, files: Files) -> None:  # noqa: ARG001 mkdocs names them
    """Link the names of the API that docstrings mention, such as errors and constants, to their descriptions."""
    pages = [file.page for file in files if file.src_uri.startswith(API) and file.page is not None]
    places: dict[str, set[str]] = {}
    for page in pages:
        for identifier in re.findall(r'id="(warpsmith\.[\w.]+)"', page.content or ""):
            for name in (identifier.rpartition(".")[2], ".".join(identifier.split(".")[-2:])):
                places.setdefault(name, set()).add(f"{posixpath.basename(page.url)}#{identifier}")
    unique = {name: place for name, (place, *others) in places.items() if not others and name[0].isupper()}

    def link(match: re.Match[str]) -> str:
        place = unique.get(match[1])
        return f'<a href="{place}">{match[0]}</a>' if place else match[0]

    for page in pages:
        page.content = re.sub(r"(?<!>)<code>([\w.]+)</code>(?!</a>)", link, page.content or "")
