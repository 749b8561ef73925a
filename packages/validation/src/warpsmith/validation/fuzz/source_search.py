"""Reduction of a case as text: the edits of `warpsmith-validate reduce`, while the case has a fault of the same kind."""

from __future__ import annotations

import itertools
import time
from dataclasses import replace

import warp as wp

from warpsmith.core.records.pair import SCHEMA_VERSION, Metadata, Pair
from warpsmith.validation.fuzz.comparisons import fault_alone
from warpsmith.validation.fuzz.form_search import Runner
from warpsmith.validation.fuzz.grammar.cases import Case
from warpsmith.validation.fuzz.grammar.form_file import used_parameters
from warpsmith.validation.fuzz.grammar.forms import Form
from warpsmith.validation.reduction.candidates import smaller_pairs

CANDIDATES_TOGETHER = 32
"""The number of candidates that are compiled together."""


def reduced_source(form: Form, case: Case, kind: str, run: Runner, seconds: float) -> str:
    """Return the smallest file found in ``seconds`` whose fault has the same kind; the first one if there is no smaller one."""
    end = time.monotonic() + seconds
    best = case.source
    while time.monotonic() < end:
        candidates = (pair.python_source for pair in smaller_pairs(pair_of(best)))
        found = None
        while found is None and time.monotonic() < end and (batch := list(itertools.islice(candidates, CANDIDATES_TOGETHER))):
            cases = [_with_source(case, source) for source in batch]
            for source, result in zip(batch, run(cases), strict=True):
                fault = fault_alone(form, result)
                if fault is not None and fault.kind == kind and len(source) < len(best):
                    found = source
                    break
        if found is None:
            return best
        best = found
    return best


def _with_source(case: Case, source: str) -> Case:
    names = used_parameters(source)
    return replace(case, source=source, parameters=tuple(p for p in case.parameters if p.name in names))


def pair_of(source: str) -> Pair:
    """Return the pair of a file without generated code and launch."""
    metadata = Metadata(
        kernel_name="kernel",
        category="forms",
        device="cpu",
        ir_type="cpp",
        has_backward=True,
        codegen_only=True,
        cuda_available=False,
        seed=None,
        index=None,
        launch=None,
        features=(),
        description="",
        structure=None,
        module_options={},
        warp_version=wp.__version__,
        generator_version="",
        schema_version=SCHEMA_VERSION,
    )
    return Pair(
        id="form",
        python_source=source,
        cpp_forward=None,
        cpp_backward=None,
        cuda_ir_forward=None,
        cuda_ir_backward=None,
        metadata=metadata,
    )
