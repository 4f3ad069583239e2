// The laboratory: stores, experiments, matches.

import { ask, h } from './dom.js';
import { bytes } from './numbers.js';
import { reportView } from './report.js';
import { showReplay } from './replay.js';
import { matchPanel } from './match.js';
import { table } from './table.js';
import { clusterPanel } from './cluster.js';

const GAMES_A_PAGE = 50;

let visit = 0; // grows with every page of the lab, so that a slow answer does not overwrite a later page

/** Shows the page of the lab that the address names: nothing, `store/ID`, `store/ID/KEY`, `experiment/ID`. */
export async function showLab(host, [kind, id, key], catalogue) {
  const mine = ++visit;
  const back = kind ? h('p', {}, h('a', { href: '#lab' }, '← The lab'), ...(key ? [' · ', h('a', { href: `#lab/store/${encodeURIComponent(id)}` }, id)] : [])) : null;
  host.replaceChildren(h('p.hint', {}, 'Loading …'));
  try {
    const parts = await pageOf(kind, id, key, catalogue);
    if (mine === visit) host.replaceChildren(...[back, ...parts].filter(Boolean));
  } catch (error) {
    if (mine === visit) host.replaceChildren(...[back, h('p.error', { role: 'alert' }, error.message)].filter(Boolean));
  }
}

async function pageOf(kind, id, key, catalogue) {
  if (kind === 'store' && key) return gamePage(id, key, catalogue);
  if (kind === 'store') return storePage(id);
  if (kind === 'experiment') {
    const experiment = await ask(`/api/lab/experiments/${encodeURIComponent(id)}`);
    return [h('h1', {}, experiment.title), ...reportView(experiment.report)];
  }
  return overview(catalogue);
}

async function overview(catalogue) {
  const [{ stores }, { experiments }, { cluster }] = await Promise.all([ask('/api/lab/stores'), ask('/api/lab/experiments'), ask('/api/lab/cluster')]);
  return [
    h('h1', {}, 'The lab'),
    h('p.hint', {}, 'Does a technique help, and by how much? Let two players meet, or look at what was measured for the tables and figures of the papers.'),
    h('div.lab-columns', {},
      card('A match', matchPanel(catalogue)),
      card('Stores', storeList(stores))),
    ...(cluster ? [card('Many machines', clusterPanel(cluster))] : []),
    card('Experiments', experimentTable(experiments)),
  ];
}

function card(title, ...children) {
  return h('section.card', {}, h('h2', {}, title), ...children);
}

function storeList(stores) {
  if (!stores.length) return h('p.hint', {}, 'There are none yet. A match started here makes one; so does “monteverde match … --store games.db” in the folder of the lab.');
  const rows = stores.map((store) => {
    const name = store.error ? h('span', { title: store.error }, store.id) : h('a', { href: `#lab/store/${encodeURIComponent(store.id)}` }, store.id);
    return [name, store.error ? 'cannot be read' : store.kinds.join(', '), store.error ? '' : String(store.games), bytes(store.bytes)];
  });
  return table(['Store', 'Games of', 'Games', 'Size'], rows, [2, 3]);
}

function experimentTable(experiments) {
  if (!experiments.length) return h('p.hint', {}, 'There is no folder “experiments” where the server runs.');
  const rows = experiments.map(({ id, title, paper, scales }) => [
    h('a', { href: `#lab/experiment/${encodeURIComponent(id)}` }, id),
    h('span.long', {}, title), paper ?? '',
    ...['quick', 'standard', 'paper'].map((scale) => h('span.badge', { 'data-verdict': scales[scale] }, scales[scale] ?? '–')),
  ]);
  return table(['Experiment', 'What', 'Paper', 'Quick', 'Standard', 'As the paper'], rows);
}

async function storePage(id) {
  const route = `/api/lab/stores/${encodeURIComponent(id)}`;
  const [{ report }, games] = await Promise.all([ask(route), ask(`${route}/games?offset=0&count=${GAMES_A_PAGE}`)]);
  const list = h('div');
  let offset = 0;
  const show = ({ total, games: lines, left_out: leftOut }) => {
    const rows = lines.map((line) => [
      h('a', { href: `#lab/store/${encodeURIComponent(id)}/${line.key}` }, 'replay'),
      line.game, line.first, line.second, resultWords(line), String(line.plies), new Date(line.started_ms).toLocaleString(),
    ]);
    const turn = (by, words) => h('button', { disabled: offset + by < 0 || offset + by >= total, onclick: async () => {
      offset += by;
      show(await ask(`${route}/games?offset=${offset}&count=${GAMES_A_PAGE}`));
    } }, words);
    list.replaceChildren(table(['', 'Game', 'First', 'Second', 'Result', 'Plies', 'Played'], rows, [5]),
      h('div.actions', {}, turn(-GAMES_A_PAGE, 'Newer'), turn(GAMES_A_PAGE, 'Older'), h('span.hint', {}, `${offset + 1} to ${offset + lines.length} of ${total}`)),
      leftOut ? h('p.hint', {}, leftOut) : '');
  };
  show(games);
  return [h('h1', {}, report.title || id), ...reportView(report), card('Games', list)];
}

function resultWords({ result, reason }) {
  const points = { first: '1–0', second: '0–1', draw: '½–½' }[result] ?? result;
  return `${points} ${reason ?? ''}`;
}

async function gamePage(id, key, catalogue) {
  const { game } = await ask(`/api/lab/stores/${encodeURIComponent(id)}/games/${key}`);
  return [
    h('h1', {}, `${game.first} – ${game.second}`),
    h('p.hint', {}, [resultWords(game), game.detail, `${game.moves.length} plies`, `seed ${game.seed}`].filter(Boolean).join(' · ')),
    await showReplay(game, catalogue),
  ];
}
