"""Tables as other programs see them: `tablebase probe` beside Gaviota's and Syzygy's files, read by python-chess.

    python_chess.py BINARY DATA [all]

DATA is a folder with `gaviota` and `syzygy/regular` in it, as the sources of python-chess have it; the
script `data/fetch` gets them. With `all`, every position of three pieces is compared with Gaviota's
files, which takes some minutes.
Prints a line for each part and ends with a status other than 0 if any of them fails.
"""

import json
import os
import random
import subprocess
import sys
import tempfile

import chess
import chess.gaviota
import chess.syzygy

sys.path.append(os.path.join(os.path.dirname(__file__), "../../protocol/tests"))
from parts import check, each  # noqa: E402

SAMPLES = 40
PIECES = {"KQK": chess.QUEEN, "KRK": chess.ROOK, "KBK": chess.BISHOP, "KNK": chess.KNIGHT, "KPK": chess.PAWN}
FACTS = [
    ("7K/6Q1/8/8/2k5/8/8/8 w - - 0 1", "win", 19),
    ("8/8/2R5/3k4/8/8/8/1K6 w - - 0 1", "win", 31),
    ("8/8/8/1k6/8/8/K5P1/8 w - - 0 1", "win", 55),
    ("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", "loss", 0),
    ("k7/2Q5/2K5/8/8/8/8/8 b - - 0 1", "draw", None),
    ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "unknown", None),
]


def main() -> int:
    if len(sys.argv) not in (3, 4) or sys.argv[3:] not in ([], ["all"]):
        print("usage: python_chess.py BINARY DATA [all]", file=sys.stderr)
        return 2
    binary, data = os.path.abspath(sys.argv[1]), sys.argv[2]
    if not os.path.isdir(os.path.join(data, "gaviota")):
        print(f"there is no folder 'gaviota' in {data}; the script data/fetch gets it", file=sys.stderr)
        return 2
    parts = [("facts", lambda directory: facts(binary, directory))]
    parts.append(("files", lambda directory: files(binary, directory, data)))
    if sys.argv[3:]:
        for name in PIECES:
            parts.append((f"all of {name}", lambda directory, name=name: every(binary, directory, data, name)))
    with tempfile.TemporaryDirectory() as directory:
        run(binary, "build", "--pieces", "3", "--dir", directory)
        return each(parts, directory)


def facts(binary: str, directory: str) -> str:
    for fen, outcome, plies in FACTS:
        found = probe(binary, directory, fen)
        check((found["outcome"], found["plies"]) == (outcome, plies), f"{fen}: {found['outcome']} {found['plies']}")
    return f"{len(FACTS)} positions"


def files(binary: str, directory: str, data: str) -> str:
    """Every move of a random position is asked for too, so one question compares some ten entries."""
    randomness = random.Random(3)
    compared = 0
    with chess.gaviota.open_tablebase(os.path.join(data, "gaviota")) as distances, \
            chess.syzygy.open_tablebase(os.path.join(data, "syzygy/regular")) as outcomes:
        for name, piece in PIECES.items():
            for _ in range(SAMPLES):
                board = position(randomness, piece)
                found = probe(binary, directory, board.fen())
                compare(board, found, distances, outcomes, 0)
                for line in found["moves"]:
                    after = board.copy()
                    after.push_uci(line["move"])
                    # Lines speak for the side that moves, the files for the side that is to move then.
                    compare(after, line, distances, outcomes, 1)
                compared += 1 + len(found["moves"])
    return f"{compared} positions of {len(PIECES)} tables"


def every(binary: str, directory: str, data: str, name: str) -> str:
    """Every legal position of a table, White having the piece, with either side to move."""
    counts = {"win": 0, "draw": 0, "loss": 0}
    with chess.gaviota.open_tablebase(os.path.join(data, "gaviota")) as distances:
        for own in chess.SQUARES:
            expected, fens = [], []
            for board, fen in positions(PIECES[name], own):
                plies = distances.probe_dtm(board)
                # Gaviota writes a draw and the side to move being mated alike.
                is_mate = plies == 0 and board.is_checkmate()
                outcome = "win" if plies > 0 else "loss" if plies < 0 or is_mate else "draw"
                counts[outcome] += 1
                expected.append(outcome if outcome == "draw" else f"{outcome}\t{abs(plies)}")
                fens.append(fen)
            lines = "".join(fen + "\n" for fen in fens)
            found = run(binary, "probe", "--dir", directory, "--lines", lines=lines).splitlines()
            check(len(found) == len(fens), f"{len(found)} answers to {len(fens)} positions")
            for fen, ours, theirs in zip(fens, found, expected):
                check(ours == theirs, f"{fen}: {ours!r} instead of {theirs!r}")
    return f"{sum(counts.values())} positions: " + ", ".join(f"{count} {name}" for name, count in counts.items())


def positions(piece: int, own: int):
    """Every legal position with a king each and that piece of White's, whose king stands there, and its FEN. The
    board is one and the same."""
    board = chess.Board(None)
    board.set_piece_at(own, chess.Piece(chess.KING, chess.WHITE))
    room = range(8, 56) if piece == chess.PAWN else chess.SQUARES
    for other in chess.SQUARES:
        if chess.square_distance(own, other) < 2:
            continue
        board.set_piece_at(other, chess.Piece(chess.KING, chess.BLACK))
        for square in room:
            if square in (own, other):
                continue
            board.set_piece_at(square, chess.Piece(piece, chess.WHITE))
            pieces = board.board_fen()
            # The side that is not to move must not be in check.
            if not board.is_attacked_by(chess.WHITE, other):
                board.turn = chess.WHITE
                yield board, f"{pieces} w - - 0 1"
            board.turn = chess.BLACK
            yield board, f"{pieces} b - - 0 1"
            board.remove_piece_at(square)
        board.remove_piece_at(other)


def compare(board, found, distances, outcomes, earlier: int) -> None:
    wdl = outcomes.probe_wdl(board) * (-1 if earlier else 1)
    expected = "win" if wdl > 0 else "loss" if wdl < 0 else "draw"
    check(found["outcome"] == expected, f"{board.fen()}: {found['outcome']} instead of {expected}")
    if wdl:
        plies = abs(distances.probe_dtm(board)) + earlier
        check(found["plies"] == plies, f"{board.fen()}: {found['plies']} plies instead of {plies}")
    else:
        check(found["plies"] is None, f"{board.fen()}: a draw in {found['plies']}")


def position(randomness, piece: int):
    """A random legal position with a king each and that piece, of either colour."""
    while True:
        board = chess.Board(None)
        squares = randomness.sample(range(64), 3)
        board.set_piece_at(squares[0], chess.Piece(chess.KING, chess.WHITE))
        board.set_piece_at(squares[1], chess.Piece(chess.KING, chess.BLACK))
        board.set_piece_at(squares[2], chess.Piece(piece, randomness.choice(chess.COLORS)))
        board.turn = randomness.choice(chess.COLORS)
        if board.is_valid():
            return board


def probe(binary: str, directory: str, fen: str):
    return json.loads(run(binary, "probe", "--dir", directory, "--json", fen))


def run(binary: str, *arguments: str, lines: str = "") -> str:
    command = [binary, "tablebase", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, input=lines).stdout


if __name__ == "__main__":
    sys.exit(main())
