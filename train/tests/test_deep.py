"""Deep networks learn, teach, and are refused where they do not fit."""

import pytest

torch = pytest.importorskip("torch")

from monteverde import training  # noqa: E402
from train.__main__ import arguments, main  # noqa: E402
from train.data import MOST_SHARE, States, ragged  # noqa: E402
from train.deep import BOARDS, Deep  # noqa: E402
from train.integers import Network  # noqa: E402
from train.run import teacher  # noqa: E402

from conftest import made  # noqa: E402

SMALL = ["--batch", "200", "--held-out", "0.2", "--device", "cpu", "--epochs", "1"]
WIDTHS = ["--value-width", "64", "--policy-width", "64"]


@pytest.fixture(scope="session", params=("chess", "loa"))
def board(request, tmp_path_factory):
    """A file of games whose board deep networks know."""
    return made(request.param, tmp_path_factory)


def states_of(shard, count=50):
    batch = next(iter(training.Batches([shard], batch=count, known=True)))
    return batch, States([batch], "cpu")


def test_games_without_a_known_board_are_refused(shard, tmp_path, capsys):
    is_known = training.DataSet([shard]).features["name"] in BOARDS
    found = main(["--data", str(shard), "--out", str(tmp_path / "t"), "--deep", "32x1", *SMALL])
    assert found == (0 if is_known else 2)
    assert is_known or "know the boards of chess-threats-checks-3" in capsys.readouterr().err


def test_a_deep_network_says_the_same_of_both_kinds_of_batches(board):
    batch, states = states_of(board)
    deep = Deep(training.DataSet([board]).features, 32, 1).eval()
    for block in deep.blocks:
        torch.nn.init.normal_(block.two_norm.weight)
    padded = states.take(states.numbers(), 1.0)
    value, moves = deep(padded)
    own_value, own_moves = deep(ragged(batch, "cpu"))
    assert torch.allclose(value, own_value, atol=1e-5)
    assert torch.allclose(moves[padded.is_legal], own_moves, atol=1e-5)
    assert value.std(0).min() > 0, "states are told apart"


def test_states_learn_what_a_teacher_says(board):
    _, states = states_of(board)
    deep = Deep(training.DataSet([board]).features, 32, 1).eval()
    before = states.take(states.numbers(), 1.0)
    value, moves = deep(before)
    states.learn_from(deep)
    after = states.take(states.numbers(), 1.0)
    assert torch.allclose(after.chances, value.softmax(1), atol=1e-3)
    wanted = before.of_legal(moves).softmax(1)
    # Bytes hold them: the highest of a state is exact.
    assert (after.shares - wanted).detach().abs().max() < 2 / MOST_SHARE
    assert torch.equal(after.inputs, before.inputs)


def test_a_small_network_learns_from_a_deep_one(board, tmp_path):
    """What is taught does not depend on what games said, and states held out keep what theirs said."""
    data = ["--data", str(board)]
    assert main([*data, "--out", str(tmp_path / "t"), "--deep", "32x1", *SMALL]) == 0
    taught = [*data, "--teacher", str(tmp_path / "t.checkpoint"), *WIDTHS, *SMALL]
    assert main([*taught, "--out", str(tmp_path / "s")]) == 0
    card = Network.read((tmp_path / "s.net").read_bytes()).card
    _, digest = teacher(tmp_path / "t.checkpoint", card["features"], "cpu")
    assert card["training"]["teacher"] == digest
    assert main([*taught, "--unlabelled", str(board), "--out", str(tmp_path / "more")]) == 0
    more = Network.read((tmp_path / "more.net").read_bytes()).card
    assert more["training"]["unlabelled"] == more["data"]
    assert more["training"]["states_seen"] > 1.5 * card["training"]["states_seen"]
    assert main([*taught, "--result-share", "1", "--out", str(tmp_path / "other")]) == 0
    other = Network.read((tmp_path / "other.net").read_bytes())
    same = Network.read((tmp_path / "s.net").read_bytes())
    assert (other.value.first == same.value.first).all()
    assert (other.policy.second.weights == same.policy.second.weights).all()


def test_what_cannot_be_meant_is_refused(board, tmp_path, capsys):
    data = ["--data", str(board), "--out", str(tmp_path / "x"), *WIDTHS, *SMALL]
    for words, sentence in (
        (["--unlabelled", str(board)], "a --teacher is needed"),
        (["--deep", "16x2"], "32 to 1024 channels"),
        (["--deep", "64"], "is no shape"),
        (["--deep", "64x2", "--policy-width", "0"], "deep networks have a policy"),
        (["--teacher", "t", "--resident", "no"], "all data is kept in memory"),
    ):
        with pytest.raises(SystemExit):
            arguments([*data, *words])
        assert sentence in capsys.readouterr().err
    assert main(data) == 0
    assert main([*data, "--out", str(tmp_path / "y"), "--deep", "32x1", "--from", str(tmp_path / "x.net")]) == 2
    assert "the checkpoint of a deep one" in capsys.readouterr().err
    assert main([*data, "--out", str(tmp_path / "y"), "--teacher", str(tmp_path / "x.checkpoint")]) == 2
    assert "only deep networks teach" in capsys.readouterr().err
