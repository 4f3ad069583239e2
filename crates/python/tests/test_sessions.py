"""Games in which a player keeps its tree from move to move."""

import nim
import pytest
from test_search import without_time

import monteverde as mv

SPECS = [("chess", "best"), ("loa", "best"), ("tic-tac-toe", "uct"), ("noughts", "uct")]


def visits(node):
    return {child.step: (child.visits, child.mean) for child in node.children()}


@pytest.mark.parametrize(("game", "spec"), SPECS)
def test_what_is_kept_is_the_tree_below_the_moves_played(game, spec):
    player, state = mv.player(game, spec, seed=3), mv.game(game).state()
    session = player.session(state)
    first = session.search(iterations=600)
    # The first search is the one that begins anew, which is the program's.
    assert without_time(first.to_dict()) == without_time(player.search(state, iterations=600).to_dict())
    assert first.kept == 0
    reply = session.tree[first.best].children()[0]
    below, count = visits(reply), reply.visits
    assert count > 0 and below
    session.play(first.best)
    session.play(reply.step)
    assert session.state.history == [first.best, reply.step]
    assert visits(session.tree) == below and session.tree.visits == count
    second = session.search(iterations=100)
    assert second.kept == count and second.iterations <= 100
    assert second.state == session.state
    # A search of the same state that begins anew does not know of it.
    anew = player.search(session.state, iterations=100)
    assert anew.kept == 0 and sum(anew.visits) < sum(second.visits)
    # What each move had it still has, and the rest is what was added.
    after = visits(session.tree)
    assert all(after[step][0] >= number for step, (number, _) in below.items() if step in after)


def test_chance_is_followed():
    session = mv.player("banqi", "best", seed=2).session(mv.game("banqi").state())
    best = session.search(iterations=2000).best
    session.play(best)
    assert session.state.is_pending
    known = {child.step: child.visits for child in session.tree.children()}
    event = max(known, key=known.get)
    session.settle(event)
    assert session.tree.visits == known[event] == session.search(iterations=10).kept
    session.play(session.state.moves()[0])
    if session.state.is_pending:
        session.settle(seed=7)
    with pytest.raises(ValueError, match="chance does not decide"):
        session.settle(seed=7)


@pytest.mark.parametrize(("game", "spec"), [("loa", "best:fresh"), ("chess", "mcc")])
def test_a_player_may_forget(game, spec):
    session = mv.player(game, spec).session(mv.game(game).state())
    session.play(session.search(iterations=200).best)
    assert session.search(iterations=50).kept == 0


MASK = 2**64 - 1


def split_mix(state):
    state = (state + 0x9E3779B97F4A7C15) & MASK
    state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & MASK
    state = (state ^ state >> 27) * 0x94D049BB133111EB & MASK
    return state ^ state >> 31


def seat_seed(seed, seat):
    """The seed that a match gives the player of a seat."""
    return split_mix(split_mix(seed) ^ seat * 0xD1342543DE82EF95 & MASK)


@pytest.mark.parametrize("game", ["tic-tac-toe", "loa"])
def test_a_session_is_the_programs_own_play(game):
    """Games of a match, played again with the seeds that the match gave its players."""
    specs = {"a": "uct", "b": "uct:c=0.5"}
    kept = 0
    for played in mv.match(*specs.values(), game=game, games=2, iterations=40, openings={"random": 2}).games:
        state = mv.game(game).state(played["start_state"])
        opening = [move["text"] for move in played["moves"] if move.get("by") == "opening"]
        for text in opening:
            state.play(text)
        sessions = {}
        for seat, side in enumerate(("first", "second")):
            player = mv.player(game, played[side], seed=seat_seed(played["seed"], seat))
            sessions[side] = player.session(state)
        for move in played["moves"][len(opening) :]:
            found = sessions[state.turn].search(iterations=40)
            assert found.best == move["text"] and found.iterations == move["iterations"]
            kept += found.kept
            state.play(move["text"])
            for session in sessions.values():
                session.play(move["text"])
        assert state.is_over
    assert kept > 0


def test_trees_of_the_past_are_refused():
    session = mv.player("tic-tac-toe", "uct").session(mv.game("tic-tac-toe").state())
    best = session.search(iterations=50).best
    root = session.tree
    session.play(best)
    for look in (root.children, lambda: root[best], lambda: len(root), lambda: root.is_expanded):
        with pytest.raises(RuntimeError, match="no longer there"):
            look()
    assert session.tree.state == session.state
    with pytest.raises(ValueError, match="without a tree"):
        _ = mv.player("chess", "ab").session(mv.game("chess").state()).tree


def test_a_tree_that_is_not_there_yet_is_refused():
    session = mv.player("loa", "best").session(mv.game("loa").state())
    with pytest.raises(ValueError, match="search first"):
        _ = session.tree
    # A move that the search has not looked behind leads to a state of which the tree knows nothing.
    session.play(session.search(iterations=2).moves[-1])
    with pytest.raises(ValueError, match="search first"):
        _ = session.tree
    session.search(iterations=20)
    assert session.tree.children()


def test_a_session_does_one_thing_at_a_time():
    """What is asked of it in the middle of a search is refused, and nobody waits for ever."""
    session, said = mv.player("loa").session(mv.game("loa").state()), []

    def watch(result):
        for ask in (lambda: session.search(iterations=1), lambda: session.play(result.moves[0]), lambda: session.tree):
            with pytest.raises(RuntimeError, match="is searching"):
                ask()
        said.append(session.state.text)
        return False

    session.search(iterations="4000M", progress=watch, every=0.001)
    assert said == [mv.game("loa").state().text]
    assert session.search(iterations=10).best


def test_wrong_input_is_refused():
    player, state = mv.player("chess"), mv.game("chess").state()
    session = player.session(state)
    for wrong, says in [
        (lambda: player.session(mv.game("loa").state()), "cannot search"),
        (lambda: session.play("e2e5"), "not legal"),
        (lambda: session.play(None), "text"),
        (lambda: session.settle("K"), "chance does not decide"),
        (lambda: session.settle(), "settle takes"),
        (lambda: session.settle(seed=-1), "seed"),
        (lambda: session.search(), "needs a limit"),
        (lambda: session.search(iterations=5, only=[]), "at least one"),
    ]:
        with pytest.raises(ValueError, match=says):
            wrong()
    # Nothing of that has moved it, and the state that it began with is its own.
    state.play("e2e4")
    assert session.state == mv.game("chess").state() and session.search(iterations=20).best
    assert "mcc" in repr(session) or player.spec in repr(session)


def test_an_exception_of_the_rules_ends_a_session():
    class Late(nim.Nim):
        name = "late"

        def moves(self):
            if self.sticks < 5:
                raise ZeroDivisionError("mine")
            return super().moves()

    mv.register(Late)
    session = mv.player("late").session(mv.game("late").state())
    with pytest.raises(ZeroDivisionError, match="mine"):
        session.search(iterations=1000)
    with pytest.raises(RuntimeError, match="begin another"):
        session.search(iterations=1)
