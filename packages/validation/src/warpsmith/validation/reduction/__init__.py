"""Reduces a failing pair: removes parts of it while it still fails the same level.

`statement_edits`, `expression_edits` and `launch_edits` yield edits of a syntax tree, the largest first; `candidates` combines
them, and `rebuild` generates the code of edited pairs. These modules read the Python of a pair and run in sandboxed workers
only. `search` runs in the client and requests candidates, code and verdicts from the workers.
"""
