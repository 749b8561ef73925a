"""Compile generated code: many pairs in one translation unit, with errors attributed to their pair."""
