"""Matches, tournaments and sweeps, held as the program holds them and kept in the same stores."""

from __future__ import annotations

import json
import operator
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Union

from . import _monteverde


AnyPlayer = Union[str, _monteverde.Player]
AnyPath = Union[str, "os.PathLike[str]"]
Progress = Callable[[int, int, int], Union[bool, None]]


def match(
    a: AnyPlayer,
    b: AnyPlayer,
    *,
    game: str | _monteverde.Game | None = None,
    games: int,
    iterations: int | None = None,
    time: float | str | None = None,
    pace: str | None = None,
    pace_a: str | None = None,
    pace_b: str | None = None,
    openings: dict[str, Any] | None = None,
    adjudication: dict[str, Any] | None = None,
    equal_time: int | dict[str, Any] | None = None,
    test: dict[str, Any] | None = None,
    seed: int = 1,
    store: AnyPath | None = None,
    concurrency: int | None = None,
    progress: Progress | None = None,
) -> MatchResult:
    """Lets two players meet, and says by how much the first is stronger.

    A player is a spec, a Player, or ``"uci:COMMAND ARGS"``. Two games in a row are a pair: the same
    opening, sides swapped. ``openings`` is ``{"random": 4}``, ``{"file": "book.pgn"}`` or
    ``{"every": 3}``; ``test`` is ``{"elo0": 0, "elo1": 10}``; the other dictionaries have the keys
    of a tournament's file, too. With ``equal_time=2000`` the first player has 2,000 iterations a
    move, and the second as many as it makes in the same time; ``result.calibration`` says how many. With a store the same call goes on where it was stopped, and the
    program's own ``monteverde match`` finds the same games.

    ``progress(done, total, found)`` is called after each game, and stops the match by returning
    False. Ctrl-C stops it within a move; finished games are kept.
    """
    game = _game_of((a, b), game)
    limits = {"iterations": iterations, "time": time, "pace": pace, "equal_time": equal_time}
    given = [name for name, value in limits.items() if value is not None]
    if len(given) > 1:
        raise ValueError(
            f"a match has one limit, not {' and '.join(given)}; pace_a and pace_b for each player"
        )
    common = pace if pace is not None else _pace(iterations, time)
    players = [_player(one, own) for one, own in ((a, pace_a), (b, pace_b))]
    if equal_time is not None and not isinstance(equal_time, dict):
        equal_time = {"reference": _spec(a), "iterations": _whole("equal_time", equal_time)}
    plan = {
        "game": game,
        "format": "round-robin",
        "games": games,
        "seed": seed,
        "pace": common,
        "equal-time": equal_time,
        "test": test,
        "openings": openings,
        "adjudication": adjudication,
        "player": players,
    }
    document = _monteverde._contest(
        plan, os.getcwd(), store=store, concurrency=concurrency, progress=progress
    )
    return MatchResult(document, store)


def tournament(
    plan: AnyPath | dict[str, Any],
    *,
    store: AnyPath | None = None,
    concurrency: int | None = None,
    progress: Progress | None = None,
) -> TournamentResult:
    """Holds a tournament: a round robin, a gauntlet, a knockout, Swiss rounds or listed meetings.

    ``plan`` is the path of a file in TOML, or a dictionary with the same keys (``game``, ``format``,
    ``games``, ``pace``, ``openings``, ``player`` and so on).
    """
    keywords = {"store": store, "concurrency": concurrency, "progress": progress}
    plan, folder = (plan, os.getcwd()) if isinstance(plan, dict) else _read(plan)
    return TournamentResult(_monteverde._contest(plan, folder, **keywords), store)


def sweep(
    plan: AnyPath | dict[str, Any],
    *,
    store: AnyPath | None = None,
    concurrency: int | None = None,
    progress: Progress | None = None,
) -> SweepResult:
    """Measures a grid over settings and limits.

    ``plan`` is the path of a file in TOML, or a dictionary with the same keys.
    """
    keywords = {"store": store, "concurrency": concurrency, "progress": progress}
    plan, folder = (plan, os.getcwd()) if isinstance(plan, dict) else _read(plan)
    return SweepResult(_monteverde._sweep(plan, folder, **keywords))


def _read(path):
    path = Path(path)
    try:
        return path.read_text(encoding="utf-8"), str(path.parent)
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: it is no text in UTF-8") from error


def _spec(player):
    return player.spec if isinstance(player, _monteverde.Player) else player


def _player(player, pace):
    spec = _spec(player)
    if not isinstance(spec, str):
        raise ValueError("a player is given as a spec such as \"mcc\", or as a Player")
    for protocol in ("uci", "xboard"):
        if spec.startswith(protocol + ":"):
            import shlex

            command, *args = shlex.split(spec[len(protocol) + 1 :]) or [""]
            return {"command": command, "args": args, "protocol": protocol, "pace": pace}
    return {"spec": spec, "pace": pace}


def _game_of(players, game):
    """The name of the game: the given one, or the one that the players have."""
    names = {player.game.name for player in players if isinstance(player, _monteverde.Player)}
    if game is not None:
        if not isinstance(game, (str, _monteverde.Game)):
            raise ValueError('a game is given by its name, such as "chess", or as a Game')
        names.add(game if isinstance(game, str) else game.name)
    if len(names) != 1:
        said = "players of different games cannot meet" if names else "it is not known which game"
        raise ValueError(f"{said}: give game=, such as game=\"chess\", or two players of one game")
    return names.pop()


def _pace(iterations, time):
    if iterations is not None:
        return f"iterations={_whole('iterations', iterations)}"
    if time is None or isinstance(time, str):
        return None if time is None else f"time={time}"
    try:
        seconds = None if isinstance(time, bool) else float(time)
    except (TypeError, ValueError, OverflowError):
        seconds = None
    if seconds is None:
        raise ValueError(f"time: a number of seconds or a text such as \"500ms\" is accepted, not {time!r}")
    return f"time={seconds:f}s"


