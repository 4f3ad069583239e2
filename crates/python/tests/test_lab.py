"""The lab: the program's own matches and stores."""

import json
import os
import signal
import subprocess
import sys

import matplotlib
import numpy as np
import pytest
from conftest import REPOSITORY

import monteverde as mv

matplotlib.use("Agg")


def test_a_match_is_the_programs(program, tmp_path):
    store = tmp_path / "a.db"
    ours = mv.match(
        "uct", "uct:c=0.3", game="tic-tac-toe", games=12, iterations=60, openings={"every": 2}, store=store
    )
    words = "match uct uct:c=0.3 --game tic-tac-toe --games 12 --iterations 60 --every 2 --json".split()
    done = subprocess.run([program, *words], capture_output=True, text=True, check=True)
    theirs = json.loads(done.stdout)
    for key in ("wins", "draws", "losses", "score", "score_ci95", "elo", "los", "digest", "pairs"):
        assert getattr(ours, key) == theirs[key], key
    assert ours.played == 12 == len(ours.games) == len(ours)
    # The same call finds what it has played, and the program finds it too.
    again = mv.match(
        "uct", "uct:c=0.3", game="tic-tac-toe", games=12, iterations=60, openings={"every": 2}, store=store
    )
    assert (again.found, again.played) == (12, 0)
    frame = ours.frame()
    assert len(frame) == 12 and set(frame["result"]) <= {"first", "second", "draw"}
    assert ours.plot() is not None


def test_a_store_is_read(tmp_path):
    path = tmp_path / "b.db"
    result = mv.match("mcc", "mcc:c=0.5", game="chess", games=2, iterations=10, store=path)
    store = mv.Store(path)
    assert len(store) == 2 and store.games == ["chess"]
    assert sorted(store.players) == ["mcc", "mcc:c=0.5"]
    lines = store.lines("chess")
    game = store.game(lines[0]["key"])
    assert len(game["moves"]) == lines[0]["plies"]
    assert {row["name"] for row in store.standings("chess")["players"]} == {"mcc", "mcc:c=0.5"}
    records = mv.game("chess").records(store.export("pgn"))
    assert sorted(len(one.steps) for one in records) == sorted(len(one["moves"]) for one in result.games)
    for wrong in (
        lambda: mv.Store(tmp_path / "nothing.db"),
        lambda: store.game("00"),
        lambda: store.standings("loa"),
        lambda: store.export("gif"),
    ):
        with pytest.raises(ValueError):
            wrong()


def test_tournaments_and_sweeps(tmp_path):
    plan = {
        "game": "tic-tac-toe",
        "format": "round-robin",
        "games": 4,
        "pace": "iterations=30",
        "player": [{"spec": "uct"}, {"spec": "uct:c=0.3"}, {"spec": "uct:c=2"}],
    }
    result = mv.tournament(plan)
    assert len(result.players) == 3 and len(result.pairings) == 3 and len(result.games) == 12
    assert len(result.table()) == 3 and result.plot() is not None
    file = tmp_path / "t.toml"
    file.write_text(
        'game = "tic-tac-toe"\ngames = 4\npace = "iterations=30"\nformat = "round-robin"\n'
        '[[player]]\nspec = "uct"\n[[player]]\nspec = "uct:c=0.3"\n[[player]]\nspec = "uct:c=2"\n'
    )
    assert mv.tournament(file).pairings == result.pairings
    sweep = mv.sweep(
        {
            "title": "c",
            "game": "tic-tac-toe",
            "kind": "match",
            "player": "uct",
            "opponent": "uct",
            "pace": "iterations=20",
            "games": 4,
            "grid": {"c": [0.3, 1.0]},
            "plot": {"x": "c", "y": "score"},
        }
    )
    assert len(sweep.cells) == 2 and len(sweep.frame()) == 2
    assert sweep.plot().get_xlabel() == "c"


def test_experiments_are_read(tmp_path):
    known = mv.experiments(REPOSITORY / "experiments")
    solver = known["loa-solver"]
    assert solver.spec["tournament"]["game"] == "loa" and solver.question
    assert solver.result("standard")["experiment"] == "loa-solver"
    for wrong in (lambda: solver.result("huge"), lambda: mv.experiments(tmp_path)):
        with pytest.raises(ValueError):
            wrong()


def iterations_of(game, player):
    """What a player has spent on each of its moves."""
    side = 0 if game["first"] == player else 1
    return {move["iterations"] for number, move in enumerate(game["moves"]) if number % 2 == side}


def test_equal_time_by_given_speeds_is_a_match_in_iterations():
    """Half as fast is half the iterations; nothing is measured, so that a busy machine plays alike."""
    players, plan = ("uct", "uct:c=0.3"), {"game": "tic-tac-toe", "games": 6}
    speeds = {"uct": 1000, "uct:c=0.3": 500}
    equal = mv.match(*players, equal_time={"reference": "uct", "iterations": 60, "speeds": speeds}, **plan)
    for game in equal.games:
        assert iterations_of(game, "uct") == {60} and iterations_of(game, "uct:c=0.3") == {30}
    paced = mv.match(*players, pace_a="iterations=60", pace_b="iterations=30", **plan)
    assert [game["moves"][0]["text"] for game in equal.games] == [game["moves"][0]["text"] for game in paced.games]
    assert (equal.digest, equal.score) == (paced.digest, paced.score)
    faster = mv.match(
        *players, equal_time={"reference": "uct", "iterations": 60, "speeds": {**speeds, "uct:c=0.3": 2000}}, **plan
    )
    assert iterations_of(faster.games[0], "uct:c=0.3") == {120}


