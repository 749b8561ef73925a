"""Parser of PTX modules: headers of functions and variables. Bodies are delimited here, and read by `statements`."""

from __future__ import annotations

import re
import struct

from warpsmith.simt.ptx.syntax import SIZES, Function, ModuleSyntax, PtxError, UnsupportedPtx, Variable

LARGEST_MODULE = 256 << 20
"""Bytes of the longest text that is parsed."""

LARGEST_VARIABLE = 1 << 30
"""Bytes of the largest variable."""

LARGEST_PARAMETERS = 32764
"""Bytes of the parameters of a kernel that CUDA allows."""

DIGIT_LIMIT = 20
"""Digits of a decimal number."""

# Each expression takes a time that is proportional to the text, also where it does not match: no two neighbouring parts
# match the same blanks.
_COMMENT = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)|\"[^\"\n]*\"", re.DOTALL)
_HEAD = re.compile(r"\s*\.version\s+(\d+\.\d+)\s+\.target\s+(\w+(?:\s*,\s*\w+)*)\s+\.address_size\s+(\d+)")
_BLANKS = re.compile(r"\s*")
_ITEM = re.compile(r"(\.(?:loc|file)\b[^\n]*)|([^;{}\"]*(?:\"[^\"]*\"[^;{}\"]*)*)([;{}])", re.DOTALL)
_BRACE = re.compile(r"[{}]")
_FILE = re.compile(r"\.file\s+(\d+)\s+\"([^\"]*)\"")
_FUNCTION = re.compile(r"\.(entry|func)\b(.*)$", re.DOTALL)
_SIGNATURE = re.compile(
    r"\s*(?:\((?P<results>[^()]*)\)\s*)?(?P<name>[\w$%]+)\s*(?:\((?P<parameters>[^()]*)\))?(?P<rest>.*)$", re.DOTALL
)
_THREADS = re.compile(r"\.(?:maxntid|reqntid)\s+(\d+)(?:\s*,\s*(\d+))?(?:\s*,\s*(\d+))?")
_SPACE = re.compile(r"\.(global|const|shared|local|param|tex)\b")
_VARIABLE = re.compile(
    r"""\s*(?:\.ptr\b\s*(?:\.(?:global|const|shared|local)\s*)?)?(?:\.attribute\s*\([^)]*\)\s*)?
    (?:\.align\s+(?P<alignment>\d+)\s*)?(?:\.attribute\s*\([^)]*\)\s*)?(?:\.v(?P<vector>[248])\s*)?\.(?P<type>\w+)\s+
    (?:\.ptr\b\s*(?:\.(?:global|const|shared|local)\s*)?)?(?:\.align\s+\d+\s+)?
    (?P<name>[\w$%.]+)\s*(?P<dimensions>(?:\[[^\]]*\]\s*)*)(?:=\s*(?P<data>.*))?$""",
    re.DOTALL | re.VERBOSE,
)
_ADDRESS = re.compile(r"(?:generic\s*\(\s*)?([A-Za-z_$%][\w$]*)\s*(?:\)\s*)?(?:\+\s*(\d+))?$")
_MASKED = re.compile(r"(0[xX][0-9a-fA-F]+)\s*\(\s*([A-Za-z_$][\w$]*)\s*\)$")
_IGNORED = (".section", ".alias", ".pragma", ".language")


def parse_module(text: str) -> ModuleSyntax:
    """Parse the text of a module.

    Raises:
        PtxError: if the text is not a module.
        UnsupportedPtx: if it uses 32-bit addresses.
    """
    if len(text) > LARGEST_MODULE:
        raise PtxError(f"a module of {len(text) >> 20} MiB is longer than {LARGEST_MODULE >> 20} MiB")
    text = _COMMENT.sub(_blank, text.rstrip("\0"))
    head = _HEAD.match(text)
    if head is None:
        raise PtxError("the text does not begin with .version, .target and .address_size")
    if head[3] != "64":
        raise UnsupportedPtx(f".address_size {head[3]}")
    module = ModuleSyntax(text, head[1], head[2].strip())
    position = head.end()
    while item := _ITEM.match(text, _blanks_end(text, position)):
        position = _add_item(module, item)
        module.items.append((item.start(), position))
    if text[position:].strip():
        raise PtxError(f"line {module.line(_blanks_end(text, position))}: not PTX: {text[position:].strip()[:60]!r}")
    return module


