"""The checks, one file each, all with one signature: `check(line, scratch)` finds out about one line of a dataset."""
