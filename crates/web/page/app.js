// Starts the page: connection, views, panels.

import { ask, byId, toast } from './dom.js';
import { Socket } from './socket.js';
import { Play } from './play.js';
import { startWatch } from './watch.js';
import { startTree } from './tree.js';
import { startCompare } from './compare.js';

const socket = new Socket();
const play = new Play(socket);

const connection = byId('connection');
socket.on('up', () => {
  connection.textContent = '';
  document.body.classList.remove('offline');
});
socket.on('down', ({ forGood }) => {
  document.body.classList.add('offline');
  connection.textContent = forGood ? 'This game went to another tab; reload to have it here.' : 'Connection lost, trying again …';
});
socket.on('error', ({ message, code }) => code !== 'taken-over' && toast(message));

startPanels();
start().catch((error) => toast(`The page could not start: ${error.message}`));

async function start() {
  const [catalogue] = await Promise.all([ask('/api/games'), socket.start()]);
  play.begin(catalogue);
  startWatch(socket, play);
  startTree(socket, play);
  startCompare(socket, play);
  addEventListener('hashchange', route);
  await route();
}

/** The view that the address names: `#play`, or `#lab/...`. */
async function route() {
  const [view, ...rest] = location.hash.slice(1).split('/');
  const lab = view === 'lab';
  byId('view-play').hidden = lab;
  byId('view-lab').hidden = !lab;
  for (const link of document.querySelectorAll('nav [data-view]')) {
    if ((link.dataset.view === 'lab') === lab) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  if (lab) {
    // Few visitors go there at once, so it is loaded when they do.
    const { showLab } = await import('./lab.js');
    await showLab(byId('view-lab'), rest.map(decodeURIComponent), play.catalogue);
  }
}

/** Tabs as the accessibility guidelines want them: arrows move, the rest of the page is one Tab away. */
function startPanels() {
  const tabs = [...document.querySelectorAll('[role=tab]')];
  const view = byId('view-play');
  const open = (tab) => {
    view.dataset.tab = tab.dataset.tab;
    for (const other of tabs) {
      other.setAttribute('aria-selected', other === tab);
      other.tabIndex = other === tab ? 0 : -1;
    }
    view.dispatchEvent(new CustomEvent('panel', { detail: tab.dataset.tab }));
  };
  for (const tab of tabs) {
    tab.onclick = () => open(tab);
    tab.onkeydown = ({ key }) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
      if (!step) return;
      const shown = tabs.filter((other) => other.offsetParent);
      const next = shown[(shown.indexOf(tab) + step + shown.length) % shown.length];
      open(next);
      next.focus();
    };
  }
}
