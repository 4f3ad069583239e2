// What the status line says of a game, in the language of the page.

import { gameWord, t } from './words.js';

/** How a game ended: `White wins: checkmate.` */
export function outcomeSentence({ result, reason, words }, position, game) {
  const why = { resigned: t('ending-resigned'), time: t('ending-time') }[reason] ?? gameWord(game, words);
  if (result === 'draw') return t('drawn', { why });
  return t('wins', { name: gameWord(game, position.side_names[result === 'first' ? 0 : 1]), why });
}

/** Whose turn it is. */
export function turnSentence({ position, thinking, paused, seats }, game) {
  const name = gameWord(game, position.turn_name);
  if (thinking) return t('is-thinking', { name });
  const seat = seats[position.turn === 'first' ? 0 : 1];
  return paused && seat.player !== 'human' ? t('paused-to-move', { name }) : t('to-move', { name });
}
