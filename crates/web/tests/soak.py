#!/usr/bin/env python3
"""A long run of many clients against a server. Every second one is hostile: garbage, too much, too slow, gone.

    cargo build --release
    python3 crates/web/tests/soak.py --program target/release/monteverde --minutes 60

It starts a server of its own, lets the clients loose, and says every minute how many requests were
answered, how long /api/about took at worst, and what memory the server has. It fails if anything is
answered that should not be, if /api/about takes too long, if the memory is not flat after the first
quarter or above what the server was given, if the server panics, or if anything is left when all
clients are gone: sessions, searches, requests, or memory other than that of games which somebody may
come back to. Only Python's standard library is needed; memory is read from /proc.
"""

import argparse
import base64
import collections
import contextlib
import json
import os
import random
import re
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time

MIB = 1 << 20
# What the program may have beside the memory that it is given and what it has at the start: code that is
# read later, threads, buffers, and what the allocator cannot give back.
BESIDE = 64 * MIB
# The part of the memory that games take which somebody may come back to (`Memory::for_games`).
GAMES_PART = 1 / 16
# What the memory may grow by after the first quarter: the larger of these.
GROWTH, GROWTH_SHARE = 24 * MIB, 0.10
PATIENCE = 60.0
ENGINES = {'chess': ['mcc', 'ab:depth=3', 'best'], 'loa': ['uct', 'best'], 'banqi': ['uct', 'best'],
           'tic-tac-toe': ['uct', 'uct:c=0.3']}
DANCE = ['g1f3', 'g8f6', 'f3g1', 'f6g8']


class Unexpected(Exception):
    """The server has answered what it should not."""


class Tally:
    """What has happened so far, for all clients together."""

    def __init__(self):
        self.lock = threading.Lock()
        self.counts = collections.Counter()
        self.errors = []
        self.over = threading.Event()

    def count(self, what):
        with self.lock:
            self.counts[what] += 1

    def fail(self, what):
        with self.lock:
            self.counts['errors'] += 1
            if len(self.errors) < 20:
                self.errors.append(what)


class WebSocket:
    """As much of a WebSocket as a test needs."""

    def __init__(self, address, session=None):
        self.sock = socket.create_connection(address, PATIENCE)
        self.data = b''
        key = base64.b64encode(random.randbytes(16)).decode()
        query = f'?session={session}' if session else ''
        self.sock.sendall(f'GET /ws{query} HTTP/1.1\r\nHost: {address[0]}:{address[1]}\r\nUpgrade: websocket\r\n'
                          f'Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n'
                          .encode())
        while b'\r\n\r\n' not in self.data:
            self.fill()
        head, self.data = self.data.split(b'\r\n\r\n', 1)
        if b' 101 ' not in head:
            raise Unexpected(f'the session was refused: {head[:200]!r}')
        self.hello = self.read()
        if self.hello is None or self.hello.get('type') != 'session':
            raise Unexpected(f'the session began with {self.hello}')

    def fill(self):
        part = self.sock.recv(1 << 16)
        if not part:
            raise ConnectionError('closed')
        self.data += part

    def take(self, count):
        while len(self.data) < count:
            self.fill()
        part, self.data = self.data[:count], self.data[count:]
        return part

    def frame(self, kind, payload):
        size = len(payload)
        if size < 126:
            head = struct.pack('!BB', 0x80 | kind, 0x80 | size)
        elif size < 1 << 16:
            head = struct.pack('!BBH', 0x80 | kind, 0x80 | 126, size)
        else:
            head = struct.pack('!BBQ', 0x80 | kind, 0x80 | 127, size)
        # Under the mask 0 the payload is as it is.
        self.sock.sendall(head + bytes(4) + payload)

    def send(self, **message):
        self.frame(1, json.dumps(message).encode())

    def read(self):
        """The next message; None at the end."""
        while True:
            first, second = self.take(2)
            size = second & 127
            if size == 126:
                size, = struct.unpack('!H', self.take(2))
            elif size == 127:
                size, = struct.unpack('!Q', self.take(8))
            payload, kind = self.take(size), first & 15
            if kind == 1:
                return json.loads(payload)
            if kind == 8:
                return None
            if kind == 9:
                self.frame(10, payload)

    def until(self, wanted, over):
        """Reads until a message is the wanted one; errors are not expected."""
        end = time.monotonic() + PATIENCE
        while not over.is_set():
            message = self.read()
            if message is None:
                raise Unexpected('the session was closed')
            if message['type'] == 'error':
                raise Unexpected(f'the session was told {message}')
            if wanted(message):
                return message
            if time.monotonic() > end:
                raise Unexpected(f'nothing came of it; the last message was {str(message)[:200]}')
        return None

    def close(self, rng):
        """Some tabs say that they are closed, others vanish, some with a reset."""
        how = rng.randrange(3)
        with contextlib.suppress(OSError):
            if how == 0:
                self.frame(8, struct.pack('!H', 1000))
            if how == 1:
                self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
        self.sock.close()


