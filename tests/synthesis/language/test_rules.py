"""The rules: any defect of a composed kernel stops the generator. Each rule is broken once."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from synthesis.language.test_render import KERNEL
from warpsmith.synthesis.language import rules
from warpsmith.synthesis.language.composed_kernel import Kernel


def test_a_correct_kernel_passes() -> None:
    rules.check(KERNEL)


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (replace(KERNEL, params=(*KERNEL.params, KERNEL.params[0])), "have one name"),
        (replace(KERNEL, body=KERNEL.body[4:]), "does not read its parameter"),
        (replace(KERNEL, sizes=(("n", 8),)), "no length for a dimension of grid"),
        (replace(KERNEL, params=KERNEL.params[:3]), "writes nothing"),
        (replace(KERNEL, body=(*KERNEL.body, "$x = 1")), "notation"),
        (replace(KERNEL, body=(*KERNEL.body, "x = {dt}")), "notation"),
        (replace(KERNEL, body=(*KERNEL.body, "x = @half(1.0)")), "notation"),
        (replace(KERNEL, preface=("⟨a|b⟩ = 1",)), "notation"),
    ],
)
def test_each_defect_is_named(broken: Kernel, message: str) -> None:
    with pytest.raises(rules.RuleError, match=message):
        rules.check(broken)
