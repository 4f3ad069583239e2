"""Where the batches of a run come from: made anew by threads every epoch, or drawn from states kept on the device."""

import math
import os
from itertools import chain
from pathlib import Path
from typing import Iterator, Optional, Union

import torch
from monteverde import training

from .data import Padded, Ragged, States, ragged

# States that are read at a time to be kept.
READ_AT_ONCE = 1 << 15
# Columns are put together from what was read, so for a moment they are there twice; what is left then is for training.
ROOM = 2
GIB = 1 << 30

Batch = Union[Ragged, Padded]


class Source:
    """The data of one or more runs, streamed: little memory is enough, whatever the size of the data."""

    def __init__(self, args):
        self.device = device(args)
        if is_gpu(self.device):
            # Products of matrices with 10 bits behind the point: more than whole numbers keep in the end.
            torch.set_float32_matmul_precision("high")
        self.is_padded = is_gpu(self.device)
        self.taught = {}  # for the card: whose opinions stand in for games, and of which more states
        self.data = training.DataSet([str(path) for path in chain(*args.data)])
        if args.game not in (None, self.data.game):
            raise ValueError(f"the data is of {self.data.game}, not of {args.game}")
        self.weights = [weight for paths, weight in zip(args.data, args.weights) for _ in paths]
        self.options = {
            "threads": args.threads or os.cpu_count() or 1,
            "quiet_only": args.quiet_only,
            "held_out": args.held_out,
        }

    def describe(self) -> str:
        """The data, and what is wrong with it, in lines."""
        correlation = self.data.correlation
        correlation = "none, since no game was won" if correlation is None else f"{correlation:.3f}"
        words = f"{self.data.positions:,} positions of {self.data.game} on {self.device}"
        first = f"{words}, correlation of the signs of score and result: {correlation}"
        return "\n".join([first, *(f"{sentence}; it is left out" for sentence in self.data.damage)])

    def training(self, args, seed: int, epochs: int) -> Iterator[Batch]:
        """Every state once an epoch, or as often as the weight of its file says, in an order that the seed gives."""
        options = {"batch": args.batch, "seed": seed, "epochs": epochs, "policy": args.policy_width > 0}
        return self.sent(self.made(part="training", weights=self.weights, **options))

    def held_out(self, args) -> Iterator[Batch]:
        """States of games that are not trained on, whatever their weight is, in the same order each time."""
        options = {"batch": args.batch, "seed": 1, "policy": args.policy_width > 0}
        return self.sent(self.made(part="held-out", known=True, **options))

    def made(self, **options):
        return training.Batches(self.data, **self.options, **options)

    def sent(self, batches) -> Iterator[Batch]:
        for batch in batches:
            if self.is_padded:
                states = States([batch], self.device)
                yield states.take(states.numbers(), batch["epochs_done"])
            else:
                yield ragged(batch, self.device)


class NoRoom(ValueError):
    """The data does not fit into the memory of the device."""


