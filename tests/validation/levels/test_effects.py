"""Python that passes level parse has no effects when it is loaded, according to Python's audit events."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from warpsmith.core.records.jsonl import Line
from warpsmith.validation.allowlist.kernel_file import violation

AUDIT_EVENTS = Path(__file__).with_name("audit_events.py")
HEADER = "import math\n\nimport numpy as np\nimport warp as wp\n\n"
KERNEL = "\n\n@wp.kernel\ndef k(x: wp.array(dtype=float)):\n    x[wp.tid()] = 1.0\n"

NAMES = ("exec", "eval", "open", "min", "sorted", "wp", "math", "np", "f", "C", "A")
CALLEES = (
    *NAMES,
    "wp.constant",
    "wp.vec3",
    "wp.config",
    "math.sin",
    "math.fromfile",
    "math.open",
    "np.array",
    "np.fromfile",
    "A.b",
)
ATOMS = ("1", "2.0", "'A'", "\"open('written', 'w')\"", "'written'", "[]", "np.fromfile", *NAMES)


def _expressions() -> st.SearchStrategy[str]:
    def larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        callee = st.sampled_from(CALLEES)
        return st.one_of(
            st.builds("{}({})".format, callee, inner),
            st.builds("{}([{}], key={})".format, callee, inner, inner),
            st.builds("{}.{}".format, st.sampled_from(NAMES), st.sampled_from(["b", "config", "types", "pi"])),
            st.builds("[{} for {} in [{}]]".format, inner, st.sampled_from(NAMES), inner),
            st.builds("({} + {})".format, inner, inner),
            st.builds("[{}][0]".format, inner),
        )

    return st.recursive(st.sampled_from(ATOMS), larger, max_leaves=4)


def _statements() -> st.SearchStrategy[str]:
    name, value = st.sampled_from(NAMES), _expressions()
    modules = st.sampled_from(["numpy", "math", "warp", "enum", "types", "typing"])
    members = st.sampled_from(["fromfile", "sin", "sys", "config", "FunctionType", "os"])
    return st.one_of(
        value,
        st.builds("{} = {}".format, name, value),
        st.builds("{}.{} = {}".format, name, st.sampled_from(["pi", "b", "config"]), value),
        st.builds("import {} as {}".format, modules, name),
        st.builds("from {} import {} as {}".format, modules, members, name),
        st.builds("for {} in [{}]: {}".format, name, value, value),
        st.builds("def {}({}): return {}".format, name, name, value),
        st.builds("def {}(x={}): return {}".format, name, value, value),
        st.builds("def {}(x: {}): return 1".format, name, value),
        st.builds("def {}(*x: {}): return 1".format, name, value),
        st.builds("@{}\ndef {}(*x): return {}".format, value, name, value),
        st.builds("@wp.func\ndef {}(*x): return {}".format, name, value),
        st.builds("@wp.struct\nclass {}:\n    x: {}".format, name, value),
        st.builds("class {}({}):\n    {} = {}".format, name, value, name, value),
        st.builds("class {}:\n    def {}(x): return {}".format, name, name, value),
    )


@pytest.fixture(scope="module")
def effects(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], list[str]]]:
    """Return a function that loads a source in another process and returns the audit events that it caused."""
    with subprocess.Popen(
        [sys.executable, "-B", str(AUDIT_EVENTS)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=tmp_path_factory.mktemp("audit"),
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        requests, replies = process.stdin, process.stdout

        def load(source: str) -> list[str]:
            requests.write(json.dumps(source) + "\n")
            requests.flush()
            events: list[str] = json.loads(replies.readline())
            return events

        yield load
        requests.close()


@pytest.mark.parametrize(
    ("source", "event"),
    [
        ("open('written', 'w')", "open"),
        ("max(['1'], key=eval)", "exec"),
        ("import os; os.system('true')", "os.system"),
        ("import ctypes; ctypes.CDLL(None)", "ctypes.dlopen"),
        ("import math; math.pi = 3", "changed math"),
        ("import socket; socket.socket()", "socket.__new__"),
    ],
)
def test_audit_events_show_effects(effects: Callable[[str], list[str]], source: str, event: str) -> None:
    assert event in effects(source)
    assert effects(HEADER + KERNEL) == []


@pytest.mark.exhaustive
def test_accepted_python_has_no_effects(effects: Callable[[str], list[str]]) -> None:
    accepted = 0

    @settings(max_examples=1000, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(st.lists(_statements(), min_size=1, max_size=3))
    def check(statements: list[str]) -> None:
        nonlocal accepted
        source = HEADER + "\n".join(statements) + "\n" + KERNEL
        if violation(ast.parse(source)) is None:
            accepted += 1
            assert effects(source) == []

    check()
    assert accepted > 25


def test_the_pairs_of_a_dataset_have_no_effects(lines: list[Line], effects: Callable[[str], list[str]]) -> None:
    assert {tuple(effects(json.loads(line.raw)["python_source"])) for line in lines[::10]} == {()}
