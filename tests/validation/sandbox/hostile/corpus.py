"""The table of this folder: pairs as hostile as a dataset can hold, what each is after, and where it has to end.

The files are Python that Warp can translate, as far as that goes; the first line says what each one tries. Those with a marker
succeed where a file of the name `MARKER` appears; give `Hostile.source` another place for it, outside of what may be written.
None does lasting harm where nothing stops it, but for using up time and memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from warpsmith.core.records.launch import Argument, Domain, Launch

HERE = Path(__file__).parent

MARKER = "/tmp/warpsmith-marker"  # noqa: S108 - it stands in the files and is replaced by who uses them

LAUNCH = Launch(
    dim=(8,),
    args=(
        Argument(
            name="x",
            kind="array",
            dtype="float32",
            role="inout",
            shape=(8,),
            domain=Domain(kind="uniform", low=0.0, high=1.0),
        ),
    ),
)
"""How to run any of them."""


@dataclass(frozen=True)
class Hostile:
    """A file of this folder.

    Attributes:
        name: of the file and, with other spelling, of the deed.
        beneath: the level by which it has failed even if level parse lets everything pass. None: it need not fail, because it
            does nothing to its own pair, or because what it tries is refused without an error; it must not succeed either.
        complaint: what the allow list of level parse has to say, None if nothing.
        extractable: whether Warp generates text for it; loading it may do the deed.
        marker: whether success would leave the marker.
    """

    name: str
    beneath: str | None
    violation: str | None = None
    extractable: bool = True
    marker: bool = False

    @property
    def level(self) -> str | None:
        """The level by which it has failed at the latest."""
        return "parse" if self.violation else self.beneath

    @property
    def attempts(self) -> str:
        """What it tries, in words."""
        first = (HERE / f"{self.name}.py").read_text().splitlines()[0]
        return first.removeprefix("# Tries to ").removesuffix(".")

    def source(self, marker: Path | str = MARKER) -> str:
        """The Python of the pair, with ``marker`` for the file that tells of success."""
        return (HERE / f"{self.name}.py").read_text().replace(MARKER, str(marker))


WHEN_LOADED = (
    Hostile("annotation", None, "line 6: call of an expression", marker=True),
    Hostile("class_walk", None, "line 4: call of an expression", marker=True),
    Hostile("decorator", "regenerate", "line 7: call of an expression", extractable=False, marker=True),
    Hostile("default_value", "regenerate", "line 6: call of an expression", extractable=False, marker=True),
    Hostile("import_in_a_function", None, "line 7: import of os", marker=True),
    Hostile("key_function", "regenerate", "line 4: a key function", extractable=False, marker=True),
    Hostile("memory_map", "regenerate", "line 6: call of np.memmap", extractable=False, marker=True),
    Hostile("run_a_command", None, "line 3: import of os", marker=True),
    Hostile("static_expression", "regenerate", "line 9: call of an expression", extractable=False, marker=True),
    Hostile("large_list", "regenerate", extractable=False),
    Hostile("large_number", "regenerate", extractable=False),
    Hostile("never_loaded", "regenerate", extractable=False),
    Hostile("recursion_in_python", "regenerate", extractable=False),
)
"""Python that acts when it is loaded or translated; confined, what is not extractable ends with an error or not at all."""

WHEN_COMPILED = (
    Hostile("close_the_function", None),
    Hostile("constant_bomb", "compile"),
    Hostile("error_directive", "compile"),
    Hostile("include_a_file", "compile"),
    Hostile("inline_assembler", "compile", marker=True),
    Hostile("large_object", "compile"),
    Hostile("macro_bomb", "compile"),
    Hostile("open_comment", "compile"),
    Hostile("recursive_type", "compile"),
    Hostile("redefine_a_type", None),
    Hostile("redefine_a_word", "execute"),
    Hostile("swap_functions", None),
    Hostile("template_bomb", "compile"),
)
"""Text that harms the compiler, or other texts of the same file: those with None do nothing wrong where they stand alone."""

WHEN_RUN = (
    Hostile("before_the_start", "emulate"),
    Hostile("close_everything", "execute"),
    Hostile("create_a_file", "execute", marker=True),
    Hostile("deaf_endless_loop", "execute"),
    Hostile("declared_library", "execute", marker=True),
    Hostile("endless_loop", "execute"),
    Hostile("endless_loop_in_python", "emulate"),  # compilers may leave out a loop that does not end
    Hostile("exit_well", "execute"),
    Hostile("far_out_of_bounds", "execute"),
    Hostile("forge_answers", "execute"),
    Hostile("hoard_memory", "execute"),
    Hostile("in_the_adjoint", "gradient", marker=True),
    Hostile("jump_away", "execute"),
    Hostile("just_out_of_bounds", "emulate"),
    Hostile("kill_itself", "execute"),
    Hostile("large_frame", "execute"),
    Hostile("leave_a_process", "execute", marker=True),
    Hostile("null_pointer", "execute"),
    Hostile("open_a_socket", "execute"),
    Hostile("print_without_end", "execute"),
    Hostile("recursion", "execute"),
    Hostile("run_a_program", "execute", marker=True),
    Hostile("run_a_shell_command", "execute", marker=True),
    Hostile("signal_the_parent", "execute"),
    Hostile("sleep", "execute"),
    Hostile("smash_the_stack", "execute"),
    Hostile("start_a_thread", "execute"),
    Hostile("undefined_instruction", "execute"),
    Hostile("wait_for_itself", "execute"),
    Hostile("write_everywhere", "execute"),
)
"""Machine code. The C library that some of it finds is that of Linux; on other systems the search ends in a fault."""

CORPUS = (*WHEN_LOADED, *WHEN_COMPILED, *WHEN_RUN)
