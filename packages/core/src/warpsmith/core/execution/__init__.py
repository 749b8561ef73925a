"""Where work runs: local processes or a Ray cluster."""
