"""Random games beside OpenSpiel's `banqi` (pip: open_spiel), move by move.

    cargo run --release -p monteverde-games --example games -- banqi 1000 1 repetition=off |
        python3 crates/banqi/tests/open_spiel.py [PLIES]

PLIES without a capture or a flip are a draw, 40 unless told; OpenSpiel knows no repetition. In every state the legal moves
must be the same, what a flip may show, and whether the game is over and who has won. Prints what was compared and ends
with a status other than 0 at the first difference.
"""

import collections
import sys

import pyspiel

from open_spiel_words import LETTERS, move

RETURNS = {"first": [1.0, -1.0], "second": [-1.0, 1.0], "draw": [0.0, 0.0]}


def main():
    plies_to_draw = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    game = pyspiel.load_game(f"banqi(max_no_progress={plies_to_draw})")
    state = game.new_initial_state()
    plies = moves = flips = 0
    endings = collections.Counter()
    for number, line in enumerate(sys.stdin, 1):
        words = line.split()
        fail = lambda what: sys.exit(f"line {number}: {line.strip()}, but OpenSpiel has {what} in\n{state}")
        if words[0] == "over":
            if not state.is_terminal() or state.returns() != RETURNS[words[1]]:
                fail(state.returns() if state.is_terminal() else "no end")
            endings[" ".join(words[1:])] += 1
            state = game.new_initial_state()
            continue
        split = words.index(">")
        if state.is_terminal():
            fail(f"an end {state.returns()}")
        actions = {move(state.action_to_string(action)): action for action in state.legal_actions()}
        if sorted(words[:split]) != sorted(actions):
            fail(sorted(actions))
        played, _, piece = words[split + 1].rstrip(")").partition("(")
        state.apply_action(actions[played])
        if piece:
            events = {}
            for action, _ in state.chance_outcomes():
                events[LETTERS[state.action_to_string(action)[-1]]] = action
            state.apply_action(events[piece])
            flips += 1
        plies += 1
        moves += len(actions)
    print(
        f"{sum(endings.values())} games, {plies} states with {moves} legal moves and {flips} flips agree; "
        f"endings: {dict(endings)}"
    )


main()
