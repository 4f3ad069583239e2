"""States that are kept on the device are those that are streamed, and train the same network."""

from operator import attrgetter

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from monteverde import training  # noqa: E402
from train import source as sources  # noqa: E402
from train.__main__ import arguments  # noqa: E402
from train.data import Padded, States, ragged  # noqa: E402
from train.integers import Network  # noqa: E402
from train.model import Model, value_loss, value_targets  # noqa: E402
from train.run import Run  # noqa: E402


def read(shard, out, *more):
    words = ["--data", str(shard), "--out", str(out), "--batch", "100000", "--held-out", "0.2", "--device", "cpu"]
    (args,) = arguments([*words, "--value-width", "64", "--policy-width", "64", *more])
    return args, sources.opened(args, policy=True)


def batch_of(shard, **options):
    return next(iter(training.Batches([shard], batch=500, known=True, **options)))


def same(one, other):
    """Whether two ragged batches say the same."""
    names = ("inputs", "offsets", "score", "result", "legal", "rows", "best")
    for name in names:
        assert torch.equal(getattr(one, name).long(), getattr(other, name).long()), name
    assert torch.allclose(one.shares, other.shares, atol=1e-7)
    assert torch.equal(one.known.nan_to_num(9), other.known.nan_to_num(9))


def test_kept_states_are_what_was_read(shard):
    batch = batch_of(shard)
    states = States([batch], "cpu")
    same(states.take(states.numbers(), 1.0).ragged(), ragged(batch, "cpu"))
    # Any of them in any order, from several parts.
    batches = list(training.Batches([shard], batch=300, known=True))
    whole = States(batches, "cpu")
    assert len(whole) == sum(len(part["score"]) for part in batches)
    for number, part in enumerate(batches[:-1]):
        start = sum(len(before["score"]) for before in batches[:number])
        rows = torch.arange(start, start + len(part["score"]))
        same(whole.take(rows, 1.0).ragged(), ragged(part, "cpu"))
    rows = torch.tensor([len(whole) - 1, 0, 7, 0])
    one = [whole.take(row, 1.0) for row in rows.split(1)]
    four = whole.take(rows, 1.0)
    for number, state in enumerate(one):
        assert torch.equal(four.inputs[number][four.is_input[number]], state.inputs[0][state.is_input[0]])
        assert torch.equal(four.shares[number], state.shares[0])


def test_shares_of_visits_are_kept(shard):
    """Shares are bytes in the file, and come back as those."""
    batch = dict(batch_of(shard))
    bytes_ = np.random.default_rng(1).integers(0, 256, len(batch["legal"]))
    starts = batch["legal_offsets"][:-1].astype(np.int64)
    bytes_[starts] = 255
    counts = np.diff(batch["legal_offsets"].astype(np.int64))
    batch["shares"] = (bytes_ / np.repeat(np.add.reduceat(bytes_, starts), counts)).astype(np.float32)
    states = States([batch], "cpu")
    assert np.array_equal(states.columns["shares"].numpy()[: len(bytes_)], bytes_)
    same(states.take(states.numbers(), 1.0).ragged(), ragged(batch, "cpu"))


@pytest.mark.parametrize("precision, near", [("tf32", 1e-5), ("bf16", 0.05)])
def test_matrices_give_the_losses_and_gradients_of_sums(shard, precision, near):
    batch = batch_of(shard)
    features = training.DataSet([shard]).features
    torch.manual_seed(1)
    model = Model(features, 128, 64, precision)
    states = States([batch], "cpu")
    found = []
    for form in (ragged(batch, "cpu"), states.take(states.numbers(), 1.0)):
        model.zero_grad()
        value, moves = model(form)
        losses = [value_loss(value, value_targets(form.score, form.result, 0.5)), form.policy_loss(moves)]
        sum(losses).backward()
        gradients = [weights.grad.clone() for weights in model.parameters()]
        found.append(([float(loss.detach()) for loss in losses], int(form.policy_hits(moves)), gradients))
    (sparse, hits, gradients), (dense, dense_hits, dense_gradients) = found
    assert sparse == pytest.approx(dense, rel=near)
    assert abs(hits - dense_hits) <= (0 if precision == "tf32" else 0.05 * len(states))
    for one, other in zip(gradients, dense_gradients):
        assert (one - other).norm() <= near * one.norm()


