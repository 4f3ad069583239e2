"""Trains networks for the games of Monteverde: `python -m train --help`.

The features come from the package `monteverde`, so that training and play share the code that makes them.
"""
