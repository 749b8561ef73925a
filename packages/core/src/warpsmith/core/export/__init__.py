"""What trainers load: a dataset as Parquet, as packed lines, as chats or completions, in splits that share no structure.

A first pass reads what decides where a pair goes (`scan`), families of alike pairs go into splits (`clusters`, `splits`), a
second pass writes (`forms`, `writers`, `run`), and what stands across splits is measured on what was written (`leakage`).
"""
