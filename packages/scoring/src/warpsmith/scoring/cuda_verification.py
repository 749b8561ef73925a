"""Verification of stand-alone CUDA: each text is judged as an answer of a model is, on all launches of its pair.

NVRTC compiles a text, the SIMT machine runs it over several grids and reports findings, and the results are compared with
those of the code that Warp generates.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace

from warpsmith.core.execution.batches import divide
from warpsmith.core.inputs.values import leaves, make_inputs
from warpsmith.core.records.launch import Launch
from warpsmith.core.records.launch_size import launch_size
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.plain_outcome import PlainOutcome, PlainProblem
from warpsmith.scoring.cuda_writer.idioms import idioms_of
from warpsmith.scoring.cuda_writer.sizes.launch_sizes_code import Contract, size
from warpsmith.scoring.cuda_writer.write_cuda import CudaText, NotWritten, write_cuda
from warpsmith.scoring.judging.judge_client import ask
from warpsmith.scoring.judging.launch_sizes import literals
from warpsmith.scoring.judging.reference_results import Judged, references_of
from warpsmith.scoring.judging.result_comparison import Reference, first_difference
from warpsmith.scoring.judging.time_budget import TimeBudget
from warpsmith.scoring.judging.wire import from_trial, to_outputs
from warpsmith.scoring.judging.worker_messages import (
    READ,
    RUN_PLAIN,
    AcceptedText,
    AnswerToRead,
    EncodedTrial,
    Launched,
    Nonsense,
    NonsenseError,
    PlainTextToRun,
    Rejection,
)
from warpsmith.scoring.plain.plain_signature import Signature
from warpsmith.scoring.tasks.fixed_sizes import arrays_are_fixed
from warpsmith.scoring.tasks.task import Task
from warpsmith.validation.sandbox.headers import Headers
from warpsmith.validation.sandbox.supervisor import WORKERS, Supervisor

SECONDS_PER_TEXT = 20.0
"""The time limit for all launches of a text."""

FEWEST_LAUNCHES = 4
"""The fewest launches that have to fulfil the contract of a text."""

PAIRS_AT_ONCE, LAUNCH_BYTES = 32, 24 << 20
"""The most pairs of one request, and the most bytes of their launches."""

SEED = "plain"
"""Determines the launches: the same pair has the same ones each time."""


@dataclass(frozen=True, slots=True)
class Verified:
    """The stand-alone CUDA of a pair.

    Attributes:
        text: the text; None if the pair has none, or the text is not right.
        outcome: on how many launches it is right, or why there is none.
    """

    text: str | None
    outcome: PlainOutcome


def _not_verified(problem: PlainProblem, reason: str) -> Verified:
    return Verified(None, PlainOutcome(problem=problem, reason=reason[:300]))


class CudaVerifier:
    """Writes stand-alone CUDA for pairs and verifies it; use it as a context manager.

    Args:
        unconfined: whether to work without the parts of the sandbox that this system lacks.
    """

    def __init__(self, *, unconfined: bool = False) -> None:
        self._headers = Headers()
        self._judge = Supervisor((), WORKERS[unconfined], self._headers, compiles=True)
        self._machine = Supervisor((), WORKERS[unconfined], self._headers, uses_machine=True)

    def __enter__(self) -> CudaVerifier:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the workers and remove their files."""
        self._judge.close()
        self._machine.close()
        self._headers.close()

    def texts(self, pairs: Sequence[Pair]) -> list[Verified]:
        """Return the verified text of each pair, or why it has none."""
        found: list[Verified] = []
        for batch in divide(pairs, PAIRS_AT_ONCE, (_launch_bytes, LAUNCH_BYTES)):
            found += self._batch(batch)
        return found

    def _batch(self, pairs: Sequence[Pair]) -> list[Verified]:
        written = [_written(pair) for pair in pairs]
        ready = [(pair, text) for pair, text in zip(pairs, written, strict=True) if isinstance(text, CudaText)]
        outcomes = self.verify(ready)
        again = [number for number, found in enumerate(outcomes) if found.text is None and ready[number][1].contract.shares]
        apart = [(ready[number][0], _with_all_sizes(ready[number][0])) for number in again]
        for number, outcome in zip(again, self.verify(apart), strict=True):
            outcomes[number] = outcome
        remaining = iter(outcomes)
        return [next(remaining) if isinstance(text, CudaText) else _not_verified("unsupported", text) for text in written]

    def verify(self, texts: Sequence[tuple[Pair, CudaText]]) -> list[Verified]:
        """Verify texts, each of a pair with a launch."""
        tasks = {pair.id: _task(pair) for pair, _ in texts}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # comparisons of NaN
            fits = {pair.id: text.contract.holds for pair, text in texts}
            judged = references_of(self._judge, tasks, SEED, fits=fits)
            cases = [self._case(pair, text, judged[pair.id]) for pair, text in texts]
            answers = iter(self._launched([case for case in cases if isinstance(case, _Case)]))
            found = [
                case.verdict(next(answers)) if isinstance(case, _Case) else _not_verified("reference", case) for case in cases
            ]
            return self._with_launchers(cases, found)

    def _with_launchers(self, cases: Sequence[_Case | str], found: Sequence[Verified]) -> list[Verified]:
        """Return the outcomes with texts that have their launchers, as far as they are right as programs."""
        verified = list(found)
        programs = {
            number: case.program
            for number, (case, outcome) in enumerate(zip(cases, found, strict=True))
            if isinstance(case, _Case) and outcome.text is not None
        }
        known = {number: program for number, program in programs.items() if program is not None}
        for (number, program), answered in zip(known.items(), self._launched(list(known.values())), strict=True):
            if program.verdict(answered).text is not None:
                verified[number] = replace(found[number], text=program.text.text)
        return verified

    @staticmethod
    def _case(pair: Pair, text: CudaText, judged: Judged) -> _Case | str:
        if not judged.references:
            return judged.problem or "the reference cannot be run"
        references = [
            reference for reference in judged.references if text.contract.holds(reference.trial.launch, reference.trial.values)
        ]
        if len(references) < min(FEWEST_LAUNCHES, len(judged.references)):
            return f"{len(references)} of {len(judged.references)} launches fulfil the contract"
        if _may_vary(pair, text.contract) and not any(_has_other_sizes(pair, reference) for reference in references):
            return "no launch of another size fulfils the contract"
        return _Case(text, text.signature, references)

    def _launched(self, cases: Sequence[_Case]) -> list[Launched | Rejection | Nonsense]:
        budget = TimeBudget.starting(SECONDS_PER_TEXT, None)
        sent: list[EncodedTrial] = []
        texts = []
        to_read = [AnswerToRead("cuda", case.text.text, case.signature.name, "", case.signature) for case in cases]
        read = ask(self._judge, READ, to_read, budget)
        for case, accepted in zip(cases, read, strict=True):
            numbers = tuple(range(len(sent), len(sent) + len(case.references)))
            sent += [from_trial(reference.trial, reference.shapes) for reference in case.references]
            if isinstance(accepted, AcceptedText):
                texts.append(PlainTextToRun(accepted.text, case.signature, "", numbers))
        answered = iter(ask(self._machine, RUN_PLAIN, texts, budget, trials=sent))
        return [next(answered) if isinstance(accepted, AcceptedText) else accepted for accepted in read]


