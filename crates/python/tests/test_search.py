"""Searches: the program's own results, threads, Ctrl-C, trees."""

import json
import os
import pickle
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

import monteverde as mv

SPECS = [("chess", "mcc-combined:c=0.7"), ("loa", "best"), ("banqi", "best"), ("tic-tac-toe", "uct")]
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"


def searched_by_program(program, game, spec, state, iterations, seed):
    words = ["search", "--game", game, "--player", spec, "--state", state, "--json"]
    words += ["--iterations", str(iterations), "--seed", str(seed)]
    done = subprocess.run([program, *words], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def without_time(document):
    return {key: value for key, value in document.items() if key not in ("seconds", "per_second")}


@pytest.mark.parametrize(("game", "spec"), SPECS)
def test_the_same_seed_gives_the_programs_table(program, game, spec):
    state = mv.game(game).state()
    player = mv.player(game, spec, seed=5)
    theirs = searched_by_program(program, game, spec, state.text, 400, 5)
    # The second search takes over the memory of the first, and nothing else.
    for _ in range(2):
        ours = player.search(state, iterations=400).to_dict()
        assert without_time(ours) == without_time(theirs)


def test_a_result_has_arrays_and_frames():
    state = mv.game("chess").state(MATE_IN_ONE)
    result = mv.player("chess", "mcc-combined").search(state, iterations=2000)
    assert result.best == "a1a8" == result.pv[0]
    assert result.proof == "win" and result.proofs[result.moves.index("a1a8")] == "win"
    assert result.proof_plies[result.moves.index("a1a8")] == 1
    assert result.visits.dtype == np.uint32 and len(result.visits) == len(result.moves)
    assert result.means.dtype == np.float64 and result.means.min() >= -1 and result.means.max() <= 1
    assert result.bounds.shape == (len(result.moves), 2)
    frame = result.frame()
    assert list(frame["move"]) == result.moves and list(frame["visits"]) == list(result.visits)
    assert "a1a8" in result._repr_html_()
    assert [line[0] for line in result.lines if line] == [
        move for move, line in zip(result.moves, result.lines) if line
    ]


def test_results_are_pickled_bit_for_bit():
    for game, spec in [*SPECS, ("chess", "ab")]:
        result = mv.player(game, spec).search(mv.game(game).state(), iterations=300)
        again = pickle.loads(pickle.dumps(result))
        assert again.to_dict() == result.to_dict()
        assert (again.means == result.means).all() and again.lines == result.lines
        with pytest.raises(ValueError, match="tree=True"):
            _ = again.tree
    player = pickle.loads(pickle.dumps(mv.player("chess", "mcc:c=0.5", threads=2)))
    assert player.spec == mv.player("chess", "mcc:c=0.5,threads=2").spec


def test_a_tree_is_walked():
    result = mv.player("loa", "best").search(mv.game("loa").state(), iterations=3000, tree=True)
    root = result.tree
    assert root.step is None and root.depth == 0
    children = root.children()
    assert {child.step: child.visits for child in children} == dict(zip(result.moves, result.visits))
    assert [child.visits for child in children] == sorted((c.visits for c in children), reverse=True)
    best = root[result.best]
    assert best.mean == pytest.approx(result.means[result.moves.index(result.best)])
    assert best.state.history == [] and best.state == result.state.after(result.best)
    assert sum(child.visits for child in best.children()) <= best.visits
    with pytest.raises(ValueError, match="no step of this node"):
        root["h9h9"]
    with pytest.raises(ValueError, match="without a tree"):
        _ = mv.player("chess", "ab").search(mv.game("chess").state(), iterations=50, tree=True).tree


def test_a_tree_with_chance_has_events():
    result = mv.player("banqi", "best").search(mv.game("banqi").state(), iterations=2000, tree=True)
    flip = result.tree[result.best]
    assert flip.state.is_pending and flip.children()
    assert flip.children()[0].step in dict(flip.state.events())


def test_states_without_a_choice_are_searched_too():
    """Where chance decides there is no best move; where the game is over neither."""
    pending = mv.game("banqi").state()
    pending.play(pending.moves()[0])
    assert mv.player("banqi").search(pending, iterations=50).best is None
    mated = mv.game("chess").state("R5k1/5ppp/8/8/8/8/8/6K1 b - - 1 1")
    result = mv.player("chess").search(mated, iterations=50)
    assert result.best is None and result.moves == [] and result.bounds.shape == (0, 2)


def test_only_some_moves_are_searched():
    state = mv.game("chess").state()
    result = mv.player("chess").search(state, iterations=200, only=["e2e4", "d2d4"])
    assert sorted(result.moves) == ["d2d4", "e2e4"]


def test_limits_are_read_as_the_program_reads_them():
    state, player = mv.game("chess").state(), mv.player("chess")
    assert player.search(state, iterations="1k").iterations == 1000
    assert player.search(state, time="20ms").seconds > 0
    assert player.search(state, time=0.02).iterations > 0
    for wrong, says in [
        (dict(), "needs a limit"),
        (dict(iterations=0), "from 1 to"),
        (dict(iterations=-5), "from 1 to"),
        (dict(iterations=2**64), "from 1 to"),
        (dict(iterations=1.5), "from 1 to"),
        (dict(iterations=True), "from 1 to"),
        (dict(iterations="many"), "is accepted"),
        (dict(time=0), "is accepted"),
        (dict(time=-1), "is accepted"),
        (dict(time=float("nan")), "is accepted"),
        (dict(time="soon"), "is accepted"),
        (dict(iterations=10, only=["e2e5"]), "not legal"),
        (dict(iterations=10, every=0), "above 0"),
        (dict(iterations=10, every=float("nan")), "above 0"),
    ]:
        with pytest.raises(ValueError, match=says):
            player.search(state, **wrong)


def test_wrong_players_are_value_errors():
    for wrong, says in [
        (lambda: mv.player("chess", "mc"), "perhaps 'mcc'"),
        (lambda: mv.player("chess", "mcc:zzz=1"), "no setting 'zzz'"),
        (lambda: mv.player("chess", "mcc:c=x"), "no value"),
        (lambda: mv.player("chess", "mcc", threads=0), "threads"),
        (lambda: mv.player("chess", "mcc", memory="1EiB"), "memory"),
        (lambda: mv.player("chess", "mcc", memory=1.5), "memory"),
        (lambda: mv.player("go", "mcc"), "no game 'go'"),
        (lambda: mv.player(5, "mcc"), "a game is given"),
        (lambda: mv.player("chess").search(mv.game("loa").state(), iterations=5), "cannot search"),
    ]:
        with pytest.raises(ValueError) as raised:
            wrong()
        assert says in str(raised.value), raised.value


def test_progress_is_told_and_may_stop():
    state, seen = mv.game("loa").state(), []

    def watch(result):
        seen.append(result.iterations)
        return len(seen) < 3

    result = mv.player("loa").search(state, iterations="1M", progress=watch, every=0.001)
    assert len(seen) == 3 and seen == sorted(seen)
    assert seen[-1] <= result.iterations < 1_000_000

    def fail(result):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        mv.player("loa").search(state, iterations="1M", progress=fail, every=0.001)


def test_eight_threads_search_at_once():
    """Each alone gives what it gives together with the others; Python goes on meanwhile."""
    player, states = mv.player("loa", "best"), []
    state = mv.game("loa").state()
    for number in range(8):
        states.append(state.after(state.codes()[number]))
    alone = [without_time(player.search(one, iterations=300).to_dict()) for one in states]
    together = [None] * 8

    def work(number):
        together[number] = without_time(player.search(states[number], iterations=300).to_dict())

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == alone


def test_the_interpreter_is_free_during_a_search():
    """A search without end is stopped by another Python thread, which must run for that."""
    go, ticks = threading.Event(), []

    def other():
        go.wait()
        ticks.append(1)

    thread = threading.Thread(target=other)
    thread.start()

    def watch(result):
        go.set()
        return not ticks

    mv.player("loa").search(mv.game("loa").state(), iterations="4000M", progress=watch, every=0.001)
    thread.join()
    assert ticks


INTERRUPTED = """
import signal
import monteverde as mv
# Tests that run in the background of a shell inherit that Ctrl-C is ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
player, state = mv.player("loa"), mv.game("loa").state()
def begun(result):
    print("begun", flush=True)
try:
    player.search(state, iterations="4000M", progress=begun, every=0.05)
except KeyboardInterrupt:
    print("stopped", player.search(state, iterations=10).iterations, flush=True)
"""


def test_control_c_stops_a_search():
    command = [sys.executable, "-c", INTERRUPTED]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "begun\n"
        os.kill(child.pid, signal.SIGINT)
        rest = child.stdout.read()
    assert rest.endswith("stopped 10\n")


def test_features_are_indices_in_batches(rng):
    from test_states import random_game

    for name in ["chess", "loa", "banqi"]:
        said = mv.game(name).features
        states = [random_game(mv.game(name).state(), rng, plies) for plies in range(0, 60, 2)]
        states = [state for state in states if not state.is_pending and not state.is_over]
        batch = mv.features(states, moves=True)
        inputs, offsets = batch["inputs"], batch["offsets"]
        assert inputs.dtype == np.uint16 and offsets.dtype == np.uint32
        assert len(offsets) == len(states) + 1 and offsets[-1] == len(inputs)
        assert inputs.max() < said["inputs"] and np.diff(offsets).max() <= said["most"]
        legal = np.diff(batch["legal_offsets"])
        assert list(legal) == [len(state.codes()) for state in states]
        assert batch["legal"].max() < said["outputs"]
        for number, state in enumerate(states):
            (alone,) = [mv.features([state])["inputs"]]
            assert (alone == inputs[offsets[number] : offsets[number + 1]]).all()
    start = mv.features([mv.game("chess").state()])["inputs"]
    assert len(start) == 32 + 4  # pieces, and rooks that may castle


def test_what_a_network_says_stands_beside_what_the_search_finds():
    state = mv.game("chess").state()
    result = mv.player("chess", "best").search(state, iterations=50)
    assert abs(result.policy.sum() - 1) < 1e-4 and abs(sum(result.outlook) - 1) < 1e-4
    told = result.to_dict()
    assert set(told["outlook"]) == {"win", "draw", "loss"} and told["moves"][0]["policy"] == result.policy[0]
    assert pickle.loads(pickle.dumps(result)).outlook == result.outlook
    without = mv.player("chess", "best:network=none").search(state, iterations=50)
    assert without.outlook is None and np.isnan(without.policy).all()
