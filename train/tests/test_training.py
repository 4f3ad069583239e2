"""Training with PyTorch: it learns, goes on from its checkpoint, and its network in whole numbers says nearly the same."""

import json

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from monteverde import training  # noqa: E402
from train import data  # noqa: E402
from train.__main__ import arguments  # noqa: E402
from train.integers import OUTPUT_SCALE, Network  # noqa: E402
from train.model import policy_loss, value_targets  # noqa: E402
from train.run import Run  # noqa: E402


def run(shard, out, *more):
    words = ["--data", str(shard), "--out", str(out), "--batch", "256", "--held-out", "0.2", "--device", "cpu"]
    run = Run(arguments([*words, "--value-width", "64", "--policy-width", "64", *more]))
    run.run()
    return run


def test_it_learns_and_the_whole_numbers_say_nearly_the_same(shard, tmp_path):
    trained = run(shard, tmp_path / "a", "--epochs", "8")
    lines = [json.loads(line) for line in (tmp_path / "a.metrics.jsonl").read_text().splitlines()]
    first, last = lines[0]["training"], lines[-1]["training"]
    assert last["value"] < first["value"] and last["policy"] < first["policy"]
    assert (tmp_path / "a.checkpoint").exists()
    network = Network.read((tmp_path / "a.net").read_bytes())
    players = training.Network(tmp_path / "a.net")
    assert players.card["data"]["positions"] == trained.data.positions
    batch = next(iter(training.Batches([shard], batch=300)))
    tensors = data.tensors(batch, "cpu")
    with torch.no_grad():
        value, policy = trained.model.value, trained.model.policy
        logits = value.all_outputs(value.neurons(tensors.inputs, tensors.offsets)).numpy()
        moves = policy.outputs_of(policy.neurons(tensors.inputs, tensors.offsets), tensors.rows, tensors.legal).numpy()
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
    assert torch.allclose(policy_loss(logits, rows, shares, 2), sum(parts) / 2)