class Client:
    """One client, which does one thing after the other: what people do, or what they should not."""

    def __init__(self, address, tally, seed, hostile):
        self.address, self.tally, self.rng = address, tally, random.Random(seed)
        self.session, self.hostile = None, hostile

    def run(self):
        honest = [self.play, self.play, self.analyse, self.replay, self.browse, self.hold_match]
        hostile = [self.garbage, self.half, self.chatter, self.oversized, self.dawdle, self.vanish]
        acts = hostile if self.hostile else honest
        while not self.tally.over.is_set():
            act = self.rng.choice(acts)
            try:
                act()
                self.tally.count(act.__name__)
            except Unexpected as error:
                self.tally.fail(f'{act.__name__}: {error}')
            except (OSError, ConnectionError) as error:
                self.tally.fail(f'{act.__name__}: {error!r}')

    def ask(self, method, path, body=None, expected=(200,)):
        """One request on a connection of its own."""
        text = b'' if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        head = (f'{method} {path} HTTP/1.1\r\nHost: {self.address[0]}:{self.address[1]}\r\n'
                f'Content-Type: application/json\r\nContent-Length: {len(text)}\r\nConnection: close\r\n\r\n')
        with socket.create_connection(self.address, PATIENCE) as sock:
            sock.sendall(head.encode() + text)
            answer = bytearray()
            while part := sock.recv(1 << 16):
                answer += part
        found = re.match(rb'HTTP/1\.1 (\d+)', answer)
        status = int(found[1]) if found else 0
        self.tally.count('requests')
        if status not in expected:
            raise Unexpected(f'{method} {path} was answered by {status}: {bytes(answer[-300:])!r}')
        return status, bytes(answer).partition(b'\r\n\r\n')[2]

    def play(self):
        """Two engines play; the tab is closed, and perhaps comes back."""
        game = self.rng.choice(list(ENGINES))
        seat = lambda: {'player': self.rng.choice(ENGINES[game]), 'pace': f'iterations={self.rng.randint(20, 400)}'}
        ws = WebSocket(self.address, self.session if self.rng.random() < 0.3 else None)
        self.tally.count('sessions')
        self.session = ws.hello['id']
        ws.send(type='new', game=game, seats=[seat(), seat()], tag=1)
        for _ in range(self.rng.randint(1, 30)):
            state = ws.until(lambda message: message['type'] == 'state', self.tally.over)
            if state is None or state['outcome']:
                break
        if self.rng.random() < 0.3:
            ws.send(type='export', tag=2)
            ws.until(lambda message: message.get('tag') == 2, self.tally.over)
        ws.close(self.rng)

    def analyse(self):
        """Two players are compared, and their trees opened."""
        ws = WebSocket(self.address)
        self.tally.count('sessions')
        human = {'player': 'human'}
        ws.send(type='new', game='chess', seats=[human, human])
        ws.send(type='analyse', specs=['best', 'mcc'])
        ws.send(type='tree', slot='a', paths=[[], ['e2e4']])
        for _ in range(self.rng.randint(1, 8)):
            if ws.until(lambda message: message['type'] in ('report', 'nodes'), self.tally.over) is None:
                break
        if self.rng.random() < 0.5:
            ws.send(type='play', move='e2e4', tag=3)
            ws.until(lambda message: message.get('tag') == 3, self.tally.over)
        ws.close(self.rng)

    def replay(self):
        steps = [DANCE[index % 4] for index in range(self.rng.choice([0, 10, 100, 500, 2000]))]
        path = '/api/games/chess/replay'
        if self.rng.random() < 0.2:
            self.ask('POST', path, {'steps': steps[:3] + ['e2e4', 'e2e4']}, expected=(400,))
            return
        if self.rng.random() < 0.2:
            # Asked for, and not taken.
            body = json.dumps({'steps': steps}).encode()
            with socket.create_connection(self.address, PATIENCE) as sock:
                sock.sendall(f'POST {path} HTTP/1.1\r\nHost: {self.address[0]}:{self.address[1]}\r\nContent-Type: '
                             f'application/json\r\nContent-Length: {len(body)}\r\n\r\n'.encode() + body)
                time.sleep(self.rng.random())
            return
        _, body = self.ask('POST', path, {'steps': steps})
        if body.count(b'"turn_name"') != len(steps) + 1:
            raise Unexpected(f'{len(steps)} steps came to {body.count(b"turn_name")} positions')

    def browse(self):
        paths = ['/', '/api/games', '/app.js', '/docs/techniques/uct.html', '/api/lab/stores', '/api/lab/matches',
                 '/api/lab/experiments', '/api/games/chess/spec?text=best', '/api/games/banqi/state?text=startpos']
        self.ask('GET', self.rng.choice(paths))
        self.ask('GET', '/nothing', expected=(404,))

    def hold_match(self):
        # Few different ones, since the store keeps all games and its report all players.
        wanted = {'game': 'tic-tac-toe', 'a': 'uct', 'b': 'uct:c=0.3', 'games': self.rng.randint(2, 20),
                  'pace': self.rng.choice(['iterations=20', 'iterations=200']), 'seed': self.rng.randint(1, 20)}
        status, body = self.ask('POST', '/api/lab/matches', wanted, expected=(201, 409))
        if status == 201:
            time.sleep(self.rng.random())
            self.ask('DELETE', f'/api/lab/matches/{json.loads(body)["id"]}')
        self.ask('GET', '/api/lab/stores/page.db', expected=(200, 404))

    def garbage(self):
        """What is no HTTP, what is too large, and messages that mean nothing."""
        with socket.create_connection(self.address, PATIENCE) as sock, contextlib.suppress(OSError):
            sock.sendall(self.rng.randbytes(self.rng.randint(1, 5000)))
            sock.settimeout(0.2)
            sock.recv(1000)
        self.ask('POST', '/api/games/chess/replay', b' ' * 70_000, expected=(413,))
        self.ask('POST', '/api/lab/matches', self.rng.randbytes(100), expected=(400, 415))
        ws = WebSocket(self.address)
        with contextlib.suppress(OSError, ConnectionError):
            for _ in range(self.rng.randint(1, 120)):
                ws.frame(self.rng.choice([1, 1, 1, 2]), self.rng.choice(
                    [b'{', b'[' * 5000, b'{"type": "play"}', b'{"type": "new", "game": "go"}', b'null']))
                if self.rng.random() < 0.2 and (ws.read() or {}).get('code') == 'failed':
                    raise Unexpected('the server has failed')
        ws.close(self.rng)

    def half(self):
        """A request of which a part comes, and a client that says nothing for a while."""
        part = self.rng.choice([b'', b'GET / HT', b'POST /api/lab/matches HTTP/1.1\r\nContent-Length: 99\r\n\r\n{'])
        with socket.create_connection(self.address, PATIENCE) as sock:
            sock.sendall(part)
            self.tally.over.wait(self.rng.random() * 15)

    def chatter(self):
        """Sends fast and reads nothing."""
        ws = WebSocket(self.address)
        with contextlib.suppress(OSError):
            ws.sock.settimeout(1)
            for _ in range(self.rng.randint(10, 300)):
                ws.send(type=self.rng.choice(['new', 'pause', 'run', 'undo']), game='loa') if self.rng.random() < 0.2 \
                    else ws.send(type='ping')
        ws.close(self.rng)

    def oversized(self):
        """Messages and requests above every limit; the server may answer or hang up."""
        how = self.rng.randrange(4)
        if how == 0:
            ws = WebSocket(self.address)
            with contextlib.suppress(OSError, ConnectionError):
                ws.frame(self.rng.choice([1, 2]), b'x' * self.rng.choice([65_537, 1 << 20, 8 << 20]))
                while ws.read() is not None:
                    pass
            ws.close(self.rng)
            return
        head = f'Host: {self.address[0]}:{self.address[1]}\r\n'
        request = [b'', f'GET /{"x" * 200_000} HTTP/1.1\r\n{head}\r\n'.encode(),
                   f'GET / HTTP/1.1\r\n{head}{"X-Fill: y" * 20_000}\r\n\r\n'.encode(),
                   f'POST /api/lab/matches HTTP/1.1\r\n{head}Content-Length: 99999999999999\r\n\r\n'.encode()
                   + b'{' * 200_000][how]
        with socket.create_connection(self.address, PATIENCE) as sock, contextlib.suppress(OSError):
            sock.sendall(request)
            while sock.recv(1 << 16):
                pass

    def dawdle(self):
        """Asks for much and takes it a few bytes at a time."""
        body = json.dumps({'steps': [DANCE[index % 4] for index in range(2000)]}).encode()
        with socket.create_connection(self.address, PATIENCE) as sock, contextlib.suppress(OSError):
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            sock.sendall(f'POST /api/games/chess/replay HTTP/1.1\r\nHost: {self.address[0]}:{self.address[1]}\r\nContent-Type: '
                         f'application/json\r\nContent-Length: {len(body)}\r\n\r\n'.encode() + body)
            for _ in range(self.rng.randint(10, 200)):
                if not sock.recv(64) or self.tally.over.wait(0.05):
                    break

    def vanish(self):
        """A search without an end whose client goes at once, in the middle of a message or not."""
        ws = WebSocket(self.address)
        with contextlib.suppress(OSError):
            ws.send(type='new', game='chess', seats=[{'player': 'human'}] * 2)
            ws.send(type='analyse', specs=['best', 'mcc'])
            if self.rng.random() < 0.5:
                ws.sock.sendall(struct.pack('!BBH', 0x81, 0x80 | 126, 60_000) + bytes(self.rng.randint(0, 1000)))
        ws.close(self.rng)


