"""Fills the holes of a skeleton with expressions and statements."""
