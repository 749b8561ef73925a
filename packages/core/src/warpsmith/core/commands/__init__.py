"""The base of every command, and `warpsmith-dataset`."""
