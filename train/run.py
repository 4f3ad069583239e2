"""One training run: steps, checkpoints, metrics, and the network at its end."""

import json
import math
import os
import time
from pathlib import Path

import torch
from monteverde import training

from . import data, plot
from .model import Model, expectation, policy_loss, value_loss, value_targets

# What must be the same for a checkpoint to go on.
SAME = ("value_width", "policy_width", "batch", "seed", "result_share", "quiet_only", "held_out")
# States of the held-out games that are looked at each time; the last time all are.
HELD_OUT_STATES = 100_000
REPORT_SECONDS = 20


class Run:
    def __init__(self, args):
        self.args = args
        self.device = args.device
        if self.device == "auto":
            self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.data = training.DataSet([str(path) for path in args.data])
        if args.game not in (None, self.data.game):
            raise ValueError(f"the data is of {self.data.game}, not of {args.game}")
        torch.manual_seed(args.seed)
        self.model = Model(self.data.features, args.value_width, args.policy_width).to(self.device)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=args.rate, weight_decay=0.0)
        self.step = 0
        self.seen = 0  # states trained on
        self.epochs = 0.0  # how often all of them
        self.before = 0.0  # seconds of earlier runs
        self.started = time.monotonic()
        self.resume()

    def file(self, ending: str) -> Path:
        return self.args.out.with_name(self.args.out.name + ending)

    def seconds(self) -> float:
        return self.before + time.monotonic() - self.started

    def run(self) -> None:
        correlation = "none, since no game was won" if self.data.correlation is None else f"{self.data.correlation:.3f}"
        words = f"{self.data.positions:,} positions of {self.data.game} on {self.device}"
        print(f"{words}, correlation of the signs of score and result: {correlation}")
        for sentence in self.data.damage:
            print(f"{sentence}; it is left out")
        next_report = next_checkpoint = 0.0
        earlier = self.epochs
        sums, count = {}, 0
        # A run that goes on draws another order, since it does not know where it was in the last one.
        epochs = max(1, math.ceil(self.args.epochs - earlier))
        options = self.options(part="training", epochs=epochs, seed=self.args.seed + self.step)
        for batch in data.batches(self.data, self.device, **options):
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
        self.finish({name: float(loss) / count for name, loss in sums.items()} if count else {})

    def options(self, **more) -> dict:
        args = self.args
        threads = args.threads or os.cpu_count() or 1
        return {
            "batch": args.batch,
            "threads": threads,
            "quiet_only": args.quiet_only,
            "policy": self.model.policy is not None,
            "held_out": args.held_out,
            **more,
        }

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

    def losses(self, batch) -> dict:
        value = self.model.value
        logits = value.all_outputs(value.neurons(batch.inputs, batch.offsets))
        targets = value_targets(batch.score, batch.result, self.args.result_share)
        found = {"value": value_loss(logits, targets)}
        if self.model.policy is not None:
            policy = self.model.policy
            neurons = policy.neurons(batch.inputs, batch.offsets)
            moves = policy.outputs_of(neurons, batch.rows, batch.legal)
            found["policy"] = policy_loss(moves, batch.rows, batch.shares, len(batch))
        return found

    def train(self, batch) -> dict:
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate()
        self.optimizer.zero_grad(set_to_none=True)
        losses = self.losses(batch)
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
        sums, count, known_count = {}, 0, 0

        def add(name, amount):
            sums[name] = sums.get(name, 0.0) + float(amount)

        for batch in data.batches(self.data, self.device, **self.options(part="held-out", epochs=1, known=True, seed=1)):
            for name, loss in self.losses(batch).items():
                add(f"{name}_loss", loss * len(batch))
            value = self.model.value
            expected = expectation(value.all_outputs(value.neurons(batch.inputs, batch.offsets)))
            add("error", (expected - batch.result).square().sum())
            add("score_error", (batch.score - batch.result).square().sum())
            is_known = ~batch.known.isnan()
            add("known_error", (batch.known - batch.result)[is_known].square().sum())
            known_count += int(is_known.sum())
            if self.model.policy is not None:
                policy = self.model.policy
                moves = policy.outputs_of(policy.neurons(batch.inputs, batch.offsets), batch.rows, batch.legal)
                highest = torch.full((len(batch),), -torch.inf, device=moves.device)
                highest = highest.scatter_reduce(0, batch.rows, moves, "amax")
                best = batch.best[batch.rows] == batch.legal
                add("policy_hits", (best & (moves == highest[batch.rows])).sum())
            count += len(batch)
            if count >= most:
                break
        found = {name: amount / max(1, known_count if name == "known_error" else count) for name, amount in sums.items()}
        if not known_count:
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

    def checkpoint(self) -> None:
        """Beside the old one first: a run that is killed now still has that."""
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
                "same": {name: getattr(self.args, name) for name in SAME},
            },
            beside,
        )
        beside.replace(self.file(".checkpoint"))

    def resume(self) -> None:
        path = self.file(".checkpoint")
        if not path.exists():
            return
        saved = torch.load(path, map_location=self.device, weights_only=True)
        if saved["features"] != self.data.features:
            raise ValueError(f"{path} was made for other features; take another --out")
        for name, was in saved["same"].items():
            now = getattr(self.args, name)
            if now != was:
                raise ValueError(f"{path} was made with --{name.replace('_', '-')} {was}, not {now}; give that, or another --out")
        self.model.load_state_dict(saved["model"])
        self.optimizer.load_state_dict(saved["optimizer"])
        self.step, self.seen, self.epochs = saved["step"], saved["seen"], saved["epochs"]
        self.before = saved["seconds"]
        print(f"goes on after step {self.step}")

    def finish(self, losses: dict) -> None:
        held_out = self.held_out(1 << 62)
        self.report(losses, held_out)
        self.checkpoint()
        card = {
            "game": self.data.game,
            "data": {"digest": self.data.digest, "positions": self.data.positions},
            "seed": self.args.seed,
            "build": self.data.build,
            "training": {
                "states_seen": self.seen,
                "result_share": self.args.result_share,
                "quiet_only": self.args.quiet_only,
                "held_out": held_out,
            },
        }
        path = self.file(".net")
        path.write_bytes(self.model.network(card).write(training.checksum))
        plot.draw(self.file(".metrics.jsonl"), self.file(".png"))
        print(f"{path}: {path.stat().st_size:,} bytes")
