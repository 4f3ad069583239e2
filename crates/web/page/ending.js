// What may follow when a game is over: a rematch, a look at the game, another one.

import { byId, h } from './dom.js';
import { t } from './words.js';
import { outcomeSentence } from './sentences.js';
import { openGameDialog } from './newgame.js';

/** Shows the panel while the game on the board is over, until it is closed. */
export function drawEnding(host, play) {
  const { state, game } = play;
  const outcome = play.viewed ? null : state.outcome;
  const key = outcome ? `${state.game} ${state.serial} ${outcome.reason}` : '';
  if (host.dataset.key === key) return;
  host.dataset.key = key;
  host.hidden = !outcome;
  if (!outcome) return host.replaceChildren();
  const close = h('button.close', { 'aria-label': t('close'), title: t('close'), onclick: () => (host.hidden = true) }, '×');
  host.replaceChildren(
    h('div.result', {}, h('strong', {}, { first: '1–0', second: '0–1', draw: '½–½' }[outcome.result]), h('span', {}, outcomeSentence(outcome, state.position, game)), close),
    h('div.actions', {},
      h('button.primary', { id: 'do-rematch', onclick: () => rematch(play) }, t('rematch')),
      h('button', { id: 'do-review', onclick: () => review() }, t('review-game')),
      h('button', { onclick: () => openGameDialog(play) }, t('new-game-more'))));
}

/** The same game from the same start; who played the first side plays the second now. */
function rematch(play) {
  const { game, start, seats } = play.state;
  const [first, second] = seats.map(({ player, pace }) => (pace ? { player, pace } : { player }));
  play.send('new', { game, state: start, seats: [second, first] });
}

function review() {
  byId('tab-review').click();
  byId('begin-review').click();
}
