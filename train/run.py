"""One training run: steps, checkpoints, metrics, and the network at its end."""

import json
import math
import time
from pathlib import Path
from typing import Optional

import torch
from monteverde import training

from . import plot
from .deep import Deep
from .integers import CHECKSUM_BYTES, Network, unpacked
from .model import Model, expectation, value_loss, value_targets
from .source import Source

# What must be the same for a checkpoint to go on.
SAME = ("value_width", "value_middle", "policy_width", "deep", "batch", "seed", "result_share", "quiet_only", "held_out")
# States of the held-out games that are looked at each time; the last time all are.
HELD_OUT_STATES = 100_000
ALL_STATES = 1 << 62
REPORT_SECONDS = 20


class Run:
    def __init__(self, args, source: Source):
        self.args = args
        self.source = source
        self.data = source.data
        self.device = source.device
        torch.manual_seed(args.seed)
        self.model = made(self.data.features, args).to(self.device)
        # One kernel for all weights, where there is one.
        is_fused = self.device != "cpu"
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=args.rate, weight_decay=0.0, fused=is_fused)
        self.step = 0
        self.seen = 0  # states trained on
        self.epochs = 0.0  # how often all of them
        self.before = 0.0  # seconds of earlier runs
        self.parent = None  # the digest of the network that it began with
        self.has_ended = False
        self.started = time.monotonic()
        if not self.resume():
            self.file(".metrics.jsonl").unlink(missing_ok=True)
            if args.start is not None:
                self.begin_with(args.start)

    def file(self, ending: str) -> Path:
        return self.args.out.with_name(self.args.out.name + ending)

    def seconds(self) -> float:
        return self.before + time.monotonic() - self.started

    def run(self) -> dict:
        """Trains, and gives what was measured on the games that were held out."""
        self.started = time.monotonic()
        if self.has_ended and self.progress() >= 1:
            # Its card names the data that it was trained on, which may have been less.
            print(f"{self.file('.net')} stays as it is: nothing is left to train; give more --epochs or --minutes")
            return self.held_out(ALL_STATES)
        next_report = next_checkpoint = 0.0
        earlier = self.epochs
        sums, count = {}, 0
        # A run that goes on draws another order, since it does not know where it was in the last one.
        epochs = max(1, math.ceil(self.args.epochs - earlier))
        for batch in self.source.training(self.args, self.args.seed + self.step, epochs):
            if self.progress() >= 1:
                break
            for name, loss in self.train(batch).items():
                sums[name] = sums.get(name, 0.0) + loss
            count += 1
            self.epochs = earlier + batch.epochs_done
            now = time.monotonic() - self.started
            if now >= next_report:
                self.report({name: float(loss) / count for name, loss in sums.items()}, self.held_out(HELD_OUT_STATES))
                sums, count = {}, 0
                next_report = time.monotonic() - self.started + REPORT_SECONDS
            if now >= next_checkpoint:
                self.checkpoint()
                next_checkpoint = now + 60 * self.args.checkpoint_minutes
        return self.finish({name: float(loss) / count for name, loss in sums.items()} if count else {})

    def progress(self) -> float:
        """How much of the run is done, 0 to 1."""
        shares = [self.epochs / self.args.epochs]
        if self.args.minutes:
            shares.append(self.seconds() / (60 * self.args.minutes))
        return min(1.0, max(shares))

    def rate(self) -> float:
        """Falls along a cosine."""
        share = (1 + math.cos(math.pi * self.progress())) / 2
        return self.args.last_rate + share * (self.args.rate - self.args.last_rate)

    def losses(self, batch, value, moves) -> dict:
        targets = batch.chances
        if targets is None:
            targets = value_targets(batch.score, batch.result, self.args.result_share)
        found = {"value": value_loss(value, targets)}
        if moves is not None:
            found["policy"] = batch.policy_loss(moves)
        return found

    def train(self, batch) -> dict:
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate()
        self.optimizer.zero_grad(set_to_none=True)
        losses = self.losses(batch, *self.model(batch))
        sum(losses.values()).backward()
        self.optimizer.step()
        self.model.clip()
        self.step += 1
        self.seen += len(batch)
        return {name: loss.detach() for name, loss in losses.items()}

    @torch.no_grad()
    def held_out(self, most: int) -> dict:
        """Losses on games that are not trained on, beside those of the hand-made evaluation and of the scores.

        Errors are mean squares of what was expected less the result, -1, 0 or 1.
        """
        if not self.args.held_out:
            return {}
        self.model.eval()
        sums, count = {}, 0

        def add(name, amount):
            # Kept on the device, which need not wait for each of them.
            sums[name] = sums.get(name, 0.0) + amount.double()

        for batch in self.source.held_out(self.args):
            value, moves = self.model(batch)
            for name, loss in self.losses(batch, value, moves).items():
                add(f"{name}_loss", loss * len(batch))
            add("error", (expectation(value) - batch.result).square().sum())
            add("score_error", (batch.score - batch.result).square().sum())
            add("known_error", (batch.known - batch.result).square().nansum())
            add("known", (~batch.known.isnan()).sum())
            if moves is not None:
                add("policy_hits", batch.policy_hits(moves))
            count += len(batch)
            if count >= most:
                break
        self.model.train()
        found = {name: float(amount) for name, amount in sums.items()}
        known = found.pop("known", 0)
        found = {name: amount / max(1, known if name == "known_error" else count) for name, amount in found.items()}
        if not known:
            found.pop("known_error", None)
        return {"states": count, **found}

    def report(self, losses: dict, held_out: dict) -> None:
        line = {
            "step": self.step,
            "positions": self.seen,
            "epochs": round(self.epochs, 4),
            "seconds": round(self.seconds(), 1),
            "per_second": round(self.seen / max(1e-9, self.seconds())),
            "rate": self.rate(),
            "training": losses,
            "held_out": held_out,
        }
        with self.file(".metrics.jsonl").open("a") as file:
            file.write(json.dumps(line) + "\n")
        numbers = {**{f"training {name}": loss for name, loss in losses.items()}, **held_out}
        words = ", ".join(f"{name} {number:.4f}" for name, number in numbers.items() if name != "states")
        print(f"step {self.step}, {self.seen:,} positions, {line['per_second']:,} a second: {words}", flush=True)

    def checkpoint(self, digest: Optional[str] = None) -> None:
        """Beside the old one first: a run that is killed now still has that. At the end there is a network, too."""
        beside = self.file(".checkpoint.new")
        torch.save(
            {
                "model": self.model.state_dict(),
                "optimizer": self.optimizer.state_dict(),
                "step": self.step,
                "seen": self.seen,
                "epochs": self.epochs,
                "seconds": self.seconds(),
                "features": self.data.features,
                "parent": self.parent,
                "digest": digest,
                "same": {name: getattr(self.args, name) for name in SAME},
            },
            beside,
        )
        beside.replace(self.file(".checkpoint"))

    def resume(self) -> bool:
        path = self.file(".checkpoint")
        if not path.exists():
            return False
        saved = load(path, self.data.features, self.device)
        for name, was in saved["same"].items():
            now = getattr(self.args, name)
            if now != was:
                raise ValueError(f"{path} was made with {option(name)} {was}, not {now}; give that, or another --out")
        self.model.load_state_dict(saved["model"])
        self.optimizer.load_state_dict(saved["optimizer"])
        self.step, self.seen, self.epochs = saved["step"], saved["seen"], saved["epochs"]
        self.before = saved["seconds"]
        self.parent = saved.get("parent")
        self.has_ended = saved.get("digest") is not None
        self.forget_later_lines()
        print(f"{self.args.out} goes on after step {self.step}")
        return True

    def forget_later_lines(self) -> None:
        """A run that was killed has reported steps that come once more, and may have left half a line."""
        path = self.file(".metrics.jsonl")
        lines = path.read_text().splitlines(keepends=True) if path.exists() else []
        whole = [line for line in lines if line.endswith("\n") and json.loads(line)["step"] <= self.step]
        if whole != lines:
            path.write_text("".join(whole))

    def begin_with(self, path: Path) -> None:
        """Takes the weights of another run; all else begins anew."""
        if path.suffix == ".net":
            if self.args.deep:
                raise ValueError(f"{path} is a network to play with; with --deep the checkpoint of a deep one is accepted")
            return self.begin_with_network(path)
        saved = load(path, self.data.features, self.device)
        for name in ("value_width", "value_middle", "policy_width", "deep"):
            # What checkpoints of earlier programs do not name they do not have.
            was, now = saved["same"].get(name), getattr(self.args, name)
            if (now or 0) != (was or 0):
                raise ValueError(f"{path} was made with {option(name)} {was}, not {now}; give that")
        self.model.load_state_dict(saved["model"])
        self.parent = saved.get("digest")
        if self.parent is None:
            print(f"{path} is of a run that did not end: the card will name no parent")

    def begin_with_network(self, path: Path) -> None:
        """Takes the rounded weights of a network, such as those that the games bring.

        Where the features have got more outputs since then, each old one some times, all of these begin like the old one.
        """
        try:
            data = unpacked(path.read_bytes())
            network = Network.read(data)
            if training.checksum(data[:-CHECKSUM_BYTES]) != data[-CHECKSUM_BYTES:]:
                raise ValueError("its checksum is wrong: it is damaged")
        except (OSError, ValueError) as problem:
            raise ValueError(f"{path}: {problem}") from None
        self.parent = training.checksum(data).hex()
        times = self.times_outputs(network.card["features"])
        if times is None:
            check_features(path, network.card["features"], self.data.features)
        elif network.policy is not None:
            network.policy = network.policy.repeated(times)
        for name in ("value_width", "value_middle", "policy_width"):
            part, number = name.split("_")
            was, now = network.card.get(part, {}).get(number, 0), getattr(self.args, name)
            if now != was:
                raise ValueError(f"{path} has {option(name)} {was}, not {now}; give that")
        self.model.take(network)

    def times_outputs(self, was: dict) -> Optional[int]:
        """How often the outputs of a network's features are in ours, if nothing else differs; None for other features."""
        now = self.data.features
        times, rest = divmod(now["outputs"], was["outputs"])
        same = all(was[name] == now[name] for name in ("inputs", "most"))
        return times if times > 1 and rest == 0 and same else None

    def finish(self, losses: dict) -> dict:
        held_out = self.held_out(ALL_STATES)
        self.report(losses, held_out)
        if self.args.deep:
            self.checkpoint(digest_of(self.model))
        else:
            self.write_network(held_out)
        plot.draw(self.file(".metrics.jsonl"), self.file(".png"))
        return held_out

    def write_network(self, held_out: dict) -> None:
        card = {
            "game": self.data.game,
            "data": {"digest": self.data.digest, "positions": self.data.positions},
            "parent": self.parent,
            "seed": self.args.seed,
            "build": self.data.build,
            "training": {
                "states_seen": self.seen,
                "result_share": self.args.result_share,
                "quiet_only": self.args.quiet_only,
                "weights": self.args.weights,
                **self.source.taught,
                "held_out": held_out,
            },
        }
        path = self.file(".net")
        path.write_bytes(self.model.network(card).write(training.checksum))
        self.checkpoint(training.Network(path).digest)
        print(f"{path}: {path.stat().st_size:,} bytes")


