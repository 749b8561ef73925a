"""Tables of launches of the sources of the corpus."""
