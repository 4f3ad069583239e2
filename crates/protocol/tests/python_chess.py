"""The engine as other programs see it: driven by python-chess, and against GNU Chess.

    python_chess.py BINARY

needs the Python package `chess` and, on the path or in /usr/games, `gnuchess`. Prints a line for each part and
ends with a status other than 0 if any of them fails.
"""

import contextlib
import random
import shutil
import sys
import time

import chess
import chess.engine

from parts import check, run

CLOCK = 1.0
INCREMENT = 0.01
GNUCHESS_TRIES = 5


def main() -> int:
    return run([options, analysis, all_lines, strength, game_by_nodes, timed_game, ponder_game, chess960_game, mate, gnuchess_game])


def options(binary: str) -> str:
    with engine(binary) as player:
        names = set(player.options)
        wanted = {"Hash", "Threads", "MultiPV", "Ponder", "UCI_Chess960", "UCI_ShowWDL", "UCI_AnalyseMode",
                  "Move Overhead", "Player", "Seed", "SyzygyPath", "UCI_LimitStrength", "UCI_Elo", "Clear Hash",
                  "Network"}
        check(names == wanted, f"options {sorted(names)}")
        player.configure({"Hash": 8, "Threads": 2, "Move Overhead": 5, "Player": "mcc:c=0.7", "Seed": "77",
                          "UCI_ShowWDL": True})
        player.ping()
        info = player.analyse(chess.Board(), chess.engine.Limit(nodes=2000))
        check(info["nodes"] == 2000, f"{info['nodes']} nodes")
        check(info["wdl"].relative.total() == 1000, f"wdl {info['wdl']}")
        return f"{len(names)} options, {player.id['name']}"


def analysis(binary: str) -> str:
    board = chess.Board("r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4")
    with engine(binary) as player:
        reports = 0
        with player.analysis(board, multipv=3) as running:
            began = time.monotonic()
            for info in running:
                reports += "pv" in info
                if time.monotonic() - began > 1.6:
                    break
            asked = time.monotonic()
            running.stop()
            running.wait()
            latency = time.monotonic() - asked
            lines = running.multipv
        check(len(lines) == 3, f"{len(lines)} lines")
        for line in lines:
            replay(board, line["pv"])
        check(len({line["pv"][0] for line in lines}) == 3, "a move has two lines")
        check(reports >= 6, f"only {reports} reports")
        # A mate that is proven ends the search, so that an endless one has no more to report.
        mate_in_one = chess.Board("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4")
        best = player.analyse(mate_in_one, chess.engine.Limit(nodes=3000))
        check(best["pv"][0] == chess.Move.from_uci("h5f7"), f"best is {best['pv'][0]}")
        check(best["score"].relative == chess.engine.Mate(1), f"score is {best['score']}")
        only = player.play(board, chess.engine.Limit(nodes=300), root_moves=[chess.Move.from_uci("a2a3")])
        check(only.move == chess.Move.from_uci("a2a3"), f"searched {only.move}")
        return f"{reports} reports, stop answered in {1000 * latency:.1f} ms"


