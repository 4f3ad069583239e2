// The pieces off the board, where a game has such: which, and how many.

import { h } from './dom.js';
import { gameWord, t } from './words.js';
import { pieceIcon } from './pieces.js';

/** Shows the pool of a board, if it has one. */
export function drawTray(host, board, letters, game) {
  const pool = board?.pool ?? [];
  const title = board?.pool_title ?? null;
  host.hidden = title === null;
  const key = title === null ? '' : title + letters + pool.map(({ letter, count }) => letter + count).join();
  if (host.dataset.key === key) return;
  host.dataset.key = key;
  const icons = pool.map((piece) => {
    const words = t('pooled', { count: piece.count, piece: gameWord(game, `${piece.colour ?? ''} ${piece.kind}`.trim()) });
    return h('span.pooled', { title: words, role: 'img', 'aria-label': words }, pieceIcon(piece, letters), h('small', {}, `×${piece.count}`));
  });
  host.replaceChildren(h('span.tray-title', {}, gameWord(game, title ?? '')), ...icons);
}
