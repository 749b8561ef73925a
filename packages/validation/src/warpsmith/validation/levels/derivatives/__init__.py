"""The derivatives that level `gradient` compares: adjoints and central differences, by precision and origin of a pair."""
