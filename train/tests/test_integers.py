"""What NumPy makes of a network in whole numbers is what the player makes of it, bit for bit. PyTorch is not needed."""

import numpy as np
import pytest
from monteverde import training
from train.integers import Network

POSITIONS = 1000


@pytest.fixture(params=[0, 24], ids=["two layers", "three layers"])
def random(request, shard, tmp_path):
    """A random network of the game, as the player writes it, and a batch of its states."""
    batches = list(training.Batches([shard], batch=POSITIONS))
    assert sum(len(batch["score"]) for batch in batches) >= POSITIONS
    made = training.Network.random(training.DataSet([shard]).game, value=128, policy=64, middle=request.param, seed=3)
    path = tmp_path / "random.net"
    path.write_bytes(made.write())
    return path, batches


def test_numpy_equals_the_player_bit_for_bit(random):
    path, batches = random
    ours, players = Network.read(path.read_bytes()), training.Network(path)
    for batch in batches:
        rows = batch["inputs"], batch["offsets"]
        moves = batch["legal"], batch["legal_offsets"]
        sums = players.value_sums(*rows)
        assert np.array_equal(ours.value_sums(*rows), sums)
        assert len(np.unique(sums)) > len(sums) / 2, "states differ"
        assert np.allclose(ours.expectations(*rows), players.expectations(*rows), atol=1e-6)
        assert np.array_equal(ours.log_priors(*rows, *moves), players.log_priors(*rows, *moves))


def test_files_are_the_same_bytes(random):
    path, _ = random
    data = path.read_bytes()
    assert Network.read(data).write(training.checksum) == data
    with pytest.raises(ValueError, match="bytes"):
        Network.read(data[:-1])
    with pytest.raises(ValueError, match="no network"):
        Network.read(b"something else")


def test_a_changed_weight_is_noticed(random):
    """Both comparisons above could fail."""
    path, batches = random
    changed, players = Network.read(path.read_bytes()), training.Network(path)
    changed.value.first = changed.value.first + np.int16(1)
    batch = batches[0]
    assert not np.array_equal(
        changed.value_sums(batch["inputs"], batch["offsets"]), players.value_sums(batch["inputs"], batch["offsets"])
    )
    path.write_bytes(path.read_bytes()[:-40] + b"\0" * 40)
    with pytest.raises(ValueError, match="damaged"):
        training.Network(path)


def test_batches_say_what_is_wrong(shard, tmp_path):
    for options in ({"part": "some"}, {"batch": 0}, {"held_out": 2.0}):
        with pytest.raises(ValueError):
            training.Batches([shard], **options)
    other = tmp_path / "other"
    other.write_text("a text")
    with pytest.raises(ValueError, match="no file of training games"):
        training.DataSet([other])
    with pytest.raises(ValueError):
        training.Network(other)
