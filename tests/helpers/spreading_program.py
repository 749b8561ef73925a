"""A small program of two kernels, whose buffers are exchanged, and its record."""

from __future__ import annotations

from dataclasses import replace
from unittest import mock

from warpsmith.core.records.program_record import ProgramRecord
from warpsmith.synthesis.production import program_records
from warpsmith.synthesis.production.program_records import ProgramOptions, program_record
from warpsmith.synthesis.programs.program_key import ProgramKey
from warpsmith.synthesis.programs.program_writer import write_program

SOURCE = '''\
"""Spread heat along a rod."""

import numpy as np

import warp as wp

SEED = 3


@wp.kernel
def spread(now: wp.array(dtype=float), rate: float, after: wp.array(dtype=float)):
    """Move heat to the neighbours."""
    i = wp.tid()
    left = now[wp.max(i - 1, 0)]
    right = now[wp.min(i + 1, now.shape[0] - 1)]
    after[i] = now[i] + rate * (left + right - 2.0 * now[i])


@wp.kernel
def add_up(values: wp.array(dtype=float), total: wp.array(dtype=float)):
    wp.atomic_add(total, 0, values[wp.tid()])


def simulate(size=12, steps=5, rate=0.2):
    """Return the heat and its sums."""
    rng = np.random.default_rng(SEED)
    now = wp.array(rng.uniform(size=size), dtype=float)
    after = wp.zeros(size, dtype=float)
    total = wp.zeros(1, dtype=float)
    sums = []
    for _ in range(steps):
        wp.launch(spread, dim=size, inputs=[now, rate], outputs=[after])
        now, after = after, now
    wp.launch(add_up, dim=size, inputs=[now], outputs=[total])
    sums.append(float(total.numpy()[0]))
    return now.numpy(), sums


if __name__ == "__main__":
    heat, sums = simulate()
    assert np.all(np.isfinite(heat))
'''

STATEMENTS = """\
for _ in range(steps):
    wp.launch(spread, dim=size, inputs=[now, rate], outputs=[after])
    now, after = after, now
wp.launch(add_up, dim=size, inputs=[now], outputs=[total])
"""

KERNEL = """\
@wp.kernel
def spread(now: wp.array(dtype=float), rate: float, after: wp.array(dtype=float)):
    i = wp.tid()
    left = now[wp.max(i - 1, 0)]
    right = now[wp.min(i + 1, now.shape[0] - 1)]
    after[i] = now[i] + rate * (left + right - 2.0 * now[i])
"""


def spreading_program() -> ProgramRecord:
    """Return the record, which the generator's code makes from the text above."""
    key = ProgramKey(1, 0)
    written = replace(write_program(key), source=SOURCE)
    with mock.patch.object(program_records, "write_program", return_value=written):
        record = program_record(key, ProgramOptions("cuda", backward=False))
    assert isinstance(record, ProgramRecord), record
    return record
