// What a learned network expects of the position before any search, beside what the search has found.

import { h, text } from './dom.js';
import { gameWord, t } from './words.js';
import { percent, proofWords, signed } from './numbers.js';

const RESULTS = ['win', 'draw', 'loss'];

export class Outlook {
  constructor() {
    this.network = h('dd');
    this.search = h('dd');
    this.parts = RESULTS.map((result) => h('span', { 'data-result': result }));
    this.bar = h('div.outlook-bar', { role: 'img' }, ...this.parts);
    this.legend = h('p', { 'aria-hidden': 'true' });
    const values = [['network-value', this.network], ['search-value', this.search]].map(([name, value]) => h('div', {}, h('dt', {}, t(name)), value));
    this.element = h('div.outlook', { hidden: true }, h('dl.facts', {}, ...values), h('div.outlook-shares', {}, this.bar, this.legend));
  }

  /** Shows a report's; nothing where the player has no network that values positions. */
  draw(report, side, game) {
    const outlook = report?.outlook ?? null;
    this.element.hidden = !outlook;
    if (!outlook) return;
    text(this.network, signed(outlook.win - outlook.loss));
    text(this.search, report.proof ? proofWords(report.proof, game) : signed(report.mean));
    RESULTS.forEach((result, index) => (this.parts[index].style.flexGrow = outlook[result].toFixed(4)));
    const shares = t('outlook', Object.fromEntries(RESULTS.map((result) => [result, percent(outlook[result])])));
    text(this.legend, shares);
    this.bar.setAttribute('aria-label', t('outlook-of', { side: gameWord(game, side), shares }));
  }
}
