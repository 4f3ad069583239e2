"""Networks in whole numbers: their files, and what they say. NumPy alone is needed, no PyTorch.

The player's own code is in crates/network; this says the same a second time, so that a test can compare the two bit
for bit. docs/networks.md describes the file.
"""

import json
import zlib
from dataclasses import dataclass, field, replace
from typing import Any, Callable, Dict, Optional, Tuple

import numpy as np

MAGIC = b"monteverde network 1\n"
PACKED = b"monteverde packed network 1\n"
FIRST_SCALE = 255
SECOND_SCALE = 64
OUTPUT_SCALE = FIRST_SCALE * FIRST_SCALE * SECOND_SCALE
MOST_SECOND = 127
# Sums of a second layer are shifted so far to become the neurons before a third.
MIDDLE_SHIFT = 14
# What 1 is among the weights of third layers: 1 among those neurons is OUTPUT_SCALE shifted.
THIRD_SCALE = 2 ** (2 * MIDDLE_SHIFT) / OUTPUT_SCALE
# The largest of these neurons, where 1 stands for 1.
MIDDLE_LIMIT = (FIRST_SCALE << MIDDLE_SHIFT) / OUTPUT_SCALE
CHECKSUM_BYTES = 32
VALUE_OUTPUTS = 3


@dataclass
class Weighing:
    """A layer that weighs the squares of neurons."""

    weights: np.ndarray  # outputs x neurons, 16 bits
    bias: np.ndarray  # outputs, 32 bits

    def sums(self, squares: np.ndarray, outputs: np.ndarray) -> np.ndarray:
        """What these outputs say of one row of squares of neurons; OUTPUT_SCALE is 1."""
        outputs = outputs.astype(np.int64)
        found = self.weights[outputs].astype(np.int64) @ squares + self.bias[outputs]
        if np.abs(found).max(initial=0) > np.iinfo(np.int32).max:
            raise ValueError("a sum does not fit 32 bits")
        return found.astype(np.int32)

    def repeated(self, times: int) -> "Weighing":
        return Weighing(np.tile(self.weights, (times, 1)), np.tile(self.bias, times))


@dataclass
class Layers:
    """Rows of active inputs are added up, clipped, squared and weighed; with a third layer clipped, squared and weighed again."""

    first: np.ndarray  # inputs x width, 16 bits
    first_bias: np.ndarray  # width, 16 bits
    second: Weighing
    third: Optional[Weighing] = None

    def neurons(self, inputs: np.ndarray, offsets: np.ndarray) -> np.ndarray:
        """What the first layer makes of each row's active inputs: 0 to 255."""
        width = len(self.first_bias)
        sums = np.zeros((len(offsets) - 1, width), dtype=np.int32)
        for row in range(len(offsets) - 1):
            active = inputs[offsets[row] : offsets[row + 1]].astype(np.int64)
            sums[row] = self.first[active].sum(axis=0, dtype=np.int32)
        sums += self.first_bias.astype(np.int32)
        return np.clip(sums, 0, FIRST_SCALE)

    def sums(self, neurons: np.ndarray, outputs: np.ndarray) -> np.ndarray:
        """What these outputs say of one row of neurons of the first layer; OUTPUT_SCALE is 1."""
        squares = neurons.astype(np.int64) ** 2
        if self.third is None:
            return self.second.sums(squares, outputs)
        # Squares lose their last bit, so that half of them fits 16 bits.
        middle = self.second.sums(squares & ~1, np.arange(len(self.second.bias))) >> MIDDLE_SHIFT
        return self.third.sums(np.clip(middle, 0, FIRST_SCALE).astype(np.int64) ** 2, outputs)

    def bytes(self) -> bytes:
        parts = [("<i2", self.first), ("<i2", self.first_bias)]
        for layer in filter(None, (self.second, self.third)):
            parts += [("<i2", layer.weights), ("<i4", layer.bias)]
        return b"".join(np.ascontiguousarray(numbers, dtype=kind).tobytes() for kind, numbers in parts)

    @staticmethod
    def read(data: bytes, inputs: int, shape: Dict[str, int], outputs: int) -> Tuple["Layers", int]:
        """Layers of a shape as a card has it, and how many bytes they take."""
        at = 0

        def take(kind, *shape):
            nonlocal at
            count = int(np.prod(shape))
            numbers = np.frombuffer(data, dtype=kind, count=count, offset=at).reshape(shape)
            at += numbers.nbytes
            return numbers

        def weighing(width, outputs):
            return Weighing(take("<i2", outputs, width), take("<i4", outputs))

        width, middle = shape["width"], shape.get("middle")
        first, first_bias = take("<i2", inputs, width), take("<i2", width)
        second = weighing(width, middle or outputs)
        return Layers(first, first_bias, second, weighing(middle, outputs) if middle else None), at

    def repeated(self, times: int) -> "Layers":
        """The same with all outputs so many times, one after the other."""
        if self.third is None:
            return replace(self, second=self.second.repeated(times))
        return replace(self, third=self.third.repeated(times))


