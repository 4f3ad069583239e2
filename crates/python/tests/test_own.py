"""Games of one's own in Python: they search, conform, and meet players."""

import pickle

import nim  # registers its games
import pytest
from conftest import REPOSITORY

import monteverde as mv


def test_it_passes_the_conformance_suite():
    mv.conformance("nim", perft=[("startpos", 2, 9), ("3 second", 3, 1)])
    mv.conformance("noughts", perft=[("startpos", 4, 3024)])
    mv.conformance("coin-nim", states=["3 first toss"])


def test_the_suite_can_fail():
    class Forgetful(nim.Nim):
        name = "forgetful"

        def text(self):
            return "10 first"

    class Generous(nim.Nim):
        name = "generous"

        def outcome(self):
            return "draw" if self.sticks <= 1 else None

        def moves(self):
            return []

    for cls in (Forgetful, Generous):
        mv.register(cls)
        with pytest.raises(ValueError, match="breaks the rule"):
            mv.conformance(cls.name)
    with pytest.raises(ValueError, match="breaks the rule 'perft"):
        mv.conformance("nim", perft=[("startpos", 2, 8)])
    with pytest.raises(ValueError, match="whose own tests"):
        mv.conformance("chess")


def techniques():
    """The players of the signature of tic-tac-toe: each technique that needs no knowledge."""
    lines = (REPOSITORY / "crates" / "games" / "signature.txt").read_text().splitlines()
    return [line.split()[1] for line in lines if line.startswith("tic-tac-toe ")]


@pytest.mark.parametrize("spec", techniques())
def test_every_technique_searches_it_as_the_programs_own(spec):
    """The same rules once in Rust and once in Python: not one visit differs."""
    for text in ("... ... ...", "x.. .o. ..."):
        ours = mv.player("noughts", spec).search(mv.game("noughts").state(text), iterations=300)
        rust = mv.player("tic-tac-toe", spec).search(mv.game("tic-tac-toe").state(text), iterations=300)
        assert list(ours.visits) == list(rust.visits)
        assert list(ours.means) == list(rust.means)
        assert (ours.proofs, ours.nodes, ours.deepest) == (rust.proofs, rust.nodes, rust.deepest)


def test_it_is_searched_by_threads():
    """Leaving a multiple of four wins: from ten, two."""
    result = mv.player("nim", "uct:c=0.5", threads=3).search(mv.game("nim").state(), iterations=2000)
    assert result.best == "2"


def test_the_same_seed_gives_the_same_table():
    def search():
        found = mv.player("nim", seed=3).search(mv.game("nim").state(), iterations=300)
        return list(found.visits), list(found.means)

    first = search()
    mv.register(nim.Nim)
    assert search() == first


def test_it_meets_players_in_matches(tmp_path):
    result = mv.match("uct", "uct:c=3", game="nim", games=4, iterations=40, store=tmp_path / "n.db")
    assert result.count == 4 and result.draws == 0
    result = mv.match("uct", "uct:c=3", game="coin-nim", games=4, iterations=40)
    assert result.count == 4
    assert mv.Store(tmp_path / "n.db").export("text").count('[Game "nim"]') == 4


def test_a_changed_class_does_not_find_the_games_of_the_old_one(tmp_path):
    def play():
        return mv.match("uct", "uct:c=3", game="nim", games=2, iterations=20, store=tmp_path / "m.db")

    assert play().played == 2 and play().found == 2

    class Nim(nim.Nim):
        def moves(self):
            return super().moves()[:2]

    mv.register(Nim)
    assert play().found == 0
    mv.register(nim.Nim)
    assert play().found == 2


def test_states_work_like_others():
    state = mv.game("nim").state()
    assert state.moves() == ["1", "2", "3"] and state.turn == "first"
    state.play("3")
    assert state.text == "7 second" and state.history == ["3"]
    again = pickle.loads(pickle.dumps(state))
    assert again == state
    assert mv.game("nim").records(state.record())[0].state() == state
    assert state._repr_svg_() is None
    with pytest.raises(ValueError, match="no state of nim"):
        mv.game("nim").state("many")
    with pytest.raises(ValueError, match="not legal"):
        state.play("9")
    with pytest.raises(ValueError, match="codes"):
        state.play(9)
    coin = mv.game("coin-nim").state().after("2")
    assert coin.is_pending and coin.events() == [("heads", 1 / 3), ("tails", 2 / 3)]


def test_what_a_method_raises_is_raised():
    class Broken(nim.Nim):
        name = "broken"

        def moves(self):
            if self.sticks < 5:
                raise ZeroDivisionError("mine")
            return super().moves()

    mv.register(Broken)
    for threads in (1, 2, 4):
        player = mv.player("broken", threads=threads)
        with pytest.raises(ZeroDivisionError, match="mine"):
            player.search(mv.game("broken").state(), iterations="4000M")
    with pytest.raises(ZeroDivisionError, match="mine"):
        mv.match("uct", "uct", game="broken", games=2, iterations=30)
    with pytest.raises(ZeroDivisionError, match="mine"):
        mv.game("broken").state("3 first").moves()


def test_one_exception_of_many_games_ends_a_match(tmp_path):
    """The first games are sound, so that the players are; a later one raises."""

    class Seldom(nim.Nim):
        name = "seldom"
        played = 0

        def __init__(self, text="10 first"):
            super().__init__(text)
            if text == "10 first":
                Seldom.played += 1
            if Seldom.played > 12:
                raise ZeroDivisionError("late")

    mv.register(Seldom)
    with pytest.raises(ZeroDivisionError, match="late"):
        mv.match(
            "uct", "uct", game="seldom", games=2000, iterations=10, concurrency=1, store=tmp_path / "s.db"
        )
    assert len(mv.Store(tmp_path / "s.db")) < 100
    mv.register(nim.Nim)
    assert mv.player("nim").search(mv.game("nim").state(), iterations=50).best


def test_wrong_classes_are_value_errors():
    class Lazy:
        def turn(self):
            return "first"

    class Odd(nim.Nim):
        name = "odd"

        def turn(self):
            return 1

    class Same(nim.Nim):
        name = "same"

        def play(self, move):
            self.sticks -= move
            return self

    with pytest.raises(ValueError, match="no method moves"):
        mv.register(Lazy)
    with pytest.raises(ValueError, match="game of the program"):
        mv.register(nim.Nim, "chess")
    with pytest.raises(ValueError, match="no name for a game"):
        mv.register(nim.Nim, "My Nim")
    mv.register(Odd)
    with pytest.raises(ValueError, match='"first" or "second"'):
        _ = mv.game("odd").state().turn
    mv.register(Same)
    with pytest.raises(ValueError, match="new state"):
        mv.game("same").state().play("1")
