// A report of the lab: ratings, who beats whom, the paper's numbers beside ours, tables, figures.

import { english, h, s } from './dom.js';
import { has, t } from './words.js';
import { interval, percent } from './numbers.js';
import { table } from './table.js';
import { figure } from './figure.js';

const LONG = 30; // rows from which on a table is folded

/** The elements of a report. */
export function reportView(report) {
  return [
    ...report.summary.map((words) => english('p', words)),
    ...report.sections.map((section) => h('section.card', {},
      english('h2', section.title),
      ...section.text.map((words) => english('p', words)),
      ...section.findings.map((words) => h('p', {}, h('strong', {}, `${t('found')} `), english('span', words))),
      section.notes.length ? h('ul', {}, ...section.notes.map((words) => english('li', words))) : '',
      h('div.parts', {}, ...section.parts.map(partView)),
      reproduceView(section.reproduce))),
  ];
}

function partView(part) {
  const [[kind, content]] = Object.entries(part);
  const view = { contest, comparison, claims, table: plainTable, plot: figure, commands }[kind];
  return view ? view(content) : h('p.hint', {}, t('unknown-part', { kind }));
}

function reproduceView(reproduce) {
  if (!reproduce) return null;
  return h('details', {}, h('summary', {}, t('measure-again')),
    h('dl.pairs', { lang: 'en' }, ...reproduce.facts.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)])),
    ...reproduce.commands.map((command) => h('pre', {}, command)));
}

/** What a paper says and nothing here has measured yet. */
function claims(given) {
  return table([t('paper-says'), t('of'), t('paper'), t('verdict')], given.map((claim) => [english('span', claim.claim), english('span', claim.name), claim.paper, t('not-measured')]), [2]);
}

function commands({ caption, lines }) {
  return h('details', {}, english('summary', caption), h('pre', {}, lines.join('\n')));
}

function wdl(games) {
  return games ? `${games.wins}–${games.draws}–${games.losses}` : '';
}

function contest(given) {
  const names = given.players.map((player) => player.name);
  const ratings = given.players.map((player, index) => [String(index + 1), h('span', { title: player.spec ?? '' }, player.name), interval(player.rating, 0), wdl(player.games)]);
  const span = spanOf(given.players.map((player) => player.rating));
  given.players.forEach((player, index) => ratings[index].push(whisker([['ours', player.rating]], span)));
  return h('div', {},
    h('dl.pairs', { lang: 'en' }, ...given.facts.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)])),
    h('h3', {}, t('ratings')),
    table([t('rank'), t('player'), t('elo-95'), t('wdl'), t('rating')], ratings, [0, 2, 3]),
    names.length > 1 ? matrix(t('los-matrix'), names, given.los, losCell) : '',
    names.length > 2 ? matrix(t('wdl-matrix'), names, given.results, (games) => h('td.number', {}, wdl(games))) : '',
    given.meetings.length ? titled(t('meetings'), given.meetings.length, table([t('player'), t('against'), t('wdl'), t('score'), t('elo-95'), t('stronger')],
      given.meetings.map((meeting) => [names[meeting.player], names[meeting.opponent], wdl(meeting.games), percentInterval(meeting.score), interval(meeting.elo, 0), percent(meeting.los, 1)]), [2, 3, 4, 5])) : '',
    given.endings.length ? h('p.hint', {}, `${t('endings')} `, english('span', given.endings.map(([name, number]) => `${name} ${number}`).join(', '))) : '',
    ...given.failures.map(({ player, reason, games }) => h('p.error', { lang: 'en' }, `${player}: ${reason} (${games})`)));
}

/** A score in 0..1 in percent with its interval. */
export function percentInterval(given) {
  if (!given || given.value === null) return '–';
  const ends = given.low === null || given.high === null ? '' : ` (${t('from-to', { low: (100 * given.low).toFixed(1), high: (100 * given.high).toFixed(1) })})`;
  return `${(100 * given.value).toFixed(1)}%${ends}`;
}

