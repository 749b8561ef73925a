"""Filling: expressions and statements for the holes of a skeleton."""
