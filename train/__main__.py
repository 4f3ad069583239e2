"""Trains networks: `python -m train --data chess.mvd --out chess`.

Leaves OUT.net, what the player reads; OUT.checkpoint, from which the same command goes on; OUT.metrics.jsonl; and
OUT.png. docs/networks.md has a worked example.
"""

import argparse
import sys
from pathlib import Path
from typing import List, Tuple

from .run import Run, teacher
from .source import opened

# What '--also' may change; all else belongs to the data, which the runs share.
OWN = (
    "out",
    "from",
    "epochs",
    "minutes",
    "value-width",
    "value-middle",
    "policy-width",
    "batch",
    "rate",
    "last-rate",
    "result-share",
    "seed",
    "precision",
)
WORDS = {"value_loss": "value", "policy_loss": "policy", "error": "squared error", "policy_hits": "best moves"}


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m train", description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--game", help="the game; it must be that of the data, which says it itself")
    help = "files of training games; may be given again, for files of another weight"
    add("--data", nargs="+", action="append", required=True, type=Path, metavar="FILE", help=help)
    help = "how often an epoch has the states of the first --data, of the second, and so on; 1 each if it is left out"
    add("--weights", nargs="+", type=float, metavar="X", help=help)
    add("--out", required=True, type=Path, help="what the files that it writes are called")
    help = "begins with the weights of another run's checkpoint, or of a network that ends in .net, of the same widths"
    add("--from", dest="start", type=Path, metavar="FILE", help=help)
    help = f"another run afterwards, on the same data; it may have its own {', '.join(OWN)}"
    add("--also", action="append", default=[], metavar="KEY=VALUE,...", help=help)
    help = "trains a deep network instead, to teach others: channels and blocks, such as 128x10"
    add("--deep", type=deep, metavar="CxB", help=help)
    help = "learns what the deep network of this checkpoint says of all states, not what their games say"
    add("--teacher", type=Path, metavar="FILE", help=help)
    help = "more files of games, of which only the states are used; for --teacher"
    add("--unlabelled", nargs="+", type=Path, metavar="FILE", help=help)
    add("--epochs", type=int, default=4, help="how often every state is seen")
    add("--minutes", type=float, help="trains no longer than that, whatever is left of the epochs")
    add("--value-width", type=int, default=256, help="neurons of the value, a multiple of 64")
    help = "neurons between a second and a third layer of the value, up to 64; 0 for two layers"
    add("--value-middle", type=int, default=0, help=help)
    add("--policy-width", type=int, default=256, help="neurons of the policy; 0 for no policy")
    add("--batch", type=int, default=16384, help="states of a step")
    add("--rate", type=float, default=2e-3, help="the learning rate at first")
    add("--last-rate", type=float, default=2e-5, help="the learning rate at last")
    help = "how much of the target is the result; the rest is the score"
    add("--result-share", type=float, default=0.5, help=help)
    help = "leaves out states whose value hangs on what happens at once"
    add("--quiet-only", action="store_true", help=help)
    add("--held-out", type=float, default=0.02, help="the share of games that is not trained on")
    add("--seed", type=int, default=1)
    add("--device", choices=("auto", "cpu", "cuda"), default="auto")
    help = "whether all data is kept in the memory of the device; auto: if that is a GPU and has room"
    add("--resident", choices=("auto", "yes", "no"), default="auto", help=help)
    add("--precision", choices=("tf32", "bf16"), default="tf32", help="what a GPU multiplies in")
    add("--threads", type=int, default=0, help="threads that make batches; all cores if it is left out")
    add("--checkpoint-minutes", type=float, default=3)
    return parser


def deep(word: str) -> Tuple[int, int]:
    """The shape of a deep network."""
    channels, _, blocks = word.partition("x")
    shape = tuple(int(number) if number.isdigit() else 0 for number in (channels, blocks))
    if not (32 <= shape[0] <= 1024 and 1 <= shape[1] <= 100):
        raise argparse.ArgumentTypeError(f"'{word}' is no shape: 32 to 1024 channels, 'x', 1 to 100 blocks are accepted")
    return shape


def arguments(words=None) -> List[argparse.Namespace]:
    """What each run is given; the first has all that they share."""
    words = list(sys.argv[1:] if words is None else words)
    known = parser()
    first = checked(known, known.parse_args(words))
    runs = [first]
    for also in first.also:
        own = []
        for setting in also.split(","):
            key, _, value = setting.partition("=")
            if key not in OWN:
                known.error(f"--also: '{key}' is no setting of a run; {', '.join(OWN)} are accepted")
            own.append(f"--{key}={value}")
        runs.append(checked(known, known.parse_args([*words, *own])))
    outs = [run.out for run in runs]
    for place, out in enumerate(outs):
        if out in outs[:place]:
            known.error(f"--also: every run needs an 'out' of its own, and '{out}' is there already")
    return runs


def checked(parser: argparse.ArgumentParser, args: argparse.Namespace) -> argparse.Namespace:
    for name, least, most in (("result_share", 0, 1), ("held_out", 0, 0.5)):
        if not least <= getattr(args, name) <= most:
            parser.error(f"--{name.replace('_', '-')}: a number from {least} to {most} is accepted")
    for name, least in (("value_width", 64), ("policy_width", 0)):
        width = getattr(args, name)
        if width % 64 or not least <= width <= 1024:
            parser.error(f"--{name.replace('_', '-')}: a multiple of 64 from {least} to 1024 is accepted")
    if not 0 <= args.value_middle <= 64:
        parser.error("--value-middle: a number from 0 to 64 is accepted")
    for name in ("epochs", "batch"):
        if getattr(args, name) < 1:
            parser.error(f"--{name}: a number from 1 is accepted")
    if args.deep and not args.policy_width:
        parser.error("--deep: deep networks have a policy, so '--policy-width 0' is not accepted")
    if args.unlabelled and args.teacher is None:
        parser.error("--unlabelled: a --teacher is needed, who says what to learn of them")
    if args.teacher is not None and args.resident == "no":
        parser.error("--teacher: all data is kept in memory, so '--resident no' is not accepted")
    if args.weights is None:
        args.weights = [1.0] * len(args.data)
    if len(args.weights) != len(args.data):
        parser.error(f"--weights: {len(args.data)} are expected, one for each --data")
    if not all(0 <= weight <= 100 for weight in args.weights) or not any(args.weights):
        parser.error("--weights: numbers from 0 to 100 are accepted, not all of them 0")
    return args


def main(words=None) -> int:
    runs = arguments(words)
    try:
        source = opened(runs[0], any(run.policy_width for run in runs))
        print(source.describe(), flush=True)
        if runs[0].teacher is not None:
            source.learn_from(*teacher(runs[0].teacher, source.data.features, source.device))
            print(f"{runs[0].teacher} has said what to learn", flush=True)
        # All of them first: what is wrong with the last is told before the first one trains.
        found = [(run.args.out, run.run()) for run in [Run(args, source) for args in runs]]
    except (ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if len(found) > 1:
        print("\n".join(table(found)))
    return 0


def table(found) -> List[str]:
    """The runs beside each other, on the games that were held out."""
    width = max(len(str(out)) for out, _ in found)
    lines = [f"{'held out':{width}}" + "".join(f"{word:>15}" for word in WORDS.values())]
    for out, held_out in found:
        numbers = [f"{held_out[name]:15.5f}" if name in held_out else " " * 15 for name in WORDS]
        lines.append(f"{out!s:{width}}" + "".join(numbers))
    return lines


if __name__ == "__main__":
    sys.exit(main())
