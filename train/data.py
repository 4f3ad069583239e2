"""Batches of states as tensors on the device that trains.

A processor gets them ragged, as the package `monteverde` makes them, since it sums few rows fastest one by one. A GPU
gets them padded, rows of one length, since it multiplies whole matrices.
"""

from dataclasses import dataclass
from typing import Any, Dict, Iterable, Optional

import numpy as np
import torch

from .integers import VALUE_OUTPUTS

# Bytes hold the visits of a state's moves; the most visited one has all.
MOST_SHARE = 255
# States of which a teacher is asked at a time.
TAUGHT_AT_ONCE = 1 << 13
# Stands for the logarithm of 0, and times 0 is 0.
IMPOSSIBLE = -1e9


@dataclass
class Ragged:
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
    chances: Optional[torch.Tensor] = None  # win, draw and loss, where a teacher told them

    def __len__(self) -> int:
        return len(self.score)

    def policy_loss(self, logits: torch.Tensor) -> torch.Tensor:
        """The mean over states of the cross entropy between the shares of the legal moves and the policy's."""
        shifted = logits - self.highest(logits.detach())[self.rows]
        sums = torch.zeros(len(self), device=logits.device).index_add(0, self.rows, shifted.exp())
        return -(self.shares * (shifted - sums.log()[self.rows])).sum() / len(self)

    def policy_hits(self, logits: torch.Tensor) -> torch.Tensor:
        """In how many states the best move has the highest logit."""
        return ((self.best[self.rows] == self.legal) & (logits == self.highest(logits)[self.rows])).sum()

    def highest(self, logits: torch.Tensor) -> torch.Tensor:
        lowest = torch.full((len(self),), -torch.inf, device=logits.device)
        return lowest.scatter_reduce(0, self.rows, logits, "amax")


@dataclass
class Padded:
    """A batch in rows of one length. Behind a row's end stands what does not count, which the masks tell."""

    inputs: torch.Tensor
    is_input: torch.Tensor
    score: torch.Tensor
    result: torch.Tensor
    legal: torch.Tensor
    is_legal: torch.Tensor
    shares: torch.Tensor
    best: torch.Tensor
    known: Optional[torch.Tensor]
    epochs_done: float
    chances: Optional[torch.Tensor] = None  # win, draw and loss, where a teacher told them

    def __len__(self) -> int:
        return len(self.score)

    def policy_loss(self, logits: torch.Tensor) -> torch.Tensor:
        """As that of ragged batches."""
        return -(self.shares * self.of_legal(logits).log_softmax(1)).sum() / len(self)

    def policy_hits(self, logits: torch.Tensor) -> torch.Tensor:
        logits = self.of_legal(logits)
        is_best = (self.legal == self.best[:, None]) & self.is_legal
        return (is_best & (logits == logits.amax(1, keepdim=True))).sum()

    def of_legal(self, logits: torch.Tensor) -> torch.Tensor:
        return logits.masked_fill(~self.is_legal, IMPOSSIBLE)

    def ragged(self) -> Ragged:
        return Ragged(
            inputs=self.inputs[self.is_input],
            offsets=torch.nn.functional.pad(self.is_input.sum(1).cumsum(0), (1, 0)),
            score=self.score,
            result=self.result,
            legal=self.legal[self.is_legal],
            rows=self.is_legal.nonzero()[:, 0],
            shares=self.shares[self.is_legal],
            best=self.best,
            known=self.known,
            epochs_done=self.epochs_done,
            chances=self.chances,
        )


def ragged(batch: Dict[str, Any], device: str) -> Ragged:
    """A batch of the package. Sends the arrays as they are, and makes wider numbers of them there."""
    offsets = plain(batch["offsets"].astype(np.int32), device)
    lengths = plain(np.diff(batch["legal_offsets"].astype(np.int64)), device)
    rows = torch.repeat_interleave(torch.arange(len(lengths), device=device), lengths)
    return Ragged(
        inputs=wide(shorts(batch["inputs"], device)).int(),
        offsets=offsets,
        score=plain(batch["score"], device),
        result=plain(batch["result"], device),
        legal=wide(shorts(batch["legal"], device)),
        rows=rows,
        shares=plain(batch["shares"], device),
        best=wide(shorts(batch["best"], device)),
        known=plain(batch["known"], device) if "known" in batch else None,
        epochs_done=batch["epochs_done"],
    )


