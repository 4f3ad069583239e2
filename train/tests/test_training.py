"""Training with PyTorch: it learns, goes on from its checkpoint, and its network in whole numbers says nearly the same."""

import json
import subprocess
from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from monteverde import training  # noqa: E402
from conftest import program  # noqa: E402
from train.__main__ import arguments, main  # noqa: E402
from train.data import Ragged, ragged  # noqa: E402
from train.integers import OUTPUT_SCALE, Network, Weighing  # noqa: E402
from train.model import value_targets  # noqa: E402
from train.run import Run  # noqa: E402
from train.source import opened  # noqa: E402


def words(shard, out, *more):
    common = ["--data", str(shard), "--out", str(out), "--batch", "256", "--held-out", "0.2", "--device", "cpu"]
    return [*common, "--value-width", "64", "--policy-width", "64", *more]


def run(shard, out, *more):
    (args,) = arguments(words(shard, out, *more))
    run = Run(args, opened(args, policy=args.policy_width > 0))
    run.run()
    return run


@pytest.mark.parametrize("middle", ["0", "16"])
def test_it_learns_and_the_whole_numbers_say_nearly_the_same(shard, tmp_path, middle):
    trained = run(shard, tmp_path / "a", "--epochs", "8", "--value-middle", middle)
    lines = [json.loads(line) for line in (tmp_path / "a.metrics.jsonl").read_text().splitlines()]
    first, last = lines[0]["training"], lines[-1]["training"]
    assert last["value"] < first["value"] and last["policy"] < first["policy"]
    assert (tmp_path / "a.checkpoint").exists()
    network = Network.read((tmp_path / "a.net").read_bytes())
    players = training.Network(tmp_path / "a.net")
    assert players.card["data"]["positions"] == trained.data.positions
    batch = next(iter(training.Batches([shard], batch=300)))
    with torch.no_grad():
        logits, moves = (found.numpy() for found in trained.model(ragged(batch, "cpu")))
    rows = batch["inputs"], batch["offsets"]
    assert np.abs(network.value_sums(*rows) / OUTPUT_SCALE - logits).max() < 0.15
    priors = network.log_priors(*rows, batch["legal"], batch["legal_offsets"])
    assert np.abs(priors - moves).max() < 0.15
    assert np.array_equal(priors, players.log_priors(*rows, batch["legal"], batch["legal_offsets"]))
    assert np.array_equal(network.value_sums(*rows), players.value_sums(*rows))


def test_a_run_goes_on_from_its_checkpoint(shard, tmp_path):
    first = run(shard, tmp_path / "a", "--epochs", "1")
    second = run(shard, tmp_path / "a", "--epochs", "2")
    assert second.step > first.step and second.seen > first.seen
    with pytest.raises(ValueError, match="batch"):
        run(shard, tmp_path / "a", "--batch", "128")


def test_targets_are_chances():
    score, result = torch.tensor([0.5, -1.0, 0.0]), torch.tensor([1.0, -1.0, 0.0])
    targets = value_targets(score, result, 0.5)
    assert torch.allclose(targets.sum(1), torch.ones(3))
    assert torch.allclose(targets[0], torch.tensor([0.75, 0.25, 0.0]))
    assert torch.allclose(targets[1], torch.tensor([0.0, 0.0, 1.0]))


def test_the_loss_of_the_policy_is_that_of_a_softmax_over_legal_moves():
    logits, rows = torch.tensor([1.0, 2.0, 3.0, 0.5, 0.5]), torch.tensor([0, 0, 0, 1, 1])
    shares = torch.tensor([0.0, 0.5, 0.5, 1.0, 0.0])
    parts = [-(shares[:3] * logits[:3].log_softmax(0)).sum(), -(shares[3:] * logits[3:].log_softmax(0)).sum()]
    none = torch.zeros(2)
    batch = Ragged(none, none, none, none, none, rows, shares, none, None, 0.0)
    assert torch.allclose(batch.policy_loss(logits), sum(parts) / 2)


def test_another_run_begins_with_the_weights_of_one_that_ended(shard, tmp_path):
    first = run(shard, tmp_path / "a", "--epochs", "2")
    checkpoint = str(tmp_path / "a.checkpoint")
    # A rate of 0 leaves the weights as they are.
    second = run(shard, tmp_path / "b", "--epochs", "1", "--from", checkpoint, "--rate", "0", "--last-rate", "0")
    assert all(torch.equal(*pair) for pair in zip(first.model.parameters(), second.model.parameters()))
    assert 0 < second.step < first.step, "its steps are its own"
    parent, child = (training.Network(tmp_path / f"{name}.net") for name in "ab")
    assert child.card["parent"] == parent.digest
    assert "parent" not in parent.card
    run(shard, tmp_path / "b", "--epochs", "2", "--from", checkpoint)
    assert training.Network(tmp_path / "b.net").card["parent"] == parent.digest, "it is not forgotten"
    with pytest.raises(ValueError, match="value-width 64, not 128"):
        run(shard, tmp_path / "c", "--from", checkpoint, "--value-width", "128")
    (tmp_path / "other").write_bytes(b"something else")
    with pytest.raises(ValueError, match="no checkpoint"):
        run(shard, tmp_path / "c", "--from", str(tmp_path / "other"))