function matrix(caption, names, values, cell) {
  return h('div', {}, h('h3', {}, caption), h('div.scroll', { tabIndex: 0, role: 'region', 'aria-label': caption }, h('table.matrix', {},
    h('thead', {}, h('tr', {}, h('td'), ...names.map((name, index) => h('th.number', { scope: 'col', title: name }, String(index + 1))))),
    h('tbody', {}, ...names.map((name, row) => h('tr', {}, h('th', { scope: 'row' }, `${row + 1} ${name}`), ...values[row].map(cell)))))));
}

function losCell(value) {
  const cell = h('td.number', {}, value === null ? '' : (100 * value).toFixed(0));
  if (value !== null) cell.style.backgroundColor = `color-mix(in srgb, var(${value >= 0.5 ? '--good' : '--warn'}) ${Math.round(38 * Math.abs(value - 0.5) * 2)}%, transparent)`;
  return cell;
}

function comparison(given) {
  const span = spanOf(given.rows.flatMap((row) => [row.paper, row.ours]));
  const rows = given.rows.map((row) => [
    english('span', row.name), paperText(row, given.decimals), interval(row.ours, given.decimals), whisker([['paper', row.paper], ['ours', row.ours]], span),
    row.sample === null ? '' : String(row.sample), h('span.badge', { 'data-verdict': row.verdict, title: row.reason }, verdictOf(row))]);
  return h('figure.comparison', {},
    english('figcaption', `${given.caption} (${given.source})`),
    table([t('of'), h('span', {}, `${t('paper')}: `, english('span', given.quantity)), t('ours'), `● ${t('ours')}  ○ ${t('paper')}`, english('span', given.sample), t('verdict')], rows, [1, 2, 4]));
}

/** A paper's number; one without an error is marked, and a direction has no number. */
function paperText({ paper, error }, decimals) {
  if (error === 'direction') return paper.low === null ? t('less-than', { number: paper.high }) : t('more-than', { number: paper.low });
  return error === 'rounding' ? t('as-printed', { number: paper.value.toFixed(decimals) }) : interval(paper, decimals);
}

function verdictOf({ ours, verdict }) {
  const isMeasured = [ours.value, ours.low, ours.high].some((end) => end !== null);
  const key = `verdict-${verdict}`;
  return isMeasured ? (has(key) ? t(key) : verdict.replace('-', ' ')) : t('not-measured');
}

function plainTable({ caption, columns, rows }) {
  const numbers = columns.flatMap((column, index) => ('number' in column ? [index] : []));
  return titled(caption, rows.length, table(columns.map((column) => english('span', column.number ?? column.text)), rows.map((row) => row.map((cell) => english('span', cell))), numbers));
}

/** A table under its caption; a long one is folded. */
function titled(caption, rows, content) {
  if (rows > LONG) return h('details', {}, h('summary', {}, english('span', caption), ` (${t('number-rows', { number: rows })})`), content);
  return h('figure', {}, english('figcaption', caption), content);
}

function spanOf(intervals) {
  const values = intervals.flatMap((given) => (given ? [given.value, given.low, given.high] : [])).filter((value) => value !== null && Number.isFinite(value));
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const margin = (high - low) * 0.06 || 1;
  return { low: low - margin, high: high + margin };
}

/** Intervals as lines with a dot, one below the other, on a common scale. */
function whisker(named, { low, high }) {
  const at = (value) => (8 + (184 * (value - low)) / (high - low)).toFixed(1);
  const height = 12 * named.length;
  const shapes = named.flatMap(([name, given], index) => {
    if (!given || given.value === null) return [];
    const y = 6 + 12 * index;
    const line = given.low === null || given.high === null ? [] : [s('path', { class: `whisker-line ${name}`, d: `M${at(given.low)} ${y}H${at(given.high)}` })];
    return [...line, s('circle', { class: `whisker-dot ${name}`, cx: at(given.value), cy: y, r: 4 })];
  });
  return s('svg', { viewBox: `0 0 200 ${height}`, width: 200, height, 'aria-hidden': 'true' }, ...shapes);
}
