"""An arena of Chinese dark chess: whole games between two processes of the engine, by the numbered text protocol.

    arena.py BINARY

The arena alone knows what the covered pieces are. It keeps the board by rules of its own, written for this script and
simple rather than fast, checks every move of the engines against them, keeps their clocks, and now and then sends what
must be refused. Prints a line for each part and ends with a status other than 0 if any of them fails.
"""

import contextlib
import random
import subprocess
import sys
import time

from parts import check, run

FILES, RANKS = "abcd", range(1, 9)
SQUARES = [f"{file}{rank}" for rank in reversed(RANKS) for file in FILES]
ORDER = "KGMRNCP"
SET = "KGGMMRRNNCCPPPPP"
COLOURS = ["red", "black"]
CLOCK_MS = 2000
COMMANDS = ["protocol_version", "name", "version", "known_command", "list_commands", "quit", "boardsize", "reset_board",
            "num_repetition", "num_moves_to_draw", "move", "flip", "genmove", "game_over", "ready", "time_settings",
            "time_left", "showboard", "init_board"]


def main() -> int:
    return run([introduction, refusals, timed_games, long_draw_game, boards_from_outside, end_of_input])


def introduction(binary: str) -> str:
    with engine(binary) as player:
        check(player.ask("0 protocol_version") == "1.1.0", "another protocol")
        name, version = player.ask("1 name"), player.ask("2 version")
        for command in COMMANDS:
            check(player.ask(f"3 known_command {command}") == "true", f"{command} is not known")
        check(player.ask("3 known_command undo") == "false", "undo is known")
        names = [player.ask("4 list_commands")] + [player.line() for _ in COMMANDS[1:]]
        check(names == COMMANDS, f"commands {names}")
        return f"{name} {version}, {len(names)} commands"


def refusals(binary: str) -> str:
    with engine(binary, "--time", "5ms") as player:
        player.ask("7 reset_board")
        player.ask("11 flip a1 K")
        lines = ["10 move a1 a2", "10 move z9 a2", "10 move", "11 flip a1 k", "11 flip a2 K", "11 flip a2 X", "12 genmove red",
                 "12 genmove unknown", "12 genmove", "16 time_left white 5", "16 time_left red soon", "18 init_board", "6 boardsize 9 9",
                 "77 fly", "9 num_moves_to_draw -3", "15 time_settings x", "8 num_repetition many", "17 " + "x" * (1 << 21)]
        for line in lines:
            player.refused(line)
        for line in ["hello", "genmove black", "=5", "\x00\x01", "12genmove black", "-12 genmove black"]:
            check(player.send(line).startswith("? "), f"{line!r} is not refused")
        check(player.send("").startswith("=1 "), "an empty line is answered")
        answer = player.ask("12 genmove black")
        check(answer.split()[0] == answer.split()[1], f"only a flip is legal, not {answer}")
        return f"{len(lines) + 6} lines are refused, and the game goes on"


def timed_games(binary: str) -> str:
    randomness = random.Random(4)
    endings = [play(binary, randomness, draw_after=40) for _ in range(2)]
    return "; ".join(endings)


def long_draw_game(binary: str) -> str:
    return play(binary, random.Random(7), draw_after=60)


def boards_from_outside(binary: str) -> str:
    randomness = random.Random(9)
    count = 0
    with engine(binary, "--time", "5ms") as player:
        for _ in range(20):
            board = Board(randomness, draw_after=40)
            for _ in range(randomness.randrange(1, 120)):
                moves = board.moves()
                if not moves or board.over():
                    break
                board.play(randomness.choice(moves))
            if board.over() or not board.moves():
                continue
            player.ask("18 init_board " + board.layout())
            source, target = player.ask(f"12 genmove {COLOURS[board.mover]}").split()
            check((source, target) in board.moves(), f"{source} {target} is not legal")
            count += 1
    return f"a legal move on each of {count} boards"


def end_of_input(binary: str) -> str:
    lines = "7 reset_board\n12 genmove unknown\n"
    done = subprocess.run([binary, "tcga", "--time", "50ms"], input=lines, capture_output=True, text=True, timeout=60)
    replies = done.stdout.splitlines()
    check(done.returncode == 0, f"status {done.returncode}")
    check(len(replies) == 2 and replies[1].startswith("=12 "), f"replies {replies}")
    return "all is answered, then the program ends"


def play(binary: str, randomness: random.Random, draw_after: int) -> str:
    """A game that must end by the rules, not on time."""
    board = Board(randomness, draw_after)
    with engine(binary) as first, engine(binary) as second:
        players = [first, second]
        for player in players:
            for line in ["1 name", "2 version", "7 reset_board", "6 boardsize 4 8", "8 num_repetition 0",
                         f"9 num_moves_to_draw {draw_after}", f"15 time_setting {CLOCK_MS}", "14 ready"]:
                player.ask(line)
        clocks = [CLOCK_MS / 1000, CLOCK_MS / 1000]
        while not board.over() and board.moves():
            side = board.plies % 2
            mover = "unknown" if board.mover is None else COLOURS[board.mover]
            if board.mover is not None:
                players[side].ask(f"16 time_left {mover} {int(1000 * clocks[side])}")
            began = time.monotonic()
            source, target = players[side].ask(f"12 genmove {mover}").split()
            clocks[side] -= time.monotonic() - began
            check(clocks[side] > 0, f"the {['first', 'second'][side]} side lost on time at ply {board.plies}")
            check((source, target) in board.moves(), f"{source} {target} is not legal at ply {board.plies}")
            if board.plies % 10 == 3:
                refuse_illegal(players, board, randomness)
            shown = board.play((source, target))
            for player in players:
                player.ask(f"11 flip {source} {shown}" if shown else f"10 move {source} {target}")
        for player in players:
            player.ask(f"13 game_over {board.result()}")
    return f"{board.result()} after {board.plies} plies, {1000 * min(clocks):.0f} ms left"


