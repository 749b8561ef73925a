"""The layout of a file: long lines are wrapped as a formatter or an author does it.

`statement_text` finds the brackets and operators of a statement, `exploded` wraps it as black and ruff do, `packed` fills lines
up, and `file_layout` applies them to the lines of a file.
"""
