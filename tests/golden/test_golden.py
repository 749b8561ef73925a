"""The golden digests and the gallery; other versions of Python and Warp also run `digests.py`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import warp as wp

HERE = Path(__file__).parent


def test_datasets_match_the_golden_digests() -> None:
    if wp.__version__ not in json.loads((HERE / "digests.json").read_text())["warp"]:
        pytest.skip(f"there are no digests for Warp {wp.__version__}")
    done = subprocess.run([sys.executable, HERE / "digests.py", "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_gallery_is_up_to_date() -> None:
    done = subprocess.run([sys.executable, HERE / "gallery.py", "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
