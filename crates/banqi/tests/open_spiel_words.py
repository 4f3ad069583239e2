"""How OpenSpiel writes moves and pieces of Chinese dark chess, and how we do."""

import re

LETTERS = dict(zip("GAERHCSgaerhcs", "KGMRNCPkgmrncp"))


def square(row, column):
    """Rows there are our files, columns our ranks."""
    return "abcd"[int(row)] + str(int(column) + 1)


def move(text):
    """`Flip(0,1)`, `H(2,7)-(2,6)` or `C(2,3)x(2,1)` as we write it."""
    return "-".join(square(*pair) for pair in re.findall(r"\((\d),(\d)\)", text))
