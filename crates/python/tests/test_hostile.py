"""What nobody should do: each is refused in words, and nothing panics, hangs or goes on in silence."""

import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
from concurrent.futures import ProcessPoolExecutor

import nim
import numpy as np
import pytest

import monteverde as mv
from monteverde import _monteverde, training


class Bad:
    """Raises whatever it is asked."""

    def __index__(self):
        raise RuntimeError("no index")

    def __float__(self):
        raise RuntimeError("no number")

    def __str__(self):
        raise RuntimeError("no text")

    __repr__ = __str__


NUMBERS = [-1, 2**32, 2**64, 10**5000, 1.5, float("nan"), float("inf"), True, "", "\0", "é", None, [], object(), Bad()]


@pytest.mark.parametrize("number", NUMBERS, ids=range(len(NUMBERS)))
def test_wrong_numbers_are_value_errors(number):
    chess, player = mv.game("chess").state(), mv.player("chess")
    calls = [
        lambda: chess.play_at(number),
        lambda: chess.perft(number),
        lambda: player.search(chess, iterations=5, only=[number]),
    ]
    if not isinstance(number, str):
        calls += [lambda: chess.play(number), lambda: chess.after(number), lambda: chess.label(number)]
    if number is not None:
        calls += [
            lambda: player.search(chess, iterations=5, depth=number),
            lambda: mv.player("chess", threads=number),
        ]
        if number != 2**32:
            calls += [lambda: chess.playout(number), lambda: mv.player("chess", seed=number)]
            calls += [lambda: player.search(chess, iterations=5, every=number)] if number not in (True, 1.5) else []
            calls += [lambda: player.search(chess, iterations=5, time=number)] if number != 1.5 else []
            calls += [lambda: player.search(chess, iterations=number)]
    for call in calls:
        with pytest.raises(ValueError):
            call()
    assert chess.ply == 0


def test_numbers_of_numpy_are_numbers():
    state = mv.game("chess").state()
    codes = np.array(state.codes(), dtype=np.uint32)
    state.play(codes[3])
    state.play_at(np.int64(2))
    assert state.ply == 2
    player = mv.player("chess", threads=np.int64(1), seed=np.uint64(2**64 - 1))
    result = player.search(state, iterations=np.int32(20), depth=np.uint8(4))
    assert result.iterations == 20 and mv.player("chess", seed=2**64 - 1).spec == player.spec
    assert state.perft(np.int8(1)) == len(state.codes())


def test_what_watches_must_be_callable():
    for wrong in (5, "print", [], mv.game("chess").state()):
        with pytest.raises(ValueError, match="a function"):
            mv.player("chess").search(mv.game("chess").state(), iterations=1, progress=wrong)


def test_what_watches_may_search_itself():
    player, state, found = mv.player("loa"), mv.game("loa").state(), []

    def watch(result):
        found.append(player.search(state, iterations=10).best)
        mv.match("uct", "uct", game="tic-tac-toe", games=1, iterations=1)
        return False

    player.search(state, iterations="4000M", progress=watch, every=0.001)
    assert found[0] in state.moves()


def test_what_watches_may_leave():
    def watch(result):
        sys.exit(3)

    with pytest.raises(SystemExit):
        mv.player("loa").search(mv.game("loa").state(), iterations="4000M", progress=watch, every=0.001)


def test_tags_that_are_none_are_refused():
    state = mv.game("chess").state()
    for wrong in ("", "é", "A b", 'A"', "FEN", "Result", "Game"):
        with pytest.raises(ValueError, match="no tag of a record"):
            state.record(**{wrong: "x"})
    (record,) = mv.game("chess").records(state.record(First='A"]\n[Evil "1'))
    assert "Evil" not in record.tags


