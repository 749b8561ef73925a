"""The findings of a run in SARIF 2.1.0, which GitHub's code scanning and editors read."""

from __future__ import annotations

import hashlib
import json
from importlib.metadata import version
from urllib.parse import quote

from warpsmith.validation.gate.decision import Decision
from warpsmith.validation.gate.kernel_result import KernelResult, in_order
from warpsmith.validation.gate.reports.kinds import KINDS, TOOL
from warpsmith.validation.gate.reports.places import Places

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

FINGERPRINT = "warpsmithFinding/v1"
"""The name of the fingerprint: kernel and kind, without lines."""

_ALWAYS = ("fail", "by hand", "memory error")
"""The results that are reported even if they do not make the run fail."""


def sarif_text(decision: Decision, places: Places) -> str:
    """Return the findings of a run: those that make it fail, wrong gradients that are known, and those to look at.

    Several launches of a kernel with the same kind of finding are one finding.
    """
    findings = {
        (result.qualified_name, result.kind): result
        for result in reversed(in_order(decision.results))
        if result.kind and (result.result in _ALWAYS or decision.is_failure(result))
    }
    results = in_order(findings.values())
    kinds = sorted({result.kind for result in results})
    driver = {
        "name": TOOL,
        "version": version("warpsmith-validation"),
        "rules": [
            {
                "id": f"{TOOL}/{kind}",
                "name": "".join(word.capitalize() for word in kind.split("-")),
                "shortDescription": {"text": KINDS[kind].title},
                "fullDescription": {"text": KINDS[kind].text},
                "defaultConfiguration": {"level": "error" if kind.startswith("wrong-") else "warning"},
            }
            for kind in kinds
        ],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "utf16CodeUnits",
        "results": [_result(result, kinds.index(result.kind), decision, places) for result in results],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _result(result: KernelResult, rule: int, decision: Decision, places: Places) -> dict[str, object]:
    key = f"{result.qualified_name}\0{result.kind}"
    entry: dict[str, object] = {
        "ruleId": f"{TOOL}/{result.kind}",
        "ruleIndex": rule,
        "level": "error" if decision.is_failure(result) else "warning",
        "message": {"text": f"{result.kernel}: {result.what or KINDS[result.kind].text}"},
        "partialFingerprints": {FINGERPRINT: hashlib.sha256(key.encode()).hexdigest()[:32]},
    }
    if path := places.path(result):
        location = {"artifactLocation": {"uri": quote(path)}, "region": {"startLine": max(result.line, 1)}}
        entry["locations"] = [{"physicalLocation": location}]
    if result.is_known:
        entry["suppressions"] = [{"kind": "external", "justification": "the baseline contains this failure"}]
    return entry
