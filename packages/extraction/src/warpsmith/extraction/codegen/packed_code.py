"""Generated texts in little memory: those of one kernel may have 20 million characters, of two or four bytes each."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

from warpsmith.core.records.ir import Code

_LEVEL = 1
"""The fastest level; generated texts shrink to a tenth."""

_LARGE = 1 << 20
"""The number of characters from which a text is compressed."""


@dataclass(frozen=True, slots=True)
class PackedCode:
    """A code of which large texts are compressed."""

    kernel_name: str
    forward: str | bytes
    backward: str | bytes | None

    @classmethod
    def pack(cls, code: Code) -> PackedCode:
        """Return a code that takes little memory."""
        backward = None if code.backward_code is None else _packed(code.backward_code)
        return cls(code.kernel_name, _packed(code.forward_code), backward)

    def unpack(self) -> Code:
        """Return the code."""
        return Code(self.kernel_name, _unpacked(self.forward), None if self.backward is None else _unpacked(self.backward))


def _packed(text: str) -> str | bytes:
    return text if len(text) < _LARGE else zlib.compress(text.encode("utf-8", "surrogatepass"), _LEVEL)


def _unpacked(text: str | bytes) -> str:
    return text if isinstance(text, str) else zlib.decompress(text).decode("utf-8", "surrogatepass")
