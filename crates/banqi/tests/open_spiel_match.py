"""Our player against the Monte-Carlo player of OpenSpiel (pip: open_spiel) in Chinese dark chess.

    python3 crates/banqi/tests/open_spiel_match.py [--games 40] [--time 100ms] [--simulations 2000] [--player best]

Needs the package `monteverde` (docs/python.md). OpenSpiel's player takes a number of simulations instead of a time: what
both took for a move is printed beside the score, so that the number can be set to give it no less time. Both states are played in
step, so that a move that one of them does not know ends the match with an error. Without repetition, as OpenSpiel has it.
"""

import argparse
import random
import time

import monteverde as mv
import pyspiel

from open_spiel_words import LETTERS, move

PLIES_TO_DRAW = 40


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=40, help="each side begins in half of them")
    parser.add_argument("--time", default="100ms", help="what our player has for a move")
    parser.add_argument("--simulations", type=int, default=2000, help="what OpenSpiel's player has for a move")
    parser.add_argument("--player", default="best", help="our player")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    counts, taken = {"won": 0, "drawn": 0, "lost": 0}, {"ours": [0, 0.0], "theirs": [0, 0.0]}
    for number in range(args.games):
        counts[play(args, number, taken)] += 1
        means = ", ".join(f"{side} {seconds / max(1, moves) * 1000:.0f} ms a move" for side, (moves, seconds) in taken.items())
        words = ", ".join(f"{count} {word}" for word, count in counts.items())
        print(f"{number + 1} of {args.games} games: {words}; {means}", flush=True)


def play(args, number, taken):
    """One game: whether we have won, drawn or lost it."""
    seed = args.seed + number
    rng = random.Random(seed)
    game = pyspiel.load_game(f"banqi(max_no_progress={PLIES_TO_DRAW})")
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, args.simulations, 1000, True, seed, False)
    theirs = game.new_initial_state()
    banqi = mv.game("banqi")
    start = banqi.state(f"{banqi.state().text} plies={PLIES_TO_DRAW},repetition=off")
    session = mv.player("banqi", args.player, seed=seed).session(start)
    own_side = ("first", "second")[number % 2]
    while not session.state.is_over:
        if session.state.is_pending:
            events, weights = zip(*session.state.events())
            event = rng.choices(events, weights)[0]
            session.settle(event)
            shown = {LETTERS[theirs.action_to_string(action)[-1]]: action for action, _ in theirs.chance_outcomes()}
            theirs.apply_action(shown[event])
            continue
        actions = {move(theirs.action_to_string(action)): action for action in theirs.legal_actions()}
        began = time.perf_counter()
        if session.state.turn == own_side:
            side, word = "ours", session.search(time=args.time).best
        else:
            action = bot.step(theirs)
            side, word = "theirs", next(word for word, known in actions.items() if known == action)
        taken[side][0] += 1
        taken[side][1] += time.perf_counter() - began
        session.play(word)
        theirs.apply_action(actions[word])
    # OpenSpiel goes on where a side has nothing left but may flip what is left of the other's.
    outcome = session.state.outcome
    return "drawn" if outcome == "draw" else "won" if outcome == own_side else "lost"


main()
