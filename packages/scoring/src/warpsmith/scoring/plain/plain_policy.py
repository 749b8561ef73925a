"""What a plain CUDA text may not contain: directives that read files, and names of CUDA that the SIMT machine lacks.

The compiler reads the text in a sandboxed process with limits of time and memory, and no machine code of the text runs. The
list keeps the compiler from files other than CUDA's headers, and names what is missing.
"""

from __future__ import annotations

import re

from warpsmith.core.records import text_format
from warpsmith.scoring.policy.violation import Violation
from warpsmith.simt.compilers.cuda_headers import is_known_header
from warpsmith.validation.allowlist.strings import hidden_character

MAX_LENGTH = 100_000
"""The longest text, in characters."""

_CONTINUED = re.compile(r"\\[ \t]*\n")
_RAW_STRING = re.compile(r'\b(?:u8|[uUL])?R"')
_DIRECTIVE = re.compile(r"^[ \t]*(?:#|%:)[ \t]*(\w*)(.*)$", re.MULTILINE)
_INCLUDED = re.compile(r'\s*(?:<([^<>"\n]+)>|"([^<>"\n]+)")\s*$')
_DIRECTIVES = frozenset("define undef if ifdef ifndef elif else endif error warning line pragma".split()) | {""}
_PRAGMA = re.compile(r"\s*(?:unroll|nounroll|once|nv_\w+|diag_\w+|push_macro|pop_macro|GCC\s+(?:unroll|ivdep)|STDC)\b")
_READS_FILES = re.compile(r"\b(?:__has_include(?:_next)?|__has_embed|_Pragma)\b")

_UNSUPPORTED = re.compile(
    r"\b(?:tex[123]D\w*|tex\w*fetch|surf\w+(?:read|write)|cudaTextureObject_t|cudaSurfaceObject_t|cudaLaunchDevice\w*"
    r"|curand\w*|cublas\w*|cusparse\w*|thrust)\b"
)
"""Names of CUDA that the machine does not support."""


class UnsupportedError(Violation):
    """The text uses something of CUDA that the SIMT machine lacks."""


def check_plain(text: str) -> None:
    """Check that a compiler which reads a text opens no file but headers of CUDA and of C.

    Raises:
        UnsupportedError: the text contains something of CUDA that the SIMT machine lacks.
        Violation: the text contains something that is not allowed.
    """
    if len(text) > MAX_LENGTH:
        raise Violation(f"line 1: the text has {len(text):,} characters, more than {MAX_LENGTH:,}")
    if hidden := hidden_character(text):
        raise Violation(f"{hidden} is not allowed")
    if "\0" in text:
        raise Violation("line 1: a NUL character is not allowed")
    if found := _RAW_STRING.search(text):
        raise _at(text, found.start(), "a raw string is not allowed")
    spliced = _CONTINUED.sub("", text)  # lines of errors may be too small behind a continued one
    bare = text_format.COMMENT_OR_LITERAL.sub(_without_comment, spliced)
    for found in _DIRECTIVE.finditer(bare):
        _check_directive(bare, found)
    for found in _READS_FILES.finditer(bare):
        raise _at(bare, found.start(), f"'{found[0]}' is not allowed")


def check_supported(text: str) -> None:
    """Check the code of the device.

    Raises:
        UnsupportedError: the text contains something of CUDA that the SIMT machine lacks.
    """
    bare = text_format.COMMENT_OR_LITERAL.sub(_without_comment, text)
    if found := _UNSUPPORTED.search(bare):
        raise _at(bare, found.start(), f"'{found[0][:60]}' is not supported", UnsupportedError)


def _check_directive(bare: str, found: re.Match[str]) -> None:
    word, rest = found[1], found[2]
    if word == "include":
        name = _INCLUDED.match(rest)
        header = (name[1] or name[2]).strip() if name else ""
        if not header or header.startswith("/") or ".." in header or "\\" in header:
            raise _at(bare, found.start(), f"'#include{rest[:60]}' is not allowed")
        if not is_known_header(header):
            raise _at(bare, found.start(), f"the header '{header[:60]}' is not supported", UnsupportedError)
    elif word not in _DIRECTIVES:
        raise _at(bare, found.start(), f"'#{word[:60]}' is not allowed")
    elif word == "pragma" and _PRAGMA.match(rest) is None:
        raise _at(bare, found.start(), f"'#pragma{rest[:60]}' is not allowed")


def _at(text: str, position: int, reason: str, error: type[Violation] = Violation) -> Violation:
    return error.at(text.count("\n", 0, position) + 1, reason)


def _without_comment(found: re.Match[str]) -> str:
    return " " + "\n" * found[0].count("\n") if found[0][0] == "/" else found[0]
