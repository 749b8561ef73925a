"""`warpsmith-validate`: check the pairs of a dataset level by level, and reduce a failing pair.

Imports within functions keep `--help` and shell completion fast: the levels and the sandbox take most of a second to load.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from warpsmith.core import terminal
from warpsmith.core.commands import groups, options
from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.errors import EXIT_BAD_INPUT, EXIT_DONE, EXIT_FAILED
from warpsmith.core.files import storage
from warpsmith.core.records.verdict import STATUSES
from warpsmith.validation.gate.gate_command import GateRequest, gate_options
from warpsmith.validation.levels.registry import LEVELS, Level, levels_to, with_sample
from warpsmith.validation.programs_cli import check_programs

if TYPE_CHECKING:  # see above
    from warpsmith.validation.gate.decision import Decision
    from warpsmith.validation.outcome import Outcome

_LEVELS = "\n".join(f"  {level.name:<12}{level.summary}" for level in LEVELS)

EXAMPLES = f"""\b
Examples:
  warpsmith-validate run data/both                               levels schema and parse, on all pairs
  warpsmith-validate run data/both --level gradient              every level up to gradient, on all pairs
  warpsmith-validate run data/both --level oracle --sample 500   also the independent interpreter, on 500 pairs
  warpsmith-validate run data/both --level gradient --simt 100   also the PTX of one pair in 100 on a SIMT machine
  warpsmith-validate run pairs.jsonl --level gradient --baseline known.json --sarif findings.sarif
  warpsmith-validate reduce data/both 5-2000-17 --level gradient
  warpsmith-validate programs data/programs                      generated programs with host code
  warpsmith-validate tapes tapes.jsonl                           the gradients of whole programs

\b
Levels, in order of cost; a pair that fails a level is not checked by later ones:
{_LEVELS}

Verdicts are written next to the shards, as verdicts-*.jsonl, or into the folder of -o. Pairs that already have verdicts are
skipped. If the folder is read-only, verdicts are printed and not kept.

Exit codes: 0 none failed, 1 some failed, 2 bad arguments, no such dataset, or the machine prevented checks. With --strict,
1 also if some were inconclusive or skipped, or if nothing was checked. For the kernels of a project and --level gradient:
0 no gradient is wrong, 1 some are wrong and not in the baseline, or with --strict another result needs attention.
"""

REDUCE_EXAMPLES = """\b
Examples:
  warpsmith-validate reduce data/both 5-2000-17 --level gradient
  warpsmith-validate reduce data/both 5-2000-17 --level emulate -o reduced.jsonl
  warpsmith-validate reduce data/both 5-2000-17 --level compile --seconds 60
  warpsmith-validate reduce pairs.jsonl my_project-1.0-sim.step --level gradient --reproducer reproducer.py
  warpsmith-validate reduce pairs.jsonl my_project-1.0-sim.step --level gradient --report report.md

Exit codes: 0 reduced, 1 no reproducer shows the error, 2 bad arguments, no such pair, or the pair does not fail the level.
"""

TAPES_EXAMPLES = """\b
Examples:
  warpsmith-validate tapes tapes.jsonl
  warpsmith-validate tapes tapes.jsonl --strict --sarif findings.sarif

\b
The file comes from a program that runs:
  warpsmith-extract -d both -b -o pairs.jsonl --tapes tapes.jsonl --run my_simulation.py

