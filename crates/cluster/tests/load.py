#!/usr/bin/env python3
"""How the coordinator of a run copes with many workers, against a nats-server of its own.

  load.py PROGRAM results [--games N] [--queue N]   instant games: results a second of CPU time, peak memory
  load.py PROGRAM share [--workers K]               K workers of one thread against one process with K threads

PROGRAM is target/release/monteverde. Needs nats-server. Ends with 1 where a figure falls short: 1,000 results
a second of CPU time, 200 MB, 0.97 of one process.
"""
import argparse, json, os, socket, subprocess, sys, tempfile, time

LEAST_RESULTS, MOST_MEGABYTES, LEAST_SHARE = 1000, 200, 0.97


class Server:
    def __init__(self, folder):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"nats://127.0.0.1:{port}"
        words = ["nats-server", "-js", "-sd", folder, "-a", "127.0.0.1", "-p", str(port)]
        self.process = quiet(words)
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                return
            except OSError:
                time.sleep(0.05)
        sys.exit("load: nats-server does not listen")


def quiet(words):
    return subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def watched(words):
    """Runs to the end; the output, seconds, seconds of CPU time and the peak memory in MB."""
    started, peak = time.time(), 0
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while process.poll() is None:
        try:
            with open(f"/proc/{process.pid}/status") as status:
                peak = max([peak] + [int(line.split()[1]) for line in status if line.startswith("VmHWM")])
        except OSError:
            pass
        time.sleep(0.02)
    seconds = time.time() - started
    used = os.times()
    if process.returncode:
        sys.exit(f"load: {process.stderr.read().decode()}")
    return process.stdout.read(), seconds, peak / 1024, used.children_user + used.children_system


def results(args, server, folder):
    words = f"match uct uct:c=0.5 --game tic-tac-toe --games {args.games} --iterations 1 --random-plies 2 --json"
    words = [args.program, *words.split(), "--store", f"{folder}/load.db"]
    before = os.times()
    before = before.children_user + before.children_system
    _, seconds, peak, after = watched([*words, "--nats", server.url, "--queue", str(args.queue)])
    cpu = after - before
    print(f"{args.games} results in {seconds:.1f} s ({args.games / seconds:.0f}/s); the coordinator took {cpu:.1f} s of CPU "
          f"time ({args.games / cpu:.0f} results a second) and {peak:.0f} MB with {args.queue} tasks out")
    return args.games / cpu >= LEAST_RESULTS and peak < MOST_MEGABYTES


def share(args, server, folder):
    # About a second a game.
    words = "match uct uct:c=0.5 --game tic-tac-toe --games 120 --iterations 600k --random-plies 2 --json"
    alone = [args.program, *words.split(), "--concurrency", str(args.workers)]
    here, one, _, _ = watched(alone)
    there, many, _, _ = watched([args.program, *words.split(), "--nats", server.url])
    digests = [json.loads(text)["digest"] for text in (here, there)]
    print(f"one process with {args.workers} threads: {one:.1f} s; {args.workers} workers: {many:.1f} s, {one / many:.3f} of it; "
          f"digests {digests[0]} and {digests[1]}")
    return one / many >= LEAST_SHARE and digests[0] == digests[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("what", choices=["results", "share"])
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--queue", type=int, default=20_000)
    parser.add_argument("--workers", type=int, default=4)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(folder)
        threads = "1" if args.what == "share" else "4"
        worker = [args.program, "worker", "--nats", server.url, "--threads", threads]
        workers = [quiet(worker) for _ in range(args.workers if args.what == "share" else 2)]
        time.sleep(2)
        try:
            is_enough = {"results": results, "share": share}[args.what](args, server, folder)
        finally:
            for process in [*workers, server.process]:
                process.kill()
                process.wait()
    sys.exit(0 if is_enough else 1)


main()
