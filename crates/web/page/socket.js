// The WebSocket: one session a tab, answers by tag, and coming back after a loss.

import { keep } from './keep.js';
import { t } from './words.js';
import { isGameLink } from './link.js';

const RETRY_FIRST = 400; // milliseconds
const RETRY_LAST = 5000;
const LOCK_PATIENCE = 600; // milliseconds that a reloaded tab waits until its former self has let go of the session

export class Socket {
  constructor() {
    this.listeners = new Map();
    this.waiting = new Map();
    this.tag = 0;
    this.retry = RETRY_FIRST;
    this.session = null;
  }

  /** Calls `listener(message)` for every message of a type; `up` and `down` tell of the connection. */
  on(type, listener) {
    if (!this.listeners.has(type)) this.listeners.set(type, []);
    this.listeners.get(type).push(listener);
  }

  /** Connects, to the session that this tab had if there is one. */
  async start() {
    // A link that holds a game is for a new session, lest it take the place of another game.
    this.session = await findSession(isGameLink(location.hash));
    this.connect();
  }

  /** When there is a session. */
  whenUp() {
    if (this.isUp) return Promise.resolve();
    return new Promise((resolve) => this.on('up', () => resolve()));
  }

  connect() {
    const query = this.session ? `?session=${encodeURIComponent(this.session)}` : '';
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    this.socket = new WebSocket(`${scheme}://${location.host}/ws${query}`);
    this.socket.onmessage = ({ data }) => this.receive(JSON.parse(data));
    this.socket.onclose = () => this.lost();
  }

  lost() {
    this.isUp = false;
    for (const { reject } of this.waiting.values()) reject(new Error(t('connection-was-lost')));
    this.waiting.clear();
    this.tell({ type: 'down', forGood: this.takenOver });
    if (this.takenOver) return;
    setTimeout(() => this.connect(), this.retry);
    this.retry = Math.min(RETRY_LAST, this.retry * 2);
  }

  receive(message) {
    if (message.type === 'session') {
      this.retry = RETRY_FIRST;
      // A session that was asked for and is not there any more: the server has begun anew, or has forgotten it.
      this.lostSession = message.resumed ? null : this.session;
      if (message.id !== this.session) holdSession(message.id);
      this.session = message.id;
      this.isUp = true;
      this.tell({ type: 'up', resumed: message.resumed });
    }
    if (message.type === 'error' && message.code === 'taken-over') this.takenOver = true;
    const asked = this.waiting.get(message.tag);
    this.waiting.delete(message.tag);
    if (message.type === 'error') {
      if (asked) asked.reject(Object.assign(new Error(message.message), { code: message.code }));
      else this.tell(message);
      return;
    }
    this.tell(message);
    asked?.resolve(message);
  }

  tell(message) {
    for (const listener of this.listeners.get(message.type) ?? []) listener(message);
  }

  /** Sends a message; the promise is its direct answer. */
  send(type, more = {}) {
    if (this.socket?.readyState !== WebSocket.OPEN) return Promise.reject(new Error(t('no-connection')));
    const tag = ++this.tag;
    return new Promise((resolve, reject) => {
      this.waiting.set(tag, { resolve, reject });
      this.socket.send(JSON.stringify({ type, tag, ...more }));
    });
  }
}

// A session belongs to one tab: the tab that holds the browser's lock of that name. A reload finds its own session in
// sessionStorage; a fresh tab takes up the last session if no other tab has it.
async function findSession(isFresh) {
  const own = sessionStorage.getItem('monteverde.session');
  if (own && (await lock(own, LOCK_PATIENCE))) return own;
  const last = isFresh ? null : keep.get('session');
  if (last && last !== own && (await lock(last, 0))) {
    sessionStorage.setItem('monteverde.session', last);
    return last;
  }
  return null;
}

function holdSession(id) {
  sessionStorage.setItem('monteverde.session', id);
  keep.set('session', id);
  lock(id, 0);
}

function lock(id, patience) {
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise((resolve) => {
    const options = patience ? { signal: AbortSignal.timeout(patience) } : { ifAvailable: true };
    const held = (granted) => {
      resolve(Boolean(granted));
      return granted ? new Promise(() => {}) : undefined;
    };
    navigator.locks.request(`monteverde-${id}`, options, held).catch(() => resolve(false));
  });
}
