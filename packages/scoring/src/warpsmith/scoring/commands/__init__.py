"""The sub-commands of `warpsmith-score` that write rows about a dataset."""
