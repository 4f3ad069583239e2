"""Networks in whole numbers: their files, and what they say. NumPy alone is needed, no PyTorch.

The player's own code is in crates/network; this says the same a second time, so that a test can compare the two bit
for bit. docs/networks.md describes the file.
"""

import json
import zlib
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Optional

import numpy as np

MAGIC = b"monteverde network 1\n"
PACKED = b"monteverde packed network 1\n"
FIRST_SCALE = 255
SECOND_SCALE = 64
OUTPUT_SCALE = FIRST_SCALE * FIRST_SCALE * SECOND_SCALE
MOST_SECOND = 127
CHECKSUM_BYTES = 32
VALUE_OUTPUTS = 3


@dataclass
class Layers:
    """Two layers: rows of active inputs are added up, clipped, squared and weighed."""

    first: np.ndarray  # inputs x width, 16 bits
    first_bias: np.ndarray  # width, 16 bits
    second: np.ndarray  # outputs x width, 16 bits
    second_bias: np.ndarray  # outputs, 32 bits

    @staticmethod
    def rounded(first, first_bias, second, second_bias) -> "Layers":
        """The nearest whole numbers to trained weights, which were kept in range while they were trained."""

        def whole(weights, scale, kind):
            numbers = np.rint(np.asarray(weights, dtype=np.float64) * scale)
            limits = np.iinfo(kind)
            if numbers.min() < limits.min or numbers.max() > limits.max:
                raise ValueError(f"a weight of {np.abs(weights).max()} does not fit at a scale of {scale}")
            return numbers.astype(kind)

        return Layers(
            whole(first, FIRST_SCALE, np.int16),
            whole(first_bias, FIRST_SCALE, np.int16),
            whole(second, SECOND_SCALE, np.int16),
            whole(second_bias, OUTPUT_SCALE, np.int32),
        )

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
        """What these outputs say of one row of neurons; OUTPUT_SCALE is 1."""
        squares = neurons.astype(np.int64) ** 2
        found = self.second[outputs.astype(np.int64)].astype(np.int64) @ squares + self.second_bias[outputs.astype(np.int64)]
        if np.abs(found).max(initial=0) > np.iinfo(np.int32).max:
            raise ValueError("a sum does not fit 32 bits")
        return found.astype(np.int32)

    def bytes(self) -> bytes:
        parts = (("<i2", self.first), ("<i2", self.first_bias), ("<i2", self.second), ("<i4", self.second_bias))
        return b"".join(np.ascontiguousarray(numbers, dtype=kind).tobytes() for kind, numbers in parts)

    @staticmethod
    def read(data: bytes, inputs: int, width: int, outputs: int) -> "Layers":
        at = 0

        def take(kind, *shape):
            nonlocal at
            count = int(np.prod(shape))
            numbers = np.frombuffer(data, dtype=kind, count=count, offset=at).reshape(shape)
            at += numbers.nbytes
            return numbers

        return Layers(take("<i2", inputs, width), take("<i2", width), take("<i2", outputs, width), take("<i4", outputs))

    def repeated(self, times: int) -> "Layers":
        """The same with all outputs so many times, one after the other."""
        return Layers(self.first, self.first_bias, np.tile(self.second, (times, 1)), np.tile(self.second_bias, times))

    @staticmethod
    def size(inputs: int, width: int, outputs: int) -> int:
        return 2 * width * (inputs + 1 + outputs) + 4 * outputs


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
                shape = (features["inputs"], card[part]["width"], outputs)
                found[part] = Layers.read(data[at:], *shape)
                at += Layers.size(*shape)
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