def about(address):
    """What /api/about says, and how long it took."""
    start = time.monotonic()
    with socket.create_connection(address, PATIENCE) as sock:
        sock.sendall(f'GET /api/about HTTP/1.1\r\nHost: {address[0]}:{address[1]}\r\nConnection: close\r\n\r\n'.encode())
        answer = b''
        while part := sock.recv(1 << 16):
            answer += part
    return json.loads(answer.partition(b'\r\n\r\n')[2]), time.monotonic() - start


def resident(pid):
    """The bytes of memory that a process has."""
    with open(f'/proc/{pid}/statm', encoding='ascii') as file:
        return int(file.read().split()[1]) * os.sysconf('SC_PAGE_SIZE')


def watch(address, pid, tally, args):
    """Asks how the server is while the clients run. Gives its memory over time."""
    start, shown, worst, memory = time.monotonic(), 0.0, 0.0, []
    while (now := time.monotonic() - start) < args.minutes * 60:
        try:
            said, took = about(address)
            worst = max(worst, took)
        except (OSError, ValueError) as error:
            tally.fail(f'/api/about: {error!r}')
            return worst, memory
        memory.append((now, resident(pid)))
        if now - shown >= args.every:
            shown = now
            counts = tally.counts
            print(f'{now:6.0f} s: {counts["requests"]} requests, {counts["sessions"]} sessions, '
                  f'{counts["errors"]} errors, about {took * 1000:.0f} ms (worst {worst * 1000:.0f} ms), '
                  f'{memory[-1][1] / MIB:.0f} MiB, {said["sessions"]} connected, {said["searches"]} searches, '
                  f'{said["requests"]} requests waiting', flush=True)
        time.sleep(0.25)
    return worst, memory


