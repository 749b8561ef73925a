"""The results of a run in the XML of JUnit: one test case for each kernel."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree as ET

from warpsmith.validation.gate.decision import Decision
from warpsmith.validation.gate.kernel_result import KernelResult, in_order
from warpsmith.validation.gate.reports.places import Places

SUITE = "gradients of Warp kernels"

_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot contain."""


def junit_text(decision: Decision, places: Places) -> bytes:
    """Return the results of a run. A kernel fails if a launch of it makes the run fail, and is skipped if none was checked."""
    kernels: dict[str, list[KernelResult]] = {}
    for result in in_order(decision.results):
        kernels.setdefault(result.qualified_name, []).append(result)
    suite = ET.Element("testsuite", name=SUITE)
    for name in sorted(kernels):
        suite.append(_case(name, kernels[name], decision, places))
    cases = list(suite)
    counts = {
        "tests": len(cases),
        "failures": sum(case.find("failure") is not None for case in cases),
        "errors": 0,
        "skipped": sum(case.find("skipped") is not None for case in cases),
    }
    suite.attrib |= {key: str(count) for key, count in counts.items()}
    suites = ET.Element("testsuites", suite.attrib | {"name": "warpsmith"})
    suites.append(suite)
    ET.indent(suites)
    text: bytes = ET.tostring(suites, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def _case(name: str, results: Sequence[KernelResult], decision: Decision, places: Places) -> ET.Element:
    plain = name.partition("[")[0]
    module, _, kernel = plain.rpartition("::" if "::" in plain else ".")  # a kernel, or the function of a backward pass
    case = ET.Element("testcase", classname=_clean(module), name=_clean(kernel + name[len(plain) :]))
    first = results[0]
    if path := places.path(first):
        case.attrib |= {"file": _clean(path), "line": str(first.line)}
    failing = [result for result in results if decision.is_failure(result)]
    lines = "\n".join(f"{result.place or result.id} {result.what}".strip() for result in failing)
    if failing:
        ET.SubElement(case, "failure", type=failing[0].kind, message=_clean(failing[0].what)).text = _clean(lines)
    elif first.label != "pass" and all(result.label != "pass" for result in results):
        ET.SubElement(case, "skipped", message=_clean(f"{first.label}: {first.what}".removesuffix(": ")))
    return case


def _clean(text: str) -> str:
    return _NO_XML.sub("\ufffd", text)
