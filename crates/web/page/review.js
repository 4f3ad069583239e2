// The whole game, searched move by move: a graph, and the moves that lost something.

import { byId, h, s, text } from './dom.js';
import { gameWord, t } from './words.js';
import { expected, percent } from './numbers.js';
import { specChooser } from './settings.js';
import { paceControl } from './newgame.js';

const WIDTH = 400;
const HEIGHT = 120;
// How much worse a move may leave its side, on the scale from -1 (lost) to 1 (won), before it is marked: 30, 20 and 10% of the points.
const KINDS = [[0.6, 'blunder', '??'], [0.4, 'mistake', '?'], [0.2, 'inaccuracy', '?!']];

/** Fills the panel and follows what the server finds. */
export function startReview(socket, play) {
  const chooser = specChooser(play, { label: t('analysed-by') });
  const pace = paceControl('review-pace', t('pace-each'));
  pace.set('time=200ms');
  const button = h('button.primary', { id: 'begin-review', onclick: toggle }, t('review-game'));
  const progress = h('progress', { max: 1, value: 0, hidden: true, 'aria-label': t('review-progress') });
  const words = h('p.sentence', { 'aria-live': 'polite' });
  const area = s('path', { class: 'area' });
  const line = s('path', { class: 'line' });
  const cursor = s('path', { class: 'cursor' });
  const dots = s('g');
  const picture = s('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' }, s('path', { class: 'zero', d: `M0 ${HEIGHT / 2}H${WIDTH}` }), area, line, cursor, dots);
  const plot = h('div.plot', {}, h('span.high', {}, '100%'), h('span.middle', {}, '50%'), h('span.low', {}, '0%'), picture);
  const caption = h('figcaption');
  const graph = h('figure.curve.review-graph', { hidden: true }, caption, plot);
  const list = h('ul.mistakes');
  byId('panel-review').append(h('h2', {}, t('review')), h('p.hint', {}, t('review-hint')),
    h('div.analyse', {}, chooser.element, pace.element, button), progress, words, graph, list);

  let running = false;
  let found = new Map(); // by ply: what a search expects there
  let moves = []; // of the line that is reviewed

  async function toggle() {
    if (running) return play.send('stop');
    moves = play.tree.path(play.state.node);
    if (!moves.length) return text(words, t('review-nothing'));
    found = new Map();
    play.history.mark(new Map());
    text(words, '');
    await play.send('review', { spec: chooser.spec, pace: pace.value });
  }

  function take(message) {
    const certain = message.proof && { win: 1, loss: -1, draw: 0 }[message.proof.result];
    const mean = certain ?? message.mean ?? 0;
    found.set(message.ply, { ...message, first: message.side === 'first' ? mean : -mean });
    play.bar.take(message.node, message, message.side);
    progress.max = message.of + 1;
    progress.value = found.size;
    draw();
  }

  /** The moves that lost something, with what would have been better. */
  function mistakes() {
    return moves.flatMap((played, index) => {
      const [before, after] = [found.get(index), found.get(index + 1)];
      if (!before?.best || !after || before.best.text === played.text) return [];
      const sign = played.side === 'first' ? 1 : -1;
      const lost = sign * (before.first - after.first);
      const kind = KINDS.find(([least]) => lost >= least);
      if (!kind) return [];
      const [, name, mark] = kind;
      return [{ played, kind: name, sign: mark, lost, words: t('review-mistake', { kind: t(name), lost: percent(lost / 2), better: before.best.label }) }];
    });
  }

  const place = (ply) => ((WIDTH * ply) / Math.max(1, moves.length)).toFixed(1);
  const height = (first) => (HEIGHT * (1 - expected(first))).toFixed(1);

  function draw() {
    const known = [...found.values()].sort((a, b) => a.ply - b.ply);
    graph.hidden = known.length < 2;
    const points = known.map(({ ply, first }) => `${place(ply)} ${height(first)}`).join('L');
    line.setAttribute('d', points ? `M${points}` : '');
    area.setAttribute('d', points ? `M${place(known[0].ply)} ${HEIGHT / 2}L${points}L${place(known.at(-1).ply)} ${HEIGHT / 2}Z` : '');
    text(caption, t('review-caption', { name: gameWord(play.game, play.state.position.side_names[0]) }));
    const marked = mistakes();
    dots.replaceChildren(...marked.map(({ played, kind }) => s('path', { class: 'mistake-dot', 'data-mark': kind, d: `M${place(played.ply)} ${height(found.get(played.ply).first)}h0` })));
    list.replaceChildren(...marked.map(({ played, kind, sign, words: about }) => h('li', {},
      h('button', { 'data-mark': kind, onclick: () => play.view(played.node) }, `${Math.ceil(played.ply / 2)}${played.ply % 2 ? '.' : '…'} ${played.label}${sign}`), ' ', about)));
    play.history.mark(new Map(marked.map(({ played, kind, sign, words: about }) => [played.node, { kind, sign, words: about }])));
    if (!running && known.length === moves.length + 1) {
      const number = (kind) => marked.filter((mark) => mark.kind === kind).length;
      text(words, t('review-done', { blunders: number('blunder'), mistakes: number('mistake'), inaccuracies: number('inaccuracy') }));
    }
    play.drawBar();
    drawCursor();
  }

  function drawCursor() {
    cursor.setAttribute('d', `M${place(play.tree?.path(play.node).length ?? 0)} 0V${HEIGHT}`);
  }

  plot.onclick = ({ clientX }) => {
    const box = picture.getBoundingClientRect();
    const ply = Math.round(((clientX - box.left) / box.width) * moves.length);
    play.view(ply <= 0 ? 0 : moves[Math.min(ply, moves.length) - 1].node);
  };
  socket.on('analysis', ({ purpose }) => {
    running = purpose === 'review';
    text(button, running ? t('stop') : t('review-game'));
    progress.hidden = !running;
    if (found.size) draw();
  });
  socket.on('down', () => {
    running = false;
    progress.hidden = true;
    text(button, t('review-game'));
  });
  socket.on('reviewed', take);
  let key = null;
  play.onState((state) => {
    chooser.game(state.game);
    const now = `${state.game} ${state.start} ${state.history[0]?.node}`;
    if (now !== key) {
      key = now;
      found = new Map();
      moves = [];
      graph.hidden = true;
      list.replaceChildren();
      text(words, '');
      play.history.marks = new Map();
    }
    drawCursor();
  });
}
