// Two specs side by side on the state on the board.

import { byId, h, text } from './dom.js';
import { t } from './words.js';
import { SearchView } from './searchview.js';
import { specChooser } from './settings.js';

/** Fills the panel and follows the reports of both slots. */
export function startCompare(socket, play) {
  const choosers = ['A', 'B'].map((name) => specChooser(play, { label: t('player-name', { name }), onChange: () => running && begin() }));
  const lines = [[], []];
  const views = [
    new SearchView(play, { onArrows: (list) => showLines(0, list) }),
    new SearchView(play, { onArrows: (list) => showLines(1, list), onValue: () => {} }),
  ];
  const button = h('button.primary', { onclick: toggle }, t('compare'));
  const verdict = h('p.sentence', { 'aria-live': 'polite' });
  let running = false;
  let game = null;

  byId('panel-compare').append(
    h('h2', {}, t('two-players')),
    h('p.hint', {}, t('compare-hint')),
    h('div.actions', {}, button), verdict,
    h('div.pair', {}, ...choosers.map((chooser, index) => h('div', {}, chooser.element, views[index].element))));

  /** The first step of both lines, told apart by colour. */
  function showLines(index, list) {
    lines[index] = list.slice(0, 1).map((arrow) => (index === 1 ? { ...arrow, weight: 0.6, kind: 'other' } : arrow));
    play.arrows(lines.flat());
  }

  function begin() {
    for (const view of views) view.clear();
    lines.fill([]);
    running = true; // a search may have ended before the server says that it began
    play.send('analyse', { specs: choosers.map((chooser) => chooser.spec) }).then((answer) => answer ?? show({}));
  }

  function toggle() {
    if (running) play.send('stop');
    else begin();
  }

  play.onState((state) => {
    lines.fill([]);
    if (state.game === game) return;
    game = state.game;
    const known = play.gameOf(game);
    if (!known) return;
    choosers[0].game(game, known.strongest);
    choosers[1].game(game, known.default_player);
    for (const view of views) view.clear();
  });
  const show = (slots) => {
    running = Boolean(slots.a && slots.b);
    text(button, running ? t('stop') : t('compare'));
  };
  socket.on('analysis', ({ slots }) => show(slots));
  socket.on('down', () => show({}));
  socket.on('report', (report) => {
    if (report.slot === 'b') views[1].take(report);
    else if (report.slot === 'a' && running) views[0].take(report);
    const [a, b] = views.map((view) => view.report);
    if (!running || !a?.best || !b?.best) return;
    text(verdict, a.best.text === b.best.text ? t('both-prefer', { move: a.best.label }) : t('prefer', { a: a.best.label, b: b.best.label }));
  });
}