class States:
    """Many states on the device, in little memory: some 200 bytes each in chess. Any of them make a batch."""

    def __init__(self, batches: Iterable[Dict[str, Any]], device: str):
        self.device = device
        self.columns: Dict[str, Any] = {}
        for batch in batches:
            for name, column in columns(batch, device).items():
                self.columns.setdefault(name, []).append(column)
        self.most = {}
        for name in LENGTHS if self.columns else ():
            self.most[name] = max(int(part.max()) for part in self.columns[name])
        for name in list(self.columns):
            parts = self.columns[name]
            if name in TAIL_OF:
                # The last rows are read as far as the longest one would go.
                parts.append(parts[0].new_zeros(self.most[TAIL_OF[name]]))
            self.columns[name] = torch.cat(parts)
        for name in LENGTHS if self.columns else ():
            lengths = self.columns[name].long()
            self.columns[f"{name} from"] = lengths.cumsum(0) - lengths
        self.bytes = sum(column.nbytes for column in self.columns.values())

    def __len__(self) -> int:
        return len(self.columns["score"]) if self.columns else 0

    def numbers(self) -> torch.Tensor:
        return torch.arange(len(self), device=self.device)

    def take(self, rows: torch.Tensor, epochs_done: float) -> Padded:
        """A batch of these states."""
        inputs, is_input = self.places("inputs", rows)
        legal, is_legal = self.places("moves", rows)
        shares = self.columns["shares"][legal] * is_legal
        known, chances = self.columns.get("known"), self.columns.get("chances")
        return Padded(
            inputs=wide(self.columns["input"][inputs]),
            is_input=is_input,
            score=self.columns["score"][rows],
            result=self.columns["result"][rows],
            legal=wide(self.columns["move"][legal]),
            is_legal=is_legal,
            shares=shares / shares.sum(1, keepdim=True),
            best=wide(self.columns["best"][rows]),
            known=None if known is None else known[rows],
            epochs_done=epochs_done,
            chances=None if chances is None else chances[rows].float(),
        )

    @torch.no_grad()
    def learn_from(self, teacher) -> None:
        """What a teacher says takes the place of scores and results, and of the shares of moves."""
        chances = torch.empty(len(self), VALUE_OUTPUTS, dtype=torch.float16, device=self.device)
        for rows in self.numbers().split(TAUGHT_AT_ONCE):
            batch = self.take(rows, 0.0)
            value, moves = teacher(batch)
            chances[rows] = value.softmax(1).half()
            if self.most["moves"]:
                places, is_legal = self.places("moves", rows)
                shares = batch.of_legal(moves).softmax(1)
                shares = (shares / shares.amax(1, keepdim=True) * MOST_SHARE).round().to(torch.uint8)
                self.columns["shares"][places[is_legal]] = shares[is_legal]
        self.columns["chances"] = chances

    def places(self, name: str, rows: torch.Tensor):
        """Where the numbers of these rows stand, in rows of one length, and which of them count."""
        numbers = torch.arange(self.most[name], device=rows.device)
        return self.columns[f"{name} from"][rows][:, None] + numbers, numbers < self.columns[name][rows][:, None]


# Columns that say how many inputs and legal moves a state has, and those that hold these.
LENGTHS = ("inputs", "moves")
TAIL_OF = {"input": "inputs", "move": "moves", "shares": "moves"}


def columns(batch: Dict[str, Any], device: str) -> Dict[str, torch.Tensor]:
    """The numbers of a batch in few bytes. Shares become what they were made of in the file: a byte for each move."""
    lengths = {
        "inputs": plain(np.diff(batch["offsets"]).astype(np.int16), device),
        "moves": plain(np.diff(batch["legal_offsets"]).astype(np.int16), device),
    }
    counts = lengths["moves"].long()
    rows = torch.repeat_interleave(torch.arange(len(counts), device=device), counts, output_size=len(batch["legal"]))
    shares = plain(batch["shares"], device)
    highest = torch.zeros(len(counts), device=device).scatter_reduce(0, rows, shares, "amax")
    found = {
        **lengths,
        "input": shorts(batch["inputs"], device),
        "move": shorts(batch["legal"], device),
        "shares": (shares / highest[rows] * MOST_SHARE).round().to(torch.uint8),
        "best": shorts(batch["best"], device),
        "score": plain(batch["score"], device),
        "result": plain(batch["result"], device),
    }
    if "known" in batch:
        found["known"] = plain(batch["known"], device)
    return found


def plain(array: np.ndarray, device: str) -> torch.Tensor:
    return torch.from_numpy(array).to(device, non_blocking=True)


def shorts(array: np.ndarray, device: str) -> torch.Tensor:
    """Numbers of 16 bits without a sign, which PyTorch knows too little of; `wide` makes them whole."""
    return plain(array.view(np.int16), device)


def wide(shorts: torch.Tensor) -> torch.Tensor:
    return shorts.long() & 0xFFFF
