"""Engines that anybody can install, in matches of the lab: GNU Chess and Phalanx behind xboard, and GNU Chess
behind UCI, where it ponders.

    xboard.py BINARY

needs `gnuchess` and `phalanx` on the path or in /usr/games. Prints a line for each and ends with a status other
than 0 if a game with one of them ends otherwise than by the rules or by the limit of plies.
"""

import json
import subprocess
import sys
import tempfile

# Phalanx without its opening book and without learning, so that it thinks.
ENGINES = ["xboard:gnuchess --xboard", "xboard:phalanx -b- -l-"]
# By the clock and by the move; a busy machine may take long to wake a process.
PACES = ["time=50ms", "clock=20s+100ms"]
PONDERING = "uci:gnuchess --uci option.OwnBook=false"

ATTEMPTS = 5


def main() -> int:
    binary = sys.argv[1]
    matches = [(engine, ["--pace-a", "iterations=30", "--pace-b", pace]) for engine in ENGINES for pace in PACES]
    matches += [(PONDERING, ["--pace", pace, "--ponder"]) for pace in PACES]
    return 1 if [one for one in matches if not plays(binary, *one)] else 0


def plays(binary: str, engine: str, options: list[str]) -> bool:
    player = "mcc:no-fresh" if "--ponder" in options else "mcc"
    with tempfile.TemporaryDirectory() as folder:
        command = [binary, "match", player, engine, "--games", "2", *options, "--margin", "20s",
                   "--random-plies", "2", "--max-plies", "24", "--concurrency", "2",
                   "--store", f"{folder}/games.db", "--json"]
        # GNU Chess now and then sleeps over a line for good, on a busy machine most of all; such a game is
        # void, and the same command plays it again.
        for attempt in range(1, ATTEMPTS + 1):
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode == 0 and json.loads(done.stdout)["void"] == 0:
                break
    name = f"{engine} {' '.join(options)}"
    if done.returncode != 0:
        print(f"FAILED {name}: {done.stderr.strip()}")
        return False
    document = json.loads(done.stdout)
    good = document["games"] == 2 and document["void"] == 0 and not any(document["failures"])
    print(f"{'ok' if good else 'FAILED'} {name}: {document['games']} games, failures {document['failures']}, "
          f"attempt {attempt}")
    return good


if __name__ == "__main__":
    sys.exit(main())
