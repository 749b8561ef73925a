"""Reader of cubins: the sections of the ELF file, and the attributes of NVIDIA's information sections."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from warpsmith.core.errors import WarpsmithError

_HEADER = struct.Struct("<4sBBBB8xHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_NOTE = struct.Struct("<III")
_ATTRIBUTE = struct.Struct("<BBH")

_NOBITS = 8
_LONG_VALUE = 4
"""The format of attributes whose third field is the length of a value that follows."""

_ARCHITECTURE_NOTE = ".note.nv.cuinfo"


@dataclass(frozen=True, slots=True)
class Section:
    """A section of an ELF file; ``content`` is empty if the file contains only its size."""

    size: int
    content: bytes


@dataclass(frozen=True, slots=True)
class Cubin:
    """A binary of one architecture.

    Attributes:
        sections: its sections by name.
        symbols: the names of its symbols, by position.
    """

    sections: dict[str, Section]
    symbols: tuple[str, ...]

    @classmethod
    def read(cls, content: bytes) -> Cubin:
        """Read an ELF file of NVRTC or ptxas.

        Raises:
            WarpsmithError: if the content is not such a file.
        """
        try:
            if content[:5] != b"\x7fELF\x02":
                raise WarpsmithError("not a cubin: the content is not a 64-bit ELF file")
            sections = dict(_sections(content))
            symbols = tuple(_symbols(sections))
        except (struct.error, IndexError, ValueError, KeyError, OverflowError) as error:
            raise WarpsmithError(f"not a cubin: the ELF file is damaged ({error})") from None
        return cls(sections, symbols)

    @property
    def arch(self) -> int:
        """The compute capability that the code is for, times ten."""
        note = self.sections.get(_ARCHITECTURE_NOTE)
        if note is None or len(note.content) < _NOTE.size:
            raise WarpsmithError(f"not a cubin: the section {_ARCHITECTURE_NOTE} is missing")
        name, _, _ = _NOTE.unpack_from(note.content)
        start = _NOTE.size + (name + 3) // 4 * 4
        return int.from_bytes(note.content[start + 2 : start + 4], "little")

    def attributes(self, section: str) -> Iterator[tuple[int, bytes]]:
        """Yield number and value of the attributes of an information section, none if it does not exist."""
        content = self.sections[section].content if section in self.sections else b""
        at = 0
        while at + _ATTRIBUTE.size <= len(content):
            form, number, value = _ATTRIBUTE.unpack_from(content, at)
            at += _ATTRIBUTE.size
            if form == _LONG_VALUE:
                yield number, content[at : at + value]
                at += value
            else:
                yield number, value.to_bytes(2, "little")


def _sections(content: bytes) -> Iterator[tuple[str, Section]]:
    header = _HEADER.unpack_from(content)
    table, size, number, names = header[10], header[15], header[16], header[17]
    rows = [_SECTION.unpack_from(content, table + index * size) for index in range(number)]
    texts = content[rows[names][4] : rows[names][4] + rows[names][5]]
    for name, kind, _, _, offset, length, *_ in rows:
        yield _text(texts, name), Section(length, b"" if kind == _NOBITS else content[offset : offset + length])


def _symbols(sections: dict[str, Section]) -> Iterator[str]:
    table, texts = sections[".symtab"].content, sections[".strtab"].content
    for at in range(0, len(table) - _SYMBOL.size + 1, _SYMBOL.size):
        yield _text(texts, _SYMBOL.unpack_from(table, at)[0])


def _text(texts: bytes, at: int) -> str:
    return texts[at : texts.index(b"\0", at)].decode(errors="replace")
