"""The base of every command."""
