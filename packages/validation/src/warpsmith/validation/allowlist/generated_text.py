"""Recognize text that Warp generates: its lines, the names in them, and braces that close what they open.

Such text stays in its own namespace, reaches memory only through the arrays that it receives, and calls only Warp's functions
and those of the same pair. Text in another form may do more, and few right pairs contain it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from warpsmith.validation.allowlist.strings import HIDDEN
from warpsmith.validation.allowlist.warp_names import FUNCTIONS, GLOBAL_FUNCTIONS, TYPES

MAX_LENGTH = 4_000_000
"""The longest text that is read, in characters."""

_LINE_ENDS = "\r" + "".join(filter(str.isascii, HIDDEN))
_OTHER_LINE_ENDS = "".join(end for end in HIDDEN if not end.isascii())

_COMMENT = re.compile(r"//[^\n]*")
_SPLIT_LINE = re.compile(r"(?:\\|\?\?/)[ \t]*\n")
"""A line that continues in the next one, even in a comment."""

_ALIKE = str.maketrans("123456789", "000000000")
"""Numbers do not matter: lines that differ in them have the same form."""

_NOT_BRACES = bytes(sorted(set(range(256)) - set(b"{}")))

_FIXED = re.compile(
    r"""
      const[ ]wp::str[ ]var_\d+[ ]=[ ]"                               # a string that does not write by its format
      (?:[^"\\\n?%]|\\[nt]|\?(?!\?)|%(?![-+ \#0-9.*'hlLqjzt]*n))*";
    | assert\(\(\(void\)"(?:[^"\\\n?]|\\"|\?(?!\?))*",\w+\)\);        # the Python of an assertion
    | extern[ ]"C"[ ]\{
    | extern[ ]"C"[ ](?:__launch_bounds__\(\d+(?:,[ ]\d+)*\)[ ])?__global__[ ]void[ ]\w+_cuda_kernel_(?:for|back)ward\(
    | (\w+(?:::\w+<\d>)?\*)[ ](\w+)[ ]=[ ]\(\1\)\2_ptr;               # the arguments of a block
    | wp::(?:adj_)?array_\w+_slot\((?:[\w, ]|wp::view\([\w, ]*\))*    # a component of an array's element
      \[&\]\(auto&[ ]_e\)[ ]->[ ]auto&[ ]\{[ ]return[ ]_e(?:\.\w+(?:\([\w, ]*\))?)+;[ ]\}[\w, ]*\);
    | (?:adj_)?tile_i?fft\([\w:, ]*(?:/\*[ ]scalar[ ]\*/[\w:, ]+)*\);
    """,
    re.VERBOSE | re.ASCII,
)
"""Lines with characters that other lines do not contain."""

_CODE = re.compile(r"[\w .,;:(){}<>=!+\-*/%&|^~?]*", re.ASCII)

_FORBIDDEN = re.compile(
    r"""
      <%|%>|<:|:>|%:|/\*|//|\?\?          # other spellings of brackets, and comments
    | \*\)|\(wp::\w+\)\(                  # casts to pointers, and of pointers
    | (?<!fixed)array_t<[^;\n]{0,200}>\(  # an array at an address
    """,
    re.VERBOSE,
)

_WORD = re.compile(
    r"\d[\w.]*|(?<![\w.:>])(?:var|adj|ret)_\w+\b(?!\()|(->|\.|::)?([A-Za-z_]\w*)(?=(\(?))",
    re.ASCII,
)
"""A number; a variable; or the operator before a name, the name, and the parenthesis of its call."""

_FIELD = re.compile(r"(?:wp::[\w:<>, ]+|bool|\w+_[0-9a-f]{8}) (\w+);", re.ASCII)
"""A member of a struct."""

_PAIR_NAME = re.compile(
    r"(?!__)\w+_(?:\d+|[0-9a-f]{8})(?:_callable_[0-9a-f]{12})?|label\d+|tile_\w+|wp_args_\w+"
    r"|\w+_(?:cpu|cuda)_(?:kernel_|block_payload_|block_thunk_)?(?:for|back)ward",
    re.ASCII,
)
"""Names that Warp gives to the functions, structs and labels of a pair."""

_KEYWORDS = frozenset(
    """
    bool char const constexpr continue default false float for goto if int nullptr operator return size_t static static_cast
    struct template this true typename void while
    """.split()
)
_VARIABLES = frozenset(
    """
    _dummy_ _idx _wp_args _wp_adj_args a active_count adj_args adj_ret args b block_dim block_first block_id blockDim blockIdx
    dim dim_ptr gridDim lane p payload payload_ptr remaining rhs t task_index threadIdx tile_mem total wp wp_linear_contiguous
    wp_linear_tid INFINITY NAN CUDA_CALLABLE WP_API WP_FORCEINLINE WP_NOINLINE WP_TILE_BLOCK_DIM
    """.split()
)
_CALLED = frozenset("add adj_atomic_add iter_cmp wp_cpu_run_block WP_TILE_SYNC".split())
_MEMBERS = frozenset(
    """
    args adj_args block_first shape size tile_mem c p q w x y z result sign face t u v normal points velocities indices
    """.split()
)
_METHODS = frozenset("component_ref element_ref grad_zero row_ref".split())
_OPENING = ord("{")

_QUALIFIED = FUNCTIONS | {f"adj_{name}" for name in FUNCTIONS} | TYPES
_PLAIN = _KEYWORDS | _VARIABLES
_CALLS = _KEYWORDS | _CALLED | GLOBAL_FUNCTIONS | {f"adj_{name}" for name in GLOBAL_FUNCTIONS}

_MAX_FORMS = 1 << 16
_known_forms = {""}
"""The forms of lines that are Warp's in every text."""

_Token = tuple[str, str, str]


def _tokens() -> Iterator[_Token]:
    """Yield what `_WORD` finds in lines that are Warp's in every text."""
    for names, operators, calls in (
        ({""}, ("",), ("",)),
        (_QUALIFIED, ("::",), ("", "(")),
        (_PLAIN, ("",), ("",)),
        (_CALLS, ("",), ("(",)),
        (_MEMBERS | _VARIABLES, (".", "->"), ("",)),
        (_METHODS, (".",), ("(",)),
    ):
        yield from ((operator, name.translate(_ALIKE), call) for operator in operators for name in names for call in calls)


_known_tokens = frozenset(_tokens())


def is_generated(texts: Iterable[str]) -> bool:
    """Return whether the texts of one pair and target have the form of text that Warp generates."""
    forms: set[str] = set()
    for text in texts:
        if not _is_readable(text):
            return False
        code = _COMMENT.sub("", text)
        if not code.isascii() or not _is_nested(code):
            return False
        forms.update(code.translate(_ALIKE).split("\n"))
    return _are_known(forms - _known_forms)


def _is_readable(text: str) -> bool:
    """Return whether all readers find the same lines in a text."""
    return (
        len(text) <= MAX_LENGTH
        and not any(end in text for end in _LINE_ENDS)
        and (text.isascii() or not any(end in text for end in _OTHER_LINE_ENDS))
        and not (("\\" in text or "??/" in text) and _SPLIT_LINE.search(text))
    )


def _is_nested(code: str) -> bool:
    """Return whether each closing brace closes one that the text has opened."""
    depth = 0
    for brace in code.encode().translate(None, _NOT_BRACES):
        depth += 1 if brace == _OPENING else -1
        if depth < 0:
            return False
    return depth == 0


def _are_known(forms: Iterable[str]) -> bool:
    """Return whether lines of a pair have forms that Warp writes, with names of Warp or of the pair."""
    used: set[_Token] = set()
    members: set[str] = set()
    for form in forms:
        line = form.strip(" \t")
        if not _CODE.fullmatch(line) or _FORBIDDEN.search(line):
            if not _FIXED.fullmatch(line):
                return False
            continue
        unknown = set(_WORD.findall(line)) - _known_tokens
        used |= unknown
        if not unknown and len(_known_forms) < _MAX_FORMS:
            _known_forms.add(form)
        elif unknown and (field := _FIELD.fullmatch(line)) is not None:
            members.add(field[1])
    return all(_is_pair_name(token, members) for token in used)


def _is_pair_name(token: _Token, members: set[str]) -> bool:
    """Return whether a name without a meaning in Warp is one of the pair."""
    operator, name, call = token
    if operator in (".", "->") or not call:
        return operator != "::" and (name in members or _PAIR_NAME.fullmatch(name) is not None)
    return not operator and _PAIR_NAME.fullmatch(name) is not None