def _blanks_end(text: str, position: int) -> int:
    blanks = _BLANKS.match(text, position)
    return blanks.end() if blanks is not None else position


def _add_item(module: ModuleSyntax, item: re.Match[str]) -> int:
    """Add a function, a variable or the name of a file; return where it ends."""
    position, declaration, end = item.end(), (item[2] or "").strip(), item[3]
    if end is None:  # a line without a semicolon
        module.files |= {int(number): name for number, name in _FILE.findall(item[1]) if len(number) <= DIGIT_LIMIT}
    elif end == "}":
        raise PtxError(f"line {module.line(position)}: a closing brace without an opening brace")
    elif end == "{" and declaration.startswith(".section"):  # names of inlined functions
        position = _closing(module, position) + 1
    elif (function := _FUNCTION.search(declaration)) is not None:
        position = _add_function(module, function, item, has_body=end == "{")
    elif end == "{":  # the values of an array
        close = _closing(module, position)
        position = module.text.find(";", close) + 1
        if position == 0:
            raise PtxError(f"line {module.line(close)}: a semicolon is missing")
        _declaration(module, f"{declaration}{{{module.text[item.end() : close]}}}", item.start())
    elif declaration:
        _declaration(module, declaration, item.start())
    return position


def _add_function(module: ModuleSyntax, head: re.Match[str], item: re.Match[str], has_body: bool) -> int:
    """Add a function unless it is a declaration of a known one; return where it ends."""
    function, position = _function(module, head[1] == "entry", head[2], item.start()), item.end()
    if has_body:
        function.start, function.end = position, _closing(module, position)
        position = function.end + 1
    if has_body or function.name not in module.functions:
        module.functions[function.name] = function
    return position


def _blank(match: re.Match[str]) -> str:
    """Return blanks as long as a comment, with its line breaks; strings stay."""
    found = match[0]
    if found.startswith("/*") and (len(found) < 4 or not found.endswith("*/")):
        line = match.string.count("\n", 0, match.start()) + 1
        raise PtxError(f"line {line}: the comment is never closed")
    return found if found[0] == '"' else "".join("\n" if character == "\n" else " " for character in found)


def _closing(module: ModuleSyntax, position: int) -> int:
    """Return the offset of the brace that closes the body which starts at ``position``."""
    depth = 1
    for brace in _BRACE.finditer(module.text, position):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return brace.start()
    raise PtxError(f"line {module.line(position)}: the brace is never closed")


def _declaration(module: ModuleSyntax, declaration: str, offset: int) -> None:
    """Add a variable."""
    if declaration.startswith(_IGNORED):
        return
    space = _SPACE.search(declaration)
    if space is None:
        raise PtxError(f"line {module.line(offset)}: not a declaration: {declaration[:60]!r}")
    external = ".extern" in declaration[: space.start()]
    try:
        variable = parse_variable(space[1], declaration[space.end() :], external)
    except PtxError as error:
        raise PtxError(f"line {module.line(offset)}: {error}") from None
    module.variables[variable.name] = variable


def _function(module: ModuleSyntax, is_kernel: bool, text: str, offset: int) -> Function:
    signature = _SIGNATURE.match(text)
    if signature is None:
        raise PtxError(f"line {module.line(offset)}: not the head of a function: {text.strip()[:60]!r}")
    try:
        parameters, results = _parameters(signature["parameters"]), _parameters(signature["results"])
    except PtxError as error:
        raise PtxError(f"line {module.line(offset)}: {error}") from None
    threads = _THREADS.search(signature["rest"])
    limit = 0
    if threads is not None:
        if any(len(size or "") > DIGIT_LIMIT for size in threads.groups()):
            raise PtxError(f"line {module.line(offset)}: not a number of threads: {threads[0][:60]!r}")
        limit = int(threads[1]) * int(threads[2] or 1) * int(threads[3] or 1)
    if is_kernel and sum(parameter.size for parameter in parameters) > LARGEST_PARAMETERS:
        raise PtxError(
            f"line {module.line(offset)}: {signature['name']} has more than {LARGEST_PARAMETERS} bytes of parameters"
        )
    return Function(signature["name"], parameters, results, is_kernel, max_threads=limit)


