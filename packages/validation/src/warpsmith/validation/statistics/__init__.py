"""Statistics of a dataset: sizes, Warp API coverage, syntax and near-duplicate rate.

`sections` measures lines, merges measurements and summarizes them; each section is a module with the functions ``empty``,
``update``, ``add`` and ``summarize``. `measure` runs the sections over a dataset in sandboxed workers and writes `stats.json`,
which `stats_types` describes. Texts of pairs are parsed, never executed. `notes/reference/statistics.md` explains every figure.
"""
