"""Private modules."""
