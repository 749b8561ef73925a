"""Exports: a dataset as Parquet, JSON lines, chats or completions, in splits that share no structure.

The first pass collects what determines the split of each pair (`scan`), clusters of similar pairs are assigned to splits
(`clusters`, `splits`), the second pass writes the rows (`tasks`, `formats`, `writers`, `split_writers`), and leakage across
splits is measured on the written pairs (`leakage`). `run.export` calls these stages.
"""
