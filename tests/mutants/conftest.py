"""The modules of this folder are imported as ``mutants``, as they are by ``nox -s mutants``."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
