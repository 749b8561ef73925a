"""A page with the lines of a source and the findings beside them."""

from __future__ import annotations

import html
from collections import defaultdict
from collections.abc import Sequence

from warpsmith.simt.launches.launch_results import Finding

_STYLE = """
:root {
  color-scheme: light dark;
  --ground: #fff; --text: #1f2328; --soft: #59636e; --line: #d1d9e0; --mark: #fff1f0; --edge: #cf222e;
}
@media (prefers-color-scheme: dark) {
  :root { --ground: #0d1117; --text: #e6edf3; --soft: #9198a1; --line: #3d444d; --mark: #34191d; --edge: #f85149; }
}
body { background: var(--ground); color: var(--text); font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 90rem;
  padding: 0 1rem; }
h1 { font-size: 1.3rem; }
p, .where { color: var(--soft); }
table { border-collapse: collapse; width: 100%; }
td { padding: 0 .6rem; vertical-align: top; }
td.number { color: var(--soft); text-align: right; user-select: none; width: 1%; }
td.number a { color: inherit; text-decoration: none; }
td.code { font: 13px/1.6 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; width: 55%; }
td.findings { border-left: 1px solid var(--line); }
tr.found td { background: var(--mark); }
tr.found td.number { border-left: 3px solid var(--edge); }
.kind { color: var(--edge); font-weight: 600; }
.findings div + div { border-top: 1px solid var(--line); }
pre { background: var(--mark); overflow: auto; padding: .6rem; }
""".strip()


def findings_page(title: str, launch: str, name: str, source: str, findings: Sequence[Finding], printed: str = "") -> str:
    """Return an HTML page without scripts and outside files.

    Args:
        title: the heading.
        launch: one line that describes the launch.
        name: the name of the source in the findings.
        source: its text.
        findings: the findings of the launch; those of other files are listed above the source.
        printed: what the kernel printed.
    """
    lines = source.split("\n")
    placed: dict[int, list[Finding]] = defaultdict(list)
    elsewhere = []
    for finding in findings:
        if finding.file == name and 1 <= finding.line <= len(lines):
            placed[finding.line].append(finding)
        else:
            elsewhere.append(finding)
    rows = "\n".join(_row(number, line, placed.get(number, [])) for number, line in enumerate(lines, 1))
    unplaced = "\n".join(f"<div>{_finding(finding, with_place=True)}</div>" for finding in elsewhere)
    output = f"<h2>Printed</h2>\n<pre>{html.escape(printed)}</pre>" if printed else ""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title)}</title>
<style>
{_STYLE}
</style>
</head>
<body>
<h1>{html.escape(title)}</h1>
<p>{html.escape(launch)}</p>
<p>{html.escape(summary(findings))}{_links(sorted(placed))}</p>
{unplaced}
<table>
{rows}
</table>
{output}
</body>
</html>
"""


def summary(findings: Sequence[Finding]) -> str:
    """Return how many findings of which kinds there are."""
    if not findings:
        return "no findings"
    kinds: dict[str, int] = defaultdict(int)
    for finding in findings:
        kinds[str(finding.kind)] += 1
    listed = ", ".join(f"{number} {kind}" for kind, number in kinds.items())
    return f"{len(findings)} finding{'s' if len(findings) > 1 else ''}: {listed}"


def place(finding: Finding) -> str:
    """Return the block and the thread of a finding, and how often it occurred."""
    text = f"block {_triple(finding.block)}, thread {_triple(finding.thread)}"
    if finding.count > 1:
        text += f", {finding.count:,} times"
    return text


def _row(number: int, line: str, findings: Sequence[Finding]) -> str:
    cells = "".join(f"<div>{_finding(finding)}</div>" for finding in findings)
    found = ' class="found"' if findings else ""
    return (
        f'<tr id="L{number}"{found}><td class="number"><a href="#L{number}">{number}</a></td>'
        f'<td class="code">{html.escape(line)}</td><td class="findings">{cells}</td></tr>'
    )


def _finding(finding: Finding, with_place: bool = False) -> str:
    where = f"{finding.file}:{finding.line}: " if with_place else ""
    return (
        f'{html.escape(where)}<span class="kind">{html.escape(str(finding.kind))}</span> {html.escape(finding.message)} '
        f'<span class="where">{html.escape(place(finding))}</span>'
    )


def _links(lines: Sequence[int]) -> str:
    linked = ", ".join(f'<a href="#L{line}">{line}</a>' for line in lines)
    return f" in line{'s' if len(lines) > 1 else ''} {linked}" if lines else ""


def _triple(values: Sequence[int]) -> str:
    return f"({', '.join(map(str, values))})"
