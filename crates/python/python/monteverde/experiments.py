"""The experiments of a repository, to be read: what they ask, and what was found at which scale."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from . import _monteverde

SCALES = ("quick", "standard", "paper")


def experiments(folder: str | os.PathLike[str] = "experiments") -> dict[str, Experiment]:
    """The experiments of a folder by their names."""
    folder = Path(folder)
    found = {path.stem: Experiment(path) for path in sorted(folder.glob("*.toml"))}
    if not found:
        raise ValueError(f"'{folder}' holds no experiments: files such as loa-solver.toml are looked for")
    return found


class Experiment:
    """An experiment: ``spec`` is its file as a dictionary, ``scales`` are those that were run."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.name = self.path.stem
        self.spec = _monteverde._read_toml(self.path.read_text(encoding="utf-8"))

    @property
    def title(self) -> str:
        """What it is called."""
        return self.spec.get("title", self.name)

    @property
    def question(self) -> str:
        """What it asks."""
        return self.spec.get("question", "")

    @property
    def scales(self) -> list[str]:
        """The scales that have results."""
        return [scale for scale in SCALES if (self.path.with_suffix("") / f"{scale}.json").exists()]

    def result(self, scale: str) -> dict[str, Any]:
        """What was measured at a scale: the file that the program wrote, as a dictionary."""
        if scale not in self.scales:
            has = ", ".join(self.scales) or "none"
            raise ValueError(f"{self.name} has no results of scale '{scale}'; it has: {has}")
        return json.loads((self.path.with_suffix("") / f"{scale}.json").read_text(encoding="utf-8"))

    def __repr__(self):
        return f"<Experiment {self.name}: {self.title}>"