def test_a_pickle_that_was_damaged_is_refused():
    """Cut short or changed anywhere, it is an exception of Python's own kinds or whole words."""
    state = mv.game("chess").state().after("e2e4")
    result = mv.player("chess").search(state, iterations=30)
    network = training.Network.random("loa", policy=0)
    for thing in (state, result, mv.player("chess"), mv.game("chess")):
        whole = pickle.dumps(thing)
        for place in range(len(whole)):
            with pytest.raises((EOFError, pickle.UnpicklingError, ValueError)):
                pickle.loads(whole[:place])
            changed = bytearray(whole)
            changed[place] ^= 1
            try:
                read = pickle.loads(bytes(changed))
                _ = read.to_dict(), read.lines
            except RuntimeError as error:
                raise AssertionError(f"byte {place} of {thing!r}") from error
            except Exception:
                pass
    # A network has a checksum: no change goes unseen.
    ((data,)) = network.__reduce__()[1]
    for place in range(0, len(data), len(data) // 100):
        changed = bytearray(data)
        changed[place] ^= 1
        with pytest.raises(ValueError):
            _monteverde._restore_network(bytes(changed))


def test_a_result_of_another_game_is_no_result():
    result = mv.player("chess").search(mv.game("chess").state(), iterations=30)
    report = result.__reduce__()[1][2]
    for game in ("loa", "banqi", "tic-tac-toe"):
        with pytest.raises(ValueError, match="no pickled result"):
            _monteverde._restore_result(mv.game(game).state(), "uct", report)
    with pytest.raises(ValueError):
        _monteverde._restore_result(mv.game("chess").state(), "uct", "[" * 100_000)


def test_stores_that_are_none(tmp_path):
    (tmp_path / "text.db").write_text("not a store")
    for path in (tmp_path, tmp_path / "none.db", tmp_path / "text.db", "a\0b", "/dev/null"):
        with pytest.raises((ValueError, OSError)):
            mv.Store(path)
    for path in (tmp_path, tmp_path / "text.db", "a\0b", "/dev/null", tmp_path / "none" / "a.db"):
        with pytest.raises((ValueError, OSError)):
            mv.match("uct", "uct", game="tic-tac-toe", games=1, iterations=1, store=path)


def test_a_store_that_goes_away(tmp_path):
    path = tmp_path / "a.db"
    mv.match("uct", "uct", game="tic-tac-toe", games=1, iterations=1, store=path)
    store = mv.Store(path)
    for file in tmp_path.iterdir():
        file.unlink()
    for ask in (lambda: len(store), lambda: store.games, lambda: store.lines(), lambda: store.export("text")):
        with pytest.raises((ValueError, OSError)):
            ask()


def searched(seed):
    """In a process of its own: a search, with threads, and a match."""
    player = mv.player("loa", threads=2, seed=seed)
    best = player.search(mv.game("loa").state(), iterations=20).best
    return best in mv.game("loa").state().moves(), mv.match(
        "uct", "uct", game="tic-tac-toe", games=2, iterations=5
    ).count


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_other_processes_search(method):
    """After a search here, and while one runs in another thread."""
    assert searched(1) == (True, 2)
    stop = threading.Event()
    args = (mv.game("loa").state(),)
    keywords = {"iterations": "4000M", "progress": lambda result: not stop.is_set(), "every": 0.01}
    thread = threading.Thread(target=mv.player("loa").search, args=args, kwargs=keywords)
    thread.start()
    try:
        # A pool that fails where a process dies, instead of waiting for it.
        with ProcessPoolExecutor(2, multiprocessing.get_context(method)) as pool:
            assert list(pool.map(searched, [1, 2])) == [(True, 2)] * 2
    finally:
        stop.set()
        thread.join()


INTERRUPTED = """
import os, signal, sys, threading
import monteverde as mv
import nim
signal.signal(signal.SIGINT, signal.default_int_handler)

class Endless(nim.Nim):
    name = "endless"

    def moves(self):
        if self.sticks == 1000:
            print("begun", flush=True)
        return [-1]

mv.register(Endless)
try:
    if sys.argv[1] == "search":
        mv.player("endless").search(mv.game("endless").state(), iterations=5)
    elif sys.argv[1] == "match":
        mv.match("uct", "uct:c=0.3", game="endless", games=2, iterations=5)
    else:
        print("begun", flush=True)
        mv.game("chess").state().perft(12)
except KeyboardInterrupt:
    print("stopped", mv.player("nim").search(mv.game("nim").state(), iterations=5).iterations, flush=True)
"""


@pytest.mark.parametrize("work", ["search", "match", "perft"])
def test_control_c_stops_what_has_no_end(work):
    command = [sys.executable, "-c", INTERRUPTED, work]
    folder = os.path.dirname(__file__)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder) as child:
        assert child.stdout.readline() == "begun\n"
        os.kill(child.pid, signal.SIGINT)
        assert child.stdout.read().splitlines()[-1] == "stopped 5"


