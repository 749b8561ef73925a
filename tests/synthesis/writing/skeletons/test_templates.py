"""A template declares every variable that its text uses."""

from __future__ import annotations

import pytest

from warpsmith.synthesis.writing.skeletons.templates import Template, inner


def test_a_variable_that_a_template_does_not_declare_is_an_error() -> None:
    text = "$p = {0} * 2.0\n⟨$q = $p|$q = {0}⟩"
    with pytest.raises(ValueError, match=r"template 'a wave' uses \$p, \$q, which it does not declare"):
        Template("a wave", text, (), ())
    assert Template("a wave", text, (), (inner("p"), inner("q"))).text == text
