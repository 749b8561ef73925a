"""The search: batches of forms and their partners, faults, clusters, and what is new."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from warpsmith.core.files.atomic import write_atomic
from warpsmith.validation.fuzz.case_runs import CaseWorker, Result
from warpsmith.validation.fuzz.comparisons import fault_alone, fault_of_pair, fault_of_releases
from warpsmith.validation.fuzz.fault_clusters import Cluster, distinctive, known_as
from warpsmith.validation.fuzz.form_draws import draw_forms
from warpsmith.validation.fuzz.form_search import Finding, reduced
from warpsmith.validation.fuzz.fuzz_report import report
from warpsmith.validation.fuzz.fuzz_state import FuzzState, read_state, write_state
from warpsmith.validation.fuzz.grammar.cases import case_of
from warpsmith.validation.fuzz.grammar.forms import Form, parse_form, partners
from warpsmith.validation.fuzz.ledger import Bug
from warpsmith.validation.fuzz.level_runs import LevelRuns
from warpsmith.validation.fuzz.reproducer_text import reproducer
from warpsmith.validation.fuzz.search_plot import PLOT, search_plot
from warpsmith.validation.fuzz.source_search import reduced_source

BATCH_FORMS = 64
"""The number of forms of a batch, which is one module for each value of the axis ``options``."""

PAIRED = 0.4
"""The share of forms that get a partner that means the same; of forms with up to `SIMPLE` features all do that have one which
differs in a feature of theirs."""

SIMPLE = 2
"""The most features of a simple form."""

REDUCTIONS = 6
"""The most reductions of new faults in a batch; the forms of further ones run again in the next batches."""

OTHER_RELEASE = 4
"""One batch in so many also runs with the other release of Warp."""


@dataclass(frozen=True, slots=True)
class FuzzRequest:
    """What to search.

    Attributes:
        folder: the folder of the state, the report and the reproducers.
        seed: the seed of all forms.
        seconds: the time limit.
        bugs: the ledger.
        other_python: the interpreter of an environment with another release of Warp; empty for none.
        levels: one form in so many is also checked by the levels of `warpsmith-validate`; 0 for none.
        reduce_seconds: the time for the reduction of the text of each new cluster.
        batches: the largest number of batches; 0 for no limit.
    """

    folder: Path
    seed: int
    seconds: float
    bugs: tuple[Bug, ...]
    other_python: str = ""
    levels: int = 0
    reduce_seconds: float = 30.0
    batches: int = 0


def search(request: FuzzRequest, progress: Callable[[FuzzState], None]) -> FuzzState:
    """Continue the search in a folder until its time is over, and return its state.

    Raises:
        WarpsmithError: if the folder contains another search, or an environment has no Warp.
    """
    request.folder.mkdir(parents=True, exist_ok=True)
    with CaseWorker() as worker:
        state = read_state(request.folder, request.seed, worker.warp)
        for cluster in state.clusters:  # the ledger may know more than before
            cluster.bug = known_as(request.bugs, cluster)
        start, before = time.monotonic(), state.seconds
        other = CaseWorker(request.other_python) if request.other_python else None
        with other or _Nothing(), LevelRuns(request.levels) as levels:
            done = 0
            while time.monotonic() - start < request.seconds and done != (request.batches or -1):
                _Batch(request, state, worker, other, levels).run(before + time.monotonic() - start)
                state.seconds = before + time.monotonic() - start
                state.timeline.append((round(state.seconds, 1), state.kernels, len(state.forms), len(state.clusters)))
                write_state(request.folder, state)
                progress(state)
                done += 1
        _finish(request, state, worker)
    write_state(request.folder, state)
    picture = search_plot(state)
    if picture is not None:
        write_atomic(request.folder / PLOT, picture)
    write_atomic(request.folder / "report.md", report(state, "" if picture is None else PLOT).encode())
    return state


class _Nothing:
    """A context for no second release."""

    def __enter__(self) -> None: ...
    def __exit__(self, *_: object) -> None: ...


class _Batch:
    """One batch of a search."""

    def __init__(
        self, request: FuzzRequest, state: FuzzState, worker: CaseWorker, other: CaseWorker | None, levels: LevelRuns
    ) -> None:
        self._request, self._state, self._worker, self._other, self._levels = request, state, worker, other, levels
        self._rng = random.Random(f"{request.seed}:{state.batches}:pairs")  # noqa: S311 - no secret
        self._reductions = 0

    def run(self, seconds: float) -> None:
        """Draw, run and compare."""
        state = self._state
        found = [distinctive(parse_form(cluster.form)) for cluster in state.clusters if not cluster.difference]
        forms = draw_forms(self._request.seed, state.batches, BATCH_FORMS, state.seen, found)
        partner_forms = [self._partner(form) for form in forms]
        again, state.postponed = state.postponed[:REDUCTIONS], state.postponed[REDUCTIONS:]
        forms = [*(parse_form(form) for form, _ in again), *forms]
        partner_forms = [*(parse_form(other) if other else None for _, other in again), *partner_forms]
        drawn = list(dict.fromkeys([*forms, *(form for form in partner_forms if form is not None)]))
        results = dict(zip(drawn, self._worker.run([case_of(form) for form in drawn]), strict=True))
        state.batches += 1
        state.count([result.status for result in results.values()])
        state.compared += sum(result.compared for result in results.values())
        state.forms.update(form.text for form in drawn)
        findings = [Finding(form, fault) for form, result in results.items() if (fault := fault_alone(form, result))]
        findings += self._of_pairs(forms, partner_forms, results)
        findings += self._of_releases(results) + self._of_levels(results)
        for finding in findings:
            self._add(finding, seconds)

    def _partner(self, form: Form) -> Form | None:
        possible = list(partners(form))
        of_features = [(axis, other) for axis, other in possible if axis in form.changed and axis != "options"]
        is_simple = len(form.changed) <= SIMPLE and bool(of_features)
        if self._rng.random() >= PAIRED and not is_simple:
            return None
        return self._rng.choice(of_features or possible)[1] if possible else None

    def _of_pairs(self, forms: list[Form], partner_forms: list[Form | None], results: dict[Form, Result]) -> list[Finding]:
        findings = []
        for form, other in zip(forms, partner_forms, strict=True):
            if other is not None:
                self._state.pairs += 1
                if fault := fault_of_pair(form, other, results[form], results[other]):
                    findings.append(Finding(form, fault, other))
        return findings

    def _of_releases(self, results: dict[Form, Result]) -> list[Finding]:
        if self._other is None or self._state.batches % OTHER_RELEASE:
            return []
        second = self._other.run([case_of(form) for form in results])
        pairs = zip(results.items(), second, strict=True)
        return [Finding(form, fault) for (form, first), result in pairs if (fault := fault_of_releases(form, first, result))]

    def _of_levels(self, results: dict[Form, Result]) -> list[Finding]:
        right = [form for form, result in results.items() if result.status == "ok" and not result.wrong]
        return [Finding(form, fault) for form, fault in self._levels.faults(right)]

    def _add(self, finding: Finding, seconds: float) -> None:
        """Count a finding in its cluster, or reduce it and make a new one."""
        for cluster in self._state.clusters:
            if cluster.explains(finding):
                cluster.count += 1
                return
        small = finding
        is_simple = finding.other is None and len(finding.form.changed) <= 1
        if not is_simple and finding.fault.kind != "release" and not finding.fault.kind.startswith("level-"):
            if self._reductions >= REDUCTIONS:
                self._state.postponed.append((finding.form.text, finding.other_text))
                return
            self._reductions += 1
            small = reduced(finding, self._worker.run)
        cluster = _cluster_of(small, seconds)
        same = next((known for known in self._state.clusters if known.explains(small)), None)
        if same is not None:
            same.count += 1
            return
        cluster.bug = known_as(self._request.bugs, cluster)
        self._state.clusters.append(cluster)


def _cluster_of(finding: Finding, seconds: float) -> Cluster:
    return Cluster(
        finding.fault.kind,
        finding.form.text,
        finding.fault.detail,
        finding.other_text,
        finding.difference,
        count=1,
        seconds=round(seconds, 1),
    )


def _finish(request: FuzzRequest, state: FuzzState, worker: CaseWorker) -> None:
    """Reduce the texts of new clusters, and write a reproducer of each."""
    folder = request.folder / "clusters"
    folder.mkdir(exist_ok=True)
    for cluster in state.clusters:
        if cluster.bug or cluster.kind.startswith("level-"):
            continue
        form = parse_form(cluster.form)
        case, other = case_of(form), case_of(parse_form(cluster.other)) if cluster.other else None
        if not cluster.source and other is None and cluster.kind in {"gradient", "compile"} and request.reduce_seconds > 0:
            cluster.source = reduced_source(form, case, cluster.kind, worker.run, request.reduce_seconds)
        text = reproducer(cluster.kind, cluster.detail, cluster.form, case, cluster.source, other)
        write_atomic(folder / f"{cluster.name}.py", text.encode())
