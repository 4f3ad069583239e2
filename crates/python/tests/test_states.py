"""States against other rules of the same games, and what they promise."""

import copy
import gc
import pickle
import re
import resource
from pathlib import Path

import chess
import pyspiel
import pytest

import monteverde as mv

GAMES = ["chess", "loa", "banqi", "tic-tac-toe", "dice-race"]


def random_game(state, rng, plies=10_000):
    """Plays random moves; draws events by their probabilities."""
    for _ in range(plies):
        if state.is_over:
            break
        if state.is_pending:
            events, weights = zip(*state.events())
            state.settle(rng.choices(events, weights)[0])
        else:
            state.play(rng.choice(state.codes()))
    return state


def test_chess_agrees_with_python_chess(rng):
    for _ in range(20):
        state, board = mv.game("chess").state(), chess.Board()
        while not state.is_over:
            moves = state.moves()
            assert sorted(moves) == sorted(move.uci() for move in board.legal_moves)
            assert state.turn == ("first" if board.turn else "second")
            move = rng.choice(moves)
            assert board.parse_san(state.label(move)).uci() == move
            state.play(move)
            board.push_uci(move)
        assert not any(board.legal_moves) or board.outcome(claim_draw=True) is not None
        winner = {"first": True, "second": False, "draw": None}[state.outcome]
        assert board.outcome(claim_draw=True).winner == winner


def test_perft_of_chess_agrees_with_python_chess():
    def count(board, depth):
        if depth == 0:
            return 1
        total = 0
        for move in board.legal_moves:
            board.push(move)
            total += count(board, depth - 1)
            board.pop()
        return total

    fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
    assert mv.game("chess").state(fen).perft(2) == count(chess.Board(fen), 2) == 2039


def test_lines_of_action_agrees_with_openspiel(rng):
    for _ in range(10):
        ours, theirs = mv.game("loa").state(), pyspiel.load_game("lines_of_action").new_initial_state()
        while not ours.is_over and not theirs.is_terminal():
            actions = {theirs.action_to_string(action): action for action in theirs.legal_actions()}
            assert sorted(actions) == sorted(ours.moves())
            move = rng.choice(ours.moves())
            ours.play(move)
            theirs.apply_action(actions[move])
        if ours.ending == "connection":
            assert tuple(theirs.returns()) == ours.returns


# OpenSpiel's dark chess has letters of its own, and rows and columns where we have files and ranks.
PIECES = dict(zip("GAERHCSgaerhcs", "KGMRNCPkgmrncp"))
COVERED = "/".join(["XXXX"] * 8) + " - KGGMMRRNNCCPPPPPkggmmrrnnccppppp 0 repetition=off"


def dark_move(text):
    """`Flip(0,1)`, `H(2,7)-(2,6)` or `C(2,3)x(2,1)` as we write it."""
    squares = re.findall(r"\((\d),(\d)\)", text)
    return "-".join("abcd"[int(row)] + str(int(column) + 1) for row, column in squares)


def test_dark_chess_agrees_with_openspiel(rng):
    """Without repetitions, which OpenSpiel does not know, and with as many quiet plies."""
    game = pyspiel.load_game("banqi(max_no_progress=40)")
    endings = set()
    for _ in range(40):
        ours, theirs = mv.game("banqi").state(COVERED), game.new_initial_state()
        while not ours.is_over:
            assert not theirs.is_terminal() and ours.is_pending == theirs.is_chance_node()
            if ours.is_pending:
                shown = {PIECES[theirs.action_to_string(action)[-1]]: (action, share)
                         for action, share in theirs.chance_outcomes()}
                events = ours.events()
                assert dict(events) == pytest.approx({piece: share for piece, (_, share) in shown.items()})
                pieces, shares = zip(*events)
                (piece,) = rng.choices(pieces, shares)
                ours.settle(piece)
                theirs.apply_action(shown[piece][0])
                continue
            assert ours.turn == ("first", "second")[theirs.current_player()]
            actions = {dark_move(theirs.action_to_string(action)): action for action in theirs.legal_actions()}
            assert sorted(actions) == sorted(ours.moves())
            move = rng.choice(ours.moves())
            ours.play(move)
            theirs.apply_action(actions[move])
        assert theirs.is_terminal() and tuple(theirs.returns()) == ours.returns
        endings.add((ours.outcome == "draw", ours.ending))
    # Games are won and drawn, so that both kinds of end are compared.
    assert {is_draw for is_draw, _ in endings} == {False, True}


@pytest.mark.parametrize("name", GAMES)
def test_states_are_read_as_they_are_written(name, rng):
    state = mv.game(name).state()
    for _ in range(40):
        again = mv.game(name).state(state.text)
        assert again == state and again.key == state.key
        assert again.moves() == state.moves()
        if state.is_over:
            break
        random_game(state, rng, plies=1)


@pytest.mark.parametrize("name", GAMES)
def test_copies_do_not_share(name, rng):
    state = random_game(mv.game(name).state(), rng, plies=3)
    copies = [state.copy(), copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))]
    text = state.text
    if not state.is_over and not state.is_pending:
        after = state.after(state.moves()[0])
        assert state.text == text and after.ply == state.ply + 1
        state.play(state.codes()[0])
        assert state == after
    assert all(one.text == text for one in copies)


def test_a_state_is_no_key_since_it_changes():
    with pytest.raises(TypeError, match="unhashable"):
        hash(mv.game("chess").state())
    assert mv.game("chess").state() != "startpos"
    assert len({mv.game("chess"), mv.game("chess"), mv.game("loa")}) == 2