def all_lines(binary: str) -> str:
    """As many lines as there are moves, also where a mate ends the search at its first iteration."""
    mate_in_one = chess.Board("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
    count = mate_in_one.legal_moves.count()
    with engine(binary) as player:
        lines = player.analyse(mate_in_one, chess.engine.Limit(nodes=200), multipv=count)
        check(len(lines) == count, f"{len(lines)} lines of {count} moves")
        check(lines[0]["score"].relative == chess.engine.Mate(1), f"score is {lines[0]['score']}")
        for line in lines:
            replay(mate_in_one, line["pv"])
        check(len({line["pv"][0] for line in lines}) == count, "a move has two lines")
        with player.analysis(mate_in_one) as running:
            # The proof is told although nothing ends the analysis, which then still hears 'stop'.
            told = next(info for info in running if "pv" in info)
            check(told["score"].relative == chess.engine.Mate(1), f"told {told['score']}")
            running.stop()
            best = running.wait()
            check(best.move == chess.Move.from_uci("d1d8"), f"best is {best.move}")
        return f"{count} lines beside a mate"


def strength(binary: str) -> str:
    with engine(binary) as player:
        option = player.options["UCI_Elo"]
        check(option.min <= 1400 and option.max >= 2000, f"UCI_Elo from {option.min} to {option.max}")
        counts = []
        for elo in (option.min, 1400, 1800, option.max):
            player.configure({"UCI_LimitStrength": True, "UCI_Elo": elo, "Clear Hash": None})
            info = player.play(chess.Board(), chess.engine.Limit(white_clock=600, black_clock=600), game=elo,
                               info=chess.engine.INFO_ALL).info
            counts.append(info["nodes"])
        check(counts == sorted(counts) and counts[0] < counts[-1], f"nodes {counts}")
        player.configure({"UCI_LimitStrength": False})
        board = chess.Board()
        while board.ply() < 20 and not board.is_game_over():
            player.configure({"UCI_LimitStrength": board.turn == chess.WHITE, "UCI_Elo": option.min})
            board.push(player.play(board, chess.engine.Limit(nodes=200)).move)
        return f"UCI_Elo {option.min} to {option.max}, nodes {counts}"


def game_by_nodes(binary: str) -> str:
    board = chess.Board()
    with engine(binary) as player:
        while not board.is_game_over(claim_draw=True):
            board.push(player.play(board, chess.engine.Limit(nodes=100), game="one").move)
    return ending(board)


def timed_game(binary: str) -> str:
    with engine(binary) as white, engine(binary) as black:
        return play_on_clocks(chess.Board(), [white, black])


def ponder_game(binary: str) -> str:
    with engine(binary) as white, engine(binary) as black:
        return play_on_clocks(chess.Board(), [white, black], ponder=True)


def chess960_game(binary: str) -> str:
    randomness = random.Random(960)
    castlings = 0
    games = 4
    with engine(binary) as player:
        for number in range(games):
            board = chess.Board.from_chess960_pos(randomness.randrange(960))
            while not board.is_game_over(claim_draw=True) and board.ply() < 120:
                # Castling is played as soon as it can be, since few games would see it otherwise.
                castling = [move for move in board.legal_moves if board.is_castling(move)]
                result = player.play(board, chess.engine.Limit(nodes=50), game=number, root_moves=castling or None)
                castlings += board.is_castling(result.move)
                board.push(result.move)
    check(castlings > 0, "nobody castled")
    return f"{games} games, {castlings} castlings"


def mate(binary: str) -> str:
    with engine(binary) as player:
        mated = chess.Board("7k/5KQ1/8/8/8/8/8/8 b - - 0 1")
        result = player.play(mated, chess.engine.Limit(nodes=10))
        check(result.move is None, f"a mated side plays {result.move}")
        board = chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
        result = player.play(board, chess.engine.Limit(mate=1))
        check(result.move == chess.Move.from_uci("a1a8"), f"instead of mate {result.move}")
    return "no move where there is none, and a mate in one"


def gnuchess_game(binary: str) -> str:
    opponent = shutil.which("gnuchess") or shutil.which("gnuchess", path="/usr/games")
    check(opponent is not None, "gnuchess is not installed")
    return "; ".join(game_with_gnuchess(binary, opponent, color) for color in chess.COLORS)


def game_with_gnuchess(binary: str, opponent: str, color) -> str:
    """GNU Chess aborts where it finds 4 kB of its own output at once, as it may on a busy machine
    (docs/engines.md). Such a game is played again."""
    ended = chess.engine.EngineTerminatedError
    for _ in range(GNUCHESS_TRIES):
        with engine(binary) as ours, popen([opponent, "--uci"], [ended]) as theirs:
            players = [ours, theirs] if color == chess.WHITE else [theirs, ours]
            try:
                return play_on_clocks(chess.Board(), players)
            except ended:
                ours.ping()  # It was not ours that ended.
    raise AssertionError(f"gnuchess ended in {GNUCHESS_TRIES} games in a row")


def play_on_clocks(board, players, ponder=False) -> str:
    """Plays a game that must end by the rules, not on time."""
    clocks = [CLOCK, CLOCK]
    least = CLOCK
    while not board.is_game_over(claim_draw=True):
        side = 0 if board.turn == chess.WHITE else 1
        limit = chess.engine.Limit(white_clock=clocks[0], black_clock=clocks[1],
                                   white_inc=INCREMENT, black_inc=INCREMENT)
        began = time.monotonic()
        result = players[side].play(board, limit, game="timed", ponder=ponder)
        clocks[side] -= time.monotonic() - began
        least = min(least, clocks[side])
        check(clocks[side] > 0, f"{players[side].id['name']} lost on time at ply {board.ply()}")
        check(result.move is not None, f"{players[side].id['name']} resigned at ply {board.ply()}")
        clocks[side] += INCREMENT
        board.push(result.move)
    return f"{ending(board)}, never less than {1000 * least:.0f} ms on a clock"


def ending(board) -> str:
    outcome = board.outcome(claim_draw=True)
    return f"{outcome.result()} by {outcome.termination.name.lower()} after {board.ply()} plies"


def replay(board, moves) -> None:
    board = board.copy()
    for move in moves:
        check(board.is_legal(move), f"{move} is not legal in {board.fen()}")
        board.push(move)


def engine(binary: str):
    return popen([binary, "uci"])


@contextlib.contextmanager
def popen(command, tolerated=()):
    player = chess.engine.SimpleEngine.popen_uci(command, timeout=60)
    try:
        yield player
    finally:
        with contextlib.suppress(*tolerated):
            player.quit()


if __name__ == "__main__":
    sys.exit(main())