class Resident(Source):
    """All states are read once and kept on the device, so that nothing but the device bounds the speed."""

    def __init__(self, args, policy: bool):
        super().__init__(args)
        self.counts = []  # states of each weight, in the order in which they are kept
        options = {"batch": READ_AT_ONCE, "policy": policy}
        self.unlabelled = training.DataSet([str(path) for path in args.unlabelled]) if args.unlabelled else None
        if self.unlabelled is not None and self.unlabelled.game != self.data.game:
            raise ValueError(f"--unlabelled: games of {self.data.game} are accepted, not of {self.unlabelled.game}")
        self.states = States(self.fitting(self.by_weight(options)), self.device)
        self.held = States(self.made(part="held-out", known=True, **options), self.device)

    def describe(self) -> str:
        return f"{super().describe()}\nall of it is kept there: {(self.states.bytes + self.held.bytes) / GIB:.2f} GiB"

    def learn_from(self, teacher, digest: str) -> None:
        """From now on all states that are trained on have a teacher's opinions; those held out stay as they are."""
        self.states.learn_from(teacher)
        self.taught = {"teacher": digest}
        if self.unlabelled is not None:
            more = self.unlabelled
            self.taught["unlabelled"] = {"digest": more.digest, "positions": more.positions}

    def by_weight(self, options: dict):
        for weight in sorted({weight for weight in self.weights if weight}):
            files = [float(own == weight) for own in self.weights]
            yield from self.counted(weight, self.made(part="training", weights=files, **options))
        if self.unlabelled is not None:
            yield from self.counted(1.0, training.Batches(self.unlabelled, threads=self.options["threads"], **options))

    def counted(self, weight: float, batches):
        """The same batches; how many states of this weight they have is noted."""
        count = 0
        for batch in batches:
            count += len(batch["score"])
            yield batch
        self.counts.append((weight, count))

    def fitting(self, batches):
        """The same batches. Once the first one is there, it is known how much memory all of them want."""
        for number, batch in enumerate(batches):
            if number == 0:
                bytes_each = States([batch], "cpu").bytes / max(1, len(batch["score"]))
                positions = self.data.positions + (self.unlabelled.positions if self.unlabelled else 0)
                wanted, free = ROOM * bytes_each * positions, free_memory(self.device)
                if free is not None and wanted > free:
                    problem = f"{positions:,} positions do not fit into the memory of {self.device}"
                    raise NoRoom(f"{problem}: they want {wanted / GIB:.1f} GiB, and {free / GIB:.1f} GiB are free")
            yield batch

    def training(self, args, seed: int, epochs: int) -> Iterator[Batch]:
        random = torch.Generator(self.device).manual_seed(seed)
        for epoch in range(epochs):
            order = self.order(random)
            yield from self.deal(self.states, order, args.batch, epoch)

    def held_out(self, args) -> Iterator[Batch]:
        # They were read in random order.
        return self.deal(self.held, self.held.numbers(), args.batch, 0)

    def order(self, random: torch.Generator) -> torch.Tensor:
        """The numbers of all states, as often as their weights say; of a part of a time a part is drawn."""
        drawn, before = [], 0
        for weight, count in self.counts:
            numbers = torch.arange(before, before + count, device=self.device)
            drawn.append(numbers.repeat(int(weight)))
            if weight % 1:
                part = torch.randperm(count, generator=random, device=self.device)[: round(weight % 1 * count)]
                drawn.append(numbers[part])
            before += count
        drawn = torch.cat(drawn)
        return drawn[torch.randperm(len(drawn), generator=random, device=self.device)]

    def deal(self, states: States, order: torch.Tensor, most: int, epoch: int) -> Iterator[Batch]:
        count = math.ceil(len(order) / most)
        for number in range(count):
            rows = order[number * len(order) // count : (number + 1) * len(order) // count]
            batch = states.take(rows, epoch + (number + 1) / count)
            yield batch if self.is_padded else batch.ragged()


def opened(args, policy: bool) -> Source:
    """The data, kept on the device if it is a GPU and has room, or as `--resident` says; legal moves with it if one of
    the runs has a policy."""
    wants_all = args.teacher is not None or args.resident == "yes"
    if args.resident == "no" or not wants_all and not is_gpu(device(args)):
        return Source(args)
    try:
        return Resident(args, policy)
    except (NoRoom, torch.cuda.OutOfMemoryError) as problem:
        if wants_all:
            hint = "a teacher needs that" if args.teacher is not None else "'--resident no' streams the data"
            raise ValueError(f"{problem}; {hint}") from None
        print(f"{problem}; it is streamed")
    torch.cuda.empty_cache()
    return Source(args)


def device(args) -> str:
    if args.device == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    return args.device


def is_gpu(device: str) -> bool:
    return device != "cpu"


def free_memory(device: str) -> Optional[int]:
    """Bytes; nothing where the system does not tell."""
    if is_gpu(device):
        return torch.cuda.mem_get_info()[0]
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")), None)
