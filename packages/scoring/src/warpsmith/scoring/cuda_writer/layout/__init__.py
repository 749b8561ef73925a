"""The layout of a text: line breaks, comments and docstrings."""
