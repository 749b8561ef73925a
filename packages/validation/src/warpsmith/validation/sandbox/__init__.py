"""The sandbox in which the content of a dataset is parsed, loaded, compiled and run."""
