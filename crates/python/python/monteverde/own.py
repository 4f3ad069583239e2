"""Games of one's own: a class with five methods becomes a game like the others.

Every state is an object of the class. It is made by ``cls()`` (the initial state) or ``cls(text)``
(the state that ``text()`` wrote; ValueError for a text that is none), and never changes:

``turn()``
    "first" or "second".
``moves()``
    The legal moves, each a str or an int, always in the same order; empty where there are none.
``play(move)``
    The state after a legal move: a new object.
``outcome()``
    None while the game goes on, else "first", "second" or "draw".
``text()``
    The state as a str. Equal states have equal texts.

A game with chance also has ``events()``, a list of (event, weight) pairs where chance decides next
and an empty list elsewhere, and ``settle(event)``, the state after one. ``ending()`` may name how a
game ended, and ``picture()`` draw it in several lines.

Such a game is slow: every move of every playout is a call into Python. Some thousands of iterations
a second is what a small game reaches, where the same rules in Rust reach a million.
"""

from __future__ import annotations

import inspect
from typing import Any, TypeVar

from . import _monteverde


Class = TypeVar("Class", bound="type[Any]")


def register(cls: Class, name: str | None = None) -> Class:
    """Adds a game whose rules are a class, and gives the class: a function and a decorator.

    The name is the class's attribute ``name``, or its own name in small letters. A game of that name
    that was registered before is replaced, so that a notebook's cell can be run again.
    """
    if not isinstance(cls, type):
        raise ValueError(f"a game is registered as a class, not as {cls!r}")
    name = name or getattr(cls, "name", None) or cls.__name__.lower().replace("_", "-")
    _monteverde._register(cls, name, _source(cls))
    return cls


def _source(cls):
    """What tells apart versions of a class: stores of games hold it in their keys."""
    extra = getattr(cls, "source", "")
    try:
        return inspect.getsource(cls) + extra
    except (OSError, TypeError):
        methods = [value.__code__.co_code for value in vars(cls).values() if hasattr(value, "__code__")]
        return cls.__qualname__ + repr(methods) + extra
