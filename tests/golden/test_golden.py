"""The promised bytes are kept: see `digests.py`, which other versions of Python and Warp run as well."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import warp as wp

HERE = Path(__file__).parent


def test_the_same_seed_gives_the_promised_bytes() -> None:
    if wp.__version__ not in json.loads((HERE / "digests.json").read_text())["warp"]:
        pytest.skip(f"no digests were stored for Warp {wp.__version__}")
    done = subprocess.run([sys.executable, HERE / "digests.py", "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_gallery_is_what_the_generator_writes() -> None:
    done = subprocess.run([sys.executable, HERE / "gallery.py", "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
