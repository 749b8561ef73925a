"""The domains of the catalogue in the user's cache: reading their texts takes a third of the start of a process."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import force_setattr

from warpsmith.core.files.user_cache import keep, read_cached
from warpsmith.synthesis.language import warp_types
from warpsmith.synthesis.language.warp_types import TYPES
from warpsmith.synthesis.writing.catalogue.idea_files import all_files, all_folders, read_domain
from warpsmith.synthesis.writing.catalogue.row_order import ORDER
from warpsmith.synthesis.writing.ideas import notation, parts
from warpsmith.synthesis.writing.ideas.parts import Data, Domain, Number

KEPT = 4
"""How many parsed catalogues stay, those written last: other versions have others."""


def parsed_domains() -> tuple[Domain, ...]:
    """Return all domains, sorted by name: from the cache if it has them as the files are now, otherwise from the files.

    Raises:
        CatalogueError: if a row cannot be read.
        ValueError: if two rows of a domain have the same key.
    """
    name = f"catalogue-{_digest()}.msgpack"
    content = read_cached(name)
    if content is not None:
        return _decoded(content)
    domains = tuple(map(read_domain, all_folders()))
    keep(name, msgspec.msgpack.encode(domains), KEPT)
    return domains


def _decoded(content: bytes) -> tuple[Domain, ...]:
    """Return encoded domains, with the one object that there is of each type."""
    domains = _decoder().decode(content)
    for domain in domains:
        for row in (*domain.parameters, *domain.anonymous):
            if isinstance(row, Data | Number):
                force_setattr(row, "type", TYPES[row.type.name])
    return domains


@cache
def _decoder() -> msgspec.msgpack.Decoder[tuple[Domain, ...]]:
    return msgspec.msgpack.Decoder(tuple[Domain, ...])


def _digest() -> str:
    """Return a digest of the files, and of the modules that read them."""
    digest = hashlib.sha256()
    modules: list[Any] = [notation, parts, warp_types]
    code = [*sorted(Path(__file__).parent.glob("*.py")), *(Path(module.__file__) for module in modules)]
    for path in (*code, *all_files(), *(folder / ORDER for folder in all_folders())):
        content = path.read_bytes() if path.exists() else b""
        digest.update(f"{path.parent.name}/{path.name} {len(content)}\n".encode() + content)
    return digest.hexdigest()
