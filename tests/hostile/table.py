"""The table of hostile pairs in `tests/validation/sandbox/hostile`, with the level by which each of them fails.

The files are Python, which Warp can translate in most cases; the first line of a file describes the attack. An attack with a
marker succeeds if it creates the file `MARKER`; pass another path to `Hostile.source`, outside of the writable folders.
No attack does lasting harm if it succeeds, but it can use up time and memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parents[1] / "validation" / "sandbox" / "hostile"

MARKER = "/tmp/warpsmith-marker"  # noqa: S108 - users of the files replace this path


@dataclass(frozen=True)
class Hostile:
    """A file of the folder.

    Attributes:
        name: the name of the file, which describes the attack.
        level_without_parse: the level by which the pair fails if level parse is left out. None: the pair need not fail, because
            the attack does not affect its own pair or is refused without an error; it must not succeed either.
        violation: what the allowlist of level parse reports; None for no violation.
        extractable: whether Warp generates text for the kernel; loading the file may start the attack.
        marker: whether success creates the marker.
    """

    name: str
    level_without_parse: str | None
    violation: str | None = None
    extractable: bool = True
    marker: bool = False

    @property
    def level(self) -> str | None:
        """The level by which the pair fails at the latest."""
        return "parse" if self.violation else self.level_without_parse

    @property
    def attempts(self) -> str:
        """The description of the attack."""
        first = (HERE / f"{self.name}.py").read_text().splitlines()[0]
        return first.removeprefix("# Tries to ").removesuffix(".")

    def source(self, marker: Path | str = MARKER) -> str:
        """Return the Python source of the pair, with the path of the file that shows success."""
        return (HERE / f"{self.name}.py").read_text().replace(MARKER, str(marker))


WHEN_LOADED = (
    Hostile("annotation", None, "line 6: an annotation that is not a type", marker=True),
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
"""Python that acts when it is loaded or translated; sources that are not extractable end with an error or do not end."""

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
    Hostile("redefine_a_keyword", "execute"),
    Hostile("swap_functions", None),
    Hostile("template_bomb", "compile"),
)
"""Text that harms the compiler or other texts of the same unit; attacks with None are harmless in a unit of one pair."""

WHEN_RUN = (
    Hostile("before_the_start", "emulate"),
    Hostile("close_everything", "execute"),
    Hostile("create_a_file", "execute", marker=True),
    Hostile("endless_loop_signals_ignored", "execute"),
    Hostile("declared_library", "execute", marker=True),
    Hostile("endless_loop", "execute"),
    Hostile("endless_loop_in_python", "emulate"),  # compilers may leave out a loop that does not end
    Hostile("exit_with_success", "execute"),
    Hostile("far_out_of_bounds", "execute"),
    Hostile("forge_answers", "execute"),
    Hostile("hoard_memory", "execute"),
    Hostile("in_the_adjoint", "gradient", marker=True),
    Hostile("jump_to_invalid_address", "execute"),
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
"""Machine code. Some attacks search for the C library of Linux; on other systems, the search ends in a fault."""

CORPUS = (*WHEN_LOADED, *WHEN_COMPILED, *WHEN_RUN)
