"""Results of a completions file: rows, interrupted runs, and pass@k."""