def _whole(name, given):
    """A whole number: an int, one of NumPy's, or whatever else is an index."""
    try:
        if not isinstance(given, bool):
            return operator.index(given)
    except TypeError:
        pass
    raise ValueError(f"{name}: a whole number is accepted, not {given!r}")


class _Result:
    """A document of the program with its entries as attributes."""

    def __init__(self, document):
        self._document = document

    def __getattr__(self, name: str) -> Any:
        # Only called where there is no such attribute; pickle asks before there is a document.
        document = self.__dict__.get("_document", {})
        if name in document and not name.startswith("_"):
            return document[name]
        raise AttributeError(f"{type(self).__name__} has no {name!r}; it has: {', '.join(document)}")

    def __dir__(self):
        return sorted(set(super().__dir__()) | set(self._document))

    def to_dict(self) -> dict[str, Any]:
        """The document as plain dictionaries and lists."""
        return self._document


class _Contest(_Result):
    def __init__(self, document, store=None):
        super().__init__(document)
        self._store = None if store is None else os.path.abspath(store)

    @property
    def games(self) -> list[dict[str, Any]]:
        """Every game with its moves and what its players said of them, in the order of the tasks."""
        if self._store is None:
            return [json.loads(text) for text in self._document["records"]]
        store = _monteverde.Store(self._store)
        return [store.game(key) for key in self._document["keys"]]

    def frame(self):
        """The games as a pandas frame, a line each."""
        import pandas

        keys = ("first", "second", "result", "reason", "opening", "pair", "seconds")
        lines = [{**{key: game[key] for key in keys}, "plies": len(game["moves"])} for game in self.games]
        return pandas.DataFrame(lines)


class MatchResult(_Contest):
    """What a match has come to, everything for its first player.

    ``wins``, ``draws``, ``losses``, ``score`` with ``score_ci95``, ``elo`` with ``elo_ci95``,
    ``los``, ``pairs``, ``endings``, ``digest``, ``void``; ``games`` are the games themselves.
    """

    def __init__(self, document, store=None):
        more = {key: value for key, value in document.items() if key in ("records", "keys", "found", "played")}
        super().__init__({**document["match"], **more}, store)
        self._document["count"] = self._document.pop("games")

    def __len__(self):
        return self.count

    def plot(self, axes=None):
        """Draws the score after each game, with matplotlib."""
        import numpy

        from ._plot import new_axes

        axes = new_axes(axes)
        points = {"first": 1.0, "draw": 0.5, "second": 0.0}
        own = [
            points[game["result"]] if game["first"] == self.a else 1 - points[game["result"]]
            for game in self.games
        ]
        if own:
            axes.plot(numpy.cumsum(own) / numpy.arange(1, len(own) + 1))
        axes.axhline(0.5, color="grey", linewidth=0.8)
        axes.set(xlabel="games", ylabel=f"score of {self.a}", ylim=(0, 1))
        return axes

    def __repr__(self):
        low, high = self.elo_ci95
        return (
            f"<MatchResult {self.a} against {self.b}: {self.wins} won, {self.draws} drawn, "
            f"{self.losses} lost; Elo {_number(self.elo)} ({_number(low)} to {_number(high)})>"
        )


def _number(value):
    return "?" if value is None else f"{value:+.0f}"


class TournamentResult(_Contest):
    """What a tournament has come to: ``players`` with ratings, ``pairings``, ``endings``."""

    def table(self):
        """The players as a pandas frame, the highest rated first."""
        import pandas

        return pandas.DataFrame(self.players)

    def plot(self, axes=None):
        """Draws the ratings with their intervals, with matplotlib."""
        from ._plot import errors, new_axes

        axes = new_axes(axes)
        rows = [row for row in reversed(self.players) if row["rating"] is not None]
        low_high = errors([row["rating"] for row in rows], [row["rating_ci95"] for row in rows])
        axes.errorbar([row["rating"] for row in rows], [row["name"] for row in rows], xerr=low_high, fmt="o")
        axes.set(xlabel="rating in Elo")
        return axes

    def __repr__(self):
        names = ", ".join(f"{row['name']} {_number(row['rating'])}" for row in self.players)
        return f"<TournamentResult {names}>"


class SweepResult(_Result):
    """What a sweep has measured: ``cells``, each with its place in the grid and its measures."""

    def frame(self):
        """The cells as a pandas frame."""
        import pandas

        return pandas.json_normalize(self._document["cells"])

    def plot(self, measure="score", x=None, axes=None):
        """Draws a measure over a key of the grid (the first if it is left out), with matplotlib."""
        from ._plot import errors, new_axes

        axes = new_axes(axes)
        cells = self._document["cells"]
        x = x or next(iter(cells[0]["cell"]))
        lines = {}
        for cell in cells:
            others = ", ".join(f"{key}={value}" for key, value in cell["cell"].items() if key != x)
            if cell["measures"].get(measure, {}).get("value") is not None:
                lines.setdefault(others, []).append((cell["cell"][x], cell["measures"][measure]))
        for others, points in lines.items():
            values = [found["value"] for _, found in points]
            ends = errors(values, [(found["low"], found["high"]) for _, found in points])
            axes.errorbar([place for place, _ in points], values, yerr=ends, marker="o", label=others or None)
        if any(lines) and len(lines) > 1:
            axes.legend()
        axes.set(xlabel=x, ylabel=measure, title=self._document["title"])
        return axes

    def __repr__(self):
        return f"<SweepResult of {len(self._document['cells'])} cells>"
