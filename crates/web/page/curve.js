// The value over iterations: a line with its interval.

import { h, s, text } from './dom.js';
import { t } from './words.js';
import { count } from './numbers.js';

const WIDTH = 400;
const HEIGHT = 100;
const MOST_POINTS = 400; // more are thinned out by half; a line on a phone has fewer pixels

export class Curve {
  constructor() {
    this.points = [];
    this.band = s('path', { class: 'band' });
    this.line = s('path', { class: 'line' });
    const zero = s('path', { class: 'zero', d: `M0 ${HEIGHT / 2}H${WIDTH}` });
    const picture = s('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' }, zero, this.band, this.line);
    this.end = h('span.end', {}, '');
    this.element = h('figure.curve', {},
      h('figcaption', {}, t('curve-caption')),
      h('div.plot', {}, h('span.high', {}, '+1'), h('span.middle', {}, '0'), h('span.low', {}, '−1'), picture),
      h('div.axis', {}, h('span', {}, '0'), this.end));
  }

  clear() {
    this.points.length = 0;
    this.changed = true;
  }

  /** Adds what a report says. */
  add({ kept, iterations, mean, low, high }) {
    const x = kept + iterations;
    const last = this.points.at(-1);
    if (mean === null || (last && x <= last.x)) return;
    this.points.push({ x, mean, low: low ?? mean, high: high ?? mean });
    if (this.points.length > MOST_POINTS) this.points = this.points.filter((_, index) => index % 2 === 1);
    this.changed = true;
  }

  draw() {
    if (!this.changed) return;
    this.changed = false;
    const { points } = this;
    const most = points.at(-1)?.x ?? 1;
    const place = (x, y) => `${((x / most) * WIDTH).toFixed(1)} ${(((1 - y) / 2) * HEIGHT).toFixed(1)}`;
    const over = (key) => points.map((point) => place(point.x, point[key]));
    this.line.setAttribute('d', points.length > 1 ? `M${over('mean').join('L')}` : '');
    this.band.setAttribute('d', points.length > 1 ? `M${over('high').join('L')}L${over('low').reverse().join('L')}Z` : '');
    text(this.end, points.length ? t('number-iterations', { number: count(most) }) : '');
  }
}