def refuse_illegal(players, board, randomness) -> None:
    """Moves that the rules here forbid must be refused."""
    moves = set(board.moves())
    for _ in range(8):
        source, target = randomness.sample(SQUARES, 2)
        if (source, target) not in moves:
            for player in players:
                player.refused(f"10 move {source} {target}")
    face_up = [square for square in SQUARES if board.face(square) != "X"]
    for player in players:
        player.refused(f"11 flip {randomness.choice(face_up)} P")


class Board:
    """Chinese dark chess: what lies where, and what is hidden."""

    def __init__(self, randomness: random.Random, draw_after: int):
        pieces = list(SET + SET.lower())
        randomness.shuffle(pieces)
        self.pieces = dict(zip(SQUARES, pieces))
        self.covered = set(SQUARES)
        self.mover = None
        self.plies = self.quiet = 0
        self.draw_after = draw_after

    def face(self, square: str) -> str:
        return "X" if square in self.covered else self.pieces.get(square, "-")

    def moves(self):
        flips = [(square, square) for square in sorted(self.covered)]
        steps = []
        for source in SQUARES:
            piece = self.face(source)
            if piece in "X-" or colour(piece) != self.mover:
                continue
            for line in lines_from(source):
                if line and (self.face(line[0]) == "-" or self.takes(piece, line[0])):
                    steps.append((source, line[0]))
                if piece in "Cc":
                    occupied = [square for square in line if self.face(square) != "-"]
                    if len(occupied) > 1 and self.is_enemy(occupied[1]):
                        steps.append((source, occupied[1]))
        return flips + steps

    def is_enemy(self, square: str) -> bool:
        return self.face(square) not in "X-" and colour(self.face(square)) != self.mover

    def takes(self, piece: str, square: str) -> bool:
        if not self.is_enemy(square) or piece in "Cc":
            return False
        hunter, prey = piece.upper(), self.face(square).upper()
        if (hunter, prey) == ("P", "K"):
            return True
        if (hunter, prey) == ("K", "P"):
            return False
        return ORDER.index(hunter) <= ORDER.index(prey)

    def play(self, move):
        """Plays a move; what a flip shows."""
        source, target = move
        shown = None
        if source == target:
            self.covered.remove(source)
            shown = self.pieces[source]
            if self.mover is None:
                self.mover = colour(shown)
            self.quiet = 0
        else:
            self.quiet = 0 if target in self.pieces else self.quiet + 1
            self.pieces[target] = self.pieces.pop(source)
        self.mover = 1 - self.mover
        self.plies += 1
        return shown

    def over(self) -> bool:
        sides = {colour(piece) for piece in self.pieces.values()}
        return len(sides) < 2 or self.quiet >= self.draw_after

    def result(self) -> str:
        sides = {colour(piece) for piece in self.pieces.values()}
        if len(sides) < 2:
            return COLOURS[sides.pop()]
        return COLOURS[1 - self.mover] if not self.moves() else "draw"

    def layout(self) -> str:
        hidden = [self.pieces[square] for square in self.covered]
        counts = [str(hidden.count(piece)) for piece in ORDER + ORDER.lower()]
        return " ".join([self.face(square) for square in SQUARES] + counts)


def colour(piece: str) -> int:
    return 0 if piece.isupper() else 1


def lines_from(square: str):
    """The squares in each direction, nearest first."""
    file, rank = FILES.index(square[0]), int(square[1])
    yield [f"{FILES[other]}{rank}" for other in range(file + 1, 4)]
    yield [f"{FILES[other]}{rank}" for other in range(file - 1, -1, -1)]
    yield [f"{square[0]}{other}" for other in range(rank + 1, 9)]
    yield [f"{square[0]}{other}" for other in range(rank - 1, 0, -1)]


class Engine:
    """A process that speaks the protocol."""

    def __init__(self, process):
        self.process = process

    def line(self) -> str:
        return self.process.stdout.readline().rstrip("\n")

    def send(self, line: str) -> str:
        # An empty line has no answer; what follows it has.
        self.process.stdin.write(line + "\n" if line else "\n1 name\n")
        self.process.stdin.flush()
        return self.line()

    def ask(self, line: str) -> str:
        number, reply = line.split()[0], self.send(line)
        check(reply == f"={number}" or reply.startswith(f"={number} "), f"{line!r} is answered by {reply!r}")
        return reply[len(number) + 2:]

    def refused(self, line: str) -> None:
        number, reply = line.split()[0], self.send(line)
        check(reply.startswith(f"?{number} "), f"{line[:80]!r} is answered by {reply[:80]!r}")


@contextlib.contextmanager
def engine(binary: str, *options: str):
    command = [binary, "tcga", "--overhead", "5ms", "--memory", "64MiB", *options]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield Engine(process)
        reply = Engine(process).send("5 quit")
        check(reply == "=5", f"quit is answered by {reply!r}")
        check(process.wait(timeout=60) == 0, "the engine fails")
    finally:
        process.kill()
        process.wait()


if __name__ == "__main__":
    sys.exit(main())
