"""What the tests share: a small file of games, made by the program that MONTEVERDE names."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

GAMES = {"chess": ("ab", "--nodes"), "loa": ("mia", "--nodes"), "banqi": ("best", "--iterations")}


@pytest.fixture(scope="session", params=GAMES)
def shard(request, tmp_path_factory):
    """A file of games of each game in turn."""
    return made(request.param, tmp_path_factory)


def made(game, tmp_path_factory):
    player, limit = GAMES[game]
    path = tmp_path_factory.mktemp("data") / f"{game}.mvd"
    words = ["selfplay", "--game", game, "--player", player, limit, "60", "--positions", "1500"]
    subprocess.run([program(), *words, "--max-plies", "80", "--out", str(path)], check=True, capture_output=True)
    return path


def program() -> str:
    return os.environ.get("MONTEVERDE", str(ROOT / "target/debug/monteverde"))