@pytest.mark.parametrize("is_padded", [False, True])
def test_the_same_network_is_trained(shard, tmp_path, is_padded):
    """With all states in each batch, their order makes no difference but in the last bits."""
    found = {}
    for resident in ("no", "yes"):
        args, source = read(shard, tmp_path / resident, "--resident", resident, "--epochs", "6")
        assert isinstance(source, sources.Resident) == (resident == "yes")
        source.is_padded = is_padded and resident == "yes"
        run = Run(args, source)
        found[resident] = run.run()
        assert (run.step, run.epochs) == (6, 6)
    assert found["no"].keys() == found["yes"].keys()
    assert found["no"]["states"] == found["yes"]["states"]
    for name, number in found["no"].items():
        assert found["yes"][name] == pytest.approx(number, rel=1e-4, abs=2e-3 if name == "policy_hits" else 1e-6), name
    streamed, kept = (Network.read((tmp_path / f"{name}.net").read_bytes()) for name in ("no", "yes"))
    for part in ("value", "policy"):
        for numbers in ("first", "first_bias", "second.weights", "second.bias"):
            layers = (getattr(network, part) for network in (streamed, kept))
            one, other = (attrgetter(numbers)(each).astype(np.int64) for each in layers)
            # Those of a bias of 32 bits have more digits than training has.
            step = 4_161_600 * 1e-5 if numbers == "second.bias" else 0
            assert (np.abs(one - other) > step).mean() < 0.002, f"{part} {numbers}"


def test_every_state_comes_once_an_epoch(shard, tmp_path):
    _, source = read(shard, tmp_path / "a", "--resident", "yes")
    args, _ = read(shard, tmp_path / "a", "--batch", "256")
    source.states.columns["score"] = source.states.numbers().float()
    batches = list(source.training(args, seed=3, epochs=2))
    count = len(batches) // 2
    first, second = (torch.cat([batch.score for batch in part]) for part in (batches[:count], batches[count:]))
    assert not torch.equal(first, second) and not torch.equal(first, first.sort().values)
    for epoch in (first, second):
        assert torch.equal(epoch.sort().values, source.states.numbers().float())
    assert batches[count - 1].epochs_done == 1 and batches[-1].epochs_done == 2
    again = torch.cat([batch.score for batch in source.training(args, seed=3, epochs=1)])
    assert torch.equal(first, again), "the seed gives the order"


@pytest.mark.parametrize("resident", ["no", "yes"])
def test_files_have_weights(shard, tmp_path, resident):
    other = tmp_path / "other.mvd"
    other.write_bytes(shard.read_bytes())
    count = sum(len(batch.score) for batch in epoch(*read(shard, tmp_path / "a", "--resident", resident)))

    def states(*weights):
        more = ["--data", str(other), "--weights", *weights, "--resident", resident]
        return sum(len(batch.score) for batch in epoch(*read(shard, tmp_path / "a", *more)))

    assert states("1", "3") == 4 * count
    assert states("0", "2") == 2 * count
    assert states("1", "0.5") == pytest.approx(1.5 * count, rel=0.25)
    with pytest.raises(SystemExit):
        states("1")
    with pytest.raises(SystemExit):
        states("1", "-1")


def epoch(args, source):
    return list(source.training(args, seed=1, epochs=1))


def test_data_that_does_not_fit_is_streamed_or_refused(shard, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sources, "free_memory", lambda device: 1000)
    with pytest.raises(ValueError, match="do not fit into the memory of cpu.*--resident no"):
        read(shard, tmp_path / "a", "--resident", "yes")
    _, source = read(shard, tmp_path / "a", "--resident", "auto")
    assert type(source) is sources.Source, "a processor streams unless told"
    monkeypatch.setattr(sources, "is_gpu", lambda device: True)
    monkeypatch.setattr(torch, "set_float32_matmul_precision", lambda precision: None)
    _, source = read(shard, tmp_path / "a", "--resident", "auto")
    assert type(source) is sources.Source and "it is streamed" in capsys.readouterr().out


def test_streamed_batches_can_be_padded(shard, tmp_path):
    """As a GPU gets them."""
    args, source = read(shard, tmp_path / "a", "--resident", "no")
    sparse = epoch(args, source)
    source.is_padded = True
    padded = epoch(args, source)
    assert all(isinstance(batch, Padded) for batch in padded)
    for one, other in zip(sparse, padded):
        assert torch.equal(one.inputs.long(), other.ragged().inputs) and torch.allclose(one.shares, other.ragged().shares)
