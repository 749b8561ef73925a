"""A corpus of hostile records and folders, and a harness that tries every command on them."""
