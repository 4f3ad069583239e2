// The pieces that a side has taken, beside its seat.

import { h } from './dom.js';
import { gameWord, t } from './words.js';
import { pieceIcon } from './pieces.js';

export class Captured {
  constructor() {
    this.element = h('span.captured');
  }

  /** Shows what the side of a seat has taken on the way to what is seen. */
  draw({ tree, node, letters, game }, index) {
    const side = index === 0 ? 'first' : 'second';
    const taken = tree.path(node).filter((played) => played.captured && played.side === side).map((played) => played.captured);
    const groups = new Map();
    for (const piece of taken) {
      if (!groups.has(piece.name)) groups.set(piece.name, { piece, count: 0 });
      groups.get(piece.name).count += 1;
    }
    const key = letters + [...groups.values()].map(({ piece, count }) => piece.name + count).join();
    if (this.element.dataset.key === key) return;
    this.element.dataset.key = key;
    const icons = [...groups.values()].map(({ piece, count }) => {
      const words = t('taken', { count, piece: gameWord(game, piece.name) });
      return h('span.pooled', { role: 'img', 'aria-label': words, title: words }, pieceIcon(piece, letters), count > 1 ? h('small', {}, `×${count}`) : null);
    });
    this.element.replaceChildren(...icons);
  }
}
