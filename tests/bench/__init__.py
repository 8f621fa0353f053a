"""Measurements, as ratios in one run. Scripts to be run by hand; no test depends on a clock."""
