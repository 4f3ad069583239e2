"""Boards as SVG, from the data that the page draws."""

from html import escape

from ._drawings import CHARACTERS, CHESS

SQUARE = 100
WIDTH = 360  # pixels in a notebook

COLOURS = {
    "white": ("#fffdf6", "#3a372f", "#3a372f"),
    "black": ("#37362f", "#12120f", "#cfcabb"),
    "red": ("#f6e7c8", "#b3372b", "#b3372b"),
    "blue": ("#3f6fb5", "#1f3f70", "#ffffff"),
    "green": ("#3f8a57", "#1d4a2d", "#ffffff"),
    "gold": ("#d5a63a", "#7a5a14", "#2b2005"),
}
HIDDEN = ("#8a6b44", "#4e3a1e", "#d9b987")
GROUND = {
    "checkered": ("#eee8d8", "#86a18b"),
    "plain": ("#e3cda4", "#d8be90"),
    "cells": ("#d9b987", "#d9b987"),
    "intersections": ("#d9b987", "#d9b987"),
}
MARKS = {"check": "#d6432f99", "win": "#5fae6f99", "special": "#00000022"}


def svg(state, arrows=()):
    """The board of a state, with arrows (from, to) for moves; None for a game without a board."""
    board = state.board()
    if board is None:
        return None
    return draw(board, arrows)


def draw(board, arrows=()):
    """A board as the page's data has it."""
    place = Layout(board)
    parts = [*squares(board, place), *marks(board, place)]
    for piece in board["pieces"]:
        x, y = place.corner(piece["square"])
        parts.append(f'<g transform="translate({x} {y})">{drawing(piece, board)}</g>')
    parts += [arrow(place, *one) for one in arrows]
    if board.get("pool"):
        parts += pool(board, place)
    height = place.rows * SQUARE + (60 if board.get("pool") else 0)
    width = place.columns * SQUARE
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{WIDTH * width // max(width, height)}">{"".join(parts)}</svg>'
    )


class Layout:
    """Where squares lie: upright, or with rank 1 at the left and file a on top."""

    def __init__(self, board):
        self.lying = board["orientation"] == "lying"
        self.files, self.ranks = board["files"], board["ranks"]
        self.columns, self.rows = (self.ranks, self.files) if self.lying else (self.files, self.ranks)

    def corner(self, name):
        file, rank = ord(name[0]) - ord("a"), int(name[1:]) - 1
        column, row = (rank, file) if self.lying else (file, self.ranks - 1 - rank)
        return column * SQUARE, row * SQUARE

    def names(self):
        for rank in range(self.ranks):
            for file in range(self.files):
                yield f"{chr(ord('a') + file)}{rank + 1}", file, rank


def squares(board, place):
    light, dark = GROUND[board["style"]]
    for name, file, rank in place.names():
        x, y = place.corner(name)
        fill = dark if (file + rank) % 2 == 0 else light
        line = ' stroke="#8d6a3c" stroke-width="2"' if board["style"] == "cells" else ""
        yield f'<rect x="{x}" y="{y}" width="100" height="100" fill="{fill}"{line}/>'
    if board["style"] == "intersections":
        right, below = place.columns * SQUARE - 50, place.rows * SQUARE - 50
        across = "".join(f"M50 {50 + SQUARE * row}H{right}" for row in range(place.rows))
        down = "".join(f"M{50 + SQUARE * column} 50V{below}" for column in range(place.columns))
        yield f'<path d="{across}{down}" fill="none" stroke="#8d6a3c" stroke-width="2.5"/>'
    for name, file, rank in place.names():
        x, y = place.corner(name)
        text = 'font-size="15" font-family="sans-serif" fill="#00000099"'
        if x == 0:
            yield f'<text x="4" y="{y + 17}" {text}>{name[0] if place.lying else rank + 1}</text>'
        if y == (place.rows - 1) * SQUARE:
            legend = rank + 1 if place.lying else name[0]
            yield f'<text x="{x + 86}" y="{y + 95}" {text}>{legend}</text>'