def test_a_pickled_state_remembers_its_past():
    state = mv.game("chess").state()
    for move in ["g1f3", "g8f6", "f3g1", "f6g8"] * 2:
        state.play(move)
    assert state.is_over and state.ending == "repetition"
    again = pickle.loads(pickle.dumps(state))
    assert (again.outcome, again.history) == ("draw", state.history)
    assert not mv.game("chess").state(state.text).is_over


def test_chance_has_probabilities():
    state = mv.game("banqi").state()
    assert state.game.has_chance and not mv.game("chess").has_chance
    state.play(state.moves()[0])
    assert state.is_pending and state.moves() == []
    events = state.events()
    assert sum(probability for _, probability in events) == pytest.approx(1)
    assert len(events) == 14
    with pytest.raises(ValueError, match="chance decides next"):
        state.play("a1a2")
    state.settle(events[0][0])
    with pytest.raises(ValueError, match="chance does not decide next"):
        state.settle(events[0][0])
    with pytest.raises(ValueError, match="settle takes"):
        state.settle()


def test_a_seed_draws_the_same_event():
    def flip(seed):
        state = mv.game("banqi").state()
        state.play(state.moves()[0])
        state.settle(seed=seed)
        return state.text

    assert flip(3) == flip(3)
    assert len({flip(seed) for seed in range(20)}) > 1


def test_records_go_in_and_out(rng):
    for name in GAMES:
        state = random_game(mv.game(name).state(), rng)
        text = state.record(First="Ann", Second="Bob")
        (record,) = mv.game(name).records(text)
        assert record.state() == state
        assert record.steps == state.history
        assert record.outcome == state.outcome
        assert record.state(0).text == mv.game(name).state().text
        assert mv.game(name).records(record.text())[0].steps == record.steps


def test_a_record_of_chess_is_read_by_python_chess(rng):
    import io

    import chess.pgn

    state = random_game(mv.game("chess").state(), rng)
    game = chess.pgn.read_game(io.StringIO(state.record(First="Ann")))
    assert [move.uci() for move in game.mainline_moves()] == state.history
    assert game.headers["White"] == "Ann"


@pytest.mark.parametrize("name", ["chess", "loa", "banqi", "tic-tac-toe"])
def test_boards_are_drawn(name):
    import xml.etree.ElementTree as tree

    state = mv.game(name).state()
    board = state.board()
    drawn = tree.fromstring(state._repr_svg_())
    groups = [element for element in drawn if element.tag.endswith("}g")]
    assert len(groups) == len(board["pieces"]) + len(board.get("pool") or [])


def test_the_drawings_are_the_pages():
    from conftest import REPOSITORY
    from monteverde import _drawings

    page = REPOSITORY / "crates" / "web" / "page"
    text = (page / "pieces.js").read_text() + (page / "glyphs.js").read_text()
    man = "M27 8Q20 34 5 50M19 36V92"
    for characters in _drawings.CHARACTERS.values():
        for path in characters.values():
            assert path.removeprefix(man) in text
    for bodies, lines, _ in _drawings.CHESS.values():
        for path in bodies + lines:
            assert path in text or "a5 5 0 1 1-.1 0Z" in path


@pytest.mark.parametrize("name", GAMES)
def test_moves_are_played_by_their_numbers(name, rng):
    state = mv.game(name).state()
    while not state.is_over:
        if state.is_pending:
            assert state.move_count == 0
            random_game(state, rng, plies=1)
            continue
        moves = state.moves()
        assert state.move_count == len(moves) == len(state.codes())
        number = rng.randrange(len(moves))
        after = state.after(moves[number])
        state.play_at(number)
        assert state == after
    assert state.move_count == 0
    with pytest.raises(ValueError, match="no move 999"):
        state.play_at(999)


def test_wrong_input_is_a_value_error():
    chess_state = mv.game("chess").state()
    for wrong, says in [
        (lambda: mv.game("ches"), "perhaps 'chess'"),
        (lambda: mv.game("chess").state("nonsense"), "nonsense"),
        (lambda: mv.game("chess").state(""), "FEN"),
        (lambda: mv.game("loa").state("8/8/8 b"), "8/8/8"),
        (lambda: chess_state.play("e2e5"), "not legal"),
        (lambda: chess_state.play(12), "codes"),
        (lambda: chess_state.play(-1), "codes"),
        (lambda: chess_state.play(2**70), "codes"),
        (lambda: chess_state.play(None), "text"),
        (lambda: chess_state.settle("x"), "chance does not decide"),
        (lambda: mv.game("loa").records("(;GM[1]"), ""),
        (lambda: mv.features([mv.game("tic-tac-toe").state()]), "no features"),
        (lambda: mv.features([1]), "States"),
    ]:
        with pytest.raises(ValueError) as raised:
            wrong()
        assert says in str(raised.value), raised.value


def test_memory_is_flat_over_a_million_states():
    """Copies, moves and whole games; a long line of play is freed without a deep stack."""

    def work(count):
        for seed in range(count // 1000):
            state = mv.game("loa").state()
            for _ in range(500):
                after = state.copy()
                codes = after.codes()
                after.play(codes[seed % len(codes)])
                after.copy()
        gc.collect()
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * resource.getpagesize() // 1024

    before = work(100_000)
    after = work(1_000_000)
    assert after - before < 4_000, f"{before} KiB became {after} KiB"
    state = mv.game("chess").state()
    for _ in range(25_000):
        for move in ["g1f3", "g8f6", "f3g1", "f6g8"]:
            state.play(move)
    assert state.ply == 100_000
    del state
