"""The content of a report, parsed."""

from __future__ import annotations

import base64
import json
import zlib
from html.parser import HTMLParser
from typing import Any


class Page(HTMLParser):
    """The content of a page: tags with attributes, and texts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: dict[str, str] = {}
        self.text: list[str] = []
        self._script = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._script = str(dict(attrs).get("id") or "run") if tag == "script" else ""

    def handle_endtag(self, tag: str) -> None:
        self._script = "" if tag == "script" else self._script

    def handle_data(self, data: str) -> None:
        if self._script:
            self.scripts[self._script] = self.scripts.get(self._script, "") + data
        elif data.strip():
            self.text.append(data.strip())

    def count(self, tag: str) -> int:
        return sum(name == tag for name, _ in self.tags)

    def cards(self) -> list[dict[str, Any]]:
        return json.loads(self.scripts["cards"])

    def sheet(self, number: int) -> dict[str, Any]:
        return json.loads(zlib.decompress(base64.b64decode(self.scripts[f"sheet-{number}"])))
