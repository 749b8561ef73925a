"""The probes of the corpus by topic."""
