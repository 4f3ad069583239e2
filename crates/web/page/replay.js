// A game of a store, to step through, with what the players thought.

import { ask, h, s, text } from './dom.js';
import { keep } from './keep.js';
import { gameWord, t } from './words.js';
import { Board } from './board.js';
import { linkOf } from './link.js';
import { count, expected, percent, signed } from './numbers.js';
import { squaresOf } from './layout.js';

const LINE = 8; // so many moves of an expected line are told

/** The board, the moves and the reports of a record. */
export async function showReplay(record, catalogue) {
  const game = catalogue.games.find(({ name }) => name === record.game);
  const steps = record.moves.map((move) => move.text);
  const { positions } = await ask(`/api/games/${record.game}/replay`, { state: record.start_state, steps });
  const labels = record.moves.map((move, index) => labelOf(move, positions[index]));
  const host = h('div.board');
  const picture = h('pre.picture', { hidden: true, lang: 'en' });
  const board = new Board(host, { label: t('board-of-replay') });
  board.game = game;
  board.change({ letters: keep.get('letters', 'chinese') });
  const words = h('p.about-move', { 'aria-live': 'polite' });
  const values = [h('dd'), h('dd')];
  const names = [record.first, record.second];
  const sides = positions[0].side_names.map((name) => gameWord(game, name));
  const thoughts = h('dl.engine-values', {}, ...values.flatMap((value, index) => [h('dt', { 'data-series': index, className: 'key' }, t('engine-of-side', { name: names[index], side: sides[index] })), value]));
  const back = h('a.play-on', { id: 'play-on' }, t('play-on-from-here'));
  const list = h('ol.moves.replay-moves', { 'aria-label': t('moves') });
  const cursor = s('path', { class: 'cursor' });
  const curve = meanCurve(record, positions, cursor);
  let at = 0;

  const buttons = record.moves.map((move, index) => {
    const button = h('button', { onclick: () => go(index + 1) }, labels[index]);
    list.append(h('li', { className: move.by ?? 'player', 'data-number': `${index + 1}.` }, button));
    return button;
  });
  const step = (key, sign, to) => h('button', { 'aria-label': t(key), title: t(key), onclick: () => go(to()) }, sign);
  const bar = h('div.steps', { role: 'group', 'aria-label': t('replay') },
    step('first-position', '«', () => 0), step('one-back', '‹', () => at - 1), step('one-forward', '›', () => at + 1), step('the-end', '»', () => steps.length));
  const element = h('div.replay', {}, h('div.replay-board', {}, host, picture, bar, h('p', {}, back)), h('div', {}, words, thoughts, list, curve));
  const key = (event) => {
    if (!element.isConnected) return document.removeEventListener('keydown', key);
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by && !event.target.closest?.('input, textarea, select, [role=grid]')) go(at + by);
  };
  document.addEventListener('keydown', key);

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
    text(words, thought(record.moves[at - 1], labels[at - 1]));
    tellLine(at);
    ['first', 'second'].forEach((side, index) => text(values[index], valueWords(record, positions, at, side)));
    const state = record.start_state === game?.start || record.start_state === 'startpos' ? '' : record.start_state;
    back.href = linkOf({ game: record.game, state, steps: steps.slice(0, at) });
    cursor.setAttribute('d', `M${place(at, steps.length)} 0V100`);
  }

  /** The line that the player expected, in the words of people once the server has followed it. */
  async function tellLine(ply) {
    const { pv = [], by } = record.moves[ply - 1] ?? {};
    const steps = pv.slice(0, LINE);
    if (!steps.length || by === 'chance') return;
    const line = await ask(`/api/games/${record.game}/replay`, { state: positions[ply - 1].text, steps }).then(
      (answer) => steps.map((text, index) => labelOf({ text }, answer.positions[index])),
      () => steps, // a line that goes on behind a flip says nothing of what it shows
    );
    if (at === ply) text(words, thought(record.moves[ply - 1], labels[ply - 1]) + t('expected-line', { line: line.join(' ') }));
  }

  go(0);
  return element;
}

/** How people write a step: as the legal moves of its state are written. */
function labelOf(move, position) {
  return position.legal.find(({ text: one }) => one === move.text)?.label ?? move.text;
}

/** What a side's player last thought of its own chances. */
function valueWords(record, positions, at, side) {
  for (let index = at - 1; index >= 0; index--) {
    const { mean, mate, centipawns, by } = record.moves[index];
    if (by === 'chance' || positions[index].turn !== side) continue;
    if (mean !== undefined) return t('value-in-points', { value: signed(mean), share: percent(expected(mean)) });
    if (mate !== undefined) return t('mate-in', { number: mate });
    if (centipawns !== undefined) return t('centipawns', { number: centipawns });
  }
  return '–';
}

function thought(move, label) {
  if (!move) return t('the-start');
  if (move.by === 'chance') return t('chance-showed', { piece: label });
  if (move.by === 'opening') return t('from-opening', { move: label });
  const parts = [label];
  if (move.mean !== undefined) parts.push(t('mean-is', { value: signed(move.mean) }));
  if (move.centipawns !== undefined) parts.push(t('centipawns', { number: move.centipawns }));
  if (move.mate !== undefined) parts.push(t('mate-in', { number: move.mate }));
  if (move.iterations !== undefined) parts.push(t('number-iterations', { number: count(move.iterations) }));
  if (move.visits !== undefined) parts.push(t('number-visits', { number: count(move.visits) }));
  if (move.depth !== undefined) parts.push(t('depth-is', { number: move.depth }));
  if (move.elapsed_ms !== undefined) parts.push(`${(move.elapsed_ms / 1000).toFixed(2)} s`);
  return parts.join(', ');
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
  return h('figure.curve', {}, h('figcaption', {}, `${t('chances-of-first')} `, h('span.key', { 'data-series': 0 }, record.first), h('span.key', { 'data-series': 1 }, record.second)),
    h('div.plot', {}, h('span.high', {}, '+1'), h('span.middle', {}, '0'), h('span.low', {}, '−1'), picture));
}