def made(features: dict, args):
    """The network that is trained."""
    if args.deep:
        return Deep(features, *args.deep)
    return Model(features, args.value_width, args.policy_width, args.precision, args.value_middle)


def teacher(path: Path, features: dict, device: str):
    """A deep network that was trained before, and its digest."""
    saved = load(path, features, device)
    shape = saved["same"].get("deep")
    if not shape:
        raise ValueError(f"{path} is of a run without --deep, and only deep networks teach")
    deep = Deep(features, *shape).to(device)
    deep.load_state_dict(saved["model"])
    return deep.eval(), digest_of(deep)


def load(path: Path, features: dict, device: str) -> dict:
    """A checkpoint of a network for these features."""
    try:
        saved = torch.load(path, map_location=device, weights_only=True)
    except OSError:
        raise
    except Exception as problem:  # bytes that are no checkpoint fail in many ways
        reason = (str(problem).splitlines() or [type(problem).__name__])[0]
        raise ValueError(f"{path} is no checkpoint: {reason}") from None
    check_features(path, saved["features"], features)
    return saved


def check_features(path: Path, was: dict, now: dict) -> None:
    if was != now:
        raise ValueError(f"{path} was made for other features: {was['name']}, not {now['name']}")


def digest_of(model) -> str:
    """What tells the weights of a network in floating point from others."""
    weights = [weight.detach().cpu().contiguous().numpy().tobytes() for weight in model.state_dict().values()]
    return training.checksum(b"".join(weights)).hex()


def option(name: str) -> str:
    return f"--{name.replace('_', '-')}"
