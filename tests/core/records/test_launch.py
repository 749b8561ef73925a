"""Launches are values: equal ones have one hash, and stored values distinguish them."""

from __future__ import annotations

from dataclasses import replace

from warpsmith.core.records.launch import Argument, Domain, Launch


def made() -> Launch:
    domain = Domain(kind="uniform", low=0, high=1)
    argument = Argument(name="x", kind="array", dtype="float32", role="input", shape=(8,), domain=domain)
    return Launch(dim=(8,), args=(argument,))


def test_launches_are_values() -> None:
    stored = {"x": "AAAA"}
    launches = [made(), replace(made(), stored=stored), replace(made(), dim=(4,))]
    assert {one: number for number, one in enumerate(launches)} == {
        made(): 0,
        replace(made(), stored=dict(stored)): 1,
        replace(made(), dim=(4,)): 2,
    }
