"""From a launch to the values of its arguments."""
