"""What several tests need: the program itself, and games to compare with."""

import os
import random
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def program():
    """The program `monteverde`, with which results are compared."""
    given = os.environ.get("MONTEVERDE", REPOSITORY / "target" / "debug" / "monteverde")
    path = Path(given)
    assert path.is_file(), f"'{path}' is missing; build it, or name another in MONTEVERDE"
    return path


@pytest.fixture
def rng():
    return random.Random(7)
