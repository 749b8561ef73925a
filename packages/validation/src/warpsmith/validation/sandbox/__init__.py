"""The sandbox that runs everything that comes from a dataset."""
