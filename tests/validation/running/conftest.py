"""Fixtures for tests of running machine code."""

from __future__ import annotations

import pytest

from warpsmith.validation.running.shared_memory import Arena


@pytest.fixture
def arena() -> Arena:
    return Arena()
