// The bar beside the board: what the first side may expect, and how the game ended.

import { byId, text } from './dom.js';
import { expected, percent, proofWords } from './numbers.js';
import { gameWord, t } from './words.js';

const RESULTS = { first: ['1', 1], second: ['0', 0], draw: ['½', 0.5] };

export class ValueBar {
  constructor() {
    this.element = byId('value-bar');
    this.number = this.element.querySelector('b');
    this.values = new Map(); // by node of the tree of moves: what the first side may expect
  }

  /** Forgets everything, for another game. */
  clear() {
    this.values.clear();
  }

  /** What a search expects in the state of a node, for a side. */
  take(node, { mean, proof }, side) {
    if (mean === null && !proof) return;
    const certain = proof && { win: 1, loss: -1, draw: 0 }[proof.result];
    const value = certain ?? mean;
    this.values.set(node, { share: expected(side === 'first' ? value : -value), proof, side });
  }

  /** What engines said of their own moves is known too. */
  takeHistory(moves) {
    for (const { node, report, side } of moves) if (report && !this.values.has(node)) this.take(node, report, side);
  }

  /** Draws the value of a node, or the last one known on the way there. */
  draw({ tree, node, outcome, flipped, position, game }) {
    const way = [...tree.path(node).map((played) => played.node).reverse(), 0];
    const known = this.values.get(way.find((one) => this.values.has(one)));
    const [number, share] = outcome ? RESULTS[outcome.result] : [known ? percent(known.share) : '–', known?.share ?? 0.5];
    const { element } = this;
    element.style.setProperty('--share', share);
    element.classList.toggle('flipped', flipped);
    element.classList.toggle('over', Boolean(outcome));
    element.dataset.first = position.side_colours[0] ?? '';
    element.dataset.lies = share >= 0.5 ? 'first' : 'second';
    text(this.number, number);
    const name = gameWord(game, position.side_names[0]);
    const words = outcome ? t('bar-result', { name, points: number }) : known ? t('bar-expects', { name, share: percent(share) }) : t('bar-unknown');
    const proof = !outcome && known?.proof ? ` (${gameWord(game, position.side_names[known.side === 'first' ? 0 : 1])}: ${proofWords(known.proof, game)})` : '';
    element.setAttribute('aria-label', words + proof);
    element.title = words + proof;
  }
}
