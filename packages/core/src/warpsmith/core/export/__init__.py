"""Exports: a dataset as Parquet, JSON lines, chats or completions, in splits that share no structure.

The first pass collects what determines the split of each pair (`first_pass`), clusters of similar pairs are assigned to splits
(`clusters`, `splits`), the second pass writes the rows (`training_tasks`, `formats`, `writers`, `second_pass`), and leakage
across splits is measured on the written pairs (`leakage`). `export_run.export` calls these stages.
"""
