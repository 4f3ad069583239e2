// A game of a store, to step through, with what the players thought.

import { ask, h, keep, s, text } from './dom.js';
import { Board } from './board.js';
import { count, signed } from './numbers.js';
import { squaresOf } from './layout.js';

/** The board, the moves and the reports of a record. */
export async function showReplay(record) {
  const steps = record.moves.map((move) => move.text);
  const { positions } = await ask(`/api/games/${record.game}/replay`, { state: record.start_state, steps });
  const host = h('div.board');
  const picture = h('pre.picture', { hidden: true });
  const board = new Board(host, { label: 'Board of the replay' });
  board.change({ letters: keep.get('letters', 'chinese') });
  const words = h('p.about-move', { 'aria-live': 'polite' });
  const list = h('ol.moves.replay-moves', { 'aria-label': 'Moves' });
  const cursor = s('path', { class: 'cursor' });
  const curve = meanCurve(record, positions, cursor);
  let at = 0;

  const buttons = record.moves.map((move, index) => {
    const button = h('button', { onclick: () => go(index + 1) }, move.text);
    list.append(h('li', { className: move.by ?? 'player', 'data-number': `${index + 1}.` }, button));
    return button;
  });
  const step = (label, sign, to) => h('button', { 'aria-label': label, title: label, onclick: () => go(to()) }, sign);
  const bar = h('div.steps', { role: 'group', 'aria-label': 'Replay' },
    step('start', '«', () => 0), step('one ply back', '‹', () => at - 1), step('one ply forward', '›', () => at + 1), step('end', '»', () => steps.length));
  bar.onkeydown = ({ key }) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (by) go(at + by);
  };

  function go(ply) {
    buttons[at - 1]?.removeAttribute('aria-current');
    at = Math.max(0, Math.min(steps.length, ply));
    buttons[at - 1]?.setAttribute('aria-current', 'step');
    if (buttons[at - 1]) list.scrollTop = buttons[at - 1].offsetTop - list.clientHeight / 2;
    const position = positions[at];
    host.hidden = !position.board;
    picture.hidden = Boolean(position.board);
    picture.textContent = position.picture;
    if (position.board) {
      board.show(position);
      const line = (record.moves[at]?.pv ?? []).map(squaresOf).filter(Boolean).slice(0, 2);
      board.arrows(line.map(({ from, to }, index) => ({ from, to, weight: 1 - 0.5 * index })));
    }
    text(words, thought(record.moves[at - 1]));
    cursor.setAttribute('d', `M${place(at, steps.length)} 0V100`);
  }

  go(0);
  return h('div.replay', {}, h('div.replay-board', {}, host, picture, bar), h('div', {}, words, list, curve));
}

function thought(move) {
  if (!move) return 'The start.';
  if (move.by === 'chance') return `Chance showed ${move.text}.`;
  if (move.by === 'opening') return `${move.text}, from the opening.`;
  const parts = [move.text];
  if (move.mean !== undefined) parts.push(`mean ${signed(move.mean)}`);
  if (move.centipawns !== undefined) parts.push(`${move.centipawns} centipawns`);
  if (move.mate !== undefined) parts.push(`mate in ${move.mate}`);
  if (move.iterations !== undefined) parts.push(`${count(move.iterations)} iterations`);
  if (move.visits !== undefined) parts.push(`${count(move.visits)} visits`);
  if (move.depth !== undefined) parts.push(`depth ${move.depth}`);
  if (move.elapsed_ms !== undefined) parts.push(`${(move.elapsed_ms / 1000).toFixed(2)} s`);
  const line = move.pv?.length ? `; expected ${move.pv.slice(0, 8).join(' ')}` : '';
  return `${parts.join(', ')}${line}.`;
}

const place = (ply, plies) => ((400 * ply) / Math.max(1, plies)).toFixed(1);

/** What both players thought of the first one's chances, move by move. */
function meanCurve(record, positions, cursor) {
  const dots = record.moves.flatMap((move, index) => {
    if (move.mean === undefined || move.by === 'chance') return [];
    const isFirst = positions[index].turn === 'first';
    const y = 50 - 48 * (isFirst ? move.mean : -move.mean);
    return [s('path', { class: 'mean-dot', 'data-series': isFirst ? 0 : 1, d: `M${place(index + 1, record.moves.length)} ${y.toFixed(1)}h0` })];
  });
  const picture = s('svg', { viewBox: '0 0 400 100', preserveAspectRatio: 'none', 'aria-hidden': 'true' }, s('path', { class: 'zero', d: 'M0 50H400' }), cursor, ...dots);
  return h('figure.curve', {}, h('figcaption', {}, 'The chances of the first player, as thought by ', h('span.key', { 'data-series': 0 }, record.first), h('span.key', { 'data-series': 1 }, record.second)),
    h('div.plot', {}, h('span.high', {}, '+1'), h('span.middle', {}, '0'), h('span.low', {}, '−1'), picture));
}