def marks(board, place):
    for mark in board["marks"]:
        x, y = place.corner(mark["square"])
        yield f'<rect x="{x}" y="{y}" width="100" height="100" fill="{MARKS[mark["kind"]]}"/>'


def arrow(place, start, end):
    (x1, y1), (x2, y2) = place.corner(start), place.corner(end)
    ends = f'x1="{x1 + 50}" y1="{y1 + 50}" x2="{x2 + 50}" y2="{y2 + 50}"'
    return (
        f'<line {ends} stroke="#1d6b4299" stroke-width="14" stroke-linecap="round"/>'
        f'<circle cx="{x2 + 50}" cy="{y2 + 50}" r="16" fill="#1d6b42cc"/>'
    )


def pool(board, place):
    top = place.rows * SQUARE + 8
    step = min(50, place.columns * SQUARE // max(1, len(board["pool"])))
    for number, piece in enumerate(board["pool"]):
        x = number * step
        yield (
            f'<g transform="translate({x} {top}) scale(.4)">{drawing(piece, board)}'
            f'<text x="80" y="98" font-size="34" font-family="sans-serif" fill="#555">'
            f"{piece['count']}</text></g>"
        )


def drawing(piece, board):
    """A piece in a square of 100 by 100."""
    fill, line, detail = colours(piece, board)
    kind_of, _, kind = piece["glyph"].partition("-")
    if kind_of == "chess" and kind in CHESS:
        bodies, lines, dots = CHESS[kind]
        return (
            "".join(f'<path d="{d}" fill="{fill}" stroke="{line}" stroke-width="3.4"/>' for d in bodies)
            + "".join(
                f'<path d="{d}" fill="none" stroke="{detail}" stroke-width="3.2" stroke-linecap="round"/>'
                for d in lines
            )
            + "".join(f'<circle cx="{x}" cy="{y}" r="{r}" fill="{detail}"/>' for x, y, r in dots)
        )
    if kind_of == "xiangqi":
        character = CHARACTERS["red" if piece["colour"] == "red" else "black"].get(kind)
        ink = COLOURS["red"][1] if piece["colour"] == "red" else "#2b2922"
        if character:
            return disc("#f6e7c8", ink) + (
                f'<path transform="translate(25 25) scale(.5)" d="{character}" fill="none" '
                f'stroke="{ink}" stroke-width="9" stroke-linecap="round" stroke-linejoin="round"/>'
            )
    if kind_of == "covered":
        return disc(HIDDEN[0], HIDDEN[2]) + (
            f'<path d="M50 30L70 50L50 70L30 50Z" fill="none" stroke="{HIDDEN[2]}" stroke-width="3"/>'
        )
    if kind_of == "cross":
        return f'<path d="M26 26L74 74M74 26L26 74" stroke="{line}" stroke-width="12" stroke-linecap="round"/>'
    if kind_of == "ring":
        return f'<circle cx="50" cy="50" r="27" fill="none" stroke="{line}" stroke-width="12"/>'
    stone = f'<circle cx="50" cy="50" r="37" fill="{fill}" stroke="{line}" stroke-width="3"/>'
    if kind_of == "stone":
        return stone
    letter = escape(piece["letter"].upper())
    return stone + (
        f'<text x="50" y="66" font-size="46" font-family="sans-serif" text-anchor="middle" fill="{detail}">'
        f"{letter}</text>"
    )


def disc(fill, line):
    return (
        f'<circle cx="50" cy="50" r="41" fill="{fill}" stroke="#4e3a1e" stroke-width="2"/>'
        f'<circle cx="50" cy="50" r="35" fill="none" stroke="{line}" stroke-width="2"/>'
    )


def colours(piece, board):
    """Fill, outline and detail of a piece; one without a colour has that of its side."""
    colour = piece.get("colour")
    if colour is None and piece.get("side"):
        number = 0 if piece["side"] == "first" else 1
        colour = board["side_colours"][number] or ("white", "black")[number]
    return COLOURS.get(colour, HIDDEN)
