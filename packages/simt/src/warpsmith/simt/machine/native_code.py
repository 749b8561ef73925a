"""Native code: C++ that Warp's clang compiles once, cached, and links into this process."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import platform
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import warp as wp

from warpsmith.core.errors import WarpsmithError, single_line
from warpsmith.core.files.user_cache import keep, made_cache_folder, read_cached
from warpsmith.extraction.warp import compilers, runtime
from warpsmith.extraction.warp.compiler_log import Log

FLAGS = ("-march=native", "-w", "-std=c++17", "-ffp-contract=off", "-relaxed-aliasing")
"""Arguments for clang; products and sums are not contracted, because the statements of PTX are exact."""

BLOCK_THREADS = 256
"""A macro of Warp's headers, which the code does not include."""

KEPT = 4
"""How many objects of a name stay, those compiled last: other releases have others."""

LOCK = "compilations.lock"
"""A file of the cache folder: a process locks one of its bytes while it compiles an object."""


class NativeCodeError(WarpsmithError):
    """C++ of this package that Warp's clang does not compile or link."""


@dataclass(frozen=True)
class NativeCode:
    """Native code that is linked into this process; ``handle`` is its name at Warp's linker."""

    handle: str

    def address(self, symbol: str) -> int:
        """Return the address of an ``extern "C"`` function.

        Raises:
            NativeCodeError: if the code lacks it.
        """
        found = runtime.look_up(self.handle, symbol)
        if not found:
            raise NativeCodeError(f"{self.handle} has no function {symbol}")
        return found


_loaded: dict[str, NativeCode] = {}


def load(text: str, headers: Sequence[Path], name: str, optimization: int = 2) -> NativeCode:
    """Compile and link C++, or return the code that an earlier call linked.

    The object is stored in the cache folder: ``$WARPSMITH_CACHE``, else ``warpsmith`` in the user's cache folder. A folder
    that other users could write to is not used, and neither is an object that differs from its digest.

    Args:
        text: the C++ source.
        headers: the files that the source includes by their names.
        name: the beginning of the name of the object.
        optimization: the level of optimization, 0 to 3.

    Raises:
        NativeCodeError: if clang rejects the text; the message has clang's first errors.
    """
    flags = (f"-O{optimization}", *FLAGS)
    key = _key(text, headers, flags)
    handle = f"{name}_{key[:24]}"
    if handle not in _loaded:
        runtime.start_runtime()
        with tempfile.TemporaryDirectory(prefix="warpsmith-native-") as folder:
            path = Path(folder) / f"{name}.o"
            file = f"{name}-{key}.o"
            cached = read_cached(file)
            if cached is None:
                with _sole_compilation(key):
                    cached = read_cached(file)  # another process may have compiled it meanwhile
                    if cached is None:
                        _compile(text, headers, flags, optimization, path)
                        keep(file, path.read_bytes(), KEPT)
            if cached is not None:
                path.write_bytes(cached)
            _link(path, handle)
        _loaded[handle] = NativeCode(handle)
    return _loaded[handle]


@contextlib.contextmanager
def _sole_compilation(key: str) -> Iterator[None]:
    """Wait until no other process compiles the object with a key; without a cache that can be written, all compile."""
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            if (folder := made_cache_folder()) is not None:
                file = stack.enter_context((folder / LOCK).open("ab"))
                fcntl.lockf(file, fcntl.LOCK_EX, 1, int(key[:7], 16))
        yield


def _link(path: Path, handle: str) -> None:
    """Link an object into this process.

    Raises:
        NativeCodeError: if Warp's linker rejects it.
    """
    try:
        runtime.load_object(path, handle)
    except OSError as error:
        raise NativeCodeError(f"Warp's linker rejects {handle}: {error}") from error


def _key(text: str, headers: Sequence[Path], flags: tuple[str, ...]) -> str:
    """Return the hash of everything that the object depends on."""
    parts = [text, *(f"{path.name}\n{path.read_text(encoding='utf-8')}" for path in headers)]
    parts += [*flags, wp.config.version, platform.machine(), _processor_features()]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _processor_features() -> str:
    """Return the features that ``-march=native`` depends on, as Linux reports them; otherwise the name of the processor."""
    names = ("flags", "Features", "model name", "CPU part")
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").split("\n\n")[0].splitlines()
    except OSError:
        return platform.processor()
    return "\n".join(line for line in lines if line.partition(":")[0].strip() in names)


def _compile(text: str, headers: Sequence[Path], flags: tuple[str, ...], optimization: int, result: Path) -> None:
    """Compile the text next to copies of its headers.

    Raises:
        NativeCodeError: if clang rejects the text.
    """
    folder = result.parent
    for path in headers:
        shutil.copy(path, folder / path.name)
    arguments = (*flags, "-I", str(folder))
    with Log(folder) as log:
        accepted = compilers.compile_cpp(text, result, folder, BLOCK_THREADS, arguments, optimization=optimization)
    if not accepted or not result.is_file():
        messages = log.text()
        errors = " ".join(line for line in messages.splitlines() if "error" in line)
        raise NativeCodeError(f"Warp's clang does not compile {result.stem}: {single_line(errors or messages)}")
