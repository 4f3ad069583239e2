// The laboratory: stores, experiments, matches.

import { ask, english, h, problemOf } from './dom.js';
import { gameWord, has, t } from './words.js';
import { bytes } from './numbers.js';
import { reportView } from './report.js';
import { showReplay } from './replay.js';
import { matchPanel } from './match.js';
import { table } from './table.js';
import { clusterPanel } from './cluster.js';

const GAMES_A_PAGE = 50;
const STORES_EVERY = 3000; // milliseconds between two looks at the stores

let visit = 0; // grows with every page of the lab, so that a slow answer does not overwrite a later page

/** Shows the page of the lab that the address names: nothing, `store/ID`, `store/ID/KEY`, `experiment/ID`. */
export async function showLab(host, [kind, id, key], catalogue) {
  const mine = ++visit;
  const back = kind ? h('p', {}, h('a', { href: '#lab' }, `← ${t('the-lab')}`), ...(key ? [' · ', h('a', { href: `#lab/store/${encodeURIComponent(id)}` }, id)] : [])) : null;
  host.replaceChildren(h('p.hint', {}, t('loading')));
  try {
    const parts = await pageOf(kind, id, key, catalogue);
    if (mine === visit) host.replaceChildren(...[back, ...parts].filter(Boolean));
  } catch (error) {
    if (mine === visit) host.replaceChildren(...[back, problemOf(error.message)].filter(Boolean));
  }
}

async function pageOf(kind, id, key, catalogue) {
  if (kind === 'store' && key) return gamePage(id, key, catalogue);
  if (kind === 'store') return storePage(id, catalogue);
  if (kind === 'experiment') {
    const experiment = await ask(`/api/lab/experiments/${encodeURIComponent(id)}`);
    return [english('h1', experiment.title), ...reportView(experiment.report)];
  }
  return overview(catalogue);
}

async function overview(catalogue) {
  const [{ stores }, { experiments }, { cluster }] = await Promise.all([ask('/api/lab/stores'), ask('/api/lab/experiments'), ask('/api/lab/cluster')]);
  return [
    h('h1', {}, t('the-lab')),
    h('p.hint', {}, t('lab-hint')),
    h('div.lab-columns', {},
      card(t('a-match'), matchPanel(catalogue)),
      card(t('stores'), storePanel(stores, catalogue))),
    ...(cluster ? [card(t('many-machines'), clusterPanel(cluster))] : []),
    card(t('experiments'), experimentTable(experiments)),
  ];
}

function card(title, ...children) {
  return h('section.card', {}, h('h2', {}, title), ...children);
}

/** The stores, looked for again and again as long as they are on the page; a list that is the same is left alone. */
function storePanel(first, catalogue) {
  const host = h('div', { id: 'stores' });
  let shown = null;
  const draw = (stores) => {
    const key = JSON.stringify(stores);
    if (key === shown) return;
    shown = key;
    host.replaceChildren(storeList(stores, catalogue));
  };
  const again = async () => {
    if (!host.isConnected) return;
    await ask('/api/lab/stores').then(({ stores }) => draw(stores), () => {}); // the next look may succeed
    setTimeout(again, STORES_EVERY);
  };
  draw(first);
  setTimeout(again, STORES_EVERY);
  return host;
}

function storeList(stores, catalogue) {
  if (!stores.length) return h('p.hint', {}, t('no-stores'));
  const rows = stores.map((store) => {
    const name = store.error ? h('span', { title: store.error }, store.id) : h('a', { href: `#lab/store/${encodeURIComponent(store.id)}` }, store.id);
    return [name, store.error ? t('cannot-be-read') : store.kinds.map((name) => titleOf(catalogue, name)).join(', '), store.error ? '' : String(store.games), bytes(store.bytes)];
  });
  return table([t('store'), t('games-of'), t('games'), t('size')], rows, [2, 3]);
}

function experimentTable(experiments) {
  if (!experiments.length) return h('p.hint', {}, t('no-experiments'));
  const rows = experiments.map(({ id, title, paper, scales }) => [
    h('a', { href: `#lab/experiment/${encodeURIComponent(id)}` }, id),
    english('span.long', title), english('span', paper ?? ''),
    ...['quick', 'standard', 'paper'].map((scale) => h('span.badge', { 'data-verdict': scales[scale] }, verdictWords(scales[scale]))),
  ]);
  return table([t('experiment'), t('what'), t('paper'), t('scale-quick'), t('scale-standard'), t('scale-paper')], rows);
}

async function storePage(id, catalogue) {
  const route = `/api/lab/stores/${encodeURIComponent(id)}`;
  const [{ report }, games] = await Promise.all([ask(route), ask(`${route}/games?offset=0&count=${GAMES_A_PAGE}`)]);
  const list = h('div');
  let offset = 0;
  const show = ({ total, games: lines, left_out: leftOut }) => {
    const rows = lines.map((line) => [
      h('a', { href: `#lab/store/${encodeURIComponent(id)}/${line.key}` }, t('replay')),
      titleOf(catalogue, line.game), line.first, line.second, resultWords(line, catalogue), String(line.plies), new Date(line.started_ms).toLocaleString(),
    ]);
    const turn = (by, words) => h('button', { disabled: offset + by < 0 || offset + by >= total, onclick: async () => {
      offset += by;
      show(await ask(`${route}/games?offset=${offset}&count=${GAMES_A_PAGE}`));
    } }, words);
    list.replaceChildren(table([t('replay'), t('game'), t('first-side'), t('second-side'), t('result'), t('plies'), t('played')], rows, [5]),
      h('div.actions', {}, turn(-GAMES_A_PAGE, t('newer')), turn(GAMES_A_PAGE, t('older')), h('span.hint', {}, t('range-of', { low: offset + 1, high: offset + lines.length, total }))),
      leftOut ? english('p.hint', leftOut) : '');
  };
  show(games);
  return [english('h1', report.title || id), ...reportView(report), card(t('games'), list)];
}

function resultWords({ result, reason, game }, catalogue) {
  const points = { first: '1–0', second: '0–1', draw: '½–½' }[result] ?? result;
  return h('span', {}, `${points} `, english('span', gameWord(catalogue.games.find(({ name }) => name === game), reason ?? '')));
}

/** The title of a game by its name; a store may hold games that this program does not have. */
function titleOf(catalogue, name) {
  const game = catalogue.games.find((one) => one.name === name);
  return game ? gameWord(game, game.title) : name;
}

/** A verdict in the language of the page. */
function verdictWords(verdict) {
  const key = `verdict-${verdict?.replace(' ', '-')}`;
  return verdict === undefined ? '–' : has(key) ? t(key) : verdict;
}

async function gamePage(id, key, catalogue) {
  const { game } = await ask(`/api/lab/stores/${encodeURIComponent(id)}/games/${key}`);
  return [
    h('h1', {}, `${game.first} – ${game.second}`),
    h('p.hint', {}, resultWords(game, catalogue), ' · ', ...(game.detail ? [english('span', game.detail), ' · '] : []), t('number-plies', { number: game.moves.length }), ' · ', t('seed', { number: game.seed })),
    await showReplay(game, catalogue),
  ];
}
