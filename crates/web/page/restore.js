// The page's own copy of its game, for when the server has lost it.

import { byId, h } from './dom.js';
import { keep } from './keep.js';
import { t } from './words.js';
import { usualSeats } from './newgame.js';

const MOST_BYTES = 60000; // below the longest message of the server
const KEY = 'monteverde.copy';

/** Keeps what is needed to take the game up again elsewhere. */
export function keepCopy({ state, tree, socket }) {
  const seats = state.seats.map(({ player, pace }) => (pace ? { player, pace } : { player }));
  let lines = tree.lines();
  if (JSON.stringify(lines).length > MOST_BYTES) lines = lines.slice(-1);
  write({ session: socket.session, game: state.game, state: state.start, lines, seats, paused: state.paused });
}

function write(copy) {
  const kept = JSON.stringify(copy);
  try {
    sessionStorage.setItem(KEY, kept);
  } catch {
    // A private window may forbid it.
  }
  keep.set('copy', kept);
}

/** Asks whether to take up the game that the server no longer has. Whether there is one. */
export function offerCopy(play) {
  const copy = findCopy(play.socket);
  if (!copy) return false;
  // Whoever reloads before choosing is asked again.
  write({ ...copy, session: play.socket.session });
  const notice = byId('notice');
  const close = () => {
    notice.hidden = true;
    notice.replaceChildren();
  };
  const restore = async () => {
    const { game, state, lines, seats, paused } = copy;
    if (await play.send('new', { game, state, lines, seats, paused })) close();
  };
  const begin = () => {
    const game = play.gameOf(copy.game) ?? play.catalogue.games[0];
    play.send('new', { game: game.name, seats: usualSeats(game) }).then((done) => done && close());
  };
  notice.replaceChildren(h('p', {}, t('server-anew')), h('div.actions', {},
    h('button.primary', { id: 'do-restore', onclick: restore }, t('take-up-again')),
    h('button', { onclick: begin }, t('begin-another'))));
  notice.hidden = false;
  return true;
}

/** The copy of the game that this session or the one before it had, if moves were played in it. */
function findCopy({ session, lostSession }) {
  for (const kept of [readTab(), keep.get('copy')]) {
    try {
      const copy = JSON.parse(kept);
      if ([session, lostSession].includes(copy?.session) && copy.lines.length) return copy;
    } catch {
      // What cannot be read is no copy.
    }
  }
  return null;
}

function readTab() {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}
