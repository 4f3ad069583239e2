"""Data for networks as arrays, and networks in whole numbers.

>>> from monteverde import training
>>> for batch in training.Batches(["chess.mvd"], batch=16384):   # doctest: +SKIP
...     batch["inputs"], batch["offsets"], batch["score"], batch["result"]
"""

from ._monteverde import Batches, DataSet, Network, checksum

__all__ = ["Batches", "DataSet", "Network", "checksum"]