def nonsense(**methods):
    """Nim with other methods, at its start."""
    mv.register(type("Nonsense", (nim.Nim,), {"name": "nonsense", **methods}))
    return mv.game("nonsense").state()


@pytest.mark.parametrize(
    ("methods", "says"),
    [
        ({"moves": lambda self: None}, "moves.. of nonsense must give a list, not None"),
        ({"moves": lambda self: 5}, "moves.. of nonsense must give a list, not 5"),
        ({"moves": lambda self: [1.5]}, "a str or an int, not a float"),
        ({"moves": lambda self: [None]}, "a str or an int, not a NoneType"),
        ({"moves": lambda self: []}, "gives none in '10 first'"),
        ({"play": lambda self, move: None}, "must return a new state"),
        ({"play": lambda self, move: 5}, "must return a new state"),
        ({"play": lambda self, move: "9 second"}, "must return a new state"),
        ({"turn": lambda self: None}, '"first" or "second", not None'),
        ({"outcome": lambda self: "third"}, "not 'third'"),
        ({"text": lambda self: 5}, "text.. of nonsense must give a text, not 5"),
        ({"picture": lambda self: None}, "picture.. of nonsense must give a text"),
        ({"ending": lambda self: None}, "ending.. of nonsense must give a text"),
    ],
)
def test_methods_that_give_nonsense_are_named(methods, says):
    with pytest.raises(ValueError, match=says):
        state = nonsense(**methods)
        _ = state.playout(), state.text, state.picture(), state.turn
        over = mv.game("nonsense").state("0 first")
        _ = over.ending
    # Whatever happens in a search or a match, it is no panic and it ends.
    for work in (
        lambda: mv.player("nonsense").search(mv.game("nonsense").state(), iterations=20),
        lambda: mv.match("uct", "uct:c=0.3", game="nonsense", games=1, iterations=5),
        lambda: mv.conformance("nonsense", games=2),
    ):
        try:
            work()
        except ValueError:
            pass


@pytest.mark.parametrize(
    "events", [5, ["a"], [("a", 0)], [("a", -1)], [("a", 1.5)], [("a", 2**32)], [("a", 2**31), ("b", 2**31)], [("a", 1, 1)]]
)
def test_events_that_are_nonsense_are_named(events):
    mv.register(type("Odd", (nim.Coins,), {"name": "odd-coins", "events": lambda self: events if self.tossing else []}))
    state = mv.game("odd-coins").state("3 first toss")
    for ask in (state.events, lambda: state.settle(seed=1), lambda: state.is_pending):
        with pytest.raises(ValueError, match="events.. of odd-coins must give"):
            ask()
    with pytest.raises(ValueError, match="events.. of odd-coins must give"):
        mv.player("odd-coins").search(mv.game("odd-coins").state(), iterations=50)


def test_moves_may_be_numbers_of_numpy():
    state = nonsense(moves=lambda self: np.arange(1, min(3, self.sticks) + 1))
    assert state.moves() == ["1", "2", "3"]
    assert mv.player("nonsense", "uct:c=0.5").search(state, iterations=2000).best == "2"


def test_what_is_registered_is_a_class():
    for wrong in (None, 5, "nim", nim.Nim(), lambda: None):
        with pytest.raises(ValueError, match="registered as a class"):
            mv.register(wrong)
