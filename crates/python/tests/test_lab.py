"""The lab: the program's own matches and stores."""

import json
import os
import signal
import subprocess
import sys

import matplotlib
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
