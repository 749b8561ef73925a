"""The chances and choices of the styles of programs."""

from __future__ import annotations

FORMS = ("class", "class", "class", "run", "run", "steps", "main", "script")
"""The form of the host code: a class, one function, functions for the setup and a step, the main function, or no function."""

DEVICES = ("none", "none", "scoped", "argument")
"""How the device is chosen: not at all, by ``wp.ScopedDevice``, or by an argument of each call."""

ARGPARSE_CHANCE = 0.45
MAX_OPTIONS = 3
"""The most parameters that are options of the command line."""

PLACEMENTS = ("arguments", "arguments", "constants", "locals")
"""Where parameters that are no options have their values."""

CHECKS = ("testing", "testing", "allclose", "raise", "error")
"""How arrays are compared."""

CONDITIONS = ("assert", "assert", "message", "raise")
"""How conditions are checked."""

LAUNCHES = ("plain", "plain", "keywords", "kernel", "merged")
"""How ``wp.launch`` is called: positional kernel, all keywords, keyword for the kernel, or all arguments as inputs."""

TAPES = ("with", "lines")
TIMER_CHANCE = 0.25
LOG_CHANCE = 0.4
REPORT_CHANCE = 0.7
COMMENT_SHARES = (0.0, 0.3, 0.7, 1.0)
KERNEL_DOC_CHANCE = 0.3
MODULE_DOCS = ("none", "line", "line", "long")
METHOD_DOC_CHANCE = 0.4
HINT_CHANCE = 0.45
"""The chance that signatures of host functions are annotated."""

TYPED_ARRAY_CHANCE = 0.25
"""The chance that annotations of arrays have the type of their elements."""

LAUNCHER_CHANCES = {True: 0.5, False: 0.2}
"""The chance that kernels are launched by functions for each of them, as in libraries, with annotations and without."""

LAUNCHERS = ("launch", "launch", "run", "apply", "compute")
"""What the names of these functions begin with."""

EARLY_RETURN_CHANCE = 0.5
"""The chance that these functions return where there is nothing to do."""

EMPTY_TEST = "shape[0]"
"""What is 0 of an array with no elements."""

VALIDATE_CHANCE = 0.25
"""The chance that functions check their parameters."""

DEVICE_DEFAULTS = ("none", "if", "if", "is", "is not")
"""How a device that is not given is found: by Warp, by a statement, or by a conditional expression."""

JOINED_CHECK_CHANCE = 0.3
"""The chance that one statement checks several parameters."""

CONTIGUOUS_CHANCE = 0.2
"""The chance that functions that launch a kernel copy an array that is not contiguous."""

ARGUMENT_DOC_CHANCE = 0.5
"""The chance that docstrings of functions describe parameters, where functions have docstrings."""

VERBOSE_CHANCE = 0.3
"""The chance that a parameter decides whether steps print."""

FILL_CHANCE = 0.12
"""The chance that arrays are allocated first and filled in a second statement."""

SHAPE_CHANCE = 0.25
"""The chance of ``shape=`` where arrays are allocated."""

QUIET_CHANCE = 0.1
"""The chance that the program calls ``wp.init()``, which older code does."""

SHORT_TYPES_CHANCE = 0.75
"""The chance of ``wp.vec3`` for ``wp.vec3f``."""

CHECK_INSIDE_CHANCE = 0.35
"""The chance that the results are checked where they are computed, and not in the main function."""

STEP_NAMES = ("step", "step", "advance", "update", "simulate_step", "iterate")
RUN_NAMES = ("run", "run", "simulate", "solve", "execute")
FUNCTION_NAMES = ("run", "simulate", "solve", "compute", "run_program")
CHECK_NAMES = ("check", "verify", "validate", "test_result")
SETUP_NAMES = ("setup", "initialize", "create_state", "build", "make_arrays")
INSTANCES = ("example", "sim", "solver", "model", "program")
LINE_LENGTHS = (88, 100, 120, 120)
