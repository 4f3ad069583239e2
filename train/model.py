"""The networks as PyTorch trains them: one first layer and one second layer each, for the value and for the policy."""

import torch
from torch import nn

from .integers import FIRST_SCALE, MOST_SECOND, SECOND_SCALE, VALUE_OUTPUTS, Layers, Network

SHORTS = 32767
# What second layers of full weights leave of 32 bits.
BIAS_LIMIT = 2.8


class TwoLayers(nn.Module):
    """Rows of active inputs added up, clipped to 0..1, squared, and weighed."""

    def __init__(self, inputs: int, most: int, width: int, outputs: int):
        super().__init__()
        self.first = nn.EmbeddingBag(inputs, width, mode="sum", include_last_offset=True)
        self.first_bias = nn.Parameter(torch.full((width,), 0.4))
        self.second = nn.Parameter(torch.empty(outputs, width))
        self.second_bias = nn.Parameter(torch.zeros(outputs))
        # Sums of rows then lie within 0..1 for the most part, where neurons learn.
        nn.init.normal_(self.first.weight, std=0.4 * most**-0.5)
        nn.init.normal_(self.second, std=width**-0.5)
        # So that sums of as many rows as are ever active fit 16 bits, and products of weights and neurons too.
        self.first_limit = min(1.98, SHORTS / FIRST_SCALE / (most + 1))
        # The sum of all products must fit 32 bits, for which wider layers need smaller weights.
        self.second_limit = min(MOST_SECOND, 2**31 // (FIRST_SCALE**2 * (width + 2))) / SECOND_SCALE

    def neurons(self, inputs: torch.Tensor, offsets: torch.Tensor) -> torch.Tensor:
        return (self.first(inputs, offsets) + self.first_bias).clamp(0, 1).square()

    def all_outputs(self, neurons: torch.Tensor) -> torch.Tensor:
        return neurons @ self.second.t() + self.second_bias

    def outputs_of(self, neurons: torch.Tensor, rows: torch.Tensor, outputs: torch.Tensor) -> torch.Tensor:
        """What output `outputs[i]` says of row `rows[i]`."""
        if neurons.is_cuda:
            # The products of all are cheaper there than rows gathered one by one.
            return self.all_outputs(neurons)[rows, outputs]
        # Written so that the gradients of rows are added up by several threads.
        weights = nn.functional.embedding(outputs, self.second)
        return (neurons.index_select(0, rows) * weights).sum(1) + self.second_bias.index_select(0, outputs)

    @torch.no_grad()
    def clip(self) -> None:
        self.first.weight.clamp_(-self.first_limit, self.first_limit)
        self.first_bias.clamp_(-self.first_limit, self.first_limit)
        self.second.clamp_(-self.second_limit, self.second_limit)
        self.second_bias.clamp_(-BIAS_LIMIT, BIAS_LIMIT)

    def rounded(self) -> Layers:
        parts = (self.first.weight, self.first_bias, self.second, self.second_bias)
        return Layers.rounded(*(part.detach().cpu().double().numpy() for part in parts))


class Model(nn.Module):
    """A value and, if it has a width, a policy."""

    def __init__(self, features: dict, value_width: int, policy_width: int):
        super().__init__()
        self.features = features
        inputs, most = features["inputs"], features["most"]
        self.value = TwoLayers(inputs, most, value_width, VALUE_OUTPUTS)
        self.policy = TwoLayers(inputs, most, policy_width, features["outputs"]) if policy_width else None

    def clip(self) -> None:
        for part in (self.value, self.policy):
            if part is not None:
                part.clip()

    def network(self, card: dict) -> Network:
        """The network in whole numbers."""
        shape = {"value": {"width": len(self.value.first_bias)}}
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


def policy_loss(logits: torch.Tensor, rows: torch.Tensor, shares: torch.Tensor, count: int) -> torch.Tensor:
    """The mean over states of the cross entropy between the shares of the legal moves and what the policy gives them."""
    highest = torch.full((count,), -torch.inf, device=logits.device).scatter_reduce(0, rows, logits.detach(), "amax")
    shifted = logits - highest[rows]
    sums = torch.zeros(count, device=logits.device).index_add(0, rows, shifted.exp())
    return -(shares * (shifted - sums.log()[rows])).sum() / count
