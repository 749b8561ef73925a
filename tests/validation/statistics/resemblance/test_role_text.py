"""Identifiers become their roles; the names of Warp and Python stay."""

from __future__ import annotations

import ast
import io
import tokenize

import pytest

from source_tree import ROOT
from warpsmith.core.records.jsonl import read_lines
from warpsmith.validation.statistics.realism.kernels import definitions
from warpsmith.validation.statistics.resemblance import identifiers
from warpsmith.validation.statistics.resemblance.definition import Definition
from warpsmith.validation.statistics.resemblance.role_text import SourceText

ROLES = {
    name for role, name in vars(identifiers).items() if role.isupper() and isinstance(name, str) and not role.startswith("_")
}

KERNEL = '''
import warp as wp


class Factory:
  @wp.kernel(enable_backward=False)
  def push(
    xs: wp.array(dtype=wp.vec3), ids: wp.array2d[int],  # café
    hits: RayHit, dt: float, count: int = LIMIT,
  ):
    """Push “é”.

    Twice."""
    i = wp.tid()
    # skip "this"
    if i >= count or hits.kind == Kind.NONE: return
    for k in range(ids.shape[0]):
      p = xs[ids[i, k]]; é = p.x
      q, r = _split(p, weight=dt)
      xs[i] = wp.where(é > 0.5, q * dt, helpers.clamp(r)) + wp.vec3(  # here
        1.0, float(k), EPSILON)
    wp.printf("%d # no\\n", i)
'''

HEAD = """@wp.kernel(enable_backward=False)
def KERNEL(
    ARRAY: wp.array(dtype=wp.vec3), ARRAY: wp.array2d[int],  #
    ARG: TYPE, ARG: float, ARG: int = CONST,
):
    STRING
"""

BODY = """    LOCAL = wp.tid()
    #
    if LOCAL >= ARG or ARG.MEMBER == CONST.MEMBER: return
    for LOOP in range(ARRAY.shape[0]):
        LOCAL = ARRAY[ARRAY[LOCAL, LOOP]]; LOCAL = LOCAL.x
        LOCAL, LOCAL = FUNC(LOCAL, ARG=ARG)
        ARRAY[LOCAL] = wp.where(LOCAL > 0.5, LOCAL * ARG, CONST.FUNC(LOCAL)) + wp.vec3(  #
            1.0, float(LOOP), CONST)
    wp.printf(STRING, LOCAL)
"""


def found(source: str) -> list[Definition]:
    text = SourceText(source)
    return [Definition(node, text) for node in definitions(ast.parse(source)) if isinstance(node, ast.FunctionDef)]


def test_roles_of_a_kernel() -> None:
    head, body = found(KERNEL)[0].roles
    assert head == HEAD
    assert body == BODY


def test_a_function_on_one_line() -> None:
    assert found("@wp.func\ndef f(x: float): return x * Other(x)\n")[0].roles == (
        "@wp.func\ndef FUNC(ARG: float): ",
        "return ARG * TYPE(ARG)\n",
    )


def test_every_name_of_a_sample_is_a_role_or_a_name_of_warp_or_python() -> None:
    sources = [
        line.pair.python_source for path in ROOT.glob("data/samples/pairs-*.jsonl") for line in read_lines(path) if line.pair
    ]
    definitions_found = [definition for source in sources for definition in found(source)]
    assert len(definitions_found) > 20
    for definition in definitions_found:
        text = "".join(definition.roles)
        ast.parse(text)
        previous = ""
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.NAME and previous != ".":
                is_keyword_argument = token.line[token.end[1] : token.end[1] + 1] == "="
                assert token.string in ROLES | identifiers.PYTHON_NAMES | identifiers.WARP or is_keyword_argument, token
            previous = token.string


@pytest.mark.parametrize("name", ["x", "xs", "k"])
def test_arguments_take_precedence(name: str) -> None:
    source = f"@wp.func\ndef f({name}: float):\n    for {name} in range(3):\n        {name} = 2.0\n"
    assert found(source)[0].bindings.role(name) == "ARG"