@pytest.mark.parametrize("middle", ["0", "16"])
def test_a_run_begins_with_the_weights_of_a_network_plain_or_packed(shard, tmp_path, middle):
    shape = ("--epochs", "1", "--value-middle", middle)
    run(shard, tmp_path / "a", *shape)
    plain, packed = tmp_path / "a.net", tmp_path / "packed.net"
    subprocess.run([program(), "network", "pack", str(plain), "--out", str(packed)], check=True, capture_output=True)
    for name, network in (("b", plain), ("c", packed)):
        run(shard, tmp_path / name, *shape, "--from", str(network), "--rate", "0", "--last-rate", "0")
        first, second = (Network.read((tmp_path / f"{which}.net").read_bytes()) for which in ("a", name))
        for one, other in ((first.value, second.value), (first.policy, second.policy)):
            assert one.bytes() == other.bytes(), "a rate of 0 leaves every weight as it is"
        assert second.card["parent"] == training.Network(plain).digest
    with pytest.raises(ValueError, match="value-width 64, not 128"):
        run(shard, tmp_path / "d", *shape, "--from", str(plain), "--value-width", "128")
    with pytest.raises(ValueError, match=f"value-middle {middle}, not 8"):
        run(shard, tmp_path / "d", *shape, "--from", str(plain), "--value-middle", "8")
    packed.write_bytes(packed.read_bytes()[:-9])
    with pytest.raises(ValueError, match="packed.net"):
        run(shard, tmp_path / "d", *shape, "--from", str(packed))


def test_a_network_whose_features_had_each_output_once_begins_with_all_of_them_alike(shard, tmp_path):
    run(shard, tmp_path / "a", "--epochs", "1")
    first = Network.read((tmp_path / "a.net").read_bytes())
    features = first.card["features"]
    outputs = features["outputs"]
    part = outputs // next(times for times in range(2, outputs) if outputs % times == 0)
    policy = first.policy
    second = Weighing(policy.second.weights[:part], policy.second.bias[:part])
    first.policy = replace(policy, second=second)
    features.update(name="an-older-set", outputs=part, hash="0" * 64)
    (tmp_path / "old.net").write_bytes(first.write(training.checksum))
    same = ("--epochs", "1", "--rate", "0", "--last-rate", "0")
    run(shard, tmp_path / "b", "--from", str(tmp_path / "old.net"), *same)
    second = Network.read((tmp_path / "b.net").read_bytes())
    for begin in range(0, outputs, part):
        assert (second.policy.second.weights[begin : begin + part] == policy.second.weights[:part]).all()
        assert (second.policy.second.bias[begin : begin + part] == policy.second.bias[:part]).all()
    features["inputs"] -= 1
    first.value.first, first.policy.first = first.value.first[:-1], first.policy.first[:-1]
    (tmp_path / "other.net").write_bytes(first.write(training.checksum))
    with pytest.raises(ValueError, match="made for other features: an-older-set"):
        run(shard, tmp_path / "c", "--from", str(tmp_path / "other.net"), *same)


def test_several_runs_share_the_data(shard, tmp_path, capsys):
    also = f"out={tmp_path}/b,value-width=128,policy-width=0,epochs=2,result-share=0.25,rate=1e-3"
    assert main(words(shard, tmp_path / "a", "--epochs", "1", "--also", also)) == 0
    cards = [training.Network(tmp_path / f"{name}.net").card for name in "ab"]
    assert [card["value"]["width"] for card in cards] == [64, 128]
    assert [card["training"]["result_share"] for card in cards] == [0.5, 0.25]
    assert "policy" in cards[0] and "policy" not in cards[1]
    last = capsys.readouterr().out.splitlines()[-3:]
    assert last[0].startswith("held out") and [line.split()[0] for line in last[1:]] == [f"{tmp_path}/a", f"{tmp_path}/b"]


@pytest.mark.parametrize("also", ["value-width=128", "out=b,device=cuda", "out=b,widht=1", "out=b,value-width=100", "out=b,quiet-only"])
def test_runs_that_make_no_sense_are_refused(also, capsys):
    with pytest.raises(SystemExit):
        arguments(words("some.mvd", "a", "--also", also))
    assert "--also" in capsys.readouterr().err or "100" in also


def test_a_run_ends_in_time_and_its_rate_with_it(shard, tmp_path):
    trained = run(shard, tmp_path / "a", "--epochs", "100000", "--minutes", "0.05")
    lines = [json.loads(line) for line in (tmp_path / "a.metrics.jsonl").read_text().splitlines()]
    assert 3 <= lines[-1]["seconds"] < 6
    assert trained.epochs < 100000 and lines[-1]["rate"] == pytest.approx(trained.args.last_rate)
    assert lines[0]["rate"] > 100 * lines[-1]["rate"] / 2
