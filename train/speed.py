"""How fast a device trains: `python -m train.speed --value-width 512 --policy-width 128`.

The states are random and kept on the device, so no data is needed, and nothing but the device counts.
"""

import argparse
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import torch

from .data import States
from .run import Run
from .source import Resident, device, is_gpu

STATES = 1 << 18


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m train.speed", description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--inputs", type=int, default=3072)
    add("--most", type=int, default=32, help="inputs of a state at once, at most")
    add("--outputs", type=int, default=7432)
    add("--moves", type=int, default=70, help="legal moves of a state, at most; half of that on average")
    add("--value-width", type=int, default=512)
    add("--value-middle", type=int, default=0)
    add("--policy-width", type=int, default=128)
    add("--batch", type=int, default=16384)
    add("--precision", choices=("tf32", "bf16"), default="tf32")
    add("--device", choices=("auto", "cpu", "cuda"), default="auto")
    add("--seconds", type=float, default=5)
    args = parser.parse_args()
    args.seed, args.rate, args.last_rate, args.result_share = 1, 1e-3, 1e-5, 0.5
    args.epochs, args.minutes, args.start, args.out = 1 << 30, None, None, Path("no file is written")
    args.deep = None
    run = Run(args, RandomStates(args))
    batches = run.source.training(args, seed=1, epochs=1 << 30)
    for _, batch in zip(range(5), batches):
        run.train(batch)
    finished(run.device)
    started, seen = time.monotonic(), run.seen
    while time.monotonic() - started < args.seconds:
        # The clock is read seldom: a GPU works ahead of it.
        for _, batch in zip(range(20), batches):
            run.train(batch)
        finished(run.device)
    each = (run.seen - seen) / (time.monotonic() - started)
    widths = f"{args.value_width} and {args.policy_width} wide"
    print(f"{widths}, {args.batch} a step, {args.precision}, {run.device}: {each:,.0f} states a second")


class RandomStates(Resident):
    def __init__(self, args):
        self.device = device(args)
        self.is_padded = is_gpu(self.device)
        if self.is_padded:
            torch.set_float32_matmul_precision("high")
        self.data = SimpleNamespace(features={name: getattr(args, name) for name in ("inputs", "most", "outputs")})
        random = np.random.default_rng(1)

        def some(least, most, below):
            offsets = np.concatenate([[0], random.integers(least, most + 1, STATES).cumsum()])
            return random.integers(below, size=offsets[-1]).astype(np.uint16), offsets.astype(np.uint32)

        inputs, offsets = some(args.most // 4, args.most, args.inputs)
        legal, legal_offsets = some(1, args.moves, args.outputs)
        best = legal_offsets[:-1].astype(np.int64)
        shares = np.zeros(len(legal), dtype=np.float32)
        shares[best] = 1
        batch = {
            "inputs": inputs,
            "offsets": offsets,
            "legal": legal,
            "legal_offsets": legal_offsets,
            "shares": shares,
            "best": legal[best],
            "score": random.uniform(-1, 1, STATES).astype(np.float32),
            "result": random.integers(-1, 2, STATES).astype(np.float32),
        }
        self.states = States([batch], self.device)
        self.counts = [(1.0, STATES)]


def finished(device: str) -> None:
    """Waits until the device has done what it was given."""
    if is_gpu(device):
        torch.cuda.synchronize()


if __name__ == "__main__":
    main()
