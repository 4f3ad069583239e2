"""Trains a network: `python -m train --data chess.mvd --out chess`.

Leaves OUT.net, what the player reads; OUT.checkpoint, from which the same command goes on; OUT.metrics.jsonl; and
OUT.png. docs/networks.md has a worked example.
"""

import argparse
import sys
from pathlib import Path

from .run import Run


def arguments(words=None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m train", description=__doc__.splitlines()[0])
    parser.add_argument("--game", help="the game; it must be that of the data, which says it itself")
    parser.add_argument("--data", nargs="+", required=True, type=Path, metavar="FILE", help="files of training games")
    parser.add_argument("--out", required=True, type=Path, help="what the files that it writes are called")
    parser.add_argument("--epochs", type=int, default=4, help="how often every state is seen")
    parser.add_argument("--minutes", type=float, help="ends after that time, whatever is left of the epochs")
    parser.add_argument("--value-width", type=int, default=256, help="neurons of the value, a multiple of 64")
    parser.add_argument("--policy-width", type=int, default=256, help="neurons of the policy; 0 for no policy")
    parser.add_argument("--batch", type=int, default=16384, help="states of a step")
    parser.add_argument("--rate", type=float, default=2e-3, help="the learning rate at first")
    parser.add_argument("--last-rate", type=float, default=2e-5, help="the learning rate at last")
    parser.add_argument("--result-share", type=float, default=0.5, help="how much of the target is the result; the rest is the score")
    parser.add_argument("--quiet-only", action="store_true", help="leaves out states whose value hangs on what happens at once")
    parser.add_argument("--held-out", type=float, default=0.02, help="the share of games that is not trained on")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto")
    parser.add_argument("--threads", type=int, default=0, help="threads that make batches; all cores if it is left out")
    parser.add_argument("--checkpoint-minutes", type=float, default=3)
    args = parser.parse_args(words)
    for name, least, most in (("result_share", 0, 1), ("held_out", 0, 0.5)):
        if not least <= getattr(args, name) <= most:
            parser.error(f"--{name.replace('_', '-')}: a number from {least} to {most} is accepted")
    for name, least in (("value_width", 64), ("policy_width", 0)):
        width = getattr(args, name)
        if width % 64 or not least <= width <= 1024:
            parser.error(f"--{name.replace('_', '-')}: a multiple of 64 from {least} to 1024 is accepted")
    for name in ("epochs", "batch"):
        if getattr(args, name) < 1:
            parser.error(f"--{name}: a number from 1 is accepted")
    return args


def main() -> int:
    args = arguments()
    try:
        Run(args).run()
    except (ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