def whole(weights, scale: float, kind) -> np.ndarray:
    """The nearest whole numbers to trained weights, which were kept in range while they were trained."""
    numbers = np.rint(np.asarray(weights, dtype=np.float64) * scale)
    limits = np.iinfo(kind)
    if numbers.min() < limits.min or numbers.max() > limits.max:
        raise ValueError(f"a weight of {np.abs(weights).max()} does not fit at a scale of {scale}")
    return numbers.astype(kind)


@dataclass
class Network:
    """A network of one game: its card, and the layers of its value and its policy."""

    card: Dict[str, Any]
    value: Optional[Layers] = None
    policy: Optional[Layers] = None
    extra: Dict[str, Any] = field(default_factory=dict)

    def write(self, checksum: Callable[[bytes], bytes]) -> bytes:
        """The bytes of its file. `checksum` is BLAKE3, which the package `monteverde` has."""
        card = json.dumps(self.card, indent=2, ensure_ascii=False).encode()
        data = MAGIC + len(card).to_bytes(4, "little") + card
        data += b"".join(layers.bytes() for layers in (self.value, self.policy) if layers)
        return data + checksum(data)

    @staticmethod
    def read(data: bytes) -> "Network":
        data = unpacked(data)
        if not data.startswith(MAGIC):
            raise ValueError("it is no network: it does not begin with 'monteverde network 1'")
        at = len(MAGIC) + 4
        length = int.from_bytes(data[len(MAGIC) : at], "little")
        card = json.loads(data[at : at + length])
        at += length
        features = card["features"]
        found = {}
        for part, outputs in (("value", VALUE_OUTPUTS), ("policy", features["outputs"])):
            if part in card:
                found[part], size = Layers.read(data[at:], features["inputs"], card[part], outputs)
                at += size
        if at + CHECKSUM_BYTES != len(data):
            raise ValueError(f"it has {len(data)} bytes, and {at + CHECKSUM_BYTES} are expected")
        return Network(card, found.get("value"), found.get("policy"))

    def value_sums(self, inputs: np.ndarray, offsets: np.ndarray) -> np.ndarray:
        """Win, draw and loss of each row; OUTPUT_SCALE is 1."""
        neurons = self.value.neurons(inputs, offsets)
        outputs = np.arange(VALUE_OUTPUTS)
        return np.stack([self.value.sums(row, outputs) for row in neurons])

    def expectations(self, inputs: np.ndarray, offsets: np.ndarray) -> np.ndarray:
        """What each row is worth to the side to move, -1 to 1."""
        logits = self.value_sums(inputs, offsets) / OUTPUT_SCALE
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        return chances[:, 0] - chances[:, 2]

    def log_priors(self, inputs, offsets, legal, legal_offsets) -> np.ndarray:
        """The logits of all legal moves, one row after the other, as the player has them."""
        neurons = self.policy.neurons(inputs, offsets)
        rows = range(len(legal_offsets) - 1)
        sums = [self.policy.sums(neurons[row], legal[legal_offsets[row] : legal_offsets[row + 1]]) for row in rows]
        return (np.concatenate(sums).astype(np.float64) / OUTPUT_SCALE).astype(np.float32)


def unpacked(data: bytes) -> bytes:
    """The plain contents of a file that may be packed."""
    if not data.startswith(PACKED):
        return data
    at = len(PACKED) + 4
    length = int.from_bytes(data[len(PACKED) : at], "little")
    try:
        planes = np.frombuffer(zlib.decompress(data[at:]), dtype=np.uint8)
    except zlib.error as problem:
        raise ValueError(f"it is packed, and damaged: {problem}") from None
    if len(planes) != length:
        raise ValueError(f"it is packed, and has {len(planes)} bytes where {length} are expected")
    plain = np.empty(length, dtype=np.uint8)
    even = (length + 1) // 2
    plain[0::2], plain[1::2] = planes[:even], planes[even:]
    return plain.tobytes()