@dataclass(frozen=True, slots=True)
class _Case:
    """A text and the launches that it is compared on."""

    text: CudaText
    signature: Signature
    references: list[Reference]

    @property
    def program(self) -> _Case | None:
        """The text as a program, whose launcher is called on a few launches; None if it has no launcher."""
        launcher = self.text.launcher
        return None if launcher is None else _Case(self.text, launcher.signature, self.references[:FEWEST_LAUNCHES])

    def verdict(self, answered: Launched | Rejection | Nonsense) -> Verified:
        """Return the text if its results are right, or why it is not."""
        if isinstance(answered, Rejection):
            return _not_verified("compile", f"{answered.stage}: {answered.reason}")
        if isinstance(answered, Nonsense):
            return _not_verified("compile", "the worker answered nonsense")
        try:
            for reference, runs in zip(self.references, answered.runs, strict=True):
                for run in runs:
                    if run.problem is not None:
                        return _not_verified("launch", f"{run.problem} ({reference.trial.name} launch)")
                    if run.outputs != reference.encoded:
                        outputs = to_outputs(run.outputs, reference.trial, False)
                        if (difference := first_difference(reference, outputs)) is not None:
                            return _not_verified("result", f"{difference} ({reference.trial.name} launch)")
        except (NonsenseError, ValueError):
            return _not_verified("launch", "the worker answered nonsense")
        return Verified(self.text.device_text, PlainOutcome(launches=len(self.references)))


def _written(pair: Pair) -> CudaText | str:
    try:
        return write_cuda(pair)
    except NotWritten as reason:
        return str(reason)


def _with_all_sizes(pair: Pair) -> CudaText:
    """Return a text with a parameter for the length of each axis."""
    return write_cuda(pair, replace(idioms_of(pair.id), shares_sizes=False))


def _task(pair: Pair) -> Task:
    return Task(pair.id, "python_to_cuda", "", pair, f"{pair.metadata.kernel_name}_cuda_kernel_forward")


def _may_vary(pair: Pair, contract: Contract) -> bool:
    """Return whether sizes that are equal by contract may have other lengths: equal ones of one launch may be so by chance."""
    launch = pair.metadata.launch
    if launch is None or arrays_are_fixed(pair):
        return False
    values = make_inputs(launch, pair.id)
    pinned = literals(pair) | {0, 1}
    return any(size(source, launch, values) not in pinned for each in contract.equal for source in each)


def _has_other_sizes(pair: Pair, reference: Reference) -> bool:
    """Return whether a launch has arrays of other shapes than the pair's own."""
    launch = pair.metadata.launch
    return launch is not None and _shapes(launch) != _shapes(reference.trial.launch)


def _shapes(launch: Launch) -> list[tuple[int, ...]]:
    return [leaf.shape for leaf in leaves(launch)]


def _launch_bytes(pair: Pair) -> int:
    launch = pair.metadata.launch
    return 0 if launch is None else launch_size(launch).bytes
