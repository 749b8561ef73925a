"""Edits of references that make wrong answers: of values, which compile, and slips, which mostly do not."""
