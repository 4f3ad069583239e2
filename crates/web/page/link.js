// Links that hold a position or a game: `#game/NAME/STATE/STEPS`, the state empty for the start, steps with commas between.

import { h, toast } from './dom.js';
import { said, t } from './words.js';

const PREFIX = '#game/';

/** Whether the fragment of an address holds a game. */
export const isGameLink = (hash) => hash.startsWith(PREFIX);

/** A link to a line of a game from a state. */
export function linkOf({ game, state, steps = [] }) {
  const parts = [game, state ?? '', steps.join(',')].map(encodeURIComponent);
  return `${location.origin}${location.pathname}${PREFIX}${parts.join('/')}`;
}

/** What a fragment says: a game, a state and steps; throws a sentence where it says nothing of the kind. */
export function readLink(hash, catalogue) {
  let parts;
  try {
    parts = hash.slice(PREFIX.length).split('/').map(decodeURIComponent);
  } catch {
    throw new Error(t('link-broken'));
  }
  const [name, state = '', steps = '', ...more] = parts;
  const game = catalogue.games.find((game) => game.name === name);
  if (!game) throw new Error(t('link-no-game', { name, games: catalogue.games.map((game) => game.name).join(', ') }));
  if (more.length) throw new Error(t('link-broken'));
  return { game: name, state, steps: steps.split(',').filter(Boolean) };
}

/** Puts the game of a link on the board, after asking where another game would be lost by it. */
export async function followLink(play, hash) {
  // A reload is to come back to the session, which goes on from the link.
  history.replaceState(null, '', '#play');
  let wanted;
  try {
    wanted = readLink(hash, play.catalogue);
  } catch (problem) {
    complain(problem.message);
    return play.startFirst();
  }
  await play.socket.whenUp();
  const { state } = play;
  const isLost = state && state.ply > 0 && !state.outcome && state.seats.some(({ player }) => player === 'human');
  if (isLost && !(await confirmed())) return;
  const message = { game: wanted.game, lines: wanted.steps.length ? [wanted.steps] : [], seats: [{ player: 'human' }, { player: 'human' }], paused: true };
  if (wanted.state) message.state = wanted.state;
  try {
    await play.socket.send('new', message);
  } catch (problem) {
    complain(said(problem.message).words);
    play.startFirst();
  }
}

function complain(problem) {
  toast(t('link-bad', { problem }));
}

/** Whether another game may take the place of the one on the board. */
function confirmed() {
  return new Promise((resolve) => {
    const dialog = h('dialog.confirm', { 'aria-label': t('link-asks') });
    const answer = (yes) => () => {
      resolve(yes);
      dialog.close();
    };
    dialog.append(h('p', {}, t('link-asks')), h('div.actions', {},
      h('button.primary', { onclick: answer(true) }, t('put-on-board')), h('button', { onclick: answer(false) }, t('cancel'))));
    dialog.onclose = () => {
      resolve(false);
      dialog.remove();
    };
    document.body.append(dialog);
    dialog.showModal();
  });
}
