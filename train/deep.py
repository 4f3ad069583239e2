"""A deep network: far too slow to play with, but what it says of any number of states teaches a small one."""

from dataclasses import dataclass

import torch
from torch import nn

from .data import Padded, Ragged
from .integers import VALUE_OUTPUTS

# Channels from which the heads read every square.
HEAD_CHANNELS = 32
VALUE_WIDTH = 128


@dataclass(frozen=True)
class BoardInputs:
    """The first inputs of a feature set: so many of each square, those of one kind side by side, row by row."""

    kinds: int
    rows: int = 8
    columns: int = 8

    @property
    def squares(self) -> int:
        return self.rows * self.columns


BOARDS = {"chess-threats-checks-3": BoardInputs(kinds=60), "loa-windows-lines-1": BoardInputs(kinds=2)}


class Deep(nn.Module):
    """Residual blocks of convolutions over the board. Inputs that belong to no square count for all of them."""

    def __init__(self, features: dict, channels: int, blocks: int):
        super().__init__()
        board = BOARDS.get(features["name"])
        if board is None:
            known = ", ".join(BOARDS)
            raise ValueError(f"deep networks know the boards of {known}, not that of {features['name']}")
        self.board = board
        self.inputs = features["inputs"]
        self.first = nn.Conv2d(board.kinds, channels, 3, padding=1, bias=False)
        self.others = nn.Linear(self.inputs - board.kinds * board.squares, channels)
        self.first_norm = nn.BatchNorm2d(channels)
        self.blocks = nn.ModuleList(Block(channels) for _ in range(blocks))
        self.value = nn.Sequential(
            head(channels),
            nn.Linear(HEAD_CHANNELS * board.squares, VALUE_WIDTH),
            nn.ReLU(inplace=True),
            nn.Linear(VALUE_WIDTH, VALUE_OUTPUTS),
        )
        outputs = features["outputs"]
        self.policy = nn.Sequential(
            head(channels), nn.Linear(HEAD_CHANNELS * board.squares, outputs + -outputs % 64)
        )
        self.to(memory_format=torch.channels_last)

    def forward(self, batch):
        """The logits of the value and of the legal moves, as those of small networks."""
        device = batch.inputs.device.type
        with torch.autocast(device, torch.bfloat16, enabled=device != "cpu"):
            neurons = self.neurons(active(batch, self.inputs))
            value, moves = self.value(neurons).float(), self.policy(neurons)
        if isinstance(batch, Ragged):
            return value, moves[batch.rows, batch.legal].float()
        return value, moves.gather(1, batch.legal).float()

    def neurons(self, active: torch.Tensor) -> torch.Tensor:
        board = self.board
        squares, others = active.tensor_split([board.kinds * board.squares], 1)
        squares = squares.view(-1, board.kinds, board.rows, board.columns)
        neurons = self.first(squares.contiguous(memory_format=torch.channels_last))
        neurons = self.first_norm(neurons + self.others(others)[:, :, None, None]).relu_()
        for block in self.blocks:
            neurons = block(neurons)
        return neurons

    def clip(self) -> None:
        """Its weights never become whole numbers, and may be of any size."""


class Block(nn.Module):
    """Two convolutions, added to what they were given. All squares together say how much each channel counts."""

    def __init__(self, channels: int):
        super().__init__()
        self.one = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.one_norm = nn.BatchNorm2d(channels)
        self.two = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.two_norm = nn.BatchNorm2d(channels)
        self.squeeze = nn.Linear(channels, channels // 4)
        self.excite = nn.Linear(channels // 4, 2 * channels)
        # Blocks begin by changing nothing.
        nn.init.zeros_(self.two_norm.weight)

    def forward(self, given: torch.Tensor) -> torch.Tensor:
        found = self.one_norm(self.one(given)).relu_()
        found = self.two_norm(self.two(found))
        factor, bias = self.excite(self.squeeze(found.mean((2, 3))).relu_())[:, :, None, None].chunk(2, 1)
        return torch.addcmul(given + bias, found, factor.sigmoid()).relu_()


def head(channels: int) -> nn.Module:
    """What every square tells a head."""
    convolution = nn.Conv2d(channels, HEAD_CHANNELS, 1, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(HEAD_CHANNELS), nn.ReLU(inplace=True), nn.Flatten())


def active(batch, inputs: int) -> torch.Tensor:
    """Zeros, and ones where an input is active."""
    kind = torch.float32 if batch.inputs.device.type == "cpu" else torch.bfloat16
    found = torch.zeros(len(batch), inputs, dtype=kind, device=batch.inputs.device)
    if isinstance(batch, Padded):
        return found.scatter_add_(1, batch.inputs, batch.is_input.to(kind))
    rows = torch.arange(len(batch), device=found.device).repeat_interleave(batch.offsets.diff())
    found[rows, batch.inputs.long()] = 1
    return found
