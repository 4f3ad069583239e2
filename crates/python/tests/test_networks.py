"""Learned networks: players that have one, and what it says of states."""

import pickle
import subprocess

import numpy as np
import pytest
from test_states import random_game

import monteverde as mv
from monteverde import training


@pytest.fixture(scope="module")
def files(program, tmp_path_factory):
    """A random network of each game, made by the program."""
    folder = tmp_path_factory.mktemp("networks")
    made = {}
    for game in ("chess", "loa", "banqi"):
        made[game] = folder / f"{game}.net"
        words = ["network", "random", "--game", game, "--seed", "1", "--out", made[game]]
        subprocess.run([program, *words], check=True, capture_output=True)
    return made


@pytest.mark.parametrize("game", ["chess", "loa", "banqi"])
def test_a_state_is_evaluated(files, game, rng):
    network = mv.network(files[game])
    assert network.game == game and isinstance(network, mv.Network)
    states = [random_game(mv.game(game).state(), rng, plies) for plies in range(0, 60, 3)]
    states = [state for state in states if not state.is_pending and not state.is_over]
    batch = network.evaluate_all(states)
    rows = mv.features(states, moves=True)
    assert np.array_equal(batch["mean"], network.expectations(rows["inputs"], rows["offsets"]))
    assert batch["outlook"].shape == (len(states), 3) and batch["outlook"].dtype == np.float32
    assert np.array_equal(batch["offsets"], rows["legal_offsets"])
    logs = network.log_priors(*rows.values())
    for number, state in enumerate(states):
        said = network.evaluate(state)
        assert [said[key] for key in ("win", "draw", "loss")] == list(batch["outlook"][number])
        assert said["win"] + said["draw"] + said["loss"] == pytest.approx(1)
        assert said["mean"] == batch["mean"][number]
        assert list(said["policy"]) == state.moves()
        row = slice(*batch["offsets"][number : number + 2])
        assert list(said["policy"].values()) == list(batch["policy"][row])
        # The shares are those that the logarithms speak of.
        shares = np.exp(logs[row].astype(float) - logs[row].max())
        assert batch["policy"][row] == pytest.approx(shares / shares.sum(), rel=1e-5)


def test_a_player_has_a_network(files):
    player = mv.player("chess", f"best:network={files['chess']}")
    state = mv.game("chess").state()
    result = player.search(state, iterations=200)
    assert result.best in state.moves()
    assert mv.network(files["chess"]).digest[:16] in player.spec
    without = mv.player("chess", "best").search(state, iterations=200)
    assert list(without.visits) != list(result.visits)
    # Its policy is what they differ by: visits go where the shares are high.
    policy = mv.network(files["chess"]).evaluate(state)["policy"]

    def share(found):
        return np.average([policy[move] for move in found.moves], weights=found.visits)

    assert share(result) > 1.2 * share(without)


def test_a_part_that_is_missing_is_none():
    state = mv.game("chess").state()
    value = training.Network.random("chess", policy=0)
    assert value.evaluate(state)["policy"] is None and value.evaluate(state)["win"] is not None
    assert value.evaluate_all([state])["policy"] is None
    policy = training.Network.random("chess", value=0)
    assert policy.evaluate(state)["win"] is None and len(policy.evaluate(state)["policy"]) == 20
    assert policy.evaluate_all([state])["outlook"] is None


def test_states_without_moves_and_batches_without_states():
    network = training.Network.random("chess")
    mated = mv.game("chess").state("R5k1/5ppp/8/8/8/8/8/6K1 b - - 1 1")
    assert network.evaluate(mated)["policy"] == {}
    empty = network.evaluate_all([])
    assert empty["outlook"].shape == (0, 3) and list(empty["offsets"]) == [0]
    both = network.evaluate_all(state for state in (mated, mv.game("chess").state()))
    assert list(both["offsets"]) == [0, 0, 20]


def test_a_network_is_pickled():
    network = training.Network.random("loa", seed=5)
    again = pickle.loads(pickle.dumps(network))
    assert again.digest == network.digest
    state = mv.game("loa").state()
    assert again.evaluate(state) == network.evaluate(state)


def test_wrong_networks_and_states_are_value_errors(files, tmp_path):
    network = mv.network(files["chess"])
    pending = mv.game("banqi").state()
    pending.play(pending.moves()[0])
    cut = tmp_path / "cut.net"
    cut.write_bytes(files["chess"].read_bytes()[:-100])
    (tmp_path / "empty.net").touch()
    for wrong, says in [
        (lambda: network.evaluate(mv.game("loa").state()), "loa"),
        (lambda: network.evaluate(mv.game("tic-tac-toe").state()), "no features"),
        (lambda: network.evaluate_all([mv.game("chess").state(), mv.game("loa").state()]), "one game"),
        (lambda: network.evaluate_all([None]), "list of States"),
        (lambda: network.evaluate_all(5), "list of States"),
        (lambda: mv.network(files["banqi"]).evaluate(pending), "chance decides next"),
        (lambda: mv.network(tmp_path / "nothing.net"), "nothing.net"),
        (lambda: mv.network(tmp_path), str(tmp_path)),
        (lambda: mv.network(cut), "cut.net"),
        (lambda: mv.network(tmp_path / "empty.net"), "empty.net"),
        (lambda: mv.player("chess", f"best:network={files['loa']}"), "loa"),
        (lambda: mv.player("chess", "best:network=nothing.net"), "nothing.net"),
        (lambda: mv.player("chess", "mcc:network=nothing.net"), "network"),
        (lambda: training.Network.random("chess", value=-1), "value"),
        (lambda: training.Network.random("chess", value=10**9), "value"),
        (lambda: training.Network.random("tic-tac-toe"), "no features"),
        (lambda: training.Network.random("chess", seed=-1), "seed"),
    ]:
        with pytest.raises(ValueError) as raised:
            wrong()
        assert says in str(raised.value), raised.value
