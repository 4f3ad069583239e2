"""Games that are written in Python, good and bad ones."""

import monteverde as mv

OTHER = {"first": "second", "second": "first"}


class Nim:
    """One to three sticks a move; who takes the last wins."""

    name = "nim"

    def __init__(self, text="10 first"):
        sticks, _, self.side = text.partition(" ")
        if not sticks.isascii() or not sticks.isdigit() or self.side not in OTHER or sticks != str(int(sticks)):
            raise ValueError(f"'{text}' is no state of nim; '10 first' is one")
        self.sticks = int(sticks)

    def turn(self):
        return self.side

    def moves(self):
        return list(range(1, min(3, self.sticks) + 1))

    def play(self, move):
        return type(self)(f"{self.sticks - move} {OTHER[self.side]}")

    def outcome(self):
        return None if self.sticks else OTHER[self.side]

    def text(self):
        return f"{self.sticks} {self.side}"


class Coins(Nim):
    """The same, but a coin decides whether one stick more goes."""

    name = "coin-nim"

    def __init__(self, text="10 first"):
        self.tossing = text.endswith(" toss")
        super().__init__(text[: -len(" toss")] if self.tossing else text)
        if self.tossing and not self.sticks:
            raise ValueError(f"'{text}' is no state of coin-nim: there is nothing to toss for")

    def moves(self):
        return [] if self.tossing else super().moves()

    def play(self, move):
        after = Nim.text(super().play(move))
        return type(self)(after if after.startswith("0 ") else after + " toss")

    def events(self):
        return [("heads", 1), ("tails", 2)] if self.tossing else []

    def settle(self, event):
        # The side to move is still the one that has moved while the coin is in the air.
        return type(self)(f"{self.sticks - (event == 'heads')} {self.side}")

    def turn(self):
        return OTHER[self.side] if self.tossing else self.side

    def text(self):
        return super().text() + (" toss" if self.tossing else "")


mv.register(Nim)
mv.register(Coins)


class Noughts:
    """Tic-tac-toe once more, so that searches can be compared with those of the program's own."""

    name = "noughts"
    LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

    def __init__(self, text="... ... ..."):
        self.squares = text.replace(" ", "")
        counts = [self.squares.count(mark) for mark in "xo"]
        whole = len(text) == 11 and text[3] == text[7] == " " and set(self.squares) <= set("xo.")
        if not whole or len(self.squares) != 9 or counts[0] - counts[1] not in (0, 1) or self.line(self.mark()):
            raise ValueError(f"'{text}' is no state; '... ... ...' is one")

    def mark(self):
        return "xo"[sum(mark != "." for mark in self.squares) % 2]

    def line(self, mark):
        return any(all(self.squares[square] == mark for square in line) for line in self.LINES)

    def turn(self):
        return {"x": "first", "o": "second"}[self.mark()]

    def moves(self):
        if self.line("xo"[self.mark() == "x"]):
            return []
        return [square for square in range(9) if self.squares[square] == "."]

    def play(self, move):
        squares = self.squares[:move] + self.mark() + self.squares[move + 1 :]
        return type(self)(" ".join(squares[row : row + 3] for row in (0, 3, 6)))

    def outcome(self):
        if self.line("xo"[self.mark() == "x"]):
            return OTHER[self.turn()]
        return None if "." in self.squares else "draw"

    def text(self):
        return " ".join(self.squares[row : row + 3] for row in (0, 3, 6))


mv.register(Noughts)
