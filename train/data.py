"""Batches of the package `monteverde` as tensors on the device that trains."""

from dataclasses import dataclass
from typing import Iterator, Optional

import numpy as np
import torch
from monteverde import training


@dataclass
class Tensors:
    """A batch. Row `i` has the inputs from `offsets[i]` to `offsets[i + 1]`."""

    inputs: torch.Tensor
    offsets: torch.Tensor
    score: torch.Tensor
    result: torch.Tensor
    legal: torch.Tensor
    rows: torch.Tensor  # the row of each legal move
    shares: torch.Tensor
    best: torch.Tensor
    known: Optional[torch.Tensor]
    epochs_done: float

    def __len__(self) -> int:
        return len(self.score)


def tensors(batch, device: str) -> Tensors:
    """Sends the arrays as they are, and makes wider numbers of them there."""

    def whole(array: np.ndarray) -> torch.Tensor:
        signed = torch.from_numpy(array.view(np.int16)).to(device, non_blocking=True)
        return signed.to(torch.int32) & 0xFFFF

    def plain(array: np.ndarray) -> torch.Tensor:
        return torch.from_numpy(array).to(device, non_blocking=True)

    offsets = plain(batch["offsets"].astype(np.int32))
    lengths = plain(np.diff(batch["legal_offsets"].astype(np.int64)))
    rows = torch.repeat_interleave(torch.arange(len(lengths), device=device), lengths)
    known = plain(batch["known"]) if "known" in batch else None
    return Tensors(
        inputs=whole(batch["inputs"]),
        offsets=offsets,
        score=plain(batch["score"]),
        result=plain(batch["result"]),
        legal=whole(batch["legal"]).long(),
        rows=rows,
        shares=plain(batch["shares"]),
        best=whole(batch["best"]).long(),
        known=known,
        epochs_done=batch["epochs_done"],
    )


def batches(data, device: str, **options) -> Iterator[Tensors]:
    """The batches of some data; see `monteverde.training.Batches` for the options."""
    for batch in training.Batches(data, **options):
        yield tensors(batch, device)
