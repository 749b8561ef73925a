"""Texts -> machine code: many pairs in one translation unit, and an error that names its pair."""
