// Games without a board of their own: a picture in letters, and a button for every move.

import { h } from './dom.js';
import { t } from './words.js';

export class Boardless {
  constructor(host, onMove) {
    this.host = host;
    this.onMove = onMove;
    this.picture = h('pre.picture', { lang: 'en' });
    this.moves = h('div.move-buttons', { role: 'group', 'aria-label': t('legal-moves') });
    this.element = h('div.boardless', { hidden: true }, this.picture, this.moves);
    host.append(this.element);
  }

  show(position, mayMove) {
    this.host.classList.add('plain-text');
    this.element.hidden = false;
    this.picture.textContent = position.picture;
    const buttons = (mayMove ? position.legal : []).map((move) => h('button', { onclick: () => this.onMove(move.text) }, move.label));
    this.moves.replaceChildren(...buttons);
  }

  hide() {
    this.host.classList.remove('plain-text');
    this.element.hidden = true;
  }
}
