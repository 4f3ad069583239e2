"""Tables as other programs see them: `tablebase probe` beside Gaviota's and Syzygy's files, read by python-chess.

    python_chess.py BINARY [DATA]

DATA is a folder with `gaviota` and `syzygy` in it; without it, only the longest mates that are known to everybody are
asked for. Prints a line for each part and ends with a status other than 0 if any of them fails.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time

import chess
import chess.gaviota
import chess.syzygy

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
    if len(sys.argv) not in (2, 3):
        print("usage: python_chess.py BINARY [DATA]", file=sys.stderr)
        return 2
    binary = os.path.abspath(sys.argv[1])
    data = sys.argv[2] if len(sys.argv) == 3 else ""
    parts = [("facts", lambda directory: facts(binary, directory))]
    if os.path.isdir(os.path.join(data, "gaviota")) and data:
        parts.append(("files", lambda directory: files(binary, directory, data)))
    else:
        print(f"note: ../shared/data/chess is not here, so only the {len(FACTS)} built-in cases ran")
    failures = 0
    with tempfile.TemporaryDirectory() as directory:
        run(binary, "build", "--pieces", "3", "--dir", directory)
        for name, part in parts:
            began = time.monotonic()
            try:
                verdict, summary = "ok", part(directory)
            except Exception as error:  # Each part is to be tried, whatever became of the others.
                verdict, summary = "FAILED", f"{type(error).__name__}: {error}"
                failures += 1
            print(f"{name:14} {verdict:6} {time.monotonic() - began:6.1f} s  {summary}", flush=True)
    return 1 if failures else 0


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
            chess.syzygy.open_tablebase(os.path.join(data, "syzygy")) as outcomes:
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


def run(binary: str, *arguments: str) -> str:
    return subprocess.run([binary, "tablebase", *arguments], check=True, capture_output=True, text=True).stdout


def check(holds: bool, message: str) -> None:
    if not holds:
        raise AssertionError(message)


if __name__ == "__main__":
    sys.exit(main())
