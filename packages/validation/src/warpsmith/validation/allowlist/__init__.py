"""Allow lists for the texts of a pair, which are checked before anything is loaded or compiled."""