Exit codes: 0 no gradient is wrong, 1 some are wrong and not in the baseline, or with --strict another result needs attention,
2 bad arguments or input, or the machine prevented checks.
"""
MAX_SHOWN_FAILURES = 20
"""The largest number of failures that are printed."""


@groups.group("warpsmith-validation", EXAMPLES)
def cli() -> None:
    """Check pairs of Python kernels and generated code.

    Pairs are not trusted: they are decoded, loaded, compiled and run in sandboxed processes only.
    """


@cli.command("run", context_settings=options.CONTEXT, epilog=EXAMPLES)
@click.argument("dataset", type=click.Path())
@click.option("--level", metavar="LEVEL", default="parse", show_default=True, help="The highest level to check.")
@click.option(
    "--simt", type=options.COUNT, metavar="SHARE", help="Also check one pair in SHARE by level simt, the choice is by id."
)
@options.sample_option("Check only so many pairs; the choice is always the same.")
@click.option(
    "-o", "--output", type=click.Path(file_okay=False, path_type=Path), help="The folder of the verdicts.  [default: DATASET]"
)
@options.executor_options
@click.option("--again", is_flag=True, help="Also check pairs that already have verdicts.")
@click.option(
    "--if-changed",
    is_flag=True,
    help="Read nothing if all pairs have verdicts of these checks and every shard has the size that the manifest states.",
)
@gate_options
@options.unconfined_option
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
def run_command(
    dataset: str,
    level: str,
    simt: int | None,
    sample: str | None,
    output: Path | None,
    workers: str,
    executor: str,
    ray_address: str | None,
    again: bool,
    if_changed: bool,
    gate: GateRequest,
    unconfined: bool,
    as_json: bool,
) -> int:
    """Check the pairs of DATASET, a folder with pairs-*.jsonl or one JSONL file.

    For the pairs of a project, the command also prints each kernel that did not pass, with its file and line. With --level
    gradient, only wrong gradients of a project make the command fail. [tool.warpsmith] in the pyproject.toml of the working
    directory may contain strict, baseline, intended, sarif, junit and summary.
    """
    from warpsmith.core.commands.executor_choice import select_executor
    from warpsmith.core.commands.verdict_folder import with_verdict_folder
    from warpsmith.core.datasets.checks import update_card
    from warpsmith.core.execution.executor import InProcess
    from warpsmith.validation.dataset_run import validate_dataset
    from warpsmith.validation.gate.dataset_results import is_of_project, kernel_results
    from warpsmith.validation.gate.gate_run import GateRun
    from warpsmith.validation.sandbox.supervisor import WORKERS
    from warpsmith.validation.stored_outcome import stored_outcome

    found = Dataset.open(storage.open_path(dataset))
    levels, size = _levels(level, simt), found.sample_size(sample)
    project = GateRun.of(gate) if is_of_project(found) else None
    if project is None:
        gate.reject()
    if if_changed and not again and not project and (stored := stored_outcome(found, levels, size)) is not None:
        _print_results([], stored, None, level, as_json)
        return _exit_code([], stored, None, gate, level)
    selected = select_executor(executor, workers, ray_address, InProcess)
    problems = list(found.problems())
    module = WORKERS[unconfined]
    with with_verdict_folder(found, output) as opened:
        outcome = validate_dataset(opened, levels, sample=size, again=again, module=module, executor=selected)
        update_card(opened)
        names = [checked.name for checked in sorted(levels, key=lambda checked: checked.share == 1)]  # the last checks all
        decision = None if project is None else project.decide(kernel_results(opened, names, size, outcome.machine))
    _print_results(problems, outcome, decision, level, as_json)
    return _exit_code(problems, outcome, decision, gate, level)


@cli.command("tapes", context_settings=options.CONTEXT, epilog=TAPES_EXAMPLES)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@gate_options
@options.unconfined_option
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
def check_tapes(file: Path, gate: GateRequest, unconfined: bool, as_json: bool) -> int:
    """Check the gradients of whole programs: the backward passes that FILE contains.

    Where a tape goes wrong, the launch is printed with its file and line in the program.
    """
    from warpsmith.validation.gate.tapes_command import tapes_command

    return tapes_command(file, gate, unconfined, as_json)


@cli.command("reduce", context_settings=options.CONTEXT, epilog=REDUCE_EXAMPLES)
@click.argument("dataset", type=click.Path(path_type=Path))
@click.argument("identity", metavar="ID")
@click.option("--level", required=True, metavar="LEVEL", help="The level that the pair fails.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write the reduced pair to this file as one JSON line.")
@click.option(
    "--reproducer",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a Python file that shows the wrong gradient with Warp and NumPy alone.",
)
@click.option(
    "--report",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a bug report in Markdown, for an issue of the project or of Warp.",
)
@click.option("--seconds", type=options.COUNT, default=900, show_default=True, help="The time limit; the best result counts.")
@options.workers_option
@options.unconfined_option
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def reduce_pair(
    dataset: Path,
    identity: str,
    level: str,
    output: Path | None,
    reproducer: Path | None,
    report: Path | None,
    seconds: int,
    workers: str,
    unconfined: bool,
    as_json: bool,
) -> int:
    """Shrink the kernel of pair ID while it fails the same level, and print its Python."""
    from warpsmith.validation.reduction.reduce_command import reduce_command

    return reduce_command(dataset, identity, level, output, as_json, workers, seconds, unconfined, reproducer, report)


def _levels(level: str, simt: int | None) -> tuple[Level, ...]:
    """Return the levels up to ``level``, and level `simt` for one pair in ``simt``."""
    levels = levels_to(level)
    return levels if simt is None else with_sample(levels, "simt", simt)


def _exit_code(problems: list[str], outcome: Outcome, decision: Decision | None, gate: GateRequest, level: str) -> int:
    """Print why the results do not show that all pairs are right, and return the exit code.

    Of a project whose gradients were checked, the decision about its kernels counts, and lines that are no pairs.
    """
    from warpsmith.validation.gate.kernel_result import GRADIENT_LEVELS
    from warpsmith.validation.gate.strict import NOTHING, of_pairs

    strict = bool(gate.strict) if decision is None else decision.strict
    shortcomings = of_pairs(outcome) if decision is None else decision.shortcomings
    if shortcomings and (strict or NOTHING in shortcomings):
        terminal.err.print(f"{'error: --strict' if strict else 'warning'}: {', '.join(shortcomings)}", soft_wrap=True)
    if outcome.not_checked and (decision is None or strict or level not in GRADIENT_LEVELS):
        return EXIT_BAD_INPUT
    if decision is None:
        failed = bool(outcome.failures) or (strict and bool(shortcomings))
    else:
        kernels = {result.id for result in decision.results}
        failed = decision.failed or any(failure.id not in kernels for failure in outcome.failures)
    return EXIT_FAILED if problems or failed else EXIT_DONE


def _print_results(problems: list[str], outcome: Outcome, decision: Decision | None, level: str, as_json: bool) -> None:
    """Print the results of a run; ``decision`` is that on a project whose pairs were checked up to ``level``."""
    from warpsmith.validation.gate.kernel_table import print_results

    if as_json:
        _print_json(problems, outcome, decision)
        return
    _print(problems, outcome)
    if decision is not None:
        print_results(level, decision)


def _print_json(problems: list[str], outcome: Outcome, decision: Decision | None) -> None:
    result = {
        "problems": problems,
        "pairs": outcome.pairs,
        "levels": outcome.statuses,
        "failures": outcome.failures,
        "reused": outcome.reused,
        "discarded": outcome.discarded,
        "not_checked": outcome.not_checked,
        "machine": outcome.machine,
        "sandbox": outcome.sandbox or {},
    }
    if decision is not None:
        result |= {"kernels": decision.results, "failed": decision.failed, "fixed": decision.fixed}
    options.print_json(result)


def _print(problems: list[str], outcome: Outcome) -> None:
    terminal.print_problems(problems)
    for verdict in outcome.failures[:MAX_SHOWN_FAILURES]:
        terminal.err.print(f"fail: {verdict.id}: {verdict.level}: {verdict.reason}", soft_wrap=True)
    if len(outcome.failures) > MAX_SHOWN_FAILURES:
        terminal.err.print(f"… and {len(outcome.failures) - MAX_SHOWN_FAILURES} more, see verdicts-*.jsonl")
    for remark in outcome.remarks:
        terminal.err.print(remark, soft_wrap=True)
    rows = [(name, *(f"{counts[status]:,}" for status in STATUSES)) for name, counts in outcome.statuses.items()]
    terminal.print_table(f"verdicts on {outcome.pairs:,} pairs", ("level", *STATUSES), rows)


cli.add_command(check_programs)


def main() -> None:
    """Entry point of the command."""
    sys.exit(options.run(cli))
