"""Fixtures for tests of the interpreter."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import warp as wp

from warpsmith.extraction.warp.runtime import start_runtime


@pytest.fixture(autouse=True, scope="module")
def _own_kernel_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Use a separate kernel cache for each module."""
    start_runtime()  # sets the folder that is restored
    before = wp.config.kernel_cache_dir
    wp.config.kernel_cache_dir = str(tmp_path_factory.mktemp("kernels"))
    yield
    wp.config.kernel_cache_dir = before
