"""A program of the user, run in this process as Python runs it: a script, a module, or the command of an installed package."""

from __future__ import annotations

import builtins
import importlib.util
import sys
import threading
import traceback
from importlib.machinery import SourceFileLoader
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from warpsmith.core.errors import TargetError, single_line
from warpsmith.extraction.capturing.capture_request import Program

_PYTHONS = frozenset({"python", "python3", f"python3.{sys.version_info.minor}"})


def parse_program(words: list[str]) -> Program:
    """Return the program of a command line: ``SCRIPT args``, ``-m MODULE args``, or ``COMMAND args``, maybe after ``--``.

    Raises:
        TargetError: if it names neither a file nor a command of this environment.

    Examples:
        >>> parse_program(["-m", "pytest", "-q"])
        Program(kind='module', target='pytest', arguments=('-q',))
    """
    words = words[1:] if words[:1] == ["--"] else words
    if words and Path(words[0]).name in _PYTHONS:
        words = words[1:]
    if not words:
        raise TargetError("--run needs a program: a script, -m and a module, or a command such as pytest")
    if words[0] == "-m":
        if len(words) < 2:
            raise TargetError("-m needs the name of a module")
        return Program("module", words[1], tuple(words[2:]))
    if words[0].endswith(".py") and not Path(words[0]).is_file():
        raise TargetError(f"no such file: {words[0]}")
    if Path(words[0]).is_file():
        return Program("script", words[0], tuple(words[1:]))
    if _command(words[0]) is not None:
        return Program("command", words[0], tuple(words[1:]))
    raise TargetError(
        f"{single_line(words[0], 80)!r} is neither a Python file nor a command of a package in this environment; "
        "name a script, or -m and a module, and install warpsmith where the program is installed"
    )


def _command(name: str) -> EntryPoint | None:
    return next(iter(entry_points(group="console_scripts", name=name)), None)


def run_program(program: Program) -> int:
    """Run a program in this process until it ends, and return its exit code; its errors are printed as Python prints them.

    The program finds its own folder first in ``sys.path``, its arguments in ``sys.argv`` and its names in ``__main__``, as
    without warpsmith. Threads that Python would wait for at the end are waited for.
    """
    sys.excepthook = sys.__excepthook__  # as the program would find it
    try:
        _start(program)
        code = 0
    except SystemExit as end:
        code = _exit_code(end)
    except KeyboardInterrupt:
        _print_error()
        code = 130
    except BaseException:  # noqa: BLE001 - any error of the program
        _print_error()
        code = 1
    return _join_threads(code)


def _start(program: Program) -> None:
    if program.kind == "command":
        entry = _command(program.target)
        if entry is None:
            raise SystemExit(f"no such command: {program.target}")
        sys.argv = [program.target, *program.arguments]
        sys.path.insert(0, str(Path(sys.executable).parent))
        sys.exit(entry.load()())
    if program.kind == "script":
        path = Path(program.target)
        sys.path.insert(0, str(path.resolve().parent))
        sys.argv = [program.target, *program.arguments]
        if not path.is_file():
            raise SystemExit(f"no such file: {program.target}")
        main = _main_module(program.target, None)
        code = compile(path.read_bytes(), program.target, "exec", dont_inherit=True)
    else:
        sys.path.insert(0, str(Path.cwd()))
        spec = _module_spec(program.target)
        sys.argv = [str(spec.origin), *program.arguments]
        main = _main_module(str(spec.origin), spec)
        code = spec.loader.get_code(spec.name)
    exec(code, main.__dict__)  # noqa: S102 - the user's own program, in a separate process


def _module_spec(name: str) -> Any:
    """Return the spec of a module, for a package that of its ``__main__``."""
    try:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.submodule_search_locations is not None:
            spec = importlib.util.find_spec(f"{name}.__main__")
    except (ImportError, ValueError):
        spec = None
    if spec is None or not hasattr(spec.loader, "get_code"):
        raise SystemExit(f"No module named {name}")
    return spec


def _main_module(file: str, spec: Any) -> ModuleType:
    """Return a new ``__main__``, which stays: kernels look up the names of their source in it after the program has ended."""
    main = ModuleType("__main__")
    main.__file__ = file
    main.__spec__ = spec
    main.__package__ = spec.parent if spec is not None else None
    main.__loader__ = spec.loader if spec is not None else SourceFileLoader("__main__", file)
    main.__dict__["__builtins__"] = builtins
    sys.modules["__main__"] = main
    return main


def _exit_code(end: SystemExit) -> int:
    if end.code is None:
        return 0
    if isinstance(end.code, int):
        return end.code & 0xFF
    print(end.code, file=sys.stderr)
    return 1


def _print_error() -> None:
    """Print the current exception with the frames of the program only."""
    kind, error, trace = sys.exc_info()
    while trace is not None and trace.tb_frame.f_globals.get("__name__") == __name__:
        trace = trace.tb_next
    if sys.excepthook is not sys.__excepthook__ and kind is not None and error is not None:
        sys.excepthook(kind, error, trace)
    else:
        traceback.print_exception(kind, error, trace)


def _join_threads(code: int) -> int:
    try:
        for thread in threading.enumerate():
            if thread is not threading.current_thread() and not thread.daemon:
                thread.join()
    except KeyboardInterrupt:
        return 130
    return code
