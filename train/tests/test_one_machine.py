"""one-machine.sh goes on and ends after it was killed, while it played or while it trained."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from conftest import ROOT, program  # noqa: E402
from monteverde import training  # noqa: E402

TRAIN = "--batch 64 --value-width 64 --policy-width 64 --held-out 0.1 --device cpu --checkpoint-minutes 0.005"
# Checkpoints are larger than a file may be, so they are left in parts.
SMALL = {"LIMIT": "--nodes 20", "PLAY_OPTIONS": "--max-plies 60", "FILE_MIB": "1", "PLAY_MINUTES": "0.1", "TRAIN_MINUTES": "0.1"}
PATIENCE = 120


def start(folder: Path, **more: str) -> subprocess.Popen:
    environment = {**os.environ, "MONTEVERDE": program(), "PYTHON": sys.executable, **SMALL}
    environment["TRAIN_OPTIONS"] = f"{TRAIN} --epochs 1000000"
    words = ["bash", str(ROOT / "train/one-machine.sh"), "chess", str(folder)]
    environment.update(more)
    # A session of its own, so that all of it can be killed at once.
    return subprocess.Popen(words, env=environment, start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def kill_once(process: subprocess.Popen, is_time) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_time():
        assert process.poll() is None, process.communicate()[0]
        assert time.monotonic() < deadline
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def ended(process: subprocess.Popen) -> str:
    said = process.communicate(timeout=PATIENCE)[0]
    assert process.returncode == 0, said
    return said


def size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def test_it_goes_on_after_it_was_killed(tmp_path):
    first, second = tmp_path / "chess-1-0.mvd", tmp_path / "chess-1-1.mvd"
    kill_once(start(tmp_path, PLAY_MINUTES="10"), lambda: size(first) > 2000)
    before = size(first)
    assert not (tmp_path / "chess.net").exists()

    kill_once(start(tmp_path, TRAIN_MINUTES="10"), (tmp_path / "chess.checkpoint").exists)
    assert size(first) >= before and size(second) > 0, "games are kept, and more are played"
    assert not (tmp_path / "chess.net").exists()
    step = torch.load(tmp_path / "chess.checkpoint", weights_only=True)["step"]

    said = ended(start(tmp_path, PLAY_MINUTES="0"))
    assert f"goes on after step {step}" in said
    data = training.DataSet([first, second])
    card = training.Network(tmp_path / "chess.net").card
    assert card["data"] == {"digest": data.digest, "positions": data.positions}
    assert (tmp_path / "chess.checkpoint.part00").exists() and not (tmp_path / "chess.checkpoint").exists()

    # Once more: all of the time was trained, and the network stays.
    network = (tmp_path / "chess.net").read_bytes()
    assert "nothing is left to train" in ended(start(tmp_path, PLAY_MINUTES="0"))
    assert (tmp_path / "chess.net").read_bytes() == network
    # More time, in another folder.
    said = ended(start(tmp_path / "next", PLAY_MINUTES="0", TRAIN_MINUTES="0.15", CARRIED=str(tmp_path)))
    assert "goes on after step" in said and "nothing is left" not in said
    assert training.Network(tmp_path / "next/chess.net").card["training"]["states_seen"] > card["training"]["states_seen"]


def test_parts_beside_a_whole_file_are_left_from_a_kill(tmp_path):
    """Parts are made before the whole is removed, so they may not be all of it."""
    ended(start(tmp_path, FILE_MIB="15"))
    whole = (tmp_path / "chess.checkpoint").read_bytes()
    (tmp_path / "chess.checkpoint.part00").write_bytes(whole[:1000])
    (tmp_path / "chess-1-0.mvd.incomplete").write_bytes(b"half of it")
    assert "nothing is left to train" in ended(start(tmp_path, PLAY_MINUTES="0", FILE_MIB="15"))
    assert (tmp_path / "chess.checkpoint").read_bytes() == whole
    assert not list(tmp_path.glob("*.part*")) and not list(tmp_path.glob("*.incomplete"))
