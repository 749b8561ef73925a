"""`warpsmith-validate tapes`: the gradients of recorded programs."""

from __future__ import annotations

import math
from pathlib import Path

from warpsmith.core.commands import options
from warpsmith.core.errors import EXIT_BAD_INPUT, EXIT_DONE, EXIT_FAILED
from warpsmith.core.records.tape_lines import read_programs
from warpsmith.validation.gate.gate_command import GateRequest
from warpsmith.validation.gate.gate_run import GateRun
from warpsmith.validation.gate.kernel_result import MACHINE_LEVEL, PROGRAM
from warpsmith.validation.gate.kernel_table import print_results
from warpsmith.validation.gate.program_checks import check_tapes


def tapes_command(path: Path, gate: GateRequest, unconfined: bool, as_json: bool) -> int:
    """Check the recordings of a file, print the results, and return the exit code.

    Raises:
        WarpsmithError: if a line is no recording, or a file cannot be read or written.
    """
    run = GateRun.of(gate)
    decision = run.decide(check_tapes(list(read_programs(path)), math.inf, unconfined))
    if as_json:
        options.print_json({"programs": decision.results, "failed": decision.failed, "fixed": decision.fixed})
    else:
        print_results(PROGRAM, decision)
    if any(result.level == MACHINE_LEVEL for result in decision.results):
        return EXIT_BAD_INPUT
    return EXIT_FAILED if decision.failed else EXIT_DONE
