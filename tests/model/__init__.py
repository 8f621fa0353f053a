"""Random conversations through the real validator, among crashes, against a model of the right verdicts."""
