"""Curves of a training run."""

import json
from pathlib import Path


def draw(metrics: Path, picture: Path) -> None:
    """Draws what the lines of a run say. Without matplotlib there is no picture, and the lines stay."""
    try:
        import matplotlib
    except ImportError:
        print(f"no {picture}: matplotlib is not installed")
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot

    lines = [json.loads(line) for line in metrics.read_text().splitlines()]
    panels = (
        ("loss of the value", (("training", "value"), ("held_out", "value_loss"))),
        ("loss of the policy", (("training", "policy"), ("held_out", "policy_loss"))),
        ("squared error of the result", (("held_out", "error"), ("held_out", "known_error"), ("held_out", "score_error"))),
    )
    names = {
        ("training", "value"): "training",
        ("training", "policy"): "training",
        ("held_out", "value_loss"): "held out",
        ("held_out", "policy_loss"): "held out",
        ("held_out", "error"): "network",
        ("held_out", "known_error"): "hand-made evaluation",
        ("held_out", "score_error"): "score of the search",
    }
    figure, axes = pyplot.subplots(1, len(panels), figsize=(15, 4.5), layout="constrained")
    for axis, (title, curves) in zip(axes, panels):
        for part, name in curves:
            points = [(line["positions"] / 1e6, line[part][name]) for line in lines if name in line[part]]
            if points:
                axis.plot(*zip(*points), label=names[part, name])
        axis.set(title=title, xlabel="millions of positions")
        if axis.lines:
            axis.legend()
    figure.savefig(picture, dpi=100)
    pyplot.close(figure)
