"""Engines behind xboard that anybody can install, in matches of the lab: GNU Chess and Phalanx.

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

ATTEMPTS = 5


def main() -> int:
    binary = sys.argv[1]
    failed = 0
    for engine in ENGINES:
        for pace in PACES:
            with tempfile.TemporaryDirectory() as folder:
                command = [binary, "match", "mcc", engine, "--games", "2", "--pace-a", "iterations=30",
                           "--pace-b", pace, "--margin", "20s", "--random-plies", "2", "--max-plies", "24",
                           "--concurrency", "2", "--store", f"{folder}/games.db", "--json"]
                # GNU Chess now and then sleeps over a line for good, on a busy machine most of all; such a game is
                # void, and the same command plays it again.
                for attempt in range(1, ATTEMPTS + 1):
                    done = subprocess.run(command, capture_output=True, text=True)
                    if done.returncode == 0 and json.loads(done.stdout)["void"] == 0:
                        break
            if done.returncode != 0:
                print(f"FAILED {engine} {pace}: {done.stderr.strip()}")
                failed += 1
                continue
            document = json.loads(done.stdout)
            good = document["games"] == 2 and document["void"] == 0 and not any(document["failures"])
            print(f"{'ok' if good else 'FAILED'} {engine} {pace}: {document['games']} games, "
                  f"failures {document['failures']}, attempt {attempt}")
            failed += not good
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
