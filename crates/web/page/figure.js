// Figures of the lab: points with intervals over an axis.

import { english, h, s } from './dom.js';
import { t } from './words.js';

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [640, 320, 58, 16, 14, 44];

/** Draws a plot with its legend. */
export function figure(plot) {
  const points = plot.series.flatMap((series) => series.points).filter((point) => point.y.value !== null);
  if (!points.length) return h('p.hint', {}, english('span', plot.caption), ` ${t('nothing-measured')}`);
  const names = namesOf(plot.x);
  const xs = names ? [0, names.length - 1] : points.map((point) => point.x);
  const ys = points.flatMap(({ y }) => [y.value, y.low ?? y.value, y.high ?? y.value]);
  if (plot.reference) ys.push(plot.reference.y);
  const x = axis(xs, plot.x.scale === 'log', LEFT, WIDTH - RIGHT);
  const y = axis(ys, plot.y.scale === 'log', HEIGHT - BOTTOM, TOP);
  const picture = s('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: 'figure-plot', role: 'img', lang: 'en', 'aria-label': plot.caption });
  for (const tick of y.ticks) picture.append(s('path', { class: 'grid', d: `M${LEFT} ${y.at(tick)}H${WIDTH - RIGHT}` }), label(LEFT - 8, y.at(tick) + 4, short(tick), 'end'));
  const steps = names ? names.map((_, index) => index) : x.ticks;
  for (const tick of steps) picture.append(label(x.at(tick), HEIGHT - BOTTOM + 18, names ? names[tick] : short(tick), 'middle'));
  picture.append(label((LEFT + WIDTH) / 2, HEIGHT - 8, plot.x.label, 'middle'));
  if (plot.reference) picture.append(s('path', { class: 'reference', d: `M${LEFT} ${y.at(plot.reference.y)}H${WIDTH - RIGHT}` }));
  plot.series.forEach((series, index) => picture.append(seriesOf(series, index, x, y, !plot.x.scale?.names)));
  const legend = plot.series.map((series, index) => h('span.key', { 'data-series': index % 6, lang: 'en' }, series.name));
  return h('figure.plot-figure', {}, english('figcaption', plot.caption), english('p.hint', plot.y.label), picture, h('p.legend-line', {}, ...legend));
}

function namesOf({ scale }) {
  return scale?.even ?? scale?.names ?? null;
}

function label(x, y, words, anchor) {
  const text = s('text', { x, y, 'text-anchor': anchor });
  text.textContent = words;
  return text;
}

function seriesOf(series, index, x, y, joined) {
  const group = s('g', { class: 'series', 'data-series': index % 6 });
  const known = series.points.filter((point) => point.y.value !== null);
  if (joined) group.append(s('path', { class: 'joined', d: `M${known.map((point) => `${x.at(point.x)} ${y.at(point.y.value)}`).join('L')}` }));
  for (const point of known) {
    if (point.y.low !== null && point.y.high !== null) group.append(s('path', { class: 'error-bar', d: `M${x.at(point.x)} ${y.at(point.y.low)}V${y.at(point.y.high)}` }));
    group.append(s('circle', { cx: x.at(point.x), cy: y.at(point.y.value), r: 4 }));
  }
  return group;
}

/** Maps values to places between two ends, with round numbers as ticks. */
function axis(values, wantsLog, from, to) {
  const isLog = wantsLog && values.every((value) => value > 0);
  const scaled = (value) => (isLog ? Math.log10(value) : value);
  let [low, high] = [Math.min(...values.map(scaled)), Math.max(...values.map(scaled))];
  if (low === high) [low, high] = [low - 1, high + 1];
  const margin = (high - low) * 0.05;
  const [start, end] = [low - margin, high + margin];
  const at = (value) => Number((from + ((scaled(value) - start) / (end - start)) * (to - from)).toFixed(1));
  return { at, ticks: isLog ? decades(low, high) : round(low, high) };
}

function decades(low, high) {
  const ticks = [];
  for (let power = Math.ceil(low - 1e-9); power <= high + 1e-9; power++) ticks.push(10 ** power);
  return ticks.length ? ticks : [10 ** low];
}

function round(low, high) {
  const raw = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= raw);
  const ticks = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high + 1e-9; tick += step) ticks.push(Number(tick.toPrecision(12)));
  return ticks;
}

function short(value) {
  return Math.abs(value) >= 10000 ? value.toLocaleString('en', { notation: 'compact' }) : String(Number(value.toPrecision(4)));
}
