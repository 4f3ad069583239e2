// The tree of a search, opened node by node and followed while it grows.

import { byId, framed, h, text } from './dom.js';
import { gameWord, t } from './words.js';
import { count, percent, proofWords, signed } from './numbers.js';
import { squaresOf } from './layout.js';

const MOST_OPEN = 48; // below the server's limit of paths
const CHILDREN = 40;

/** Fills the panel. The server is asked only while the panel is seen. */
export function startTree(socket, play) {
  const slots = h('select', { id: 'tree-slot' }, h('option', { value: 'game' }, t('the-player')), h('option', { value: 'a' }, t('analysis-name', { name: 'A' })), h('option', { value: 'b' }, t('analysis-name', { name: 'B' })));
  const empty = h('p.hint', {}, t('tree-empty'));
  const root = h('ul.tree', { role: 'tree', 'aria-label': t('search-tree') });
  byId('panel-tree').append(
    h('h2', {}, t('the-tree')),
    h('p.hint', {}, t('tree-hint')),
    h('div.field', {}, h('label', { for: 'tree-slot' }, t('tree-of')), slots), empty, root);

  const rows = new Map(); // by path, the steps joined by spaces
  let open = new Set(['']);
  let nodes = new Map();
  let seen = false;
  let serial = null;

  const request = () => {
    const paths = seen ? [...open].slice(0, MOST_OPEN).map(stepsOf) : [];
    socket.send('tree', { slot: slots.value, paths, most: CHILDREN }).catch(() => {});
  };
  const draw = framed(() => {
    const node = nodes.get('');
    empty.hidden = Boolean(node?.found);
    root.hidden = !node?.found;
    if (node?.found) drawChildren(root, '', node);
  });

  function drawChildren(list, path, node) {
    const wanted = node.children.map((child) => join(path, child.text));
    const kept = new Set(wanted);
    for (const item of [...list.children]) if (item.dataset.path !== undefined && !kept.has(item.dataset.path)) forget(item);
    node.children.forEach((child, index) => {
      const row = rows.get(wanted[index]) ?? createRow(wanted[index], child);
      if (list.children[index] !== row.item) list.insertBefore(row.item, list.children[index] ?? null);
      drawRow(row, child);
      const opened = open.has(wanted[index]);
      row.item.setAttribute('aria-expanded', child.open || opened ? opened : false);
      row.group.hidden = !opened;
      const below = nodes.get(wanted[index]);
      if (opened && below?.found) drawChildren(row.group, wanted[index], below);
    });
  }

  function forget(item) {
    for (const inner of item.querySelectorAll('[data-path]')) rows.delete(inner.dataset.path);
    rows.delete(item.dataset.path);
    item.remove();
  }

  function createRow(path, child) {
    const row = { label: h('span.label', {}, child.label), fill: h('span.fill'), visits: h('span.visits'), mean: h('span.mean'), twist: h('span.twist', { 'aria-hidden': 'true' }) };
    row.group = h('ul', { role: 'group', hidden: true });
    row.line = h('div.line', {}, row.twist, row.label, h('span.track', {}, row.fill, row.visits), row.mean);
    row.item = h('li', { role: 'treeitem', tabIndex: rows.size ? -1 : 0, 'data-path': path }, row.line, row.group);
    row.line.onclick = () => toggle(path);
    row.line.onpointerenter = row.item.onfocus = () => point(path);
    rows.set(path, row);
    return row;
  }

  function drawRow(row, child) {
    row.child = child;
    row.item.classList.toggle('leaf', !child.open);
    row.item.classList.toggle('chance', child.by === 'chance');
    row.line.dataset.proof = child.proof?.result ?? '';
    row.fill.style.transform = `scaleX(${child.share.toFixed(4)})`;
    const chance = child.probability === null ? '' : `${t('chance', { share: percent(child.probability, 1) })} · `;
    text(row.label, child.name ? gameWord(play.game, child.name) : child.label);
    text(row.visits, `${chance}${count(child.visits)} · ${percent(child.share)}`);
    text(row.mean, child.proof ? proofWords(child.proof, play.game) : child.visits ? signed(child.mean) : '–');
    row.item.setAttribute('aria-label', `${row.label.textContent} ${row.visits.textContent} ${row.mean.textContent}`);
  }

  function toggle(path) {
    if (!rows.get(path)?.child.open && !open.has(path)) return;
    if (open.has(path)) open = new Set([...open].filter((other) => other !== path && !other.startsWith(`${path} `)));
    else if (open.size < MOST_OPEN) open.add(path);
    request();
    draw();
  }

  function point(path) {
    const line = stepsOf(path).map(squaresOf).filter(Boolean).slice(-3).reverse();
    play.point(line.map(({ from, to }, index) => ({ from, to, weight: 1 - 0.35 * index })));
  }

  root.addEventListener('pointerleave', () => play.point(null));
  root.addEventListener('focusout', () => play.point(null));

  root.addEventListener('keydown', (event) => {
    const item = event.target.closest('[role=treeitem]');
    if (!item) return;
    const { path } = item.dataset;
    const all = [...root.querySelectorAll('[role=treeitem]')].filter((other) => other.offsetParent);
    const near = (step) => all[all.indexOf(item) + step];
    const opened = open.has(path);
    let next = null;
    if (event.key === 'ArrowDown') next = near(1);
    else if (event.key === 'ArrowUp') next = near(-1);
    else if (event.key === 'ArrowRight') opened ? (next = near(1)) : toggle(path);
    else if (event.key === 'ArrowLeft') opened ? toggle(path) : (next = item.parentElement.closest('[role=treeitem]'));
    else if (event.key === 'Enter' || event.key === ' ') toggle(path);
    else return;
    event.preventDefault();
    if (!next) return;
    item.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });

  const restart = () => {
    open = new Set(['']);
    nodes = new Map();
    rows.clear();
    root.replaceChildren();
    request();
    draw();
  };
  slots.onchange = restart;
  byId('view-play').addEventListener('panel', ({ detail }) => {
    if (seen === (detail === 'tree')) return;
    seen = detail === 'tree';
    play.point(null);
    request();
  });
  socket.on('nodes', (message) => {
    if (message.slot !== slots.value || !seen) return;
    if (serial !== null && message.serial !== serial && open.size > 1) {
      // Another state is on the board, so what was opened means nothing any more.
      serial = message.serial;
      return restart();
    }
    serial = message.serial;
    nodes = new Map(message.nodes.map((node) => [node.path.join(' '), node]));
    draw();
  });
  socket.on('analysis', ({ slots: running }) => {
    const wanted = running.a ? 'a' : 'game';
    if (slots.value === wanted || (slots.value === 'b' && running.b)) return seen && request();
    slots.value = wanted;
    restart();
  });
  play.onState(() => seen && request());
}

const stepsOf = (path) => (path ? path.split(' ') : []);
const join = (path, step) => (path ? `${path} ${step}` : step);