def judge(memory, worst, ends, tally, args):
    """What is wrong, as sentences. The ends are the memory at the start, and what was left."""
    start, left = ends
    wrong = list(tally.errors)
    seconds = args.minutes * 60
    level = lambda low, high: statistics.median([held for at, held in memory if low <= at / seconds < high] or [0])
    early, late = level(0.25, 0.5), level(0.75, 1.0)
    most = max((held for _, held in memory), default=0)
    print(f'memory: {start / MIB:.0f} MiB at the start, {early / MIB:.0f} MiB in the second quarter, '
          f'{late / MIB:.0f} MiB in the last, {most / MIB:.0f} MiB at most; '
          f'{left["memory"] / MIB:.0f} MiB when all had left')
    if late > early + max(GROWTH, GROWTH_SHARE * early):
        wrong.append('the memory is not flat')
    if most > start + args.memory * MIB + BESIDE:
        wrong.append(f'the memory is above {args.memory} MiB and what the program itself needs')
    kept = start + GAMES_PART * args.memory * MIB + BESIDE
    if left['memory'] > kept:
        wrong.append(f'the memory is above {kept / MIB:.0f} MiB when all clients have gone')
    if worst > args.latency:
        wrong.append(f'/api/about took {worst:.2f} s at worst')
    for what in ('sessions', 'searches', 'requests'):
        if left['about'][what]:
            wrong.append(f'{left["about"][what]} {what} are left when all clients have gone')
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--program', default='target/release/monteverde', help='the program to be tried')
    parser.add_argument('--clients', type=int, default=50)
    parser.add_argument('--minutes', type=float, default=60)
    parser.add_argument('--memory', type=int, default=512, help='what the server is given, in MiB')
    parser.add_argument('--latency', type=float, default=2.0, help='the longest that /api/about may take, in seconds')
    parser.add_argument('--every', type=float, default=60, help='seconds between two lines')
    parser.add_argument('--seed', type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as lab:
        # A client that has just gone may still count when it comes back.
        command = [args.program, 'serve', '--port', '0', '--lab', lab, '--memory', str(args.memory),
                   '--sessions', str(3 * args.clients)]
        with tempfile.TemporaryFile() as stderr, \
                subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, text=True) as server:
            line = server.stdout.readline()
            host, port = re.search(r'http://([\d.]+):(\d+)/', line).groups()
            address, tally, start = (host, int(port)), Tally(), resident(server.pid)
            clients = [Client(address, tally, args.seed * 1000 + number, number % 2 == 1) for number in range(args.clients)]
            threads = [threading.Thread(target=client.run, daemon=True) for client in clients]
            for thread in threads:
                thread.start()
            worst, memory = watch(address, server.pid, tally, args)
            tally.over.set()
            for thread in threads:
                thread.join(2 * PATIENCE)
            end = time.monotonic() + PATIENCE
            while True:
                said, _ = about(address)
                if not (said['sessions'] or said['searches'] or said['requests']) or time.monotonic() > end:
                    break
                time.sleep(0.2)
            left = {'about': said, 'memory': resident(server.pid)}
            asked = time.monotonic()
            server.terminate()
            server.wait(PATIENCE)
            took = time.monotonic() - asked
            stderr.seek(0)
            panics = [line.decode(errors='replace').strip() for line in stderr if b'panicked' in line]
    acts = ', '.join(f'{count} {act}' for act, count in sorted(tally.counts.items()))
    print(f'{acts}\nthe worst /api/about took {worst * 1000:.0f} ms, the end {took:.2f} s')
    wrong = judge(memory, worst, (start, left), tally, args) + panics
    if took > 2.5 or server.returncode:
        wrong.append(f'the server took {took:.2f} s to end, with status {server.returncode}')
    for sentence in wrong:
        print('WRONG:', sentence)
    sys.exit(1 if wrong else 0)


if __name__ == '__main__':
    main()
