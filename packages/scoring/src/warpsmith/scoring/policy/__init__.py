"""What a candidate's text may contain: it is checked as text before anything compiles or loads it."""
