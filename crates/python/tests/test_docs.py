"""The page of the documentation: its code runs."""

import re

from conftest import REPOSITORY

import monteverde as mv


def test_the_pages_own_game_works(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (REPOSITORY / "docs" / "python.md").read_text()
    first, session, own = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    # The first block is a long match; it is played shorter.
    names = {}
    exec(first.replace("games=100, iterations=1000", "games=2, iterations=5"), names)
    assert names["result"].best in names["state"].moves()
    names = {"mv": mv}
    exec(session.replace("iterations=1000", "iterations=50"), names)
    assert names["session"].state.ply == 20 and names["result"].kept > 0
    exec(own, {"mv": mv})