def _parameters(text: str | None) -> tuple[Variable, ...]:
    """Return the parameters or the results of a function."""
    found = []
    for part in (text or "").split(","):
        if not (stripped := part.strip()):
            continue
        space = re.match(r"\.(param|reg)\b", stripped)
        if space is None:
            raise PtxError(f"not a parameter: {stripped[:60]!r}")
        found.append(parse_variable("param", stripped[space.end() :], False))
    return tuple(found)


def parse_variable(space: str, text: str, external: bool) -> Variable:
    """Parse what follows the state space in a declaration.

    Raises:
        PtxError: if the text is no declaration of a variable.
    """
    found = _VARIABLE.match(text)
    if found is None or found["type"] not in SIZES:
        raise PtxError(f"not a variable: {text.strip()[:60]!r}")
    element = SIZES[found["type"]]
    size = element * int(found["vector"] or 1)
    data = None if found["data"] is None else found["data"].strip()
    values = (
        [] if data is None else [value.strip() for value in data.strip("{} \n\t").replace("{", "").replace("}", "").split(",")]
    )
    values = [value for value in values if value]
    for dimension in re.findall(r"\[([^\]]*)\]", found["dimensions"]):
        size *= _count(dimension) if dimension.strip() else len(values)
        if size > LARGEST_VARIABLE:
            raise PtxError(f"{found['name']} has more than {LARGEST_VARIABLE} bytes")
    if len(values) * element > size:
        raise PtxError(f"{found['name']} has {len(values)} values, more than fit")
    alignment = int((found["alignment"] or "")[:DIGIT_LIMIT] or element * int(found["vector"] or 1))
    if not 0 < alignment <= 4096 or alignment & (alignment - 1):
        raise PtxError(f"{found['name']} has the alignment {alignment}")
    content, addresses = _content(values, element) if data is not None else (None, ())
    return Variable(space, found["name"], alignment, size, content, addresses, external, found["type"])


def _count(text: str) -> int:
    try:
        count = int(text, 0)
    except ValueError:
        raise PtxError(f"not a size: {text[:30]!r}") from None
    if count < 0:
        raise PtxError(f"not a size: {text[:30]!r}")
    return count


def _content(values: list[str], element: int) -> tuple[bytes, tuple[tuple[int, str, int], ...]]:
    """Return the bytes of initial values, and the addresses among them; zeros follow them in the variable."""
    content, addresses = bytearray(len(values) * element), []
    for index, value in enumerate(values):
        number = parse_number(value)
        if number is not None:
            content[index * element : (index + 1) * element] = (number & ((1 << 8 * element) - 1)).to_bytes(element, "little")
        elif (address := _ADDRESS.match(value)) is not None and element == 8 and len(address[2] or "") <= DIGIT_LIMIT:
            addresses.append((index * element, address[1], int(address[2] or 0)))
        elif _MASKED.match(value):
            raise PtxError(f"addresses in single bytes are not supported: {value[:60]!r}")
        else:
            raise PtxError(f"not a value: {value[:60]!r}")
    return bytes(content), tuple(addresses)


def parse_number(text: str) -> int | None:
    """Return the bits of a number: an integer, or a floating-point value in hexadecimal or decimal form; None for other text.

    Decimal values of floating point are those of ``.f64``.
    """
    if text[:2] in ("0f", "0F", "0d", "0D"):
        try:
            return int(text[2:], 16)  # noqa: FURB166 - the prefix is not Python's
        except ValueError:
            return None
    try:
        if len(text) > 1 and text[0] == "0" and text[1] in "01234567":
            return int(text.rstrip("U"), 8)
        return int(text.rstrip("U"), 0)
    except ValueError:
        pass
    if "." in text:
        try:
            return int(struct.unpack("<Q", struct.pack("<d", float(text)))[0])
        except ValueError:
            return None
    return None
