"""What notebooks show of a result."""

from html import escape

MOST_MOVES = 12


def result(found):
    """A search's moves as a table in HTML."""
    document = found.to_dict()
    moves = document["moves"]
    total = sum(move["visits"] for move in moves) or 1
    rows = "".join(
        f"<tr><td>{escape(move['move'])}</td><td>{move['visits']:,}</td>"
        f"<td><meter value='{move['visits'] / total:.4f}'></meter></td>"
        f"<td>{move['mean']:+.4f}</td><td>{proof(move)}</td></tr>"
        for move in moves[:MOST_MOVES]
    )
    more = len(moves) - MOST_MOVES
    rest = f"<p>and {more} more moves</p>" if more > 0 else ""
    line = " ".join(document["pv"])
    return (
        f"<p><b>{escape(document['best'] or 'none')}</b> by {escape(document['player'])}, "
        f"{document['iterations']:,} iterations, mean {document['mean']:+.4f}</p>"
        "<table><thead><tr><th>move</th><th>visits</th><th></th><th>mean</th><th>proof</th></tr></thead>"
        f"<tbody>{rows}</tbody></table>{rest}<p>{escape(line)}</p>"
    )


def proof(move):
    """What is proven of a move, in words."""
    if move["proof"] == "open":
        return ""
    return move["proof"] if move["plies"] is None else f"{move['proof']} in {move['plies']} plies"
