// What one search thinks: figures, the curve of its value, and its moves. Drawn at most once a frame.

import { framed, h, text } from './dom.js';
import { gameWord, t } from './words.js';
import { bytes, count, expected, percent, proofWords, signed } from './numbers.js';
import { Bars } from './bars.js';
import { Curve } from './curve.js';
import { Outlook } from './outlook.js';
import { squaresOf } from './layout.js';

export class SearchView {
  /** `onArrows(list)` and `onValue(report)` are told what the board should show; the board itself if they are left out. */
  constructor(play, { onArrows = (list) => play.arrows(list), onValue = (report) => play.value(report) } = {}) {
    this.play = play;
    this.onArrows = onArrows;
    this.onValue = onValue;
    this.report = null;
    this.bars = new Bars((move) => this.point(move), () => play.game);
    this.curve = new Curve();
    this.outlook = new Outlook();
    this.sentence = h('p.sentence', {}, t('nothing-searched'));
    this.pv = h('p.pv');
    this.facts = Object.fromEntries(['iterations', 'a-second', 'depth-most', 'nodes', 'memory'].map((name) => [name, h('dd', {}, '–')]));
    const facts = Object.entries(this.facts).map(([name, value]) => h('div', {}, h('dt', {}, t(`fact-${name}`)), value));
    this.element = h('div.search-view', {}, this.sentence, this.pv, h('dl.facts', {}, ...facts), this.outlook.element, this.bars.element, this.curve.element);
    this.draw = framed(() => this.drawNow());
  }

  /** Takes a report; a new serial or spec starts the curve anew. */
  take(report) {
    const before = this.report;
    if (!before || before.serial !== report.serial || before.spec !== report.spec || before.kept + before.iterations > report.kept + report.iterations) this.curve.clear();
    this.curve.add(report);
    this.report = report;
    this.isNew = true;
    this.draw();
  }

  /** Forgets everything, for a new game. */
  clear() {
    this.report = null;
    this.curve.clear();
    this.draw();
  }

  point(move) {
    this.pointed = move;
    this.drawArrows();
  }

  drawNow() {
    const { report, facts } = this;
    this.curve.draw();
    this.bars.draw(report?.moves ?? [], report?.left_out ?? 0);
    this.outlook.draw(report, this.side(report), this.play.game);
    if (!report) {
      text(this.sentence, t('nothing-searched'));
      text(this.pv, '');
      for (const fact of Object.values(facts)) text(fact, '–');
      return;
    }
    text(this.sentence, this.words(report));
    text(this.pv, report.pv.length ? t('expects', { line: report.pv.slice(0, 8).map((step) => step.label).join(' ') }) : '');
    text(facts.iterations, count(report.iterations + report.kept));
    text(facts['a-second'], count(report.per_second));
    text(facts['depth-most'], report.depth === null ? '–' : `${Number(report.depth).toFixed(1)}${report.deepest ? `, ${report.deepest}` : ''}`);
    text(facts.nodes, report.nodes ? count(report.nodes) : '–');
    text(facts.memory, report.tree_bytes ? bytes(report.tree_bytes) : '–');
    facts.memory.title = report.tree_limit ? t('part-of', { part: percent(report.fullness), whole: bytes(report.tree_limit) }) : '';
    if (this.isNew && report.mean !== null) this.onValue(report);
    this.isNew = false;
    this.drawArrows();
  }

  /** The name of the side that a report speaks for. */
  side(report) {
    return report && this.play.state.position.side_names[report.side === 'first' ? 0 : 1];
  }

  words(report) {
    const { game } = this.play;
    const side = gameWord(game, this.side(report));
    const who = t(report.final ? 'is-done' : 'thinks', { spec: report.spec });
    if (report.proof) return t('proven-for', { who, side, proof: proofWords(report.proof, game) });
    if (report.mean === null) return `${who}.`;
    return t('can-expect', { who, side, share: percent(expected(report.mean)), value: signed(report.mean) });
  }

  /** The line that is expected, or the move that is pointed at, as arrows; only on the state that it is about. */
  drawArrows() {
    const { report, pointed, play } = this;
    if (!report || report.serial !== play.serial) return;
    const line = pointed ? pointed.pv.map(squaresOf) : report.pv.map((step) => (step.to ? step : squaresOf(step.text)));
    const weights = pointed ? [1, 0.5] : [1, 0.6, 0.3];
    this.onArrows(line.slice(0, weights.length).filter(Boolean).map(({ from, to }, index) => ({ from, to, weight: weights[index] })));
  }
}
