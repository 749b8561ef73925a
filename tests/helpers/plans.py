"""A plan for tests that make pairs without the command."""

from __future__ import annotations

from typing import Any

from warpsmith.synthesis.production.dataset_plan import Plan, chosen_categories


def core_plan(count: int = 1000, **changes: Any) -> Plan:
    """Return a plan of core pairs for both devices, forward and backward, in one shard, with some ``changes``."""
    arguments = {
        "count": count, "seed": 2000, "device": "both", "backward": True, "codegen_only": True,
        "categories": chosen_categories(["core"]), "shard_size": count,
    }  # fmt: skip
    return Plan(**arguments | changes)
