// The moves at the root as bars: visits, the share that a network gave in advance, value with its interval, proof.

import { h, s, text } from './dom.js';
import { t } from './words.js';
import { count, percent, proofWords, signed } from './numbers.js';

const ROWS = 14; // as many as fit without scrolling far; more on demand

export class Bars {
  /** `onPoint(move | null)` is called when a move is pointed at or left; `gameOf()` is the game that is played. */
  constructor(onPoint, gameOf = () => null) {
    this.onPoint = onPoint;
    this.gameOf = gameOf;
    this.rows = [];
    this.body = h('tbody');
    this.rest = h('p.left-out');
    this.ticks = h('th', {}, t('visits'));
    const head = h('thead', {}, h('tr', {}, h('th.move', {}, t('move')), this.ticks, h('th.policy', { title: t('policy-is') }, t('policy')), h('th.whisker', {}, t('value-95')), h('th.mean', {}, t('mean'))));
    this.table = h('table', { 'aria-label': t('moves-at-root') }, head, this.body);
    this.element = h('div.bars', {}, this.table, this.rest);
    for (let index = 0; index < ROWS; index++) this.addRow();
    this.body.addEventListener('pointerleave', () => this.onPoint(null));
  }

  addRow() {
    const label = h('button.move-label');
    const fill = h('span.fill');
    const prior = h('span.prior');
    const visits = h('span.visits');
    const range = s('rect', { class: 'range', y: 8, height: 4 });
    const whisker = s('svg', { viewBox: '0 0 100 20', preserveAspectRatio: 'none', 'aria-hidden': 'true' }, s('path', { class: 'zero', d: 'M50 0V20' }), range);
    const dots = h('span.dot');
    const mean = h('td.mean');
    const policy = h('td.policy');
    const track = h('div.track', {}, fill, prior, visits);
    const element = h('tr', {}, h('td.move', {}, label), h('td', {}, track), policy, h('td.whisker', {}, h('div.whisker-box', {}, whisker, dots)), mean);
    element.onpointerenter = label.onfocus = () => this.onPoint(row.move);
    label.onblur = () => this.onPoint(null);
    const row = { element, label, fill, prior, visits, policy, range, dots, mean, track };
    this.rows.push(row);
    this.body.append(element);
  }

  /** Shows the moves of a report; rows are kept, only what differs in them changes. */
  draw(moves, leftOut) {
    const hasPolicy = moves.some((move) => move.policy !== null);
    const ticks = hasPolicy ? policyTick : priorTick(moves);
    this.table.classList.toggle('has-policy', hasPolicy);
    this.ticks.title = t(hasPolicy ? 'policy-tick-is' : 'prior-is');
    this.rows.forEach((row, index) => {
      const move = moves[index];
      row.element.classList.toggle('empty', !move);
      row.label.tabIndex = move ? 0 : -1;
      row.move = move;
      if (move) drawRow(row, move, ticks, this.gameOf());
      else text(row.label, '');
    });
    const others = Math.max(0, moves.length - this.rows.length) + leftOut;
    text(this.rest, others ? t('more-moves', { number: others }) : '');
  }
}

/** A network's policy is a share, as the bar is: where the tick and the bar end apart, the search has changed its mind. */
function policyTick({ policy }) {
  return policy === null ? null : { at: policy, words: t('policy-share', { share: finePercent(policy) }) };
}

/** Other priors come in a unit of their own, so they are shown between the lowest and the highest of them. */
function priorTick(moves) {
  const known = moves.map((move) => move.prior).filter((prior) => prior !== null);
  if (known.length < 2) return () => null;
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const scaled = (prior) => (high > low ? (prior - low) / (high - low) : 0.5);
  return ({ prior }) => (prior === null ? null : { at: scaled(prior), words: t('prior', { value: Number(prior.toPrecision(3)) }) });
}

/** Most moves have a small share, and differ in it. */
const finePercent = (share) => percent(share, share < 0.0995 ? 1 : 0);

/** The length of a bar is the share of the visits that is written in it, so that any two bars may be compared. */
function drawRow(row, move, tickOf, game) {
  text(row.label, move.label);
  row.fill.style.transform = `scaleX(${move.share.toFixed(4)})`;
  text(row.visits, `${count(move.visits)} · ${percent(move.share)}`);
  const tick = tickOf(move);
  row.prior.hidden = !tick;
  if (tick) row.prior.style.left = `${(97 * tick.at).toFixed(1)}%`;
  row.track.title = tick?.words ?? '';
  text(row.policy, move.policy === null ? '' : finePercent(move.policy));
  const at = (value) => 50 * (value + 1);
  const known = move.mean !== null && move.visits > 0;
  row.dots.hidden = !known;
  if (known) row.dots.style.left = `${at(move.mean).toFixed(1)}%`;
  const hasRange = known && move.low !== null;
  row.range.setAttribute('x', hasRange ? at(move.low).toFixed(1) : 0);
  row.range.setAttribute('width', hasRange ? (at(move.high) - at(move.low)).toFixed(1) : 0);
  const proof = move.proof?.result ?? '';
  row.element.dataset.proof = proof;
  text(row.mean, proof ? proofWords(move.proof, game) : known ? signed(move.mean) : '–');
}
