"""Executors: this process, local worker processes or a Ray cluster."""
