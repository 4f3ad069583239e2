// Starts the page: connection, views, panels.

import { ask, byId, h, toast } from './dom.js';
import { LANGUAGES, choose, fill, language, learn, t } from './words.js';
import { Socket } from './socket.js';
import { Play } from './play.js';
import { startWatch } from './watch.js';
import { startTree } from './tree.js';
import { startCompare } from './compare.js';
import { startReview } from './review.js';
import { followLink, isGameLink } from './link.js';
import { hasSound, setSound } from './sound.js';

fill();
const socket = new Socket();
const play = new Play(socket);

const connection = byId('connection');
socket.on('up', () => {
  connection.textContent = '';
  document.body.classList.remove('offline');
});
socket.on('down', ({ forGood }) => {
  document.body.classList.add('offline');
  connection.textContent = t(forGood ? 'taken-over' : 'connection-lost');
});
socket.on('error', ({ message, code }) => code !== 'taken-over' && toast(message, { fromServer: true }));

startPanels();
startPreferences();
start().catch((error) => toast(t('cannot-start', { problem: error.message })));

async function start() {
  const [catalogue, texts] = await Promise.all([ask('/api/games'), language === 'en' ? null : ask(`/api/texts/${language}`), socket.start()]);
  // The game of a link comes first, so that no other begins before it.
  const link = isGameLink(location.hash) ? location.hash : null;
  play.waitsForLink = Boolean(link);
  if (texts) learn(texts, catalogue.games);
  play.begin(catalogue);
  startWatch(socket, play);
  startTree(socket, play);
  startCompare(socket, play);
  startReview(socket, play);
  addEventListener('hashchange', route);
  if (!link) return route();
  play.waitsForLink = false;
  await followLink(play, link);
  await route();
}

/** The view that the address names: `#play`, or `#lab/...`. */
async function route() {
  if (isGameLink(location.hash)) await followLink(play, location.hash);
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

/** Whether panels lie over the page, as they do on a narrow screen. */
function isSheet() {
  return getComputedStyle(document.querySelector('.side')).position === 'fixed';
}

/** The language and the sounds, in the head of the page. */
function startPreferences() {
  const menu = byId('language');
  menu.replaceChildren(...Object.entries(LANGUAGES).map(([code, name]) => h('option', { value: code, lang: code }, name)));
  menu.value = language;
  menu.onchange = () => choose(menu.value);
  const sound = byId('sound');
  const show = () => {
    sound.setAttribute('aria-pressed', hasSound());
  };
  sound.onclick = () => {
    setSound(!hasSound());
    show();
  };
  show();
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
  // On a narrow screen a panel lies over the page: it is closed until its tab is pressed, and by pressing that again.
  view.dataset.sheet = 'closed';
  for (const tab of tabs) {
    tab.onclick = () => {
      const isOpen = view.dataset.sheet === 'open' && view.dataset.tab === tab.dataset.tab;
      view.dataset.sheet = isOpen ? 'closed' : 'open';
      open(tab);
      // The board is to be seen above the panel.
      if (!isOpen && isSheet()) document.querySelector('.board-frame').scrollIntoView({ block: 'start' });
    };
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
