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
    player, limit = GAMES[request.param]
    path = tmp_path_factory.mktemp("data") / f"{request.param}.mvd"
    words = ["selfplay", "--game", request.param, "--player", player, limit, "60", "--positions", "1500"]
    subprocess.run([program(), *words, "--max-plies", "80", "--out", str(path)], check=True, capture_output=True)
    return path


def program() -> str:
    return os.environ.get("MONTEVERDE", str(ROOT / "target/debug/monteverde"))