def test_equal_time_is_measured_once(tmp_path):
    def match():
        return mv.match(
            "uct", "uct:c=0.3", game="tic-tac-toe", games=2, equal_time=40, store=tmp_path / "e.db"
        )

    first = match()
    budgets = {row["spec"]: row["iterations"] for row in first.calibration["players"]}
    assert budgets["uct"] == 40 and set(budgets) == {"uct", "uct:c=0.3"}
    for game in first.games:
        assert all(iterations_of(game, spec) == {count} for spec, count in budgets.items())
    # The store keeps the speeds: what was measured is neither measured nor played again.
    again = match()
    assert (again.found, again.played) == (2, 0) and again.calibration == first.calibration


def test_wrong_plans_are_value_errors(tmp_path):
    def match(*players, **more):
        given = {"game": "tic-tac-toe", "games": 2, "iterations": 5, **more}
        return mv.match(*players, **given)

    for wrong, says in [
        (lambda: match("uct", "nobody"), "no player 'nobody'"),
        (lambda: match("uct", "uct", games=0), "at least one game"),
        (lambda: match("uct", "uct", games=-2), "games"),
        (lambda: match("uct", "uct", iterations=None), "pace"),
        (lambda: match("uct", "uct", iterations=0), "iterations"),
        (lambda: match("uct", "uct", time=1), "one limit"),
        (lambda: match("uct", "uct", pace="iterations=7"), "one limit"),
        (lambda: match("uct", "uct", equal_time=7), "one limit"),
        (lambda: match("uct", "uct", iterations=None, equal_time=0), "0 is not accepted"),
        (lambda: match("uct", "uct", iterations=None, equal_time=-3), "iterations"),
        (lambda: match("uct", "uct", iterations=None, equal_time="x"), "equal_time"),
        (lambda: match("uct", "uct", iterations=None, equal_time={"iterations": 5}), "reference"),
        (
            lambda: match("uct", "uct", iterations=None, equal_time={"reference": "nobody", "iterations": 5}),
            "no player 'nobody'",
        ),
        (lambda: match("uct", "uct", iterations=None, time=float("nan")), "time"),
        (lambda: match("uct", "uct", iterations=None, time=float("inf")), "time"),
        (lambda: match("uct", "uct", iterations=None, time=object()), "time"),
        (lambda: match("uct", "uct", iterations=True), "iterations"),
        (lambda: match("uct", "uct", concurrency=-1), "concurrency"),
        (lambda: match("uct", "uct", concurrency=2**70), "concurrency"),
        (lambda: match("uct", "uct", games=10**5000), "too large"),
        (lambda: match("uct", "uct", game=5), "a game is given"),
        (lambda: match("uct", "uct", store=""), "empty"),
        (lambda: match("uct", "uct", progress=5), "a function"),
        (lambda: match("uct", "uct", game="go"), "no game 'go'"),
        (lambda: match("uct", "uct", game=None), "game="),
        (lambda: match("uct", "uct", openings={"rnd": 3}), "no key 'rnd'"),
        (lambda: match("uct", "uct", concurrency=0), "concurrency"),
        (lambda: match("uct", 5), "a player is given"),
        (lambda: match("uct", "uct", openings=object()), "not accepted"),
        (lambda: mv.match(mv.player("chess"), mv.player("loa"), games=2, iterations=5), "different games"),
        (lambda: mv.tournament({"game": "chess"}), "player"),
    ]:
        with pytest.raises(ValueError) as raised:
            wrong()
        assert says in str(raised.value), raised.value
    (tmp_path / "c.db").write_text("not a store")
    with pytest.raises(ValueError, match="no store"):
        match("uct", "uct", store=tmp_path / "c.db")


def test_numbers_of_numpy_are_numbers():
    result = mv.match(
        "uct", "uct:c=0.3", game="tic-tac-toe", games=np.int64(2), iterations=np.int32(5), seed=np.uint8(3),
        concurrency=np.int64(1),
    )
    assert result.count == 2


def test_progress_of_a_match_is_told():
    seen = []
    mv.match(
        "uct", "uct", game="tic-tac-toe", games=6, iterations=20, progress=lambda *told: seen.append(told)
    )
    assert seen == [(number, 6, 0) for number in range(1, 7)]

    def fail(done, total, found):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        mv.match("uct", "uct", game="tic-tac-toe", games=6, iterations=20, progress=fail)


INTERRUPTED = """
import signal, sys
import monteverde as mv
# Tests that run in the background of a shell inherit that Ctrl-C is ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    mv.match("mcc", "mcc", game="chess", games=100_000, iterations=50, store=sys.argv[1],
             progress=lambda done, total, found: print("begun", flush=True) if done == 1 else None)
except KeyboardInterrupt:
    print("stopped", len(mv.Store(sys.argv[1])) >= 1, flush=True)
"""


def test_control_c_stops_a_match_and_keeps_its_games(tmp_path):
    command = [sys.executable, "-c", INTERRUPTED, str(tmp_path / "d.db")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "begun\n"
        os.kill(child.pid, signal.SIGINT)
        assert child.stdout.read() == "stopped True\n"
