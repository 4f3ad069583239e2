"""What the scripts beside this one, and those of other crates, have in common: parts that are tried one after another, with a line for each."""

import os
import sys
import time


def run(parts) -> int:
    """Hands the program of the command line to each part, which gives back a summary or fails; the exit status."""
    if len(sys.argv) != 2:
        print(f"usage: {os.path.basename(sys.argv[0])} BINARY", file=sys.stderr)
        return 2
    return each([(part.__name__, part) for part in parts], os.path.abspath(sys.argv[1]))


def each(parts, given) -> int:
    """Hands what is given to each part, by name; the exit status."""
    width = max(len(name) for name, _ in parts)
    failures = 0
    for name, part in parts:
        began = time.monotonic()
        try:
            verdict, summary = "ok", part(given)
        except Exception as error:  # Each part is to be tried, whatever became of the others.
            verdict, summary = "FAILED", f"{type(error).__name__}: {error}"
            failures += 1
        print(f"{name:{width}} {verdict:6} {time.monotonic() - began:6.1f} s  {summary}", flush=True)
    return 1 if failures else 0


def check(holds: bool, message: str) -> None:
    if not holds:
        raise AssertionError(message)
