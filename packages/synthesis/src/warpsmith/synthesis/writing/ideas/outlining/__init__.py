"""Outlining: statements of an idea become functions that the kernel calls."""
