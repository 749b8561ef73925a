"""The execution of a program from its source text, in this process, without traces in Python's or Warp's state.

The source runs with the rights of this process: pass only sources that warpsmith wrote, or run in a confined process.
"""

from __future__ import annotations

import ast
import contextlib
import io
import linecache
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from types import CodeType, ModuleType

import warp as wp

from warpsmith.core.errors import KernelRejected, describe
from warpsmith.core.records.python_source import NotPythonError, parse_python, source_lines
from warpsmith.extraction.warp import registries
from warpsmith.extraction.warp.runtime import start_runtime

PROGRAM_FILE = "program.py"
"""The source file that messages and recordings of tapes name."""

_NUMBERS = count()


@dataclass(slots=True)
class LoadedProgram:
    """A program whose kernels and functions are defined.

    Attributes:
        name: the name of its module.
        module: the module.
        main: the code below ``if __name__ == "__main__":``.
        printed: what the program has printed.
    """

    name: str
    module: ModuleType
    main: CodeType
    printed: str = ""

    def run(self) -> None:
        """Run the program on the CPU, without arguments.

        Raises:
            KernelRejected: with stage ``run``, if it fails.
        """
        arguments, output = sys.argv, io.StringIO()
        sys.argv = [PROGRAM_FILE]
        try:
            with contextlib.redirect_stdout(output), wp.ScopedDevice("cpu"):
                exec(self.main, self.module.__dict__)
        except (Exception, SystemExit) as error:
            raise KernelRejected("run", describe(error)) from error
        finally:
            sys.argv = arguments
            self.printed = output.getvalue()


@contextlib.contextmanager
def loaded_program(source: str) -> Iterator[LoadedProgram]:
    """Define the kernels and functions of a program inside the ``with`` block.

    Raises:
        KernelRejected: with stage ``load``, if the source is no program or its definitions fail.
    """
    definitions, main = _divided(source)
    start_runtime()
    name = f"warpsmith_program_{next(_NUMBERS)}"  # Warp identifies loaded modules by their name
    module = ModuleType(name)
    module.__file__ = PROGRAM_FILE
    lines = (len(source), None, source_lines(source), PROGRAM_FILE)
    registry = registries.PrivateRegistry()
    with contextlib.closing(registry), registry:
        registry.open(name)
        sys.modules[name] = module
        linecache.cache[PROGRAM_FILE] = lines
        try:
            try:
                exec(definitions, module.__dict__)
            except Exception as error:
                raise KernelRejected("load", describe(error)) from error
            yield LoadedProgram(name, module, main)
        finally:
            sys.modules.pop(name, None)
            linecache.cache.pop(PROGRAM_FILE, None)


def _divided(source: str) -> tuple[CodeType, CodeType]:
    """Return the definitions of a program and what it runs as a script."""
    try:
        tree = parse_python(source)
    except NotPythonError as error:
        raise KernelRejected("load", str(error)) from error
    if not tree.body or not is_main(tree.body[-1]):
        raise KernelRejected("load", 'the file does not end in: if __name__ == "__main__"')
    last = tree.body.pop()
    main = ast.Module(body=last.body, type_ignores=[]) if isinstance(last, ast.If) else tree
    return compile(tree, PROGRAM_FILE, "exec", dont_inherit=True), compile(main, PROGRAM_FILE, "exec", dont_inherit=True)


def is_main(node: ast.stmt) -> bool:
    """Return whether a statement is the test of ``__name__`` at the end of a script, without an alternative."""
    return isinstance(node, ast.If) and not node.orelse and ast.unparse(node.test) == "__name__ == '__main__'"
