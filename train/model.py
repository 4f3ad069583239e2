"""The networks as PyTorch trains them: two layers each for the value and for the policy, or three for the value."""

import numpy as np
import torch
from torch import nn

from .data import Padded, Ragged
from .integers import (
    FIRST_SCALE,
    MIDDLE_LIMIT,
    MIDDLE_SHIFT,
    MOST_SECOND,
    OUTPUT_SCALE,
    SECOND_SCALE,
    THIRD_SCALE,
    VALUE_OUTPUTS,
    Layers,
    Network,
    Weighing,
    whole,
)

SHORTS = 32767
# What second layers of full weights leave of 32 bits.
BIAS_LIMIT = 2.8
# Half of the least difference between two neurons of the middle.
HALF = 2 ** (MIDDLE_SHIFT - 1) / OUTPUT_SCALE


class Small(nn.Module):
    """Rows of active inputs added up, clipped to 0..1, squared, and weighed; with a middle clipped, squared and weighed
    once more."""

    def __init__(self, inputs: int, most: int, width: int, outputs: int, middle: int = 0):
        super().__init__()
        self.first = nn.EmbeddingBag(inputs, width, mode="sum", include_last_offset=True)
        self.first_bias = nn.Parameter(torch.full((width,), 0.4))
        self.second = nn.Parameter(torch.empty(middle or outputs, width))
        self.second_bias = nn.Parameter(torch.full((middle,), 0.4) if middle else torch.zeros(outputs))
        # Sums of rows then lie within 0..1 for the most part, where neurons learn.
        nn.init.normal_(self.first.weight, std=0.4 * most**-0.5)
        nn.init.normal_(self.second, std=width**-0.5)
        self.third = self.third_bias = None
        if middle:
            self.third = nn.Parameter(torch.empty(outputs, middle))
            self.third_bias = nn.Parameter(torch.zeros(outputs))
            nn.init.normal_(self.third, std=middle**-0.5)
        # So that sums of as many rows as are ever active fit 16 bits, and products of weights and neurons too.
        self.first_limit = min(1.98, SHORTS / FIRST_SCALE / (most + 1))
        # The sum of all products must fit 32 bits, for which wider layers need smaller weights.
        self.second_limit = min(MOST_SECOND, 2**31 // (FIRST_SCALE**2 * (width + 2))) / SECOND_SCALE

    def neurons(self, sums: torch.Tensor) -> torch.Tensor:
        return (sums + self.first_bias).clamp(0, 1).square()

    def all_outputs(self, neurons: torch.Tensor) -> torch.Tensor:
        found = neurons @ self.second.t() + self.second_bias
        if self.third is None:
            return found
        return found.clamp(0, MIDDLE_LIMIT).square() @ self.third.t() + self.third_bias

    def outputs_of(self, neurons: torch.Tensor, rows: torch.Tensor, outputs: torch.Tensor) -> torch.Tensor:
        """What output `outputs[i]` says of row `rows[i]`."""
        # Written so that the gradients of rows are added up by several threads.
        weights = nn.functional.embedding(outputs, self.second)
        return (neurons.index_select(0, rows) * weights).sum(1) + self.second_bias.index_select(0, outputs)

    def outputs_of_rows(self, neurons: torch.Tensor, outputs: torch.Tensor, kind: torch.dtype) -> torch.Tensor:
        """What outputs `outputs[i]` say of row `i`: a GPU computes all of them faster than some."""
        weights, bias = padded(self.second), padded(self.second_bias)
        return nn.functional.linear(neurons.to(kind), weights.to(kind), bias.to(kind)).gather(1, outputs).float()

    @torch.no_grad()
    def clip(self) -> None:
        self.first.weight.clamp_(-self.first_limit, self.first_limit)
        self.first_bias.clamp_(-self.first_limit, self.first_limit)
        self.second.clamp_(-self.second_limit, self.second_limit)
        self.second_bias.clamp_(-BIAS_LIMIT, BIAS_LIMIT)
        if self.third is not None:
            self.third.clamp_(-MOST_SECOND / THIRD_SCALE, MOST_SECOND / THIRD_SCALE)
            self.third_bias.clamp_(-BIAS_LIMIT, BIAS_LIMIT)

    def rounded(self) -> Layers:
        """The same in whole numbers."""
        numbers = [numbers_of(part) for part in (self.first.weight, self.first_bias, self.second, self.second_bias)]
        first, first_bias, second, second_bias = numbers
        third = None
        if self.third is not None:
            third = weighing(numbers_of(self.third), THIRD_SCALE, numbers_of(self.third_bias))
            # A shift rounds down.
            second_bias = second_bias + HALF
        layers = (whole(first, FIRST_SCALE, np.int16), whole(first_bias, FIRST_SCALE, np.int16))
        return Layers(*layers, weighing(second, SECOND_SCALE, second_bias), third)

    @torch.no_grad()
    def take(self, layers: Layers) -> None:
        """Begins with weights that were rounded."""
        parts = [
            (self.first.weight, layers.first, FIRST_SCALE),
            (self.first_bias, layers.first_bias, FIRST_SCALE),
            (self.second, layers.second.weights, SECOND_SCALE),
            (self.second_bias, layers.second.bias, OUTPUT_SCALE),
        ]
        if layers.third is not None:
            parts += [(self.third, layers.third.weights, THIRD_SCALE), (self.third_bias, layers.third.bias, OUTPUT_SCALE)]
        for part, numbers, scale in parts:
            part.copy_(torch.from_numpy(numbers.astype("float64") / scale))
        if layers.third is not None:
            self.second_bias -= HALF


def numbers_of(part: torch.Tensor) -> np.ndarray:
    return part.detach().cpu().double().numpy()


def weighing(weights: np.ndarray, scale: float, bias: np.ndarray) -> Weighing:
    return Weighing(whole(weights, scale, np.int16), whole(bias, OUTPUT_SCALE, np.int32))


class Model(nn.Module):
    """A value and, if it has a width, a policy."""

    def __init__(self, features: dict, value_width: int, policy_width: int, precision: str = "tf32", value_middle: int = 0):
        super().__init__()
        self.features = features
        # What padded batches are multiplied in. The weights themselves always have 32 bits.
        self.kind = torch.bfloat16 if precision == "bf16" else torch.float32
        inputs, most = features["inputs"], features["most"]
        self.value = Small(inputs, most, value_width, VALUE_OUTPUTS, value_middle)
        self.policy = Small(inputs, most, policy_width, features["outputs"]) if policy_width else None

    def forward(self, batch):
        """The logits of the value, and of the legal moves if there is a policy."""
        return self.of_padded(batch) if isinstance(batch, Padded) else self.of_ragged(batch)

    def of_ragged(self, batch: Ragged):
        value = self.value.all_outputs(self.value.neurons(self.value.first(batch.inputs, batch.offsets)))
        if self.policy is None:
            return value, None
        neurons = self.policy.neurons(self.policy.first(batch.inputs, batch.offsets))
        return value, self.policy.outputs_of(neurons, batch.rows, batch.legal)

    def of_padded(self, batch: Padded):
        """Zeros and ones times all rows of both first layers. Adding up the active rows alone is less work, but its
        gradients wait for each other."""
        weights = [padded(part.first.weight) for part in (self.value, self.policy) if part is not None]
        active = torch.zeros(len(batch), len(weights[0]), dtype=self.kind, device=batch.inputs.device)
        active.scatter_add_(1, batch.inputs, batch.is_input.to(self.kind))
        sums = (active @ torch.cat(weights, 1).to(self.kind)).float().split([part.shape[1] for part in weights], 1)
        value = self.value.all_outputs(self.value.neurons(sums[0]))
        if self.policy is None:
            return value, None
        return value, self.policy.outputs_of_rows(self.policy.neurons(sums[1]), batch.legal, self.kind)

    def clip(self) -> None:
        for part in (self.value, self.policy):
            if part is not None:
                part.clip()

    def take(self, network: Network) -> None:
        self.value.take(network.value)
        if self.policy is not None:
            self.policy.take(network.policy)

    def network(self, card: dict) -> Network:
        """The network in whole numbers."""
        shape = {"value": {"width": len(self.value.first_bias)}}
        if self.value.third is not None:
            shape["value"]["middle"] = len(self.value.second_bias)
        if self.policy is not None:
            shape["policy"] = {"width": len(self.policy.first_bias)}
        scales = {"first": FIRST_SCALE, "second": SECOND_SCALE}
        whole = {"game": card["game"], "features": self.features, **shape, "scales": scales}
        whole.update((key, found) for key, found in card.items() if key != "game" and found is not None)
        policy = self.policy.rounded() if self.policy is not None else None
        return Network(whole, self.value.rounded(), policy)


def value_targets(score: torch.Tensor, result: torch.Tensor, result_share: float) -> torch.Tensor:
    """The chances of win, draw and loss to learn: those of the result and of the score, mixed.

    A score says what to expect, not how often games are drawn; it is taken with as many draws as it allows.
    """

    def chances(expected):
        return torch.stack((expected.clamp(min=0), 1 - expected.abs(), (-expected).clamp(min=0)), 1)

    return result_share * chances(result) + (1 - result_share) * chances(score)


def value_loss(logits: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    return -(targets * logits.log_softmax(1)).sum(1).mean()


def expectation(logits: torch.Tensor) -> torch.Tensor:
    chances = logits.softmax(1)
    return chances[:, 0] - chances[:, 2]


def padded(rows: torch.Tensor) -> torch.Tensor:
    """The same with more rows of zeros: GPUs multiply matrices of certain sizes faster."""
    missing = -len(rows) % 64
    return nn.functional.pad(rows, (0, 0) * (rows.dim() - 1) + (0, missing)) if missing else rows
