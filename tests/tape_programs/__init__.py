"""Small programs with a tape: errors of their use of Warp, each beside the smallest change that makes it right."""
